"""What is remembered of the features of a stream, for the engines that look at its rows."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t

cdef extern from "prepared_row.h" nogil:
    double unseen_in_c "UNSEEN"

cdef extern from "standard_columns.h" nogil:
    enum:
        MOST_COLUMNS
        PLACES

    ctypedef struct columns_t:
        int64_t n
        double rows
        int32_t* column
        double* mean
        double* squares
        int16_t* place

    uint32_t place_of(const columns_t* columns, int32_t column)


cdef class FeatureMemory:
    # One over the largest value of each feature so far.
    cdef double[::1] shrink
    # Whether all values so far were 1.
    cdef bint plain
    # The columns while they are few, and the arrays behind its pointers.
    cdef columns_t columns
    cdef list arrays

    cdef int make_room(self, Py_ssize_t known, Py_ssize_t room) except -1
    cdef Py_ssize_t make_slots(self, Py_ssize_t n) except -1
