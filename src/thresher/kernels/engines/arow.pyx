"""Adaptive regularisation of weights, with one precision per weight.

Used by `learners.two_class.arow`. The slow twin is `tests/reference/arow.py`. The second number of
a weight is its precision, the inverse of its variance: it begins at 1 and grows by x^2/r,
so that it never rounds to something negative as a variance that shrinks might.
"""

from libc.math cimport fmin
from libc.stdint cimport int32_t

import numpy as np

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine

# What rows of -1 alone make sure of at most, while a class is waited for. The choice is explained
# in `decisions/0030-a-class-is-not-ruled-out-before-it-comes.md`.
cdef double UNSURE = 4.0


cdef class ArowEngine(IdentityLinkEngine):
    """Steps that are long where little is known; the dual vector is the weight vector."""

    def set_rule(self, double regularizer):
        """Set r, once."""
        self.regularizer = regularizer
        self.give_second(1.0)

    def wait_for_class(self):
        """Stay unsure of what rows of -1 say until a row of +1 has made something surer than that.

        To be called after every restoration: whether it still waits follows from the precisions.
        """
        self.waiting = bool(np.all(self.companions()[0] <= UNSURE))

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double* precision = &self.second[0]
        cdef double y = round.label
        cdef double loss = 1.0 - y * round.score
        # A row of weight 2 is trusted like two rows.
        cdef double r = self.regularizer / round.importance
        cdef double variance = 0.0, step, x
        cdef Py_ssize_t k, i, terms = n + (self.bias_slot >= 0)
        if not loss > 0.0:
            return False
        for k in range(n):
            variance += value[k] * value[k] / precision[column[k]]
        if self.bias_slot >= 0:
            variance += 1.0 / precision[self.bias_slot]
        step = y * (loss / (variance + r))
        for k in range(terms):
            i = column[k] if k < n else self.bias_slot
            x = value[k] if k < n else 1.0
            self.step(i, step * x / precision[i])
            if not self.waiting:
                precision[i] += x * x / r
            elif y < 0.0:
                precision[i] = fmin(precision[i] + x * x / r, UNSURE)
            else:
                precision[i] += x * x / r
                self.waiting = precision[i] <= UNSURE
        return True
