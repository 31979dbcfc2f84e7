"""Adaptive regularisation of weights, with one precision per weight.

Used by `learners.two_class.arow`. The slow twin is `tests/reference/arow.py`. The second number of
a weight is its precision, the inverse of its variance: it begins at 1 and grows by x^2/r,
so that it never rounds to something negative as a variance that shrinks might.
"""

from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round, entry
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class ArowEngine(IdentityLinkEngine):
    """Steps that are long where little is known; the dual vector is the weight vector."""

    def set_rule(self, double regularizer):
        """Set r, once."""
        self.regularizer = regularizer
        self.give_second(1.0)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        # Each weight is followed by its precision.
        cdef double* precision = &self.weight[1]
        cdef double y = round.label
        cdef double loss = 1.0 - y * round.score
        # A row of weight 2 is trusted like two rows.
        cdef double r = self.regularizer / round.importance
        cdef double variance = 0.0, step, x, growth
        cdef Py_ssize_t k, bias = self.bias_slot
        if not loss > 0.0:
            return False
        for k in range(n):
            x = entry(value, k)
            variance += x * x / precision[2 * column[k]]
        if bias >= 0:
            variance += 1.0 / precision[2 * bias]
        step = y * (loss / (variance + r))
        growth = 1.0 / r
        for k in range(n):
            x = entry(value, k)
            self.step(column[k], step * x / precision[2 * column[k]])
            precision[2 * column[k]] += growth if value == NULL else x * x / r
        if bias >= 0:
            self.step(bias, step / precision[2 * bias])
            precision[2 * bias] += growth
        return True
