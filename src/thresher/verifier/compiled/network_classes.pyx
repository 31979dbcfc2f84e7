"""The sparse network: a Winnow for each class over the features seen with it.

The learner in plain Python is `tests/reference/multiclass_network.py`. A link weighs
start * base**dual; where there is none the dual is minus infinity and the weight 0.
"""

from libc.math cimport INFINITY, pow
from libc.stdint cimport int64_t

import numpy as np

from thresher.verifier.compiled.class_rounds cimport ClassRounds


cdef class NetworkClasses(ClassRounds):
    """The table holds the weights of the links, `dual` the steps that each has made."""

    cdef double base
    cdef double start
    cdef double threshold
    cdef double[::1] dual

    def set_rule(self, double base, double start, double threshold):
        """The factor of a promotion, the weight of a new link, and what a class should reach."""
        self.base, self.start, self.threshold = base, start, threshold
        self.dual = np.full(self.weight.shape[0], -np.inf)

    cdef bint learn(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil:
        cdef int64_t k
        cdef Py_ssize_t r, at
        cdef bint changed = False, reached
        for r in range(self.n_known):
            reached = self.score[r] >= self.threshold
            self.move[r] = 0.0 if reached == (r == label) else -1.0 if reached else 1.0
        for k in range(self.row_start[t], self.row_start[t + 1]):
            self.known_feature[self.column[k]] = 1
            at = self.column[k] * self.n_classes
            if self.dual[at + label] == -INFINITY:
                self.dual[at + label] = 0.0
                self.weight[at + label] = self.start * pow(self.base, 0.0)
                changed = True
            for r in range(self.n_known):
                if self.move[r] != 0.0 and self.dual[at + r] != -INFINITY:
                    self.dual[at + r] += self.move[r] * self.value[k]
                    self.weight[at + r] = self.start * pow(self.base, self.dual[at + r])
                    changed = True
        return changed

    def duals(self):
        """The duals, laid out as the table."""
        return np.array(self.dual).reshape(self.width + 1, self.n_classes)
