"""What the theorems about AdaGrad ask of a run: its range of weights, its roots, its roundings.

The learner in plain Python is `tests/reference/adagrad.py`. Which sums are kept, and what is proven
by them, stands in `thresher.verifier.measures.adagrad`.
"""

from libc.math cimport INFINITY, fabs, floor, ldexp, sqrt

import numpy as np

from thresher.verifier.compiled.hinge_steps cimport AdaGradRounds
from thresher.verifier.compiled.linear_rounds cimport Row

# The unit of rounding.
cdef double U = 2.0 ** -53
# Gradients and weights of other sizes than these leave room for no bound.
cdef double SMALLEST = 1e-150
cdef double LARGEST = 1e140


cdef class AdaGradLedger(AdaGradRounds):
    """The same rounds, and beside them what they add up to."""

    # The least and the largest weight of each feature before it was moved.
    cdef double[::1] least
    cdef double[::1] most
    cdef unsigned char[::1] moved
    cdef double scores
    cdef double slopes
    cdef double roots
    cdef double steps

    def measure(self):
        """Keep the ledger from now on."""
        AdaGradRounds.measure(self)
        self.least, self.most = np.zeros(self.width + 1), np.zeros(self.width + 1)
        self.moved = np.zeros(self.width + 1, np.uint8)
        self.scores = self.slopes = self.roots = self.steps = 0.0

    def ledger(self):
        """Which features were moved, between which weights, and four sums by name."""
        return (
            np.asarray(self.moved).astype(bool),
            np.asarray(self.least),
            np.asarray(self.most),
            {
                "scores": self.scores,
                "slopes": self.slopes,
                "roots": self.roots,
                "steps": self.steps,
            },
        )

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double margin = row.y * row.score, slope = self.slope_of(margin)
        cdef double size = 0.0, length = 0.0, off
        cdef Py_ssize_t k
        if slope != 0.0:
            for k in range(row.n):
                size += fabs(self.weight[row.column[k]] * row.x[k])
                length += fabs(row.x[k])
            if self.bias:
                size += fabs(self.weight[self.width])
                length += 1.0
            off = (row.n + 4) * U * size
            off += 1e-290 if row.n else 0.0
            self.scores += off
            if self.logistic:
                self.slopes += length * (0.25 * off + off_slope(margin, slope))
        return AdaGradRounds.update(self, row)

    cdef void descend(self, Py_ssize_t i, double gradient, const Row* row) noexcept nogil:
        cdef double old = self.weight[i], size = fabs(gradient), root
        AdaGradRounds.descend(self, i, gradient, row)
        root = sqrt(self.squares[i])
        if not self.moved[i]:
            self.moved[i], self.least[i], self.most[i] = True, old, old
        elif old < self.least[i]:
            self.least[i] = old
        elif old > self.most[i]:
            self.most[i] = old
        if size < SMALLEST:
            # As if there had been no gradient, and what it did were rounding.
            self.slopes += size + 1e-300
            size = size / U
            if root == 0.0:
                return
        if not SMALLEST < root < LARGEST or not fabs(self.weight[i]) < LARGEST:
            self.steps = INFINITY
            return
        self.roots += root
        self.steps += 4.0 * self.rate * size + root * fabs(self.weight[i])


cdef double off_slope(double margin, double slope) noexcept nogil:
    """What the slope of the logistic loss, and its product with a value, are off by at most.

    The exponential is the machine's. Whether it is near the true one is asked of a series whose
    error is known: the margin less a multiple of ln 2, at most 0.35 in size, and 18 terms.
    """
    cdef double k, r, term = 1.0, total = 1.0, own
    cdef int n
    if fabs(margin) > 700.0:
        # The slope is 1 or 0, but for less than 1e-300.
        return 1e-12 if fabs(slope - (margin < 0.0)) < 1e-300 else INFINITY
    k = floor(margin * 1.4426950408889634 + 0.5)
    # ln 2 in two parts, the first of which is exact times any k below 2^20.
    r = (margin - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10
    for n in range(1, 19):
        term *= r / n
        total += term
    own = 1.0 / (1.0 + ldexp(total, <int> k))
    return 1e-11 * own if fabs(own - slope) <= 5e-12 * own else INFINITY
