"""Rounds of a learner with a table of weights, a line per feature and a number per class.

Used by `additive_classes`, `exponentiated_classes` and `network_classes`, which say how a row
changes the table. Nothing here comes from the kernels. The learners in plain Python are in
`tests/reference/multiclass_engine.py` and its companions.

Classes are numbered as they appear, after those that were stated. Sums run from left to
right, the constant feature last; among equal scores the lowest number wins. A class takes part
from the round in which it appears on, and can be predicted from the next one on.
"""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from thresher.verifier.compiled.ieee import require_gradual_underflow


cdef class ClassRounds:
    """A stream of class numbers, the table, and what was predicted."""

    def __init__(self, stream, label, Py_ssize_t width, Py_ssize_t n_classes, Py_ssize_t n_stated,
                 bint bias):
        self.row_start, self.column, self.value = stream.row_start, stream.column, stream.value
        self.label = label
        self.said = np.full(len(label), -1, np.int32)
        self.altered = np.zeros(len(label), np.uint8)
        self.started = np.zeros(len(label), np.uint8)
        self.width, self.n_classes, self.n_known, self.bias = width, n_classes, n_stated, bias
        self.weight = np.zeros((width + 1) * n_classes)
        self.known_feature = np.zeros(width + 1, np.uint8)
        self.score = np.zeros(max(n_classes, 1))
        self.move = np.zeros(max(n_classes, 1))

    def begin_with(self, places, table, constant=None):
        """Begin with these weights of the features in these places, as another run has left them.

        To be called before the first round. Classes that are still to come have none.
        """
        known = table.shape[1]
        lines = np.asarray(self.weight).reshape(self.width + 1, self.n_classes)
        lines[places, :known] = table
        if constant is not None:
            lines[-1, :known] = constant
        np.asarray(self.known_feature)[places] = 1

    def play(self):
        """All rounds, from the first on."""
        cdef Py_ssize_t t, label
        cdef bint new
        require_gradual_underflow()
        with nogil:
            for t in range(self.label.shape[0]):
                label = self.label[t]
                self.add_up(t)
                self.said[t] = <int32_t> self.best(-1)
                new = label == self.n_known
                self.n_known += new
                self.altered[t] = self.learn(t, label)
                self.started[t] = new

    def classify(self, rows):
        """The class predicted for each of further rows; -1 where none is known. Nothing changes."""
        cdef Py_ssize_t t
        cdef int32_t[::1] out = np.empty(len(rows.row_start) - 1, np.int32)
        cdef const int64_t[::1] row_start = self.row_start
        cdef const int32_t[::1] column = self.column
        cdef const double[::1] value = self.value
        require_gradual_underflow()
        self.row_start, self.column, self.value = rows.row_start, rows.column, rows.value
        for t in range(out.shape[0]):
            self.add_up(t)
            out[t] = <int32_t> self.best(-1)
        self.row_start, self.column, self.value = row_start, column, value
        return np.asarray(out)

    cdef void add_up(self, Py_ssize_t t) noexcept nogil:
        """The score of every class, also of those that are still to come."""
        cdef Py_ssize_t k, r, n = self.n_classes
        cdef double x
        cdef double* score = &self.score[0]
        cdef const double* w
        for r in range(n):
            score[r] = 0.0
        for k in range(self.row_start[t], self.row_start[t + 1]):
            if self.known_feature[self.column[k]]:
                x = self.value[k]
                w = &self.weight[self.column[k] * n]
                for r in range(n):
                    score[r] += x * w[r]
        if self.bias:
            w = &self.weight[self.width * n]
            for r in range(n):
                score[r] += w[r]

    cdef Py_ssize_t best(self, Py_ssize_t but) noexcept nogil:
        """The first class of the largest score, one left out; -1 if there is no other."""
        cdef Py_ssize_t r, found = -1
        for r in range(self.n_known):
            if r != but and (found < 0 or self.score[r] > self.score[found]):
                found = r
        return found

    cdef bint accuse(self, Py_ssize_t label, bint all_of_them) noexcept nogil:
        """Who moves after a mistake: the label by 1, its rivals by -1 together.

        The rivals are the classes that score at least as high, or the first of the best alone.
        """
        cdef Py_ssize_t r, rival = self.best(label), ahead = 0
        cdef double own = self.score[label]
        if rival < 0 or own > self.score[rival] or (own == self.score[rival] and label < rival):
            return False
        for r in range(self.n_known):
            self.move[r] = 0.0
            ahead += r != label and self.score[r] >= own
        self.move[label] = 1.0
        if all_of_them:
            for r in range(self.n_known):
                if r != label and self.score[r] >= own:
                    self.move[r] = -1.0 / <double> ahead
        else:
            self.move[rival] = -1.0
        return True

    cdef bint learn(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil:
        """Change the table after round t; whether anything changed."""
        return False

    def predicted(self):
        """The class predicted in each round; -1 where there was none."""
        return np.array(self.said)

    def changed(self):
        """Whether each round changed the learner, if only by a class that is new."""
        return np.array(self.altered, bool) | np.array(self.started, bool)

    def moved(self):
        """Whether each round changed a weight."""
        return np.array(self.altered, bool)

    def table(self):
        """The weights: a line per feature, the constant one last; a number per class."""
        return np.array(self.weight).reshape(self.width + 1, self.n_classes)

    def touched(self):
        """Whether each feature, the constant one last, has weights of its own."""
        return np.array(self.known_feature)
