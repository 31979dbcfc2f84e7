"""Passive-Aggressive, AROW and AdaGrad: steps in most rounds, by the margin of each.

The learners in plain Python are `tests/reference/passive_aggressive.py`, `tests/reference/arow.py`
and `tests/reference/adagrad.py`.
"""

from libc.math cimport exp, sqrt

import numpy as np

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row


cdef class PassiveAggressiveRounds(LinearRounds):
    """w += tau y x where y w.x < 1, tau by the variant: 0 for PA, 1 for PA-I, 2 for PA-II."""

    def set_rule(self, int variant, double c):
        """The variant and its aggressiveness."""
        self.variant, self.c = variant, c

    cdef double square_of(self, const Row* row) noexcept nogil:
        """||x||^2, the constant feature last."""
        cdef double square = 0.0
        cdef Py_ssize_t k
        for k in range(row.n):
            square += row.x[k] * row.x[k]
        return square + 1.0 if self.bias else square

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double loss = 1.0 - row.y * row.score
        cdef double square, tau, c = self.c * row.h
        cdef Py_ssize_t k
        if not loss > 0.0:
            return False
        square = self.square_of(row)
        if square == 0.0:
            # Nothing can be done; a mistake is in the journal all the same.
            return row.wrong
        if self.variant == 2:
            tau = loss / (square + 0.5 / c)
        else:
            tau = loss / square
            if self.variant == 1 and c < tau:
                tau = c
        tau = row.y * tau
        for k in range(row.n):
            self.step(row.column[k], tau * row.x[k], row.t)
        if self.bias:
            self.step(self.width, tau, row.t)
        return True


cdef class ArowRounds(LinearRounds):
    """A precision for each weight, which begins at 1 and makes its steps shorter.

    The learner of one class among several waits for it: rows of -1 raise no precision above 4
    before a row of +1 has done so.
    """

    def set_rule(self, double r, bint waits):
        """How much one row is distrusted, and whether it is one of several."""
        self.r, self.waits = r, waits
        self.precision = np.ones(self.width + 1)

    def begin_with(self, dict numbers):
        """Weights and their precisions; whether it still waits is seen from these."""
        LinearRounds.begin_with(self, numbers)
        self.precision = np.array(numbers["precision"], np.float64)
        self.waits = self.waits and bool(np.all(np.asarray(self.precision) <= 4.0))

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double loss = 1.0 - row.y * row.score
        cdef double r = self.r / row.h, confidence = 0.0, beta
        cdef Py_ssize_t k
        if not loss > 0.0:
            return False
        for k in range(row.n):
            confidence += row.x[k] * row.x[k] / self.precision[row.column[k]]
        if self.bias:
            confidence += 1.0 / self.precision[self.width]
        beta = row.y * (loss / (confidence + r))
        for k in range(row.n):
            self.trust(row.column[k], row.x[k], beta, r, row)
        if self.bias:
            self.trust(self.width, 1.0, beta, r, row)
        return True

    cdef void trust(
        self, Py_ssize_t i, double x, double beta, double r, const Row* row
    ) noexcept nogil:
        self.step(i, beta * x / self.precision[i], row.t)
        cdef double raised = self.precision[i] + x * x / r
        if self.waits and raised > 4.0:
            if row.y < 0.0:
                raised = 4.0
            else:
                self.waits = False
        self.precision[i] = raised

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        return {**LinearRounds.by_feature(self), "precision": np.asarray(self.precision)}


cdef class AdaGradRounds(LinearRounds):
    """Gradient steps, each divided by the root of the squared gradients of its feature."""

    def set_rule(self, double rate, bint logistic):
        """The length of a step, and which loss its gradient is taken of."""
        self.rate, self.logistic = rate, logistic
        self.squares = np.zeros(self.width + 1)

    def begin_with(self, dict numbers):
        """Weights and the squares of their gradients."""
        LinearRounds.begin_with(self, numbers)
        self.squares = np.array(numbers["squares"], np.float64)

    cdef double slope_of(self, double margin) noexcept nogil:
        """How fast the loss falls as the margin grows."""
        if self.logistic:
            return 1.0 / (1.0 + exp(margin))
        return 1.0 if margin < 1.0 else 0.0

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double slope = self.slope_of(row.y * row.score)
        cdef Py_ssize_t k
        if slope == 0.0:
            return False
        slope = slope * (row.y * row.h)
        for k in range(row.n):
            self.descend(row.column[k], slope * row.x[k], row)
        if self.bias:
            self.descend(self.width, slope, row)
        return True

    cdef void descend(self, Py_ssize_t i, double gradient, const Row* row) noexcept nogil:
        self.squares[i] += gradient * gradient
        if self.squares[i] > 0.0:
            self.step(i, self.rate * gradient / sqrt(self.squares[i]), row.t)

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        return {**LinearRounds.by_feature(self), "squares": np.asarray(self.squares)}
