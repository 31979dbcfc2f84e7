"""Committees side by side, for other kernels."""

from thresher.kernels.engines.committee cimport table_t
from thresher.kernels.engines.feature_memory cimport FeatureMemory, columns_t


cdef class Share:
    cdef Committees whole
    # The committees from `begin` on.
    cdef Py_ssize_t begin, n
    # What is remembered of the features, or a copy, and the arrays behind its pointers.
    cdef columns_t columns
    cdef list arrays
    cdef double[::1] shrink
    cdef double[::1] room
    # Of each committee the rounds in which it was wrong about -1, and about +1; by round what is
    # best, and whose it is.
    cdef double[::1] wrong, best, predicted


cdef class Committees:
    cdef list engines
    # The weights of all: slot by slot, and in each committee by committee.
    cdef FeatureMemory memory
    cdef size_t[::1] address

    cdef void fill_table(
        self, table_t* table, Py_ssize_t begin, Py_ssize_t n, columns_t* columns
    ) noexcept
