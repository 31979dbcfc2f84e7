"""Weighted Majority: in every round the experts that were wrong lose weight.

Used by `learners.finite.weighted_majority`. The slow twin is
`tests/reference/weighted_majority.py`. An expert weighs beta^mistakes: the base of the powers
is 1 / beta, and the dual of an expert is minus the number of its mistakes. A feature is the
vote of its expert.
"""

from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.normalized cimport NormalizedEngine


cdef class WeightedMajorityEngine(NormalizedEngine):
    """The algorithm of Littlestone and Warmuth (1994)."""

    def drop_at_first_mistake(self):
        """Silence an expert that was wrong, once and for all: beta = 0, which has no powers."""
        self.silences = True

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef bint wrong = False
        cdef Py_ssize_t k
        for k in range(n):
            if round.label * value[k] < 0.0:
                wrong = True
                if self.silences:
                    self.drop(column[k])
                else:
                    self.move(column[k], -1.0)
        if not wrong:
            return round.mistake
        self.reach += 1.0
        self.keep_in_range(column, n)
        return True
