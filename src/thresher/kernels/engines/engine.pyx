"""The one hot loop: a sparse dot product, a comparison and, rarely, an update.

Every linear learner is an `Engine`; what differs is the update (`additive`,
`passive_aggressive`, `multiplicative`, ...) and how a score that is too close to call is settled.
The loop in plain Python, and the authority on what it should do, is
`tests/reference/engine.py`.

Contract:

* the caller has validated the arrays (`Rows`, `Batch`) and the feature range (the learner);
* rows are played in the order given, and each sum runs over increasing columns, so the
  same stream gives the same bits, whole, in pieces or row by row;
* no allocation and no Python object per round; the interpreter lock is taken only to
  settle a score in exact arithmetic.
"""

from libc.math cimport fabs, fmax, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t

import numpy as np

from thresher.errors import HeavyRowError, ImportanceError, LabelError, StateError
from thresher.kernels.rows.named_rows cimport PackedRow
from thresher.kernels.engines.row_engine cimport RowEngine
from thresher.kernels.scanning.memory_hints cimport FETCH

cdef enum:
    # So many features ahead of the row that is learned, memory is asked for what they weigh. With
    # weights of 8 MB, Winnow and a Perceptron of fractions took 0.8 of the time, AROW 0.65; beyond
    # 100 MB all of them 0.95. Scores alone took as long as before.
    AHEAD = 64


