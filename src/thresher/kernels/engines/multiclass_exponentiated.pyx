"""Exponentiated updates for several classes: dual_r += step_r x, with steps that sum to 0.

Used by `learners.multiclass.winnow`. The slow twin is
`tests/reference/multiclass_exponentiated.py`. With power(z) = exp(rate * (z - shift)), a
feature weighs power(dual) in a class, or power(dual) - power(-dual) in the mirrored learner.
The sum of all weights divides all classes alike and is left out, and so are the features
that no update has touched, which weigh the same in all classes.
"""

from libc.math cimport exp, fabs, fmax
from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine

cdef double LARGE = 1e260                 # weights beyond this are brought back by a shift


cdef class ExponentiatedClasses(MulticlassEngine):
    """Multiclass normalised and signed Winnow."""

    def set_rule(self, double rate, bint mirrored, bint spread):
        """Set the step, whether a feature stands for its negative too, and who is blamed; once."""
        self.rate = rate
        self.mirrored = mirrored
        self.spread = spread
        self.dual = np.zeros(self.weight.shape[0])
        self.rebuild()

    cdef double weight_of(self, double dual) noexcept nogil:
        if self.mirrored:
            return exp(self.rate * (dual - self.shift)) - exp(self.rate * (-dual - self.shift))
        return exp(self.rate * (dual - self.shift))

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, Py_ssize_t label
    ) noexcept nogil:
        cdef Py_ssize_t k, j, at
        cdef double x
        cdef bint large = False
        if not self.blame(label, self.spread):
            return False
        for k in range(n + self.has_bias):
            x = value[k] if k < n else 1.0
            for j in range(self.n_moved):
                at = (self.line_of(column[k]) if k < n else 0) + self.moved[j]
                self.dual[at] += self.step[j] * x
                self.weight[at] = self.weight_of(self.dual[at])
                large |= not fabs(self.weight[at]) <= LARGE
        if large:
            self.recentre()
        return n > 0 or self.has_bias

    cdef void recentre(self) noexcept nogil:
        """A shift that makes the largest weight 1: a common factor changes no comparison."""
        cdef Py_ssize_t k
        cdef double top = self.shift
        for k in range(self.n_lines * self.stride):
            top = fmax(top, fabs(self.dual[k]) if self.mirrored else self.dual[k])
        self.shift = top
        for k in range(self.n_lines * self.stride):
            self.weight[k] = self.weight_of(self.dual[k])

    def set_shift(self, double shift):
        """Take over a saved shift, after `set_duals`."""
        if not 0.0 <= shift <= 1e150:
            raise StateError("the shift of the duals is not one that this learner can have.")
        self.shift = shift
        self.rebuild()
