"""Passive-Aggressive updates: the smallest step that brings the loss of the row to zero.

Used by `learners.two_class.passive_aggressive`. The slow twin is
`tests/reference/passive_aggressive.py`. Variant 0 takes the whole step, 1 cuts it off at C,
2 softens it by 1/(2C) (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006).
"""

from libc.math cimport fmin
from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class PassiveAggressiveEngine(IdentityLinkEngine):
    """w += tau y x whenever y <w, x> < 1; the dual vector is the weight vector."""

    def set_rule(self, int variant, double aggressiveness):
        """Set the variant (0, 1 or 2) and C, once."""
        self.variant = variant
        self.aggressiveness = aggressiveness

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double y = round.label
        cdef double loss = 1.0 - y * round.score
        cdef double norm, step, aggressiveness = self.aggressiveness * round.importance
        if not loss > 0.0:
            return False
        norm = self.squared_norm(value, n)
        if norm == 0.0:
            return round.mistake
        if self.variant == 2:
            step = loss / (norm + 0.5 / aggressiveness)
        else:
            step = loss / norm
            if self.variant == 1:
                step = fmin(step, aggressiveness)
        self.add(column, value, n, y * step)
        return True
