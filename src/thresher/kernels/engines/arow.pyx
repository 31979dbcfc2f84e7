"""Adaptive regularisation of weights, with one precision per weight.

Used by `learners.two_class.arow`. The slow twin is `tests/reference/arow.py`. The second number of
a weight is its precision, the inverse of its variance: it begins at 1 and grows by x^2/r,
so that it never rounds to something negative as a variance that shrinks might.
"""

from libc.math cimport fmin
from libc.stdint cimport int32_t

import numpy as np

from thresher.kernels.engines.engine cimport Round, entry
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine, bounded

# What rows of -1 alone make sure of at most, while a class is waited for. The choice is explained
# in `decisions/0030-a-class-is-not-ruled-out-before-it-comes.md`.
cdef double UNSURE = 4.0


cdef inline bint made_surer(
    double* precision, double growth, double y, bint waiting
) noexcept nogil:
    """Add to a precision; whether the class is still waited for."""
    precision[0] += growth
    if not waiting:
        return False
    if y < 0.0:
        precision[0] = fmin(precision[0], UNSURE)
        return True
    return precision[0] <= UNSURE


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

    @property
    def most_precise(self):
        """What no precision is above while a class is waited for; None if none is."""
        return UNSURE if self.waiting else None

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        # Each weight is followed by its precision.
        cdef double* weight = &self.weight[0]
        cdef double* precision = weight + 1
        cdef double* pair
        cdef double y = round.label
        cdef double loss = 1.0 - y * round.score
        # A row of weight 2 is trusted like two rows.
        cdef double r = self.regularizer / round.importance
        cdef double variance = 0.0, step, x, growth
        cdef Py_ssize_t k, bias = self.bias_slot
        # The processor's divider sets the pace. To divide by 1, the usual r, changes no bit.
        cdef bint waiting = self.waiting, one = r == 1.0
        if not loss > 0.0:
            return False
        for k in range(n):
            x = entry(value, k)
            variance += x * x / precision[2 * column[k]]
        if bias >= 0:
            variance += 1.0 / precision[2 * bias]
        step = y * (loss / (variance + r))
        growth = 1.0 / r
        if not (waiting or self.averaging):
            # Nearly always. Pointers and choices that stay the same save a seventh of the time.
            for k in range(n):
                x = entry(value, k)
                pair = weight + 2 * column[k]
                pair[0] = bounded(pair[0] + bounded(step * x / pair[1]))
                pair[1] += growth if value == NULL else x * x if one else x * x / r
        else:
            for k in range(n):
                x = entry(value, k)
                self.step(column[k], step * x / precision[2 * column[k]])
                waiting = made_surer(
                    &precision[2 * column[k]], growth if value == NULL else x * x / r, y, waiting
                )
        if bias >= 0:
            self.step(bias, step / precision[2 * bias])
            waiting = made_surer(&precision[2 * bias], growth, y, waiting)
        self.waiting = waiting
        return True
