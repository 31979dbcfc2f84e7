"""The loop of the learners with several classes: score all classes, compare, rarely update.

The weights of a feature for all classes stand next to one another, so that one look-up
serves all classes; only features that some update has touched have such a line of weights.
What differs is the update: `multiclass_additive`, `multiclass_exponentiated` and
`multiclass_network`. The loop in plain Python is `tests/reference/multiclass_engine.py`.

Contract: as for `engine`. Classes are numbered in the order in which they appear: the label
of a row is a class that has appeared, or the next number. A class can be predicted from the
round after its first on; among classes of equal score the first to appear is predicted.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

import numpy as np

from thresher.errors import StateError


cdef class MulticlassEngine(RowEngine):
    """State and loop shared by all learners with several classes."""

    def __init__(self, str owner, NameTable names, n_features, bint bias, tuple domain,
                 Py_ssize_t n_classes):
        super().__init__(owner, names, domain)
        self.n_features = n_features or 0
        self.has_bias = bias
        self.n_classes = n_classes
        self.line = np.zeros(max(self.n_features, 1), np.int32)
        self.n_lines = self.line_room = 1
        self.stride = 0
        self.weight = np.zeros(0)
        self.dual = None
        self.resize(1, n_classes)

    # ---- the loop ----------------------------------------------------------------------

    cdef void score_row(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* score
    ) noexcept nogil:
        """The scores of all classes; each sum runs over increasing columns, the bias last."""
        cdef Py_ssize_t k, r, stride = self.stride
        cdef const double* weight
        cdef double v
        memset(score, 0, stride * sizeof(double))
        for k in range(n):
            if self.line[column[k]]:
                weight = &self.weight[self.line[column[k]] * stride]
                v = value[k]
                for r in range(stride):
                    score[r] += v * weight[r]
        if self.has_bias:
            weight = &self.weight[0]
            for r in range(stride):
                score[r] += weight[r]

    cdef Py_ssize_t leader(
        self, const double* score, Py_ssize_t n_classes, Py_ssize_t without
    ) noexcept nogil:
        """The class of the largest score, the first of several; -1 if there is none."""
        cdef Py_ssize_t r, best = -1
        for r in range(n_classes):
            if r != without and (best < 0 or score[r] > score[best]):
                best = r
        return best

    cdef bint play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        Py_ssize_t label,
        int32_t* predicted,
        double* best,
    ) noexcept nogil:
        """One round: score, compare, update, count; whether the learner has changed."""
        cdef Py_ssize_t leader
        cdef bint new = label == self.n_classes
        self.score_row(column, value, n, &self.score[0])
        leader = self.leader(&self.score[0], self.n_classes, -1)
        predicted[0] = <int32_t> leader
        best[0] = self.score[leader] if leader >= 0 else 0.0
        self.n_rounds += 1
        self.mistakes += leader != label
        self.n_classes += new
        if self.update(column, value, n, label):
            self.updates += 1
            return True
        return new

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, Py_ssize_t label
    ) noexcept nogil:
        """Change the weights after a round, whose scores are in `score`; whether any changed."""
        return False

    cdef bint blame(self, Py_ssize_t label, bint spread) noexcept nogil:
        """Note who moves: +1 for the label, -1 for a class that won against it, or spread over all.

        False if the label won. A label never seen before takes part with the score it has.
        """
        cdef Py_ssize_t r, rival = self.leader(&self.score[0], self.n_classes, label)
        cdef double right = self.score[label]
        cdef Py_ssize_t n_ahead = 0
        if rival < 0 or self.score[rival] < right or (
            self.score[rival] == right and rival > label
        ):
            return False
        self.n_moved = 0
        self.move(label, 1.0)
        if not spread:
            self.move(rival, -1.0)
            return True
        for r in range(self.n_classes):
            n_ahead += r != label and self.score[r] >= right
        for r in range(self.n_classes):
            if r != label and self.score[r] >= right:
                self.move(r, -1.0 / <double> n_ahead)
        return True

    cdef void move(self, Py_ssize_t r, double step) noexcept nogil:
        """Note that an update moves a class by so much."""
        self.moved[self.n_moved] = <int32_t> r
        self.step[self.n_moved] = step
        self.n_moved += 1

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int32_t[::1] label,
        int32_t[::1] predicted_out,
        double[::1] best_out,
        unsigned char[::1] changed_out,
    ):
        """Play one round per row: the class predicted (-1: none), its score, whether a change."""
        cdef Py_ssize_t t, start
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        with nogil:
            for t in range(label.shape[0]):
                start = row_start[t]
                changed_out[t] = self.play(
                    columns + start, values + start, row_start[t + 1] - start, label[t],
                    &predicted_out[t], &best_out[t],
                )

    def scores(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        double[:, ::1] scores_out,
    ):
        """The score of every row for every class; nothing changes."""
        cdef Py_ssize_t t, r, start
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        # Not the learner's own: many may be reading.
        cdef double[::1] score = np.empty(self.stride)
        with nogil:
            for t in range(row_start.shape[0] - 1):
                start = row_start[t]
                self.score_row(
                    columns + start, values + start, row_start[t + 1] - start, &score[0]
                )
                for r in range(self.n_classes):
                    scores_out[t, r] = score[r]

    # ---- one row as a dict ---------------------------------------------------------------

    def learn_one(self, dict features not None, Py_ssize_t label):
        """Play one round on a dict: the class predicted, and the row if the learner changed.

        The caller has taken the turn.
        """
        cdef PackedRow row = PackedRow()
        cdef Py_ssize_t k, known = len(self.names.vocabulary)
        cdef int32_t predicted
        cdef double best
        row.fill(features, self.names, self.n_rounds, True)
        try:
            self.check_row(row, features)
            self.make_room(
                row.column, row.n, row.column[row.n - 1] + 1 if row.n else 0,
                max(self.n_classes, label + 1),
            )
        except BaseException:
            self.names.forget(known)
            raise
        if not self.play(row.column, row.value, row.n, label, &predicted, &best):
            return predicted, None
        columns, values = np.empty(row.n, np.int32), np.empty(row.n)
        cdef int32_t[::1] column = columns
        cdef double[::1] value = values
        for k in range(row.n):
            column[k], value[k] = row.column[k], row.value[k]
        return predicted, (columns, values)

    def score_one(self, dict features not None):
        """The scores of a dict for all classes; names never seen weigh nothing."""
        cdef PackedRow row = self.packed_to_score(features)
        cdef double[::1] score
        self.begin_read()
        try:
            self.keep_known(row, self.n_features)
            scores = np.empty(self.stride)
            score = scores
            self.score_row(row.column, row.value, row.n, &score[0])
            return scores[:self.n_classes]
        finally:
            self.end_read()

    # ---- memory ----------------------------------------------------------------------------

    cdef double weight_of(self, double dual) noexcept nogil:
        """From a dual to its weight."""
        return dual

    cdef Py_ssize_t line_of(self, Py_ssize_t column) noexcept nogil:
        """Where the weights of a feature begin; it gets a line if it has none."""
        cdef Py_ssize_t r, start
        cdef double weight
        if self.line[column] == 0:
            self.line[column] = <int32_t> self.n_lines
            start = self.n_lines * self.stride
            self.n_lines += 1
            weight = self.weight_of(self.first_dual)
            for r in range(start, start + self.stride):
                self.weight[r] = weight
                if self.dual is not None:
                    self.dual[r] = self.first_dual
        return self.line[column] * self.stride

    cdef Py_ssize_t count_new(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        """How many different features have no line yet."""
        cdef Py_ssize_t k, found = 0
        for k in range(n):
            if self.line[column[k]] == 0:
                self.line[column[k]] = -1
                found += 1
        for k in range(n):
            if self.line[column[k]] < 0:
                self.line[column[k]] = 0
        return found

    cdef int make_room(
        self, const int32_t* column, Py_ssize_t n, Py_ssize_t n_features, Py_ssize_t n_classes
    ) except -1:
        cdef Py_ssize_t room
        if n_features > self.n_features and self.names.growing:
            if n_features > self.line.shape[0]:
                line = np.zeros(max(n_features, 2 * self.line.shape[0]), np.int32)
                line[:self.n_features] = self.line[:self.n_features]
                self.line = line
            self.n_features = n_features
        room = self.n_lines + self.count_new(column, n)
        if room > self.line_room or n_classes > self.stride:
            self.resize(room, n_classes)
        return 0

    def make_ready(self, const int32_t[::1] column, Py_ssize_t n_features, Py_ssize_t n_classes):
        """Make room for a batch, so that the loop itself cannot fail."""
        self.make_room(
            &column[0] if column.shape[0] else NULL, column.shape[0], n_features, n_classes
        )

    def resize(self, Py_ssize_t n_lines, Py_ssize_t n_classes):
        """Room for so many lines of so many classes, and some more."""
        lines, stride = self.line_room, self.stride
        if n_lines > lines:
            lines = max(n_lines, lines + lines // 2)
        if n_classes > stride or stride == 0:
            # In fours: the loops over classes then have no rest.
            stride = (max(n_classes, stride + stride // 2, 1) + 3) // 4 * 4
        weight = self.relaid(self.weight, lines, stride, self.weight_of(self.first_dual))
        if self.dual is not None:
            self.dual = self.relaid(self.dual, lines, stride, self.first_dual)
        self.weight = weight
        self.line_room, self.stride = lines, stride
        self.score = np.zeros(stride)
        self.step = np.zeros(stride)
        self.moved = np.zeros(stride, np.int32)

    def relaid(self, array, Py_ssize_t lines, Py_ssize_t stride, double start):
        """The same lines with room for more of them and for more classes."""
        # Zeroed memory that nobody touches costs nothing.
        larger = np.zeros((lines, stride))
        larger[:self.n_lines] = start
        if self.stride:
            old = np.asarray(array).reshape(self.line_room, self.stride)
            larger[:self.n_lines, :self.stride] = old[:self.n_lines]
        return larger.reshape(-1)

    # ---- what others may see ---------------------------------------------------------------

    def lines(self):
        """A copy of the line of each feature; 0 where no update has touched it."""
        return np.array(self.line[:self.n_features])

    def duals(self):
        """A copy of the duals: a line for the bias, then the lines in use; a column per class."""
        return self.table(self.weight if self.dual is None else self.dual)

    def weights(self):
        """A copy of the weights behind the duals."""
        return self.table(self.weight)

    def table(self, array):
        """The part of an array of lines that is in use."""
        whole = np.asarray(array).reshape(self.line_room, self.stride)
        return whole[:self.n_lines, :self.n_classes].copy()

    def set_duals(self, lines, duals):
        """Take over saved lines and duals; the classes are the columns of `duals`."""
        lines = np.asarray(lines)
        duals = np.ascontiguousarray(duals, np.float64)
        if lines.dtype != np.int32 or lines.ndim != 1 or duals.ndim != 2 or not len(duals):
            raise StateError("lines are whole numbers, one per feature, and duals a table.")
        used = np.sort(lines[lines != 0])
        if not np.array_equal(used, np.arange(1, len(duals))):
            raise StateError("the lines of the features are not those of the table of duals.")
        if not np.all(self.sound(duals)):
            raise StateError("a dual is not a number that this learner can have.")
        if not self.names.growing and len(lines) != self.n_features:
            raise StateError(
                f"there are lines for {len(lines)} features, the learner has {self.n_features}."
            )
        self.n_features = len(lines)
        self.line = np.zeros(max(len(lines), 1), np.int32)
        np.asarray(self.line)[:len(lines)] = lines
        self.n_classes = duals.shape[1]
        self.resize(len(duals), self.n_classes)
        self.n_lines = len(duals)
        whole = np.asarray(self.weight if self.dual is None else self.dual)
        whole = whole.reshape(self.line_room, self.stride)
        whole[:self.n_lines] = self.first_dual
        whole[:self.n_lines, :self.n_classes] = duals
        self.rebuild()

    def sound(self, duals):
        """Which entries may be duals."""
        return np.abs(duals) <= 1e150

    def rebuild(self):
        """All weights anew from the duals, where these are two things."""
        cdef Py_ssize_t k
        if self.dual is not None:
            for k in range(self.n_lines * self.stride):
                self.weight[k] = self.weight_of(self.dual[k])

    def counts(self):
        """The counters, for saving."""
        return self.n_rounds, self.mistakes, self.updates

    def set_counts(self, counts):
        """Take over saved counters."""
        self.n_rounds, self.mistakes, self.updates = counts
