"""The p-norm Perceptron: a dual vector that gains y x, and weights that are its powers.

Used by `learners.two_class.p_norm`. The slow twin is `tests/reference/p_norm.py`. The weights are
the gradient of half the squared p-norm of the dual vector,

    w_i = sgn(theta_i) |theta_i|^(p-1) / ||theta||_p^(p-2).

What is stored is the numerator; the norm is kept up to date, so that a round costs no
more than its row. Duals are divided by a common unit before they are raised to a power,
and the unit is changed when powers leave the range of doubles.
"""

from libc.math cimport fabs, fmax, fmin, frexp, isfinite, ldexp, pow
from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine, Round

cdef double SMALL = 1e-200                # sums of powers beyond these ask for another unit
cdef double LARGE = 1e200
cdef double LOST = 1e-12                  # a sum that fell this far has too few digits left
cdef double LARGEST_DUAL = 1e150


cdef class PNormEngine(Engine):
    """The dual vector, the link from duals to weights, and the norm."""

    def set_rule(self, double p, double margin):
        """Set p and the margin within which to update, once."""
        self.p = p
        self.margin = margin
        self.unit = 1.0
        self.theta = np.zeros(self.weight.shape[0])

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double magnitude
        cdef double total = self.dot(column, value, n, &magnitude)
        cdef double power = self.total + self.total_error
        if not power > 0.0:
            return 0.0
        return total / pow(power, (self.p - 2.0) / self.p) * self.unit

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double y = round.label * round.importance
        cdef double power
        cdef Py_ssize_t k, i, terms = n + (self.bias_slot >= 0)
        if not (
            round.mistake or (self.margin > 0.0 and round.label * round.score <= self.margin)
        ):
            return False
        for k in range(terms):
            i = column[k] if k < n else self.bias_slot
            self.add_mass(-self.mass_of(i))
            self.theta[i] = fmin(
                fmax(self.theta[i] + (y * value[k] if k < n else y), -LARGEST_DUAL), LARGEST_DUAL
            )
            self.weight[i] = self.weight_of(self.theta[i])
            self.add_mass(self.mass_of(i))
        power = self.total + self.total_error
        self.peak = fmax(self.peak, power)
        # Written so that a sum that is not a number any more counts as large.
        if not SMALL <= power <= LARGE:
            self.rebuild(True)
        elif power < self.peak * LOST:
            self.rebuild(False)
        return True

    cdef void rebuild(self, bint recentre) noexcept nogil:
        """All weights and their sum anew from the duals."""
        cdef Py_ssize_t i, n = self.n_weights + (self.bias_slot >= 0)
        cdef double top = 0.0
        cdef int exponent
        if recentre:
            for i in range(n):
                top = fmax(top, fabs(self.theta[i]))
            frexp(top, &exponent)
            self.unit = ldexp(1.0, exponent) if top > 0.0 else 1.0
        self.total = self.total_error = 0.0
        for i in range(n):
            self.weight[i] = self.weight_of(self.theta[i])
            self.add_mass(self.mass_of(i))
        self.peak = self.total + self.total_error

    def numerators(self):
        """Numbers and what to divide them by, to get the weights; the bias last."""
        cdef double power = self.total + self.total_error
        # The unit is a power of two: to divide by it does not round.
        divisor = pow(power, (self.p - 2.0) / self.p) / self.unit if power > 0.0 else 1.0
        return np.array(self.weight), divisor

    def stored(self):
        """A copy of the weights, the bias last."""
        numerators, divisor = self.numerators()
        return numerators / divisor

    def dual(self):
        """The dual vector, the bias last."""
        return np.array(self.theta[:self.n_weights + (self.bias_slot >= 0)])

    def set_dual(self, dual):
        """Replace the dual vector (the bias last)."""
        dual = np.array(dual, np.float64)
        n = self.n_weights + (self.bias_slot >= 0)
        if dual.shape != (n,) or not np.all(np.abs(dual) <= LARGEST_DUAL):
            raise StateError(
                f"a dual vector for this learner has {n} entries, each a finite number of at "
                f"most 1e150; found shape {dual.shape}."
            )
        self.theta = dual
        self.rebuild(True)

    def other_state(self):
        """What the state holds beside the dual vector."""
        return self.unit, self.total, self.total_error, self.peak

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`."""
        cdef int exponent
        saved = [float(number) for number in other]
        if len(saved) != 4 or not all(isfinite(number) for number in saved):
            raise StateError("the state beside the dual vector is four finite numbers.")
        if frexp(saved[0], &exponent) != 0.5:
            raise StateError("the unit of the duals is a power of two.")
        self.unit = saved[0]
        self.rebuild(False)
        total = self.total + self.total_error
        # Kept up to date over a whole run, the sum differs from a new one in its last digits.
        if not fabs(saved[1] + saved[2] - total) <= 1e-9 * fmax(total, saved[3]):
            raise StateError("the sum of the powers is not the sum of these powers.")
        self.total, self.total_error, self.peak = saved[1:]
