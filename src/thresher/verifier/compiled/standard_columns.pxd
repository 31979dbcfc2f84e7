"""The members of a committee that see standardised columns, for the committee's replay."""

from libc.stdint cimport int32_t

cdef enum:
    MOST_SEATS = 7


cdef class StandardColumns:
    cdef readonly int n_seats
    # Slots in use, the constant first; 0 when the stream has become too wide for all.
    cdef readonly Py_ssize_t slots
    cdef readonly double rows
    cdef int kind[MOST_SEATS]
    cdef double setting[MOST_SEATS]
    # The slot of every column, 0 for none; the column of every slot.
    cdef int32_t[::1] slot_of
    cdef int32_t[::1] column_of
    cdef double[::1] mean
    cdef double[::1] squares
    # The row under way, and whether a column of it found no slot.
    cdef double[::1] z
    cdef double[::1] square
    # Values as they came, and one over the deviation of their columns; 0 if there is none.
    cdef double[::1] raw
    cdef double[::1] inverse
    cdef double[::1] product
    cdef bint overflow
    # For each seat a line of numbers, and a square of which the lower half is used.
    cdef double[:, ::1] line
    cdef double[:, ::1] variance
    cdef double[:, :, ::1] pair
    cdef double[:, :, ::1] covariance
    # What the rows of each class weigh, and the means of their columns; weights and variances of
    # hats.
    cdef double[:, ::1] class_mass
    cdef double[:, :, ::1] class_mean
    cdef double[:, :, ::1] hat_weight
    cdef double[:, :, ::1] hat_variance
    cdef double score[MOST_SEATS]

    cdef void look(
        self, const int32_t* column, const double* value, Py_ssize_t n, bint keep
    ) noexcept nogil
    cdef void learn(self, int seat, double y, double weight) noexcept nogil
    cdef int staying(self) noexcept nogil
    cdef Py_ssize_t seen(self, int seat) noexcept nogil
    cdef double shown(self, int seat, Py_ssize_t i) noexcept nogil
    cdef double total(self, int seat, bint doubt) noexcept nogil
    cdef double worn(self, Py_ssize_t slot, int hat) noexcept nogil
    cdef void learn_means(self, int seat, double y, double weight) noexcept nogil
    cdef void learn_matrix(self, int seat, double lack, double r) noexcept nogil
