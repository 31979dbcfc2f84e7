"""Committees side by side, for other kernels."""

from thresher.kernels.engines.committee cimport table_t


cdef class Committees:
    cdef list engines
    # The weights of all: feature by feature, and of each feature committee by committee.
    cdef float[:, ::1] table
    cdef size_t[::1] address
    cdef unsigned char[::1] room

    cdef void fill_table(self, table_t* table) noexcept
