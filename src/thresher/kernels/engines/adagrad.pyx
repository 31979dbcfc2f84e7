"""Gradient steps, each coordinate divided by the root of its own squared gradients so far.

Used by `learners.two_class.adagrad`. The slow twin is `tests/reference/adagrad.py`. The second
number of a weight is the sum of its squared gradients.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class AdaGradEngine(IdentityLinkEngine):
    """Steps on the hinge or the logistic loss; the dual vector is the weight vector."""

    def set_rule(self, double rate, bint logistic):
        """Set the step size and the loss, once."""
        self.rate = rate
        self.logistic = logistic
        self.give_second(0.0)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double* squares = &self.second[0]
        cdef double margin = round.label * round.score
        cdef double slope, gradient
        cdef Py_ssize_t k, i, terms = n + (self.bias_slot >= 0)
        if self.logistic:
            slope = 1.0 / (1.0 + exp(margin))
        else:
            slope = 1.0 if margin < 1.0 else 0.0
        if slope == 0.0:
            return False
        slope *= round.label * round.importance
        for k in range(terms):
            i = column[k] if k < n else self.bias_slot
            gradient = slope * value[k] if k < n else slope
            squares[i] += gradient * gradient
            # A gradient whose square underflows moves nothing.
            if squares[i] > 0.0:
                self.step(i, self.rate * gradient / sqrt(squares[i]))
        return True
