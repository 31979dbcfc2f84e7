"""Committees side by side, for other kernels."""

from thresher.kernels.engines.committee cimport table_t
from thresher.kernels.engines.feature_memory cimport FeatureMemory


cdef class Committees:
    cdef list engines
    # The weights of all: slot by slot, and in each committee by committee.
    cdef FeatureMemory memory
    cdef size_t[::1] address
    cdef unsigned char[::1] room

    cdef void fill_table(self, table_t* table) noexcept
