"""What is kept of the features of a stream, for the engines that look at its rows."""

from libc.stdint cimport int32_t, int64_t

cdef extern from "prepared_row.h" nogil:
    enum:
        LANES

    double unseen_in_c "UNSEEN"

cdef extern from "standard_columns.h" nogil:
    enum:
        MOST_COLUMNS

    ctypedef struct columns_t:
        int64_t n
        double rows
        double* mean
        double* squares


cdef class FeatureMemory:
    # The slot of each feature, by column; 0 is that of all which were never learned from.
    cdef int32_t[::1] slot
    # By slot: the column, one over the largest value so far, and a line for each committee.
    cdef int32_t[::1] column
    cdef double[::1] shrink
    cdef float[:, ::1] lines
    # Slots in use, slot 0 among them; committees; what their lines begin with.
    cdef readonly Py_ssize_t n
    cdef Py_ssize_t n_committees
    cdef float[::1] fresh
    # The slots before this one are known to have had the value 1, if there was no other.
    cdef Py_ssize_t marked
    # Whether columns may be added to those there are, and whether all values so far were 1.
    cdef bint growing
    cdef bint plain
    # The columns while they are few, and the arrays behind its pointers.
    cdef columns_t columns
    cdef list arrays

    cdef int make_room(self, Py_ssize_t known, Py_ssize_t n_features) except -1
    cdef Py_ssize_t make_slots(self) except -1
    cdef void find(self, const int32_t* column, Py_ssize_t n, int32_t* slot) noexcept nogil
    cdef int admit(self, const int32_t* column, Py_ssize_t n, int32_t* slot) except -1 nogil
    cdef int remember_ones(
        self, const int64_t[::1] row_start, const int32_t[::1] slot, learned, Py_ssize_t known
    ) except -1


cdef list on_lines_of_their_own(list known)
