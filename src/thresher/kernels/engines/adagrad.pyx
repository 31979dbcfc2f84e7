"""Gradient steps, each coordinate divided by the root of its own squared gradients so far.

Used by `learners.two_class.adagrad`. The slow twin is `tests/reference/adagrad.py`. The second
number of a weight is the sum of its squared gradients.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round, entry
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
        cdef double margin = round.label * round.score
        cdef double slope
        cdef Py_ssize_t k
        if self.logistic:
            slope = 1.0 / (1.0 + exp(margin))
        else:
            slope = 1.0 if margin < 1.0 else 0.0
        if slope == 0.0:
            return False
        slope *= round.label * round.importance
        for k in range(n):
            self.descend(column[k], slope * entry(value, k))
        if self.bias_slot >= 0:
            self.descend(self.bias_slot, slope)
        return True
