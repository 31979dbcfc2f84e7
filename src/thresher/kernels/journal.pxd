"""The growing record of updates, for other kernels."""

from libc.stdint cimport int8_t, int32_t, int64_t


cdef class JournalBuffer:
    cdef readonly int64_t limit
    cdef readonly int64_t omitted
    cdef readonly bint warned
    cdef Py_ssize_t rows, values
    cdef Py_ssize_t row_room, value_room
    cdef bint only_ones
    cdef bint known_ones
    cdef int64_t* row_stop
    cdef int64_t* round_number
    cdef int8_t* label
    cdef int32_t* column
    cdef double* value
    cdef int reserve(self, Py_ssize_t rows, Py_ssize_t values, bint ones) except -1
    cdef void append(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        int64_t round_number,
    ) noexcept nogil
