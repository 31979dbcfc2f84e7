"""Rounds of a learner that scores rows by weights: what all of them share.

Used by `running_sums`, `hinge_steps`, `p_norm_duals` and `shared_rows`, which say how a row changes
the weights. Nothing here comes from the kernels: a replay that used their code would repeat
their faults. The learners in plain Python are in `tests/reference/`.

Every operation is one of IEEE 754, in the order in which the learners' pages state it; what is
divided, multiplied and added when is part of the definition of a run to the bit.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int8_t, int32_t, int64_t

import numpy as np

from thresher.verifier.compiled.ieee import require_gradual_underflow


cdef class LinearRounds:
    """A stream, the weights, and which rounds were mistaken and which were updates."""

    def __init__(self, stream, Py_ssize_t width, bint bias, tuple class_weight, bint averaging,
                 bint online):
        self.row_start, self.column = stream.row_start, stream.column
        self.value, self.label = stream.value, stream.label
        rounds = len(stream.label)
        self.mistaken, self.updated = np.zeros(rounds, np.uint8), np.zeros(rounds, np.uint8)
        self.excess = np.zeros(rounds)
        self.width, self.bias = width, bias
        self.negative, self.positive = class_weight
        self.averaging, self.online = averaging, online
        self.weight = np.zeros(width + 1)
        self.history = np.zeros(width + 1 if averaging else 1)
        self.largest = np.zeros(width + 1 if online else 1)
        longest = int(np.max(np.diff(stream.row_start), initial=0))
        self.scaled = np.zeros(longest + 1)

    def begin_with(self, dict numbers):
        """Begin with these numbers of each feature instead of a new learner's; see `by_feature`.

        To be called before the first round, and after the rule is set.
        """
        self.weight = np.array(numbers["weight"], np.float64)
        if self.online:
            self.largest = np.array(numbers["scale"], np.float64)

    def measure(self):
        """Note from now on how far rounding has moved the sums, and where that may matter."""
        self.measuring = True
        self.off = np.zeros(self.width + 1)
        self.doubtful = np.zeros(len(self.label), np.uint8)

    def doubtful_rounds(self):
        """The rounds in which rounding may have decided, as far as `measure` can tell."""
        return np.flatnonzero(self.doubtful)

    def play(self, int64_t first, int64_t stop):
        """Rounds first..stop-1, from the present state on."""
        cdef int64_t t
        require_gradual_underflow()
        with nogil:
            for t in range(first, stop):
                self.one_round(t)

    def absorb(self, const unsigned char[::1] claimed, int64_t stop):
        """Take over rounds 0..stop-1, of which the claimed ones were mistaken, without a score.

        For learners that change on mistakes alone, and always in the same way.
        """
        cdef int64_t t
        cdef Row row
        require_gradual_underflow()
        with nogil:
            for t in range(stop):
                if claimed[t]:
                    self.look_at(&row, t)
                    row.wrong, row.score = True, 0.0
                    self.change(&row)

    def lean(self, rows, int64_t played):
        """By how much the scores of further rows exceed the threshold, after so many rounds.

        Nothing changes. Where the sizes are not known, infinities say on which side they are.
        """
        cdef int64_t t
        cdef Row row
        cdef double score
        cdef double[::1] out = np.empty(len(rows.label))
        cdef const int64_t[::1] row_start = self.row_start
        cdef const int32_t[::1] column = self.column
        cdef const double[::1] value = self.value
        cdef const int8_t[::1] label = self.label
        cdef double[::1] scaled = self.scaled
        cdef bint measuring = self.measuring
        require_gradual_underflow()
        self.row_start, self.column, self.value = rows.row_start, rows.column, rows.value
        self.label, self.measuring = np.ones(len(rows.label), np.int8), False
        self.scaled = np.zeros(int(np.max(np.diff(rows.row_start), initial=0)) + 1)
        try:
            for t in range(out.shape[0]):
                self.look_at(&row, t)
                score = self.score_of(&row)
                if self.averaging:
                    score -= self.product(&self.history[0], &row) / <double> (played + 1)
                out[t] = self.margin_of(score)
                if (out[t] >= 0.0) != (score >= self.threshold) or not self.sizes_known():
                    out[t] = INFINITY if score >= self.threshold else -INFINITY
        finally:
            self.row_start, self.column, self.value = row_start, column, value
            self.label, self.scaled, self.measuring = label, scaled, measuring
        return np.asarray(out)

    cdef bint sizes_known(self) noexcept nogil:
        """Whether scores have been the learner's own to the bit, not only in their signs."""
        return True

    cdef void look_at(self, Row* row, int64_t t) noexcept nogil:
        """The row of a round, scaled, and what its label says."""
        cdef int64_t start = self.row_start[t]
        cdef double size
        cdef Py_ssize_t k
        row.t = t
        row.n = self.row_start[t + 1] - start
        row.column, row.given = NULL, NULL
        if row.n:
            row.column, row.given = &self.column[start], &self.value[start]
        row.x = row.given
        if self.online:
            for k in range(row.n):
                size = fabs(row.given[k])
                if self.largest[row.column[k]] > size:
                    size = self.largest[row.column[k]]
                self.scaled[k] = row.given[k] / size
            row.x = &self.scaled[0]
        row.y = 1.0 if self.label[t] > 0 else -1.0
        row.h = self.positive if row.y > 0.0 else self.negative

    cdef int one_round(self, int64_t t) except -1 nogil:
        cdef Row row
        cdef double score
        self.look_at(&row, t)
        row.score = score = self.score_of(&row)
        if self.averaging:
            # The mean of the weights before each round up to this one.
            score -= self.product(&self.history[0], &row) / <double> (t + 1)
        row.wrong = (row.score >= self.threshold) != (row.y > 0.0)
        self.excess[t] = self.margin_of(score)
        self.mistaken[t] = (score >= self.threshold) != (row.y > 0.0)
        return self.change(&row)

    cdef int change(self, const Row* row) except -1 nogil:
        """Update the weights, unless the class of the row weighs nothing, and then the scales."""
        cdef Py_ssize_t k
        if not row.h > 0.0 or not self.update(row):
            return 0
        self.updated[row.t] = True
        if self.online:
            for k in range(row.n):
                if fabs(row.given[k]) > self.largest[row.column[k]]:
                    self.largest[row.column[k]] = fabs(row.given[k])
        return 0

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        return self.product(&self.weight[0], row)

    cdef bint update(self, const Row* row) except -1 nogil:
        """Change the weights; whether the round is one of the journal."""
        return False

    def mistaken_among(self, int64_t first, int64_t stop):
        """For each of the rounds first..stop-1, whether it was mistaken."""
        return np.asarray(self.mistaken)[first:stop].astype(bool)

    cdef double margin_of(self, double score) noexcept nogil:
        """By how much a score exceeds the threshold."""
        return score - self.threshold

    def mistaken_rounds(self):
        """The rounds whose label was not the one predicted."""
        return np.flatnonzero(self.mistaken)

    def updating_rounds(self):
        """The rounds that belong in the journal."""
        return np.flatnonzero(self.updated)

    def margins(self):
        """By how much the score of each round exceeded the threshold."""
        return np.asarray(self.excess)

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        found = {"weight": np.asarray(self.weight)}
        if self.averaging:
            found["history"] = np.asarray(self.history)
        if self.online:
            found["scale"] = np.asarray(self.largest)
        return found
