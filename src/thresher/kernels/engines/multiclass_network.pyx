"""A Winnow for each class, over the features that have been seen with the class.

Used by `learners.multiclass.sparse_network`. The slow twin is
`tests/reference/multiclass_network.py`. A link from a feature to a class weighs start *
base**dual; where there is none the dual is minus infinity and the weight 0. Each class is told
whether it was the label; a class that should have reached the threshold and did not promotes
its links of the row, one that should not have and did demotes them.
"""

from libc.math cimport INFINITY, pow
from libc.stdint cimport int32_t

import numpy as np

from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine


cdef class NetworkClasses(MulticlassEngine):
    """The sparse network of Winnows."""

    def set_rule(self, double base, double start, double threshold):
        """Set the factor of a promotion, the weight of a new link and the threshold; once."""
        self.base = base
        self.start = start
        self.threshold = threshold
        self.first_dual = -INFINITY
        self.dual = np.full(self.weight.shape[0], -INFINITY)

    cdef double weight_of(self, double dual) noexcept nogil:
        return 0.0 if dual == -INFINITY else self.start * pow(self.base, dual)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, Py_ssize_t label
    ) noexcept nogil:
        cdef Py_ssize_t k, j, r, at
        cdef bint reached, changed = self.link(column, n, label)
        self.n_moved = 0
        for r in range(self.n_classes):
            reached = self.score[r] >= self.threshold
            if reached != (r == label):
                self.move(r, -1.0 if reached else 1.0)
        for k in range(n):
            for j in range(self.n_moved):
                at = self.line[column[k]] * self.stride + self.moved[j]
                if self.dual[at] != -INFINITY:
                    self.dual[at] += self.step[j] * value[k]
                    self.weight[at] = self.weight_of(self.dual[at])
                    changed = True
        return changed

    cdef bint link(self, const int32_t* column, Py_ssize_t n, Py_ssize_t label) noexcept nogil:
        """Link all features of the row to its class; whether any link is new."""
        cdef Py_ssize_t k, at
        cdef bint new = False
        for k in range(n):
            at = self.line_of(column[k]) + label
            if self.dual[at] == -INFINITY:
                self.dual[at] = 0.0
                self.weight[at] = self.weight_of(0.0)
                new = True
        return new

    def sound(self, duals):
        """Which entries may be duals."""
        return (np.abs(duals) <= 1e150) | (duals == -np.inf)
