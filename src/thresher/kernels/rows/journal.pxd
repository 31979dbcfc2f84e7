"""The growing record of updates, for other kernels."""

from libc.stdint cimport int8_t, int32_t, int64_t


cdef class JournalBuffer:
    cdef readonly int64_t limit
    cdef readonly int64_t omitted
    cdef readonly bint warned
    # Whether some update so far weighed more or less than 1.
    cdef readonly bint weighted
    cdef Py_ssize_t rows, values
    # Room for `value` is made when a value other than 1 may come.
    cdef Py_ssize_t row_room, column_room, value_room
    cdef bint only_ones
    cdef bint known_ones
    # Whether a row that was kept weighs more or less than 1.
    cdef bint keeps_weights
    # The arrays that the pointers below point into, by name.
    cdef dict memory
    cdef int64_t* row_stop
    cdef int64_t* round_number
    cdef int8_t* label
    cdef int32_t* column
    cdef double* value
    # The weight of each row; NULL while nobody has announced one.
    cdef double* importance
    cdef void* grown(self, str name, str kind, Py_ssize_t used, Py_ssize_t room) except NULL
    cdef object shown(self, str name, str kind, Py_ssize_t n)
    cdef int reserve(
        self, Py_ssize_t rows, Py_ssize_t values, bint ones, bint weighted
    ) except -1
    cdef void append(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        int64_t round_number,
        double importance,
    ) noexcept nogil
