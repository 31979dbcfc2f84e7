"""The one hot loop: a sparse dot product, a comparison and, rarely, an update.

Every linear learner is an `Engine`; what differs is the update (`additive`,
`multiplicative`, `conjunction`) and how a score that is too close to call is settled.
The loop in plain Python, and the authority on what it should do, is
`tests/reference/engine.py`.

Contract:

* the caller has validated the arrays (`Rows`, `Batch`) and the feature range (the learner);
* rows are played in the order given, and each sum runs over increasing columns, so the
  same stream gives the same bits, whole, in pieces or row by row;
* no allocation and no Python object per round; the interpreter lock is taken only to
  settle a score in exact arithmetic.
"""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t

from collections import deque
from threading import Condition

import numpy as np

from thresher.errors import FeatureRangeError, LabelError
from thresher.kernels.named_rows cimport PackedRow


cdef class Engine:
    """State and loop shared by all linear learners; subclasses supply the update."""

    def __init__(self, str owner, NameTable names, JournalBuffer journal, Py_ssize_t n_weights,
                 bint bias, double threshold, tuple domain):
        self.owner = owner
        self.names = names
        self.journal = journal
        self.threshold = threshold
        self.lowest, self.highest, self.whole = domain
        self.n_weights = n_weights
        self.bias_slot = n_weights if bias else -1
        self.weight = np.zeros(max(n_weights + bias, 1))
        self.gate = Condition()
        self.queue = deque()

    # ---- the loop ----------------------------------------------------------------------

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        """The score of a row: the dot product, unless a subclass knows better."""
        cdef double magnitude
        return self.dot(column, value, n, &magnitude)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, int label, bint mistake
    ) except -1 nogil:
        """Change the state after a round; return whether the round belongs in the journal."""
        return False

    cdef int play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        double* score,
    ) except -1 nogil:
        """One round: score, compare, update, count."""
        cdef bint predicted_positive, mistake
        score[0] = self.score(column, value, n)
        predicted_positive = score[0] >= self.threshold
        mistake = predicted_positive != (label > 0)
        self.n_rounds += 1
        if mistake:
            if label > 0:
                self.false_negatives += 1
            else:
                self.false_positives += 1
        if self.update(column, value, n, label, mistake):
            self.journal.append(column, value, n, label, self.n_rounds - 1)
        return 0

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        bint ones,
        double[::1] scores_out,
    ):
        """Play one round per row; scores_out[t] is the score taken before label[t] was used.

        `ones` says that all values are 1.
        """
        cdef Py_ssize_t t, start
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        ones = ones and self.needs_no_values(row_start)
        with nogil:
            for t in range(label.shape[0]):
                start = row_start[t]
                self.play(
                    columns + start, NULL if ones else values + start,
                    row_start[t + 1] - start, label[t], &scores_out[t],
                )

    def scores(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        bint ones,
        double[::1] scores_out,
    ):
        """Score every row with the present weights; nothing changes. `ones` as in `learn`."""
        cdef Py_ssize_t t, start
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        ones = ones and self.needs_no_values(row_start)
        with nogil:
            for t in range(row_start.shape[0] - 1):
                start = row_start[t]
                scores_out[t] = self.score(
                    columns + start, NULL if ones else values + start, row_start[t + 1] - start
                )

    def needs_no_values(self, row_start):
        """Whether rows of ones may be played without their values (passed as NULL)."""
        return False

    # ---- one row as a dict ---------------------------------------------------------------

    def learn_one(self, dict features not None, label):
        """Play one round on a dict of features; return the score taken before the label."""
        cdef PackedRow row = PackedRow()
        cdef double score
        cdef int8_t y
        if label is True or label == 1:
            y = 1
        elif label is False or label == -1 or label == 0:
            y = -1
        else:
            raise LabelError(f"a label must be -1 or +1 (or 0 or 1), found {label!r}.")
        self.begin_write()
        cdef Py_ssize_t known = len(self.names.vocabulary)
        try:
            row.fill(features, self.names, self.n_rounds, True)
            try:
                self.check_row(row, features)
                self.make_room(row.column[row.n - 1] + 1 if row.n else 0)
                self.prepare_row(row)
                self.journal.reserve(1, row.n, False)
            except BaseException:
                self.names.forget(known)
                raise
            self.play(row.column, row.value, row.n, y, &score)
        finally:
            self.end_write()
        return score

    def score_one(self, dict features not None):
        """The score of a dict of features; names never seen weigh nothing."""
        cdef PackedRow row = PackedRow()
        self.begin_read()
        try:
            row.fill(features, self.names, 0, False)
            self.check_row(row, features)
            while self.names.growing and row.n and row.column[row.n - 1] >= self.n_weights:
                row.n -= 1
            return self.score(row.column, row.value, row.n)
        finally:
            self.end_read()

    cdef int check_row(self, PackedRow row, dict features) except -1:
        """Refuse a value outside the range that the learner's theory needs."""
        cdef Py_ssize_t k
        cdef double value
        for k in range(row.n):
            value = row.value[k]
            if not self.lowest <= value <= self.highest or (
                self.whole and value != <int64_t> value
            ):
                column = row.column[k]
                named = [key for key in features if self.names.column_of(key) == column]
                raise FeatureRangeError(
                    self.owner, self.n_rounds, named[0] if named else column, value, self.domain()
                )
        return 0

    cdef int prepare_row(self, PackedRow row) except -1:
        """Ready the state for one row."""
        cdef Py_ssize_t k
        cdef double largest = 1.0
        cdef bint integral = True
        for k in range(row.n):
            largest = max(largest, fabs(row.value[k]))
            integral = integral and fabs(row.value[k]) < 1e6 and value_is_whole(row.value[k])
        return self.prepare(1, largest, integral)

    # ---- memory and turns ----------------------------------------------------------------

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow to at least `n_features` weights, if this learner grows."""
        return 0

    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1:
        """Ready the state for so many rows with values of at most `largest`, whole or not."""
        return 0

    def begin_learning(self):
        """Take the turn to write: one at a time, and nobody reads meanwhile."""
        self.begin_write()

    def make_ready(self, Py_ssize_t n_rows, Py_ssize_t n_values, Py_ssize_t n_features,
                   tuple values, bint integral):
        """Make room for a batch, so that the loop itself cannot fail.

        `values` holds the lowest and the highest value; `integral` says that all are whole.
        """
        lowest, highest = values
        self.make_room(n_features)
        self.prepare(n_rows, max(1.0, abs(lowest), abs(highest)), integral)
        self.journal.reserve(n_rows, n_values, lowest == highest == 1.0)

    def end_learning(self):
        """Give the turn back."""
        self.end_write()

    def begin_scoring(self):
        """Take a turn to read: many at once, but none while a batch is being learned."""
        self.begin_read()

    def end_scoring(self):
        """Give the turn back."""
        self.end_read()

    cdef int begin_read(self) except -1:
        # The test and the count happen without letting another thread in between.
        if self.writing or self.waiting:
            self.queue_up(False)
        else:
            self.readers += 1
        return 0

    cdef int end_read(self) except -1:
        self.readers -= 1
        if self.readers == 0 and self.waiting:
            self.wake()
        return 0

    cdef int begin_write(self) except -1:
        if self.writing or self.readers or self.waiting:
            self.queue_up(True)
        else:
            self.writing = True
        return 0

    cdef int end_write(self) except -1:
        self.writing = False
        if self.waiting:
            self.wake()
        return 0

    def queue_up(self, bint write):
        """Sleep until it is our turn. Nobody overtakes: not readers a writer, nor the reverse."""
        ticket = object()
        with self.gate:
            self.queue.append(ticket)
            self.waiting += 1
            try:
                while self.queue[0] is not ticket or self.writing or (write and self.readers):
                    self.gate.wait()
                if write:
                    self.writing = True
                else:
                    self.readers += 1
            finally:
                self.queue.remove(ticket)
                self.waiting -= 1
                # The next in line may be a reader as well.
                self.gate.notify_all()

    def wake(self):
        """Tell the sleepers that a turn has ended."""
        with self.gate:
            self.gate.notify_all()

    # ---- what others may see ---------------------------------------------------------------

    @property
    def n_features(self):
        """Number of features that have a weight."""
        return self.n_weights

    @property
    def has_bias(self):
        """Whether a constant feature was asked for."""
        return self.bias_slot >= 0

    def domain(self):
        """The range of feature values, in words."""
        if self.whole:
            return "{0, 1}" if self.lowest == 0.0 else "{-1, 0, 1}"
        return f"[{self.lowest:g}, {self.highest:g}]"

    def stored(self):
        """A copy of the stored weights, the bias last."""
        return np.array(self.weight)

    def counts(self):
        """The counters, for saving."""
        return self.n_rounds, self.false_negatives, self.false_positives, self.close_calls

    def set_history(self, counts, JournalBuffer journal not None):
        """Take over saved counters, and a journal to go on with."""
        self.n_rounds, self.false_negatives, self.false_positives, self.close_calls = counts
        self.journal = journal


cdef inline bint value_is_whole(double value) noexcept nogil:
    return value == <double> <int64_t> value
