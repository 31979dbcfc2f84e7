"""Names with how many rows had them, for the kernels that scan files."""

cimport cython
from libc.stdint cimport int64_t, uint64_t

from thresher.kernels.scanning.row_names cimport RowNames
from thresher.kernels.scanning.split_names cimport Part, SplitName, SplitNames


cdef struct Waiting:
    # The parts of a name.
    Part one
    Part other


@cython.final
cdef class NameCounts:
    cdef SplitNames table
    # From 1, so that no row is the last of a name that was in none.
    cdef int64_t row
    cdef readonly int64_t limit
    cdef readonly int64_t max_bytes
    # Names of more bytes are not counted.
    cdef Py_ssize_t longest
    cdef int64_t n_dropped
    # Names of this row that have not been looked up yet.
    cdef Waiting* waiting
    cdef Py_ssize_t n_waiting
    cdef bint out_of_memory
    # Whether there may be many parts that no name has.
    cdef bint untidy
    # Where pairs are counted as well, the names of this row; or None.
    cdef RowNames row_names
    cdef void begin_row(self) noexcept nogil
    cdef void end_row(self) noexcept nogil
    cdef int take_part(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef void cross(self) noexcept nogil
    cdef int count(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int count_alone(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int count_split(self, Part one, Part other) noexcept nogil
    cdef bint has_room(self, Py_ssize_t n, int64_t n_bytes) noexcept nogil
    cdef void look_up(self) noexcept nogil
    cdef int enter(self, Part one, Part other) noexcept nogil
    cdef int drop(self) noexcept nogil
    cdef uint64_t rows_of_the_last(self, int64_t* room, int64_t* n_bytes) noexcept nogil
    cdef int settle(self) except -1
