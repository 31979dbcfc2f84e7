"""The p-norm Perceptron: duals gain y x, and the weights are powers of them over a norm.

The learner in plain Python is `tests/reference/p_norm.py`. Powers are those of the machine's own
library, as the learner's are: the run to the bit is one of this machine.
"""

from libc.math cimport fabs, frexp, ldexp, pow

import numpy as np

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row, within


cdef class PNormRounds(LinearRounds):
    """w_i is sgn(z) |z|^(p-1) for z = dual / unit, divided by a power of the sum of all |z|^p."""

    cdef double p
    cdef double margin
    cdef double[::1] dual
    cdef double unit
    # The sum of all |z|^p, and what was lost when it was rounded (Knuth's two-sum).
    cdef double total
    cdef double lost
    cdef double highest

    def set_rule(self, double p, double margin):
        """The exponent, and the margin within which right rounds are updates."""
        self.p, self.margin, self.unit = p, margin, 1.0
        self.dual = np.zeros(self.width + 1)

    def begin_with(self, dict numbers):
        """Duals, and their powers summed up anew."""
        LinearRounds.begin_with(self, {**numbers, "weight": numbers["dual"]})
        self.dual = np.array(numbers["dual"], np.float64)
        self.recount(True)

    cdef inline double size_of(self, Py_ssize_t i) noexcept nogil:
        return fabs(self.dual[i]) / self.unit

    cdef inline void weigh(self, Py_ssize_t i) noexcept nogil:
        cdef double weight = pow(self.size_of(i), self.p - 1.0)
        self.weight[i] = -weight if self.dual[i] < 0.0 else weight

    cdef inline void count(self, Py_ssize_t i, double sign) noexcept nogil:
        """Add |z_i|^p to the sum, or take it away."""
        cdef double amount = sign * (fabs(self.weight[i]) * self.size_of(i))
        cdef double before = self.total, after = before + amount, part = after - before
        self.lost += (before - (after - part)) + (amount - part)
        self.total = after

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        cdef double power = self.total + self.lost
        if not power > 0.0:
            return 0.0
        return self.product(&self.weight[0], row) / pow(power, (self.p - 2.0) / self.p) * self.unit

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double amount = row.y * row.h, power
        cdef Py_ssize_t k
        if not row.wrong and not (self.margin > 0.0 and row.y * row.score <= self.margin):
            return False
        for k in range(row.n):
            self.gain(row.column[k], amount * row.x[k])
        if self.bias:
            self.gain(self.width, amount)
        power = self.total + self.lost
        if power > self.highest:
            self.highest = power
        if not 1e-200 <= power <= 1e200:
            self.recount(True)
        elif power < self.highest * 1e-12:
            self.recount(False)
        return True

    cdef inline void gain(self, Py_ssize_t i, double amount) noexcept nogil:
        self.count(i, -1.0)
        self.dual[i] = within(self.dual[i] + amount)
        self.weigh(i)
        self.count(i, 1.0)

    cdef void recount(self, bint new_unit) noexcept nogil:
        """Sum up anew, and before that, if powers leave the range of doubles, change the unit."""
        cdef Py_ssize_t i
        cdef double largest = 0.0
        cdef int exponent
        if new_unit:
            for i in range(self.width + 1):
                if fabs(self.dual[i]) > largest:
                    largest = fabs(self.dual[i])
            frexp(largest, &exponent)
            self.unit = ldexp(1.0, exponent) if largest > 0.0 else 1.0
        self.total = self.lost = 0.0
        for i in range(self.width + 1):
            self.weigh(i)
            self.count(i, 1.0)
        self.highest = self.total + self.lost

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        found = LinearRounds.by_feature(self)
        del found["weight"]
        return {**found, "dual": np.asarray(self.dual)}

    @property
    def powers(self):
        """The unit, the sum of the powers, what it lost, and the highest it has been."""
        return self.unit, self.total, self.lost, self.highest
