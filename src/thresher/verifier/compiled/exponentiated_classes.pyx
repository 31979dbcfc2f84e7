"""Normalised and signed Winnow with several classes: weights exp(eta * dual).

The learners in plain Python are in `tests/reference/multiclass_exponentiated.py`. The sum of all
weights would divide all scores alike and is left out, and so are features that no update has
touched. When a weight passes 1e260, all duals are taken less the largest: a common factor.
"""

from libc.math cimport exp, fabs
from libc.stdint cimport int64_t

import numpy as np

from thresher.verifier.compiled.class_rounds cimport ClassRounds


cdef class ExponentiatedClasses(ClassRounds):
    """The table holds the weights, `dual` what they are powers of."""

    cdef double eta
    cdef bint signed
    cdef bint uniform
    cdef double[::1] dual
    cdef readonly double subtracted

    def set_rule(self, double eta, bint signed, bint uniform):
        """The step, whether features stand for their negatives too, who is blamed."""
        self.eta, self.signed, self.uniform = eta, signed, uniform
        self.dual = np.zeros(self.weight.shape[0])
        self.subtracted = 0.0

    def take_duals(self, places, table, double subtracted):
        """Begin with these duals of features that were touched, less what was subtracted."""
        cdef Py_ssize_t i, at
        known = table.shape[1]
        np.asarray(self.dual).reshape(self.width + 1, self.n_classes)[places, :known] = table
        self.subtracted = subtracted
        for i in places.tolist():
            self.known_feature[i] = 1
            for at in range(i * self.n_classes, (i + 1) * self.n_classes):
                self.weight[at] = self.weighs(self.dual[at])

    cdef double weighs(self, double dual) noexcept nogil:
        cdef double up = exp(self.eta * (dual - self.subtracted))
        return up - exp(self.eta * (-dual - self.subtracted)) if self.signed else up

    cdef bint learn(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil:
        cdef int64_t k
        cdef Py_ssize_t r, at
        cdef bint huge = False
        if not self.accuse(label, self.uniform):
            return False
        for k in range(self.row_start[t], self.row_start[t + 1]):
            at = self.column[k] * self.n_classes
            if not self.known_feature[self.column[k]]:
                self.known_feature[self.column[k]] = 1
                for r in range(self.n_classes):
                    self.weight[at + r] = self.weighs(0.0)
            for r in range(self.n_known):
                if self.move[r] != 0.0:
                    self.dual[at + r] += self.move[r] * self.value[k]
                    self.weight[at + r] = self.weighs(self.dual[at + r])
                    huge = huge or not fabs(self.weight[at + r]) <= 1e260
        if huge:
            self.subtract_largest()
        return self.row_start[t + 1] > self.row_start[t]

    cdef void subtract_largest(self) noexcept nogil:
        cdef Py_ssize_t i, at
        cdef double reach, most = self.subtracted
        for at in range(self.dual.shape[0]):
            reach = fabs(self.dual[at]) if self.signed else self.dual[at]
            most = reach if reach > most else most
        self.subtracted = most
        for i in range(self.width):
            if self.known_feature[i]:
                for at in range(i * self.n_classes, (i + 1) * self.n_classes):
                    self.weight[at] = self.weighs(self.dual[at])

    def duals(self):
        """The duals, laid out as the table."""
        return np.array(self.dual).reshape(self.width + 1, self.n_classes)
