"""A committee of up to eight members that share one pass over each row.

Used by `learners.two_class.committee`. The slow twin is `tests/reference/committee.py`; the loops
are in `committee.h` and `prepared_row.h`, in vectors of eight floats, compiled for any processor and for one with AVX2.
Both give the same bits.

A stream of ones, while nothing else was ever seen, comes without its values: every member then
sees one and the same number for all features of a row.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memcpy, memset

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.rows.named_rows cimport PackedRow

RULES = ("arow", "adagrad", "means")
VIEWS = ("scaled", "presence", "unit", "root")

# What the second number of a feature starts from, by rule: a variance, a sum of squares that must
# not be 0, a count that keeps first impressions small.
STARTS = (1.0, 1e-20, 1.0)

# The view of a lane without a member: none, so that it sees nothing.
cdef int SPARE = -1
# What a feature that was never seen is multiplied with: any value it will have makes it less.
UNSEEN = 1e300


cdef class CommitteeEngine(Engine):
    """Members in lanes, and the mixture of what they say."""

    def __cinit__(self):
        memset(&self.state, 0, sizeof(committee_t))
        self.plain = True
        self.wide = wide_here()

    def set_members(self, members):
        """Start with these members, up to eight triples (rule, view, setting), by name."""
        cdef Py_ssize_t m, n = len(members)
        self.state.n_members = n
        for m in range(LANES):
            rule, view, setting = members[m] if m < n else ("arow", None, 1.0)
            self.state.rule[m] = RULES.index(rule)
            self.state.view[m] = SPARE if view is None else VIEWS.index(view)
            self.state.setting[m] = setting
            self.state.bias[m] = 0.0
            self.state.bias[LANES + m] = STARTS[self.state.rule[m]]
            self.state.slope[m] = 1.0
            self.state.curvature[m] = 1.0
            if m < n:
                self.state.share[m] = 1.0 / n
                self.state.spread[m * LANES + m] = 1.0
                self.state.prior[m] = 0.5 / n
        for m in range(n, n + 2):
            self.state.prior[m] = 0.25
        for m in range(EXPERTS):
            self.state.belief[m] = self.state.prior[m]
        for m in range(EXPERTS + 1):
            self.state.likelihood[m] = 1.0
        self.block = self.fresh_block(self.n_weights)
        self.shrink = np.full(max(self.n_weights, 1), UNSEEN)

    def fresh_block(self, Py_ssize_t n_features):
        """Weights of so many unseen features, at an address where each fills one cache line."""
        width = 2 * LANES
        room = np.empty((max(n_features, 1) + 1) * width, np.float32)
        skip = -(room.ctypes.data // 4) % width
        block = room[skip:skip + max(n_features, 1) * width].reshape(-1, width)
        block[:, :LANES] = 0.0
        block[:, LANES:] = [STARTS[self.state.rule[m]] for m in range(LANES)]
        return block

    def use_widest(self, bint allowed):
        """Choose the instructions: the widest of this processor, or those that all have."""
        self.wide = allowed and wide_here()

    # ---- the loop -----------------------------------------------------------------------------

    cdef void fill_row(
        self, row_t* row, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil:
        row.column = column
        row.value = value
        row.shrink = &self.shrink[0]
        row.n = n
        row.more = self.end - (column + n) if self.end != NULL else 0

    cdef table_t alone(self, committee_t** state) noexcept nogil:
        """This committee as the only one that looks at a row."""
        cdef table_t table
        table.state = state
        table.n = 1
        table.block = &self.block[0, 0]
        table.stride = 2 * LANES
        return table

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef row_t row
        cdef committee_t* state = &self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        self.fill_row(&row, column, value, n)
        judge(&table, &row, &turn, self.wide)
        return turn.said.mixed

    cdef int play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        double importance,
        double* score,
    ) except -1 nogil:
        """One round; every one is an update, so that the journal would be the stream."""
        cdef row_t row
        cdef committee_t* state = &self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        self.fill_row(&row, column, value, n)
        play(&table, &row, 0 if label > 0 else -1, &turn, self.wide)
        score[0] = turn.said.mixed
        self.n_rounds += 1
        if (score[0] >= 0.0) != (label > 0):
            if label > 0:
                self.false_negatives += 1
            else:
                self.false_positives += 1
        self.journal.omitted += 1
        return 0

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        bint ones,
        double[::1] scores_out,
        const double[::1] importance=None,
    ):
        """Play one round per row as any engine; the weights of the next row are fetched early."""
        self.end = &column[0] + column.shape[0] if column.shape[0] else NULL
        try:
            Engine.learn(self, row_start, column, value, label, ones, scores_out, importance)
        finally:
            self.end = NULL

    def make_ready(self, Py_ssize_t n_rows, Py_ssize_t n_values, Py_ssize_t n_features,
                   tuple values, bint integral, importance=None):
        """Make room for a batch, and note whether its values are needed."""
        self.make_room(n_features)
        self.plain = self.plain and (n_values == 0 or values == (1.0, 1.0))

    cdef int prepare_row(self, PackedRow row, double importance) except -1:
        cdef Py_ssize_t k
        for k in range(row.n):
            self.plain = self.plain and row.value[k] == 1.0
        return 0

    def needs_no_values(self, row_start):
        """Whether rows of ones are all that was ever learned from."""
        return self.plain

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow in doubling steps, if this learner grows."""
        if n_features <= self.n_weights or not self.names.growing:
            return 0
        if n_features > self.block.shape[0]:
            room = max(n_features, 2 * self.n_weights, 16)
            block = self.fresh_block(room)
            block[:self.n_weights] = self.block[:self.n_weights]
            shrink = np.full(room, UNSEEN)
            shrink[:self.n_weights] = self.shrink[:self.n_weights]
            self.block, self.shrink = block, shrink
        self.n_weights = n_features
        return 0

    def take_apart(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
    ):
        """What the scores of rows are made of, for whoever asks why; nothing changes.

        Returns what each lane adds for the constant feature and for each value of the rows, the
        score of each lane, the log-odds of each expert, and the score of each row.
        """
        cdef Py_ssize_t t, start, n_rows = row_start.shape[0] - 1
        # A row more than there are, so that there is a first one to point at.
        cdef float[:, ::1] part = np.zeros((column.shape[0] + 1, LANES), np.float32)
        cdef float[:, ::1] score = np.zeros((n_rows + 1, LANES), np.float32)
        cdef double[:, ::1] odds = np.zeros((n_rows + 1, EXPERTS))
        cdef double[::1] mixed = np.zeros(n_rows)
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        cdef row_t row
        cdef committee_t* state = &self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        for t in range(n_rows):
            start = row_start[t]
            self.fill_row(&row, columns + start, values + start, row_start[t + 1] - start)
            take_apart(&table, &row, 0, &turn, &part[start, 0])
            memcpy(&score[t, 0], turn.score, LANES * sizeof(float))
            memcpy(&odds[t, 0], turn.said.odds, EXPERTS * sizeof(double))
            mixed[t] = turn.said.mixed
        return (
            np.array(<float[:LANES]> self.state.bias),
            np.asarray(part)[:-1],
            np.asarray(score)[:-1],
            np.asarray(odds)[:-1],
            np.asarray(mixed),
        )

    # ---- the state ------------------------------------------------------------------------------

    @property
    def has_bias(self):
        """Whether there is a constant feature: always."""
        return True

    def dual(self):
        """What was learned of the features: 16 numbers each, the constant feature last."""
        own = np.asarray(self.block[:self.n_weights])
        return np.concatenate([own.ravel(), <float[:2 * LANES]> self.state.bias])

    def set_dual(self, dual):
        """Take over what `dual` gave."""
        dual = np.array(dual, np.float32)
        width = 2 * LANES
        if dual.ndim != 1 or len(dual) % width or not len(dual):
            raise StateError(f"the state of a committee is {width} numbers for each feature.")
        # A float to which small steps are added stops growing at some 2^24 of them. Summed over
        # 2^31 columns, where values are at most 1, what is within this limit stays a float.
        if not np.all(np.abs(dual) <= 1e25):
            raise StateError("the state of a committee holds finite numbers, at most 1e25.")
        rows = dual.reshape(-1, width)
        self.make_room(len(rows) - 1)
        if len(rows) - 1 != self.n_weights:
            raise StateError(
                f"the state is of {len(rows) - 1} features, the committee has {self.n_weights}."
            )
        np.asarray(self.block)[:self.n_weights] = rows[:-1]
        np.asarray(<float[:width]> self.state.bias)[:] = rows[-1]

    def fields(self):
        """The parts of the state that are not features, as arrays that share its memory."""
        state = &self.state
        return {
            "square": np.asarray(<double[:LANES]> state.square),
            "slope": np.asarray(<double[:LANES]> state.slope),
            "curvature": np.asarray(<double[:LANES]> state.curvature),
            "share": np.asarray(<double[:LANES]> state.share),
            "spread": np.asarray(<double[:LANES * LANES]> state.spread),
            "prior": np.asarray(<double[:EXPERTS]> state.prior),
            "belief": np.asarray(<double[:EXPERTS]> state.belief),
            "likelihood": np.asarray(<double[:EXPERTS + 1]> state.likelihood),
            "places": np.asarray(<int64_t[:EXPERTS + 1]> state.places),
            "mistakes": np.asarray(<int64_t[:EXPERTS + 1]> state.mistakes),
        }

    def other_state(self):
        """What the state holds beside the features."""
        parts = tuple(np.array(part) for part in self.fields().values())
        shrink = np.array(self.shrink[:self.n_weights])
        return (self.state.rounds, self.state.labels, bool(self.plain), shrink, *parts)

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`; all of it or, with an error, nothing."""
        fields = list(self.fields().values())
        if len(other) != 4 + len(fields):
            raise StateError(f"a committee keeps {4 + len(fields)} things beside the features.")
        rounds, labels, plain, shrink, *parts = other
        shapes = [(self.n_weights,), *(own.shape for own in fields)]
        parts = [np.asarray(part, np.float64) for part in (shrink, *parts)]
        numbers = np.concatenate([[rounds, labels], *(part.ravel() for part in parts)])
        if [part.shape for part in parts] != shapes or not np.all(np.isfinite(numbers)):
            raise StateError("what a committee keeps beside the features are finite numbers, "
                             f"in arrays of {[shape[0] for shape in shapes]}.")
        saved = dict(zip(self.fields(), parts[1:]))
        weights = np.concatenate([saved["prior"], saved["belief"]])
        if not np.all((weights >= 0.0) & (weights <= 1.0 + 1e-6)):
            raise StateError("the weights of the experts of a committee are from 0 to 1.")
        if not np.all((parts[0] >= 0.0) & (parts[0] <= UNSEEN)):
            raise StateError("one over the largest value of a feature is a positive number.")
        # Each round moves a share by less than the spread times the largest float: far less.
        if not np.all(np.abs(saved["share"]) <= 1e150):
            raise StateError("the shares of the experts of a committee are at most 1e150.")
        self.state.rounds, self.state.labels, self.plain = rounds, labels, plain
        np.asarray(self.shrink)[:self.n_weights] = parts[0]
        for own, saved in zip(fields, parts[1:], strict=True):
            own[:] = saved
