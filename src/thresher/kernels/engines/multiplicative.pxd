"""What the engines of the Winnow family share: scores on the right side of the threshold."""

from libc.float cimport DBL_EPSILON
from libc.math cimport fabs, fmax
from libc.stdint cimport int32_t

from thresher.kernels.engines.duals cimport DualEngine


cdef class MultiplicativeEngine(DualEngine):
    cdef bint exact_threshold
    cdef object reaches_threshold

    cdef double settle(
        self, const int32_t* column, const double* value, Py_ssize_t n, double total
    ) except? -1.5 nogil
    cdef bint sum_is_exact(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil
    cdef bint weights_are_equal(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* score
    ) noexcept nogil
    cdef double scaled_gap(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* exponent
    ) noexcept nogil
    cdef bint ask(self, const int32_t* column, const double* value, Py_ssize_t n) except -1

    cdef inline double sum_on_its_side(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        """<w, x>, on the side of the threshold on which the exact sum is."""
        cdef double magnitude
        # In units of DBL_EPSILON; a rounding is at most half of one.
        cdef double slack = n + 8.0
        cdef double total
        if value == NULL and not self.mirrored:
            # Powers are positive: one sum does for both.
            total = magnitude = self.sum_in_order(column, n)
        else:
            total = self.dot(column, value, n, &magnitude)
        if self.mirrored:
            # power(z) and power(-z) round apart; their sum is at most |weight| + 2 power(0).
            magnitude += 2.0 * (n + 1) * fmax(1.0, self.highest) * self.power(0.0)
        if not self.exact_base:
            # An error in the base, or in rate * z, grows with the exponent.
            slack += 4.0 * fmax(self.rate, 1.0) * (self.reach + fabs(self.shift))
        if self.is_close(total, magnitude, slack, n):
            total = self.settle(column, value, n, total)
        return total

    cdef inline bint is_close(
        self, double total, double magnitude, double slack, Py_ssize_t n
    ) noexcept nogil:
        """Whether a sum may be on the wrong side of the threshold, for it may have rounded."""
        # Written so that a sum that overflowed, or is not a number, counts as close; 1e-290 is
        # room for terms that underflowed.
        return not fabs(total - self.threshold) > (
            slack * DBL_EPSILON * (magnitude + fabs(self.threshold)) + n * 1e-290
        )
