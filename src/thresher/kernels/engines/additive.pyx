"""Additive updates: w += y x in every mistaken round, or whenever y <w, x> <= margin.

Used by `learners.two_class.perceptron`. The slow twin is `tests/reference/perceptron.py`.

Rows of ones, while all weights are whole numbers, come without their values: such sums do
not round, so that four of them at a time give the same bits as one after the other. On
400,000 rows of 75 ones a pass took 36 ms instead of 41.

A learner that forgets multiplies all weights by `keep` before each update. They are
stored divided by a common factor, so that an update still costs no more than its row.
"""

from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine

# Below this factor the stored weights are brought back to their true size.
cdef double SMALLEST_FACTOR = 1e-100


cdef class AdditiveEngine(IdentityLinkEngine):
    """The Perceptron's update; the dual vector is the weight vector."""

    def __cinit__(self):
        self.whole_weights = True
        self.keep = self.factor = 1.0

    def set_rule(self, double margin, double decay):
        """Set the margin within which to update, and the share that an update forgets; once."""
        self.margin = margin
        self.keep = 1.0 - decay
        self.whole_weights = decay == 0.0

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef Py_ssize_t k
        cdef double y = round.label * round.importance
        cdef double* weight = &self.weight[0]
        if not (
            round.mistake or (self.margin > 0.0 and round.label * round.score <= self.margin)
        ):
            return False
        if self.keep < 1.0:
            self.forget()
            y /= self.factor
        if self.averaging:
            self.add(column, value, n, y)
            return True
        if value == NULL:
            for k in range(n):
                weight[column[k]] += y
        else:
            for k in range(n):
                weight[column[k]] += y * value[k]
        if self.bias_slot >= 0:
            weight[self.bias_slot] += y
        return True

    cdef void forget(self) noexcept nogil:
        """All weights times `keep`."""
        cdef Py_ssize_t i
        self.factor *= self.keep
        if self.factor < SMALLEST_FACTOR:
            for i in range(self.weight.shape[0]):
                self.weight[i] *= self.factor
            self.factor = 1.0

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        # An empty row has no values either.
        if value == NULL and n > 0:
            return self.sum_of_weights(column, n)
        return self.factor * self.mean_score(column, value, n)

    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1:
        """Note whether the weights stay whole, and how large they can become."""
        self.whole_weights = self.whole_weights and integral
        self.largest_weight += n_rows * largest
        return 0

    def needs_no_values(self, row_start):
        """Whether no sum over a row of ones can round: whole weights, and below 2^53 in all."""
        longest = int(np.max(np.diff(row_start), initial=0)) + 1
        whole = self.whole_weights and not self.averaging
        return whole and self.largest_weight * longest < 2.0**53

    def dual(self):
        """The dual vector, the bias last."""
        return super().dual() * self.factor

    def set_dual(self, dual):
        """Replace the dual vector (the bias last)."""
        super().set_dual(dual)
        self.factor = 1.0
        dual = self.dual()
        self.whole_weights = self.keep == 1.0 and bool(np.all(dual == np.rint(dual)))
        self.largest_weight = float(np.max(np.abs(dual), initial=0.0))

    def other_state(self):
        """What the state holds beside the dual vector.

        A learner that forgets keeps what it stores and its factor: their product rounds.
        """
        if self.keep == 1.0:
            return super().other_state()
        return (np.array(self.weight[:self.in_use]), self.factor)

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`."""
        if self.keep == 1.0:
            super().set_other_state(other)
        else:
            if len(other) != 2:
                raise StateError("beside the weights there are those stored and their factor.")
            stored, factor = np.asarray(other[0], np.float64), float(other[1])
            dual = self.dual()
            if not (
                stored.shape == dual.shape and SMALLEST_FACTOR <= factor <= 1.0
                and np.array_equal(stored * factor, dual)
            ):
                raise StateError("the stored weights, times their factor, are not the weights.")
            np.asarray(self.weight)[:self.in_use] = stored
            self.factor = factor
