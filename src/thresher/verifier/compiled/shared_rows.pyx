"""Modified Balanced Winnow: rows divided by their sum, and two weights for every feature.

The learner in plain Python is `tests/reference/modified_balanced_winnow.py`. Logarithms and
exponentials are those of the machine's own library, as the learner's are.
"""

from libc.math cimport exp, log, log1p

import numpy as np

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row


cdef class SharedRows(LinearRounds):
    """The logarithms of u and v; the score is <u - v, x>, x with a constant 1, over their sum."""

    cdef double up
    cdef double down
    cdef double margin
    cdef double[::1] upper
    cdef double[::1] lower

    def set_rule(self, double promotion, double demotion, double margin):
        """The two factors and the margin; u starts at 2, v at 1, scores are compared with 1."""
        cdef Py_ssize_t i
        self.up, self.down, self.margin, self.threshold = log(promotion), log(demotion), margin, 1.0
        self.upper, self.lower = np.full(self.width + 1, log(2.0)), np.zeros(self.width + 1)
        for i in range(self.width + 1):
            self.weight[i] = exp(self.upper[i]) - exp(self.lower[i])

    cdef inline double sum_of(self, const Row* row) noexcept nogil:
        cdef double total = 0.0
        cdef Py_ssize_t k
        for k in range(row.n):
            total += row.x[k]
        return total + 1.0

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        return self.product(&self.weight[0], row) / self.sum_of(row)

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double total
        cdef Py_ssize_t k
        if not row.y * (row.score - self.threshold) <= self.margin:
            return False
        total = self.sum_of(row)
        for k in range(row.n):
            self.move(row.column[k], row.x[k] / total, row.y)
        self.move(self.width, 1.0 / total, row.y)
        return True

    cdef inline void move(self, Py_ssize_t i, double share, double y) noexcept nogil:
        cdef double up = self.up + log1p(share), down = self.down + log1p(-share)
        self.upper[i] = within_300(self.upper[i] + (up if y > 0.0 else down))
        self.lower[i] = within_300(self.lower[i] + (down if y > 0.0 else up))
        self.weight[i] = exp(self.upper[i]) - exp(self.lower[i])

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        return {"upper": np.asarray(self.upper), "lower": np.asarray(self.lower)}

    @property
    def first_logarithm(self):
        """What the logarithm of u starts with."""
        return log(2.0)


cdef inline double within_300(double number) noexcept nogil:
    if number > 300.0:
        return 300.0
    # Also where all of a row is in one feature, and the logarithm is minus infinity.
    return number if number >= -300.0 else -300.0
