"""A committee: up to eight members in lanes and four in seats, which share one pass over each row.

Used by `learners.two_class.committee`. The slow twin is `tests/reference/committee.py`; the loops
are in the headers that `committee.h` names, in vectors, compiled for any processor and for one
with AVX2. Both give the same bits.

A stream of ones, while nothing else was ever seen, comes without its values: every lane then
sees one and the same number for all features of a row.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memset

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines import committee_state as arrays
from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.engines.feature_memory cimport FeatureMemory
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.kernels.rows.named_rows cimport PackedRow

# The members in lanes: rules, and what they may see of a row.
RULES = ("arow", "adagrad", "means")
VIEWS = ("scaled", "presence", "unit", "root")
MOST_LANES, MOST_SEATS = LANES, SEATS

# What the second number of a feature starts from, by rule: a variance, a sum of squares that must
# not be 0, a count that keeps first impressions small.
STARTS = (1.0, 1e-20, 1.0)

# The view of a lane without a member: none, so that it sees nothing.
cdef int SPARE = -1
# Fields of the state of a committee without seats as it was saved when there were none.
cdef int FIELDS_WITHOUT_SEATS = 14


cdef class CommitteeEngine(Engine):
    """Members in lanes, and the mixture of what they say."""

    def __cinit__(self):
        memset(&self.state, 0, sizeof(committee_t))
        self.wide = wide_here()

    def set_members(self, members):
        """Start with these members, triples (rule, view, setting): lanes, then seats by kind."""
        cdef Py_ssize_t m, n = len(members)
        seats = [member for member in members if member[:2] in arrays.SEAT_KINDS]
        cdef Py_ssize_t n_lanes = n - len(seats)
        self.state.n_members = self.state.present = n
        self.state.n_lanes = n_lanes
        for m in range(LANES):
            rule, view, setting = members[m] if m < n_lanes else ("arow", None, 1.0)
            self.state.rule[m] = RULES.index(rule)
            self.state.view[m] = SPARE if view is None else VIEWS.index(view)
            self.state.setting[m] = setting
            self.state.bias[m] = 0.0
            self.state.start[m] = self.state.bias[LANES + m] = STARTS[self.state.rule[m]]
        for m in range(n - n_lanes):
            self.state.seat[m].kind = arrays.SEAT_KINDS.index(seats[m][:2])
            self.state.seat[m].setting = seats[m][2]
        for m in range(n):
            self.state.slope[m] = 1.0
            self.state.curvature[m] = 1.0
            self.state.share[m] = 1.0 / n
            self.state.spread[m * MEMBERS + m] = 1.0
            self.state.prior[m] = 0.5 / n
        self.state.prior[n] = self.state.prior[n + 1] = 0.25
        for m in range(EXPERTS):
            self.state.belief[m] = self.state.prior[m]
        for m in range(EXPERTS + 1):
            self.state.likelihood[m] = 1.0
        self.block = self.fresh_block(self.n_weights)
        self.memory = FeatureMemory(self.n_weights, len(seats) > 0)
        self.seats = []
        self.slots = 0
        self.make_slots(1)

    def fresh_block(self, Py_ssize_t n_features):
        """Places of so many unseen features, at an address where each fills one cache line."""
        return arrays.cache_lines(max(n_features, 1), 1)

    cdef int make_slots(self, Py_ssize_t n) except -1:
        """Make room for so many slots of columns in all; what is there stays."""
        cdef Py_ssize_t k, room = self.memory.make_slots(n)
        cdef Py_ssize_t seats = self.state.present - self.state.n_lanes if room else 0
        cdef double[::1] weight, second
        # What belonged to those who left is no longer needed.
        del self.seats[2 * seats:]
        if room <= self.slots:
            return 0
        fresh = []
        for k in range(seats):
            fresh += arrays.fresh_seat(self.state.seat[k].kind, room)
        for own, known in zip(fresh, self.seats):
            own[:len(known)] = known
        for k in range(seats):
            weight, second = fresh[2 * k], fresh[2 * k + 1]
            self.state.seat[k].weight, self.state.seat[k].second = &weight[0], &second[0]
        self.seats, self.slots = fresh, room
        return 0

    def move(self, place, CommitteeEngine first not None):
        """Keep the weights in `place`, lines of it that belong to nobody, from now on.

        What is remembered of features is that of `first`, which saw the same rows.
        """
        place[np.flatnonzero(place[:, LANES])] = 0.0
        own = np.asarray(self.block[:self.n_weights])
        begun = np.flatnonzero(own[:, LANES])
        place[begun] = own[begun]
        self.block, self.memory = place, first.memory

    def saw_the_same(self, CommitteeEngine other not None):
        """Whether both saw the same rows, whatever their labels were, and will go on to.

        A row that weighs nothing is not remembered, so that no label may weigh nothing.
        """
        return (
            self.n_weights == other.n_weights and self.state.present == other.state.present
            and min(self.negative_weight, self.positive_weight) > 0.0
            and self.memory.same_as(other.memory, self.n_weights)
        )

    def use_widest(self, bint allowed):
        """Choose the instructions: the widest of this processor, or those that all have."""
        self.wide = allowed and wide_here()

    # ---- the loop -----------------------------------------------------------------------------

    cdef void fill_row(
        self, row_t* row, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil:
        row.column = column
        row.value = value
        row.shrink = &self.memory.shrink[0]
        row.n = n
        row.more = self.end - (column + n) if self.end != NULL else 0

    cdef table_t alone(self, committee_t** state) noexcept nogil:
        """This committee as the only one that looks at a row."""
        cdef table_t table
        table.state = state
        table.columns = &self.memory.columns
        table.n = 1
        table.block = &self.block[0, 0]
        table.stride = self.block.strides[0] // <Py_ssize_t> sizeof(float)
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
        """One round; every one is an update, so that the journal would be the stream.

        A row that weighs nothing is scored and counted.
        """
        cdef row_t row
        cdef committee_t* state = &self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        self.fill_row(&row, column, value, n)
        turn.weight = importance * (self.positive_weight if label > 0 else self.negative_weight)
        if turn.weight > 0.0:
            play(&table, &row, 0 if label > 0 else -1, &turn, self.wide)
        else:
            judge(&table, &row, &turn, self.wide)
        score[0] = turn.said.mixed
        self.n_rounds += 1
        if (score[0] >= 0.0) != (label > 0):
            if label > 0:
                self.false_negatives += 1
            else:
                self.false_positives += 1
        self.journal.omitted += 1
        self.journal.weighted = self.journal.weighted or importance != 1.0
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
        self.make_slots(self.memory.columns.n + min(n_values, n_features))
        self.memory.plain = self.memory.plain and (n_values == 0 or values == (1.0, 1.0))

    cdef int prepare_row(self, PackedRow row, double importance) except -1:
        cdef Py_ssize_t k
        self.make_slots(self.memory.columns.n + row.n)
        for k in range(row.n):
            self.memory.plain = self.memory.plain and row.value[k] == 1.0
        return 0

    def needs_no_values(self, row_start):
        """Whether rows of ones are all that was ever learned from."""
        return self.memory.plain

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow in doubling steps, if this learner grows."""
        if n_features <= self.n_weights or not self.names.growing:
            return 0
        if n_features > self.block.shape[0]:
            room = max(n_features, 2 * self.n_weights, 16)
            block = self.fresh_block(room)
            block[:self.n_weights] = self.block[:self.n_weights]
            self.block = block
            self.memory.make_room(self.n_weights, room)
        self.n_weights = n_features
        return 0

    # ---- the state ------------------------------------------------------------------------------

    @property
    def has_bias(self):
        """Whether there is a constant feature: always."""
        return True

    def dual(self):
        """What was learned of the features: 16 numbers each, the constant feature last."""
        lines = np.append(self.block[:self.n_weights], [<float[:2 * LANES]> self.state.bias], 0)
        lines[lines[:, LANES] == 0.0, LANES:] = <float[:LANES]> self.state.start
        return lines.ravel()

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
        own = np.asarray(self.block[:self.n_weights])
        fresh = np.append(np.zeros(LANES, np.float32), <float[:LANES]> self.state.start)
        # What neither was nor will be anything else than fresh stays zeros.
        lines = np.flatnonzero((rows[:-1] != fresh).any(axis=1) | (own[:, LANES] != 0.0))
        own[lines] = rows[lines]
        np.asarray(<float[:width]> self.state.bias)[:] = rows[-1]

    def fields(self):
        """The parts of the state that are not features, as arrays that share its memory."""
        state = &self.state
        n = state.n_members
        spread = np.asarray(<double[:MEMBERS * MEMBERS]> state.spread).reshape(MEMBERS, MEMBERS)
        return {
            "square": np.asarray(<double[:n]> state.square),
            "slope": np.asarray(<double[:n]> state.slope),
            "curvature": np.asarray(<double[:n]> state.curvature),
            "share": np.asarray(<double[:n]> state.share),
            "spread": spread[:n, :n],
            "prior": np.asarray(<double[:n + 2]> state.prior),
            "belief": np.asarray(<double[:n + 2]> state.belief),
            "likelihood": np.asarray(<double[:n + 3]> state.likelihood),
            "places": np.asarray(<int64_t[:n + 3]> state.places),
            "mistakes": np.asarray(<int64_t[:n + 3]> state.mistakes),
        }

    @property
    def plain(self):
        """Whether all values so far were 1."""
        return self.memory.plain

    def standards(self):
        """What is known of the columns while they are few, and what the seats have learned.

        The column of each slot but the constant one, its mean and its sum of squared distances;
        then of each seat that is not left weights and second numbers, the constant first.
        Triangles are row after row.
        """
        cdef Py_ssize_t k, n = self.memory.columns.n
        found = self.memory.standards()
        for k in range(self.state.present - self.state.n_lanes if n else 0):
            places = arrays.seat_places(self.state.seat[k].kind, n)
            for array, where in zip(self.seats[2 * k:], places):
                found.append(array[where])
        return found

    @property
    def present(self):
        """How many members have not left."""
        return self.state.present

    @property
    def weighed(self):
        """In how many rounds the row weighed something else than 1."""
        return self.state.weighed

    @property
    def mass(self):
        """The sum of the weights of the rows."""
        return self.state.mass

    @property
    def rows_standardised(self):
        """The number of rows that mean and deviation of the columns are of."""
        return self.memory.columns.rows

    def other_state(self):
        """What the state holds beside the features."""
        state = &self.state
        parts = tuple(np.array(part) for part in self.fields().values())
        columns = &self.memory.columns
        shrink = np.array(self.memory.shrink[:self.n_weights])
        standing = np.array([state.mass, state.weighed, state.present, columns.n > 0, columns.rows])
        return (state.rounds, state.labels, bool(self.plain), shrink, *parts, standing,
                *self.standards())

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`; all of it or, with an error, nothing."""
        state = &self.state
        fields = list(self.fields().values())
        if len(other) == FIELDS_WITHOUT_SEATS and self.state.n_members == self.state.n_lanes:
            other = arrays.with_seats(other, self.state.n_members)
        count = 4 + len(fields)
        if len(other) < count + 4:
            raise StateError(f"a committee keeps {count + 4} or more things beside the features.")
        rounds, labels, plain, shrink, *parts = other[:count]
        standing, *standards = (np.asarray(part, np.float64) for part in other[count:])
        parts = [np.asarray(part, np.float64) for part in (shrink, *parts)]
        arrays.check_numbers(
            [rounds, labels], dict(zip(("shrink", *self.fields()), parts)), standing, standards,
            [(self.n_weights,), *(own.shape for own in fields), (5,)],
        )
        kinds = [self.state.seat[k].kind for k in range(self.state.n_members - self.state.n_lanes)]
        present = range(self.state.n_lanes, self.state.n_members + 1)
        arrays.check_standards(standing, standards, kinds, present, self.n_weights)
        self.state.rounds, self.state.labels, self.memory.plain = rounds, labels, plain
        np.asarray(self.memory.shrink)[:self.n_weights] = parts[0]
        # A feature that was seen has begun, whether or not that has changed its numbers.
        own = np.asarray(self.block[:self.n_weights])
        own[(parts[0] < UNSEEN) & (own[:, LANES] == 0.0), LANES:] = <float[:LANES]> state.start
        for own, saved in zip(fields, parts[1:], strict=True):
            own[:] = saved
        self._set_standards(standing, standards)

    def _set_standards(self, standing, standards):
        """Take over columns and seats that were checked."""
        cdef Py_ssize_t k, n = len(standards[0]) + 1
        state = &self.state
        state.mass, state.weighed, state.present = standing[0], standing[1], int(standing[2])
        self.memory.set_standards(standing[4], standing[3], standards[:3])
        self.seats, self.slots = [], 0
        self.make_slots(n)
        for k in range(state.present - state.n_lanes):
            for i, where in enumerate(arrays.seat_places(state.seat[k].kind, n)):
                self.seats[2 * k + i][where] = standards[3 + 2 * k + i]
