"""Weights that are divided by their sum: what exponentiated learners and expert votes share.

Used by `exponentiated` and `weighted_majority`. The slow twin is
`tests/reference/normalized.py`. The sum of all masses (of both weights of a feature, where
duals are mirrored) is kept up to date in twice the precision of a double, so that a step costs
no more than the row. A common factor changes nothing, so weights that are about to leave the
range of doubles are all shifted: power(z) is base**(z - shift).
"""

from libc.math cimport INFINITY, fabs, fmax, isfinite
from libc.stdint cimport int32_t

from thresher.errors import StateError
from thresher.kernels.engines.multiplicative cimport MultiplicativeEngine

cdef double LARGE = 1e260                 # weights beyond this are brought back by a shift
cdef double LOST = 1e-12                  # a sum that fell this far has too few digits left
cdef double SMALLEST = 5e-324


cdef class NormalizedEngine(MultiplicativeEngine):
    """Duals, their comparison with zero, and the normaliser; the threshold is zero."""

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double total = self.sum_on_its_side(column, value, n)
        cdef double score = total / (self.total + self.total_error)
        if not isfinite(score):
            return 0.0
        # A quotient may underflow to zero, but not change sides.
        return -SMALLEST if score == 0.0 and total < 0.0 else score

    cdef void keep_in_range(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        """Shift weights that are leaving the range of doubles; renew a sum short of digits."""
        cdef double total = self.total + self.total_error
        # Written so that a sum that is not a number any more counts as large.
        cdef bint large = not total <= LARGE
        cdef Py_ssize_t k
        for k in range(n):
            large |= fabs(self.weight[column[k]]) > LARGE
        self.peak = fmax(self.peak, total)
        if large or total < 1.0 / LARGE:
            self.recentre()
        elif total < self.peak * LOST:
            self.rebuild()

    cdef void recentre(self) noexcept nogil:
        """A shift that makes the largest weight 1."""
        cdef Py_ssize_t i
        cdef double top = -INFINITY
        for i in range(self.n_weights + (self.bias_slot >= 0)):
            top = fmax(top, fabs(self.dual_at(i)) if self.mirrored else self.dual_at(i))
        if isfinite(top):
            self.shift = top
        self.rebuild()

    cdef void rebuild(self) noexcept nogil:
        """All weights and their sum anew from the duals."""
        cdef Py_ssize_t i
        cdef double dual
        self.total = self.total_error = 0.0
        for i in range(self.n_weights + (self.bias_slot >= 0)):
            dual = self.dual_at(i)
            self.weight[i] = self.weight_of(dual)
            self.add_mass(self.mass_at(i, dual))
        self.peak = self.total + self.total_error

    @property
    def divisor(self):
        """What the stored weights are to be divided by, to get the weights of the score."""
        # Nothing is left to divide by when all were silenced; their scores are 0.
        return self.total + self.total_error or 1.0

    def set_dual(self, dual):
        """Replace the dual vector (the bias last)."""
        super().set_dual(dual)
        if self.rate * self.reach > 500.0:
            self.recentre()

    def other_state(self):
        """What the state holds beside the dual vector."""
        return self.shift, self.reach, self.total, self.total_error, self.peak

    cdef int take_sum(self, double shift, double total, double error, double peak) except -1:
        """Take over the saved shift and sum."""
        if self.shift != shift:
            self.shift = shift
            self.rebuild()
        fresh = self.total + self.total_error
        # Kept up to date over a whole run, the sum differs from a new one in its last digits.
        if not fabs(total + error - fresh) <= 1e-9 * fmax(fresh, peak):
            raise StateError("the sum of the weights is not the sum of these weights.")
        self.total, self.total_error, self.peak = total, error, peak
        return 0
