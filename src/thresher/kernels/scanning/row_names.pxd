"""The names of one row, and those of the pairs that they make, for `name_counts`."""

cimport cython
from libc.stdint cimport uint32_t

from thresher.kernels.scanning.crossing cimport Crossing, PairList
from thresher.kernels.scanning.split_names cimport Part, SplitNames


cdef struct RowName:
    # Where its text is.
    Py_ssize_t start
    Py_ssize_t size
    # What it is as the first part of a pair's name, and as the second; 0: not known yet.
    Part first
    Part second
    bint has_space


@cython.final
cdef class RowNames:
    cdef Crossing crossing
    cdef readonly Py_ssize_t longest
    cdef RowName* name
    cdef Py_ssize_t n
    cdef Py_ssize_t room
    # As the crossing wants them, apart.
    cdef uint32_t* sides
    cdef unsigned char* text
    cdef Py_ssize_t text_used
    cdef Py_ssize_t text_room
    # Room for the name of a pair.
    cdef unsigned char* joined
    cdef PairList listed
    cdef int take(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef Py_ssize_t pair_up(self) noexcept nogil
    cdef Py_ssize_t size_of_pair(self, Py_ssize_t k) noexcept nogil
    cdef int split_pair(
        self, Py_ssize_t k, SplitNames names, Part* one, Part* other
    ) noexcept nogil
    cdef void clear(self) noexcept nogil
