"""Modified Balanced Winnow: two weights per feature, moved by the rows' own values as well.

Used by `learners.two_class.modified_balanced_winnow`. The slow twin is
`tests/reference/modified_balanced_winnow.py`. A row, its constant feature included, is
divided by its sum. The logarithms of the weights are kept, within 300 of zero: a weight
that was demoted a thousand times has not vanished for good.
"""

from libc.math cimport exp, fmax, fmin, log, log1p
from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine, Round

cdef double LARGEST_LOG = 300.0


cdef class ModifiedBalancedWinnowEngine(Engine):
    """Weights u - v; u is promoted and v demoted where a positive row scored too low."""

    def set_rule(self, double promotion, double demotion, double margin):
        """Set the two factors and the margin, once; u starts at 2 and v at 1."""
        self.promotion = log(promotion)
        self.demotion = log(demotion)
        self.margin = margin
        n = self.weight.shape[0]
        self.set_dual(np.concatenate((np.full(n, np.log(2.0)), np.zeros(n))))

    cdef double size(self, const double* value, Py_ssize_t n) noexcept nogil:
        """The sum of a row, the constant feature included."""
        cdef double total = 0.0
        cdef Py_ssize_t k
        for k in range(n):
            total += value[k]
        return total + 1.0

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double magnitude
        return self.dot(column, value, n, &magnitude) / self.size(value, n)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double size, share, up, down
        cdef Py_ssize_t k, i
        if not round.label * (round.score - self.threshold) <= self.margin:
            return False
        size = self.size(value, n)
        for k in range(n + 1):
            i = column[k] if k < n else self.bias_slot
            share = (value[k] if k < n else 1.0) / size
            up = self.promotion + log1p(share)
            down = self.demotion + log1p(-share)
            self.upper[i] += up if round.label > 0 else down
            self.lower[i] += down if round.label > 0 else up
            self.upper[i] = fmin(fmax(self.upper[i], -LARGEST_LOG), LARGEST_LOG)
            self.lower[i] = fmin(fmax(self.lower[i], -LARGEST_LOG), LARGEST_LOG)
            self.weight[i] = exp(self.upper[i]) - exp(self.lower[i])
        return True

    def dual(self):
        """The logarithms of all u, then those of all v, each with the bias last."""
        return np.concatenate((self.upper, self.lower))

    def set_dual(self, dual):
        """Replace the logarithms."""
        cdef Py_ssize_t i, n = self.weight.shape[0]
        dual = np.array(dual, np.float64)
        if dual.shape != (2 * n,) or not np.all(np.abs(dual) <= LARGEST_LOG):
            raise StateError(
                f"a dual vector for this learner has {2 * n} entries from -300 to 300; "
                f"found shape {dual.shape}."
            )
        self.upper = dual[:n].copy()
        self.lower = dual[n:].copy()
        for i in range(n):
            self.weight[i] = exp(self.upper[i]) - exp(self.lower[i])

    def other_state(self):
        """What the state holds beside the dual vector: nothing."""
        return ()

    def set_other_state(self, other):
        """Take over that: nothing."""
