"""Names with how many rows had them, for the kernels that scan files."""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.crossing cimport Crossing, PairList


cdef struct Waiting:
    # Where in the text it begins, how long it is, and its hash.
    Py_ssize_t start
    Py_ssize_t size
    uint32_t hashed


@cython.final
cdef class NameCounts:
    cdef ByteTable table
    cdef int64_t* rows
    # The last row that had the name: a row counts once.
    cdef int64_t* last
    cdef Py_ssize_t room
    cdef int64_t row
    cdef readonly int64_t limit
    cdef readonly int64_t max_bytes
    cdef int64_t n_dropped
    # Names of this row that have not been looked up yet, and their text.
    cdef Waiting* waiting
    cdef unsigned char* text
    cdef Py_ssize_t n_waiting
    cdef Py_ssize_t text_used
    cdef bint out_of_memory
    # Which pairs are counted as well, or None; then the names of this row, and where they end.
    cdef Crossing crossing
    cdef unsigned char* part
    cdef Py_ssize_t part_room
    cdef Py_ssize_t* part_stop
    cdef uint32_t* sides
    cdef Py_ssize_t n_parts
    cdef Py_ssize_t parts_room
    cdef PairList listed
    cdef void begin_row(self) noexcept nogil
    cdef int take_part(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int cross(self) noexcept nogil
    cdef int count_alone(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int count(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int count_hashed(
        self, const unsigned char* name, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil
    cdef void look_up(self) noexcept nogil
    cdef int enter(
        self, const unsigned char* name, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil
    cdef int drop(self) noexcept nogil
    cdef int rank(self, int64_t* ranked) noexcept nogil
    cdef int settle(self) except -1
