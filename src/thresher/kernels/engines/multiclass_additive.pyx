"""Additive updates for several classes: w_r += step_r x, with steps that sum to 0.

Used by `learners.multiclass.perceptron` and `learners.multiclass.passive_aggressive`. The
slow twin is `tests/reference/multiclass_additive.py`.
"""

from libc.math cimport fmin
from libc.stdint cimport int32_t

from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine


cdef class AdditiveClasses(MulticlassEngine):
    """The multiclass Perceptron and Passive-Aggressive; the duals are the weights."""

    def set_rule(self, int rule, bint spread, double aggressiveness):
        """Set what an update does, once: see the fields."""
        self.rule = rule
        self.spread = spread
        self.aggressiveness = aggressiveness

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, Py_ssize_t label
    ) noexcept nogil:
        cdef Py_ssize_t k, j
        cdef double rate = 1.0
        cdef double* line
        cdef const int32_t* moved = &self.moved[0]
        cdef double* step = &self.step[0]
        if self.rule == 0:
            if not self.blame(label, self.spread):
                return False
        else:
            rate = self.lacking(value, n, label)
            if rate <= 0.0:
                return False
        for j in range(self.n_moved):
            step[j] *= rate
        for k in range(n):
            line = &self.weight[self.line_of(column[k])]
            for j in range(self.n_moved):
                line[moved[j]] = bounded(line[moved[j]] + step[j] * value[k])
        if self.has_bias:
            line = &self.weight[0]
            for j in range(self.n_moved):
                line[moved[j]] = bounded(line[moved[j]] + step[j])
        return n > 0 or self.has_bias

    cdef double lacking(self, const double* value, Py_ssize_t n, Py_ssize_t label) noexcept nogil:
        """Note that the label moves against its best rival; the size of the step, or 0."""
        cdef Py_ssize_t k, rival = self.leader(&self.score[0], self.n_classes, label)
        cdef double loss, norm = 1.0 if self.has_bias else 0.0
        if rival < 0:
            return 0.0
        loss = 1.0 - (self.score[label] - self.score[rival])
        for k in range(n):
            norm += value[k] * value[k]
        if not loss > 0.0 or norm == 0.0:
            return 0.0
        self.n_moved = 0
        self.move(label, 1.0)
        self.move(rival, -1.0)
        # The row stands in two classes: its squared length counts twice.
        if self.rule == 3:
            return loss / (2.0 * norm + 0.5 / self.aggressiveness)
        loss /= 2.0 * norm
        return fmin(loss, self.aggressiveness) if self.rule == 2 else loss


cdef inline double bounded(double weight) noexcept nogil:
    """The weight, or the largest one: times a feature of 1e100, and summed, it stays a double."""
    # Not fmin and fmax, which are calls.
    weight = weight if weight > -1e150 else -1e150
    return weight if weight < 1e150 else 1e150