cdef class Engine(RowEngine):
    """State and loop shared by all linear learners; subclasses supply the update."""

    def __init__(self, str owner, NameTable names, JournalBuffer journal, Py_ssize_t n_weights,
                 bint bias, double threshold, tuple domain):
        super().__init__(owner, names, domain)
        self.journal = journal
        self.threshold = threshold
        self.n_weights = n_weights
        self.bias_slot = n_weights if bias else -1
        self.weight = np.zeros(max(n_weights + bias, 1))
        self.spread = 1
        self.negative_weight = self.positive_weight = 1.0
        # An attribute that was never assigned is not None.
        self.scratch = self.largest_seen = None

    def weigh(self, bint takes_importance, double negative, double positive):
        """Say whether examples may have weights, and what the classes weigh; once."""
        self.takes_importance = takes_importance
        self.negative_weight = negative
        self.positive_weight = positive

    def scale(self, int scaling):
        """Scale every row before anything else, once; values may then be of any size."""
        self.scaling = scaling
        if scaling != PLAIN:
            self.scratch = np.empty(1)
            self.lowest, self.highest = 0.0 if self.lowest >= 0.0 else -1e100, 1e100
        if scaling == ONLINE:
            self.largest_seen = np.zeros(self.weight.shape[0])

    # ---- the loop ----------------------------------------------------------------------

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        """The score of a row: the dot product, unless a subclass knows better."""
        cdef double magnitude
        return self.dot(column, value, n, &magnitude)

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        """Change the state after a round; return whether the round belongs in the journal."""
        return False

    cdef int play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        double importance,
        double* score,
    ) except -1 nogil:
        """One round: score, compare, update, count."""
        cdef Round round
        cdef const double* given = value
        cdef double magnitude
        cdef Py_ssize_t k
        if self.scaling != PLAIN:
            value = self.scaled(column, given, n, &self.scratch[0])
        score[0] = self.score(column, value, n)
        round.score = score[0]
        round.label = label
        round.mistake = (score[0] >= self.threshold) != (label > 0)
        round.importance = importance * (
            self.positive_weight if label > 0 else self.negative_weight
        )
        self.n_rounds += 1
        if round.mistake:
            if label > 0:
                self.false_negatives += 1
            else:
                self.false_positives += 1
        if self.averaging:
            # The mean predicts; the weights of the moment decide on the update.
            round.score = self.dot(column, value, n, &magnitude)
            round.mistake = (round.score >= self.threshold) != (label > 0)
        if round.importance > 0.0 and self.update(column, value, n, &round):
            if self.scaling == ONLINE:
                for k in range(n):
                    self.largest_seen[column[k]] = fmax(
                        self.largest_seen[column[k]], fabs(given[k])
                    )
            self.journal.append(column, given, n, label, self.n_rounds - 1, importance)
        return 0

    cdef bint far(self) noexcept nogil:
        """Whether weights are worth asking for before they are needed."""
        return self.weight.shape[0] * sizeof(double) >= NEAR

    cdef void fetch(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        """Say that the weights of these features will be needed."""
        cdef Py_ssize_t k
        for k in range(n):
            FETCH(&self.weight[column[k] * self.spread])

    cdef const double* scaled(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* out
    ) noexcept nogil:
        """The row brought to length, sum or largest value 1, or by the largest values seen."""
        cdef Py_ssize_t k
        cdef double largest = 0.0, size = 0.0
        if self.scaling == ONLINE:
            for k in range(n):
                out[k] = value[k] / fmax(self.largest_seen[column[k]], fabs(value[k]))
            return out
        for k in range(n):
            largest = fmax(largest, fabs(value[k]))
        # First by the largest, so that no square overflows or vanishes.
        for k in range(n):
            out[k] = value[k] / largest
            size += out[k] * out[k] if self.scaling == UNIT_LENGTH else fabs(out[k])
        if self.scaling == UNIT_LENGTH:
            size = sqrt(size)
        if self.scaling != UNIT_LARGEST:
            for k in range(n):
                out[k] /= size
        return out

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        bint ones,
        double[::1] scores_out,
        const double[::1] importance=None,
        const int64_t[::1] rounds=None,
    ):
        """Play one round per row; scores_out[t] is the score taken before label[t] was used.

        `ones` says that all values are 1. Without `importance` every row weighs 1. With `rounds`
        rows come in the rounds of these numbers; those between are counted, and changed nothing.
        """
        cdef Py_ssize_t t, start, asked = row_start[0], ask
        cdef bint weighted = importance is not None, far = self.far(), apart = rounds is not None
        self.scratch = self.room_to_scale(row_start)
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        ones = ones and self.scaling == PLAIN and self.needs_no_values(row_start)
        with nogil:
            for t in range(label.shape[0]):
                start = row_start[t]
                if far:
                    ask = min(row_start[t + 1] + AHEAD, column.shape[0])
                    self.fetch(columns + asked, ask - asked)
                    asked = ask
                if apart:
                    self.n_rounds = rounds[t]
                self.play(
                    columns + start, NULL if ones else values + start,
                    row_start[t + 1] - start, label[t], importance[t] if weighted else 1.0,
                    &scores_out[t],
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
        cdef Py_ssize_t t, start, n
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        cdef const double* row
        # Not the learner's own: many may be reading.
        cdef double[::1] scratch = self.room_to_scale(row_start)
        ones = ones and self.scaling == PLAIN and self.needs_no_values(row_start)
        with nogil:
            for t in range(row_start.shape[0] - 1):
                start = row_start[t]
                n = row_start[t + 1] - start
                row = NULL if ones else values + start
                if self.scaling != PLAIN:
                    row = self.scaled(columns + start, row, n, &scratch[0])
                scores_out[t] = self.score(columns + start, row, n)

    def room_to_scale(self, row_start):
        """Room for the longest row, if rows are scaled."""
        if self.scaling == PLAIN:
            return None
        return np.empty(int(np.max(np.diff(row_start), initial=0)) + 1)

    def needs_no_values(self, row_start):
        """Whether rows of ones may be played without their values (passed as NULL)."""
        return False

    # ---- one row as a dict ---------------------------------------------------------------

    def learn_one(self, dict features not None, label, double importance=1.0):
        """Play one round on a dict of features; return the score taken before the label."""
        cdef PackedRow row
        cdef double score
        cdef int8_t y
        if label is True or label == 1:
            y = 1
        elif label is False or label == -1 or label == 0:
            y = -1
        else:
            raise LabelError(f"a label must be -1 or +1 (or 0 or 1), found {label!r}.")
        if importance != 1.0:
            self.check_importance(0, importance)
        self.begin_write()
        cdef Py_ssize_t known = len(self.names.vocabulary)
        try:
            row = self.row_to_learn()
            row.fill(features, self.names, self.n_rounds, True)
            try:
                self.check_row(row, features)
                self.make_room(row.column[row.n - 1] + 1 if row.n else 0)
                self.prepare_row(row, y, importance)
                self.journal.reserve(1, row.n, row.ones, importance != 1.0)
                if self.scaling != PLAIN and self.scratch.shape[0] < row.n:
                    self.scratch = np.empty(2 * row.n)
            except BaseException:
                self.names.forget(known)
                raise
            self.play(row.column, row.value, row.n, y, importance, &score)
        finally:
            self.end_write()
        return score

    def score_one(self, dict features not None):
        """The score of a dict of features; names never seen weigh nothing."""
        cdef PackedRow row = self.packed_to_score(features)
        self.begin_read()
        try:
            self.keep_known(row, self.n_weights)
            if self.scaling != PLAIN:
                self.scaled(row.column, row.value, row.n, row.value)
            return self.score(row.column, row.value, row.n)
        finally:
            self.end_read()

    def check_importance(self, Py_ssize_t row, double importance):
        """Refuse a weight that no example has, or any where the learner has no use for them."""
        if not self.takes_importance:
            raise ImportanceError.useless(self.owner, row, importance)
        if not 0.0 <= importance <= 1e9:
            raise ImportanceError.senseless(row, importance)
        # Each is within its limit; what comes of both must be, too, or squares of it overflow.
        cdef double product = importance * fmax(self.negative_weight, self.positive_weight)
        if product > 1e9:
            raise HeavyRowError(row, product)

    cdef int prepare_row(self, PackedRow row, int8_t label, double importance) except -1:
        """Ready the state for one row."""
        cdef Py_ssize_t k
        cdef double largest = 1.0
        cdef bint integral = True
        for k in range(0 if row.ones else row.n):
            largest = max(largest, fabs(row.value[k]))
            integral = integral and fabs(row.value[k]) < 1e6 and value_is_whole(row.value[k])
        return self.prepare_weighted(1, largest, integral, importance, value_is_whole(importance))

    cdef int prepare_weighted(
        self, Py_ssize_t n_rows, double largest, bint integral, double importance, bint whole
    ) except -1:
        """`prepare` for rows of at most that weight, all of them whole numbers or not."""
        cdef double heaviest = fmax(self.negative_weight, self.positive_weight)
        if self.scaling != PLAIN:
            largest, integral = 1.0, False
        whole = (
            whole and importance * heaviest < 1e6
            and value_is_whole(self.negative_weight) and value_is_whole(self.positive_weight)
        )
        return self.prepare(
            n_rows, largest * fmax(1.0, importance * heaviest), integral and whole
        )

    # ---- memory ----------------------------------------------------------------

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow to at least `n_features` weights, if this learner grows."""
        return 0

    cdef int take_room(self, Py_ssize_t n_features) except -1:
        """Take the memory that `make_room` will take, if this learner grows."""
        return 0

    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1:
        """Ready the state for so many rows with values of at most `largest`, whole or not."""
        return 0

    def make_ready(self, Py_ssize_t n_rows, Py_ssize_t n_values, Py_ssize_t n_features,
                   tuple values, bint integral, importance=None):
        """Make room for a batch, so that the loop itself cannot fail.

        `values` holds the lowest and the highest value; `integral` says that all are whole.
        `importance` is the array of weights, if the rows have any.
        """
        lowest, highest = values
        heaviest, whole = 1.0, True
        if importance is not None:
            heaviest = float(np.max(importance, initial=0.0))
            whole = bool(np.all(importance == np.rint(importance)))
        self.make_room(n_features)
        largest = max(1.0, abs(lowest), abs(highest))
        self.prepare_weighted(n_rows, largest, integral, heaviest, whole)
        ones = lowest == highest == 1.0
        self.journal.reserve(n_rows, n_values, ones, importance is not None)

    def make_space(self, Py_ssize_t n_rows, Py_ssize_t n_values, Py_ssize_t n_features,
                   bint ones, bint weighted):
        """Take the memory that `make_ready` will take; nothing that can be seen changes."""
        self.take_room(n_features)
        self.journal.reserve(n_rows, n_values, ones, weighted)

    def way_back(self, Py_ssize_t n_values):
        """What `go_back` takes after a batch of so many ones; None where there is no way back."""
        return None

    def go_back(self, way):
        """Be what we were when `way_back` gave this, before a batch of ones or a part of one."""
        raise StateError("there is no way back here.")

    # ---- what others may see ---------------------------------------------------------------

    @property
    def n_features(self):
        """Number of features that have a weight."""
        return self.n_weights

    @property
    def has_bias(self):
        """Whether a constant feature was asked for."""
        return self.bias_slot >= 0

    def stored(self):
        """A copy of the stored weights, the bias last."""
        return np.array(self.weight)

    def scales(self):
        """For each feature its largest absolute value so far, where features are scaled by it."""
        return np.array(self.largest_seen[:self.n_weights])

    def set_scales(self, scales):
        """Take over saved scales, after `set_dual`."""
        scales = np.asarray(scales, np.float64)
        if scales.shape != (self.n_weights,) or not np.all((scales >= 0.0) & (scales <= 1e100)):
            raise StateError(f"there are {self.n_weights} scales, each from 0 to 1e100.")
        np.asarray(self.largest_seen)[:self.n_weights] = scales

    def counts(self):
        """The counters, for saving."""
        return self.n_rounds, self.false_negatives, self.false_positives, self.close_calls

    def set_history(self, counts, JournalBuffer journal not None):
        """Take over saved counters, and a journal to go on with."""
        self.n_rounds, self.false_negatives, self.false_positives, self.close_calls = counts
        self.journal = journal


cdef inline bint value_is_whole(double value) noexcept nogil:
    return value == <double> <int64_t> value
