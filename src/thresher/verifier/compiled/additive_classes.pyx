"""The Perceptron and Passive-Aggressive with several classes: w_r += step_r x.

The learners in plain Python are in `tests/reference/multiclass_additive.py`.
"""

from libc.stdint cimport int64_t

from thresher.verifier.compiled.class_rounds cimport ClassRounds

RULES = ("perceptron", "PA", "PA-I", "PA-II")

cdef enum:
    PERCEPTRON, PA, PA_1, PA_2      # as in RULES


cdef class AdditiveClasses(ClassRounds):
    """The table holds the weights."""

    cdef int rule
    cdef bint uniform
    cdef double most

    def set_rule(self, rule, bint uniform, double most):
        """The rule by name, whether all rivals are blamed, and how far a row may go."""
        self.rule, self.uniform, self.most = RULES.index(rule), uniform, most

    cdef bint learn(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil:
        cdef int64_t k
        cdef double size = 1.0
        if self.rule == PERCEPTRON:
            if not self.accuse(label, self.uniform):
                return False
        else:
            size = self.step_size(t, label)
            if size <= 0.0:
                return False
        for k in range(self.row_start[t], self.row_start[t + 1]):
            self.known_feature[self.column[k]] = 1
            self.shift(self.column[k], size, self.value[k])
        if self.bias:
            self.shift(self.width, size, 1.0)
        return self.bias or self.row_start[t + 1] > self.row_start[t]

    cdef double step_size(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil:
        """Of Passive-Aggressive: the label moves against its best rival; 0 if it need not."""
        cdef Py_ssize_t r, rival = self.best(label)
        cdef int64_t k
        cdef double lack, square = 1.0 if self.bias else 0.0
        if rival < 0:
            return 0.0
        lack = 1.0 - (self.score[label] - self.score[rival])
        for k in range(self.row_start[t], self.row_start[t + 1]):
            square += self.value[k] * self.value[k]
        if not lack > 0.0 or square == 0.0:
            return 0.0
        for r in range(self.n_known):
            self.move[r] = 0.0
        self.move[label], self.move[rival] = 1.0, -1.0
        if self.rule == PA_2:
            return lack / (2.0 * square + 0.5 / self.most)
        lack = lack / (2.0 * square)
        return self.most if self.rule == PA_1 and self.most < lack else lack

    cdef void shift(self, Py_ssize_t line, double size, double x) noexcept nogil:
        """One feature's weights move; none of them leaves +-1e150."""
        cdef Py_ssize_t r
        cdef double moved
        for r in range(self.n_known):
            if self.move[r] != 0.0:
                moved = self.weight[line * self.n_classes + r] + (self.move[r] * size) * x
                moved = -1e150 if moved < -1e150 else moved
                self.weight[line * self.n_classes + r] = 1e150 if moved > 1e150 else moved
