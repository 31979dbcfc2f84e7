"""Names with how many rows had them, for the kernels that scan files."""

cimport cython
from libc.stdint cimport int64_t

from thresher.kernels.byte_table cimport ByteTable


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
    cdef readonly int64_t dropped
    cdef void begin_row(self) noexcept nogil
    cdef int count(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef int drop(self) noexcept nogil
