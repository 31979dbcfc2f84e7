"""Rounds of a learner that scores rows by weights: what all of them share."""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t


cdef struct Row:
    const int32_t* column
    const double* given
    const double* x         # as scaled
    Py_ssize_t n
    int64_t t               # the round, counted from 0
    double y                # -1 or +1
    double h                # what the class of the row weighs
    double score            # of the weights of the moment
    bint wrong              # whether these weights predict the other label


cdef class LinearRounds:
    cdef const int64_t[::1] row_start
    cdef const int32_t[::1] column
    cdef const double[::1] value
    cdef const int8_t[::1] label
    cdef unsigned char[::1] mistaken
    cdef unsigned char[::1] updated
    # By how much each score exceeded the threshold.
    cdef double[::1] excess
    # A weight for each feature, that of the constant one last.
    cdef double[::1] weight
    cdef Py_ssize_t width
    cdef bint bias
    cdef double threshold
    cdef double negative
    cdef double positive
    # The sum of all steps, each times the number of its round from 1 on, where means predict.
    cdef bint averaging
    cdef double[::1] history
    # The largest size of each feature in updating rows, where features are divided by it.
    cdef bint online
    cdef double[::1] largest
    cdef double[::1] scaled

    # Where asked for: how far each sum may be from the exact one, and which rounds are open.
    cdef bint measuring
    cdef double[::1] off
    cdef unsigned char[::1] doubtful

    cdef void look_at(self, Row* row, int64_t t) noexcept nogil
    cdef int one_round(self, int64_t t) except -1 nogil
    cdef int change(self, const Row* row) except -1 nogil
    cdef double score_of(self, const Row* row) except? -1.5 nogil
    cdef double margin_of(self, double score) noexcept nogil
    cdef bint sizes_known(self) noexcept nogil
    cdef bint update(self, const Row* row) except -1 nogil

    cdef inline double product(self, const double* weight, const Row* row) noexcept nogil:
        """Terms from left to right, that of the constant feature last."""
        cdef double total = 0.0
        cdef Py_ssize_t k
        for k in range(row.n):
            total += weight[row.column[k]] * row.x[k]
        if self.bias:
            total += weight[self.width]
        return total

    cdef inline void step(self, Py_ssize_t i, double amount, int64_t t) noexcept nogil:
        """The weight moves by the amount; neither of the two leaves +-1e150."""
        amount = within(amount)
        self.weight[i] = within(self.weight[i] + amount)
        if self.averaging:
            self.history[i] += <double> (t + 1) * amount

    cdef inline double added(self, Py_ssize_t i, double old, double amount) noexcept nogil:
        """Their sum; what rounding takes from it is noted (Knuth's two-sum)."""
        cdef double new = old + amount
        cdef double part = new - old
        if self.measuring:
            self.off[i] += fabs((old - (new - part)) + (amount - part))
        return new


cdef inline double within(double number) noexcept nogil:
    if number > 1e150:
        return 1e150
    return -1e150 if number < -1e150 else number
