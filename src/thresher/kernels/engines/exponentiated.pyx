"""Exponentiated updates: dual_i <- dual_i + y x_i after a mistake, weights e^(eta dual_i) / sum.

Used by `learners.two_class.normalized_winnow` and, with mirrored duals, by
`learners.two_class.signed_winnow`. The slow twin is `tests/reference/exponentiated.py`. A
learner that guesses its margin plays in phases: each has a budget of mistakes, and one more
begins the next phase, with another rate and all duals zero.
"""

from libc.math cimport fabs, fmax
from libc.stdint cimport int32_t, int64_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.normalized cimport NormalizedEngine


cdef class ExponentiatedEngine(NormalizedEngine):
    """Normalised Winnow, and signed Winnow (EG+-, Kivinen and Warmuth 1997)."""

    def __cinit__(self):
        self.budget = -1

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double y = round.label * round.importance, largest = 0.0
        cdef Py_ssize_t k
        if not round.mistake:
            return False
        for k in range(n):
            self.move(column[k], y * value[k])
            if fabs(value[k]) > largest:
                largest = fabs(value[k])
        if self.bias_slot >= 0:
            self.move(self.bias_slot, y)
            largest = fmax(largest, 1.0)
        self.reach += largest * fmax(1.0, round.importance)
        self.keep_in_range(column, n)
        if self.budget >= 0:
            self.phase_mistakes += 1
            if self.phase_mistakes > self.budget:
                with gil:
                    self.next_phase()
        return True

    def set_phase(self, double rate, int64_t budget, reaches_threshold, next_phase):
        """Start over with another rate, until `budget` mistakes have been exceeded."""
        self.reaches_threshold = reaches_threshold
        self.next_phase = next_phase
        self.budget = budget
        self.phase_mistakes = 0
        self.rate = rate
        self.start_afresh()

    def set_phase_mistakes(self, int64_t phase_mistakes):
        """Take over a saved count."""
        self.phase_mistakes = phase_mistakes
