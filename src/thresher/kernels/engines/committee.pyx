"""A committee: up to eight members in lanes and seven in seats, which share one pass over each row.

Used by `learners.two_class.committee`. The slow twin is `tests/reference/committee.py`; the loops
are in `committee_loops.c` and the headers that it names, in vectors, compiled for any processor,
for one with AVX2 and for one with AVX-512. All give the same bits. A stream of ones comes without
its values while nothing else was seen: a lane then sees one number for all features of a row.
"""

from copy import copy

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memset

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines import committee_state as arrays
from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.engines.feature_memory cimport FeatureMemory, on_lines_of_their_own
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.kernels.rows.journal cimport JournalBuffer
from thresher.kernels.rows.named_rows cimport PackedRow
from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX

# The members in lanes: rules, and what they may see of a row.
RULES = ("arow", "adagrad", "means")
VIEWS = ("scaled", "presence", "unit", "root")
MOST_LANES, MOST_SEATS = LANES, SEATS

# What the second number of a feature starts from, by rule: a variance, a sum of squares that must
# not be 0, a count that keeps first impressions small.
STARTS = (1.0, 1e-20, 1.0)

cdef int SPARE = -1  # the view of a lane without a member, which sees nothing
cdef Py_ssize_t MOST_GROWN = LARGEST_GROWN_INDEX + 1
judge_row, play_row, take_row_apart = judge, play, take_apart


cdef class CommitteeEngine(Engine):
    """Members in lanes, and the mixture of what they say."""

    def __cinit__(self):
        self.state = within(&self.room)
        memset(self.state, 0, sizeof(committee_t))
        self.breadth = widest_here()

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
        for m in range(n, PLACES):
            self.state.curvature[m] = 1.0
        arrays.begin(self.fields(), n_lanes)
        fresh = np.append(np.zeros(LANES, np.float32), <float[:LANES]> self.state.start)
        self.memory = FeatureMemory(self.n_weights, self.names.growing, len(seats) > 0, fresh)
        self.place, self.seats, self.slots = 0, [], 0
        self.make_slots()

    cdef int make_slots(self) except -1:
        """Make room for the columns of all slots in the seats; what is there stays."""
        cdef Py_ssize_t k, room = self.memory.make_slots()
        cdef Py_ssize_t seats = self.state.present - self.state.n_lanes if room else 0
        # What belonged to those who left is no longer needed.
        del self.seats[2 * seats:]
        if room <= self.slots:
            return 0
        fresh = []
        for k in range(seats):
            fresh += arrays.fresh_seat(self.state.seat[k].kind, room)
        for own, known in zip(fresh, self.seats):
            own[:len(known)] = known
        self.seats, self.slots = on_lines_of_their_own(fresh), room
        return self.point_at_seats()

    cdef int point_at_seats(self) except -1:
        """Let the state know where the arrays of the seats are."""
        cdef Py_ssize_t k
        cdef double[::1] weight, second
        for k in range(len(self.seats) // 2):
            weight, second = self.seats[2 * k], self.seats[2 * k + 1]
            self.state.seat[k].weight, self.state.seat[k].second = &weight[0], &second[0]
        return 0

    # ---- side by side with others ---------------------------------------------------------------

    def saw_the_same(self, CommitteeEngine other not None):
        """Whether both saw the same rows, whatever their labels were, and will go on to.

        A row that weighs nothing is not remembered, so that no label may weigh nothing.
        """
        return (
            self.n_weights == other.n_weights and self.state.present == other.state.present
            and min(self.negative_weight, self.positive_weight) > 0.0
            and self.memory.same_as(other.memory)
        )

    def move(self, FeatureMemory memory not None, Py_ssize_t place):
        """Keep the lines in this place of `memory`, which remembers the same, from now on."""
        memory.lines_of(place)[:] = self.memory.lines_of(self.place)
        self.memory, self.place = memory, place

    def become(self, CommitteeEngine other not None, Py_ssize_t place):
        """Be a copy of `other`, with lines in this place of the memory that both share."""
        self.state[0], self.n_weights, self.slots = other.state[0], other.n_weights, other.slots
        self.seats = on_lines_of_their_own(other.seats)
        self.point_at_seats()
        self.set_history(other.counts(), copy(other.journal))
        self.memory, self.place = other.memory, place
        self.memory.lines_of(place)[:] = self.memory.lines_of(other.place)

    def use_breadth(self, int most):
        """Use vectors no broader than this: those of any processor, wide ones, the widest."""
        self.breadth = min(most, widest_here())

    # ---- the loop -----------------------------------------------------------------------------

    cdef void fill_row(
        self, row_t* row, const int32_t* slot, const double* value, Py_ssize_t n
    ) noexcept nogil:
        row.slot = slot
        row.value = value
        row.shrink = &self.memory.shrink[0]
        row.n = n
        row.more = self.end - (slot + n) if self.end != NULL else 0

    cdef table_t alone(self, committee_t** state) noexcept nogil:
        """This committee as the only one that looks at a row."""
        cdef table_t table
        table.state = state
        table.columns = &self.memory.columns
        table.n = 1
        table.block = &self.memory.lines[0, 2 * LANES * self.place]
        table.stride = self.memory.lines.shape[1]
        return table

    cdef double score(
        self, const int32_t* slot, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        """The score of a row, which comes with slots instead of columns, here as everywhere."""
        cdef row_t row
        cdef committee_t* state = self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        self.fill_row(&row, slot, value, n)
        judge(&table, &row, &turn, self.breadth)
        return turn.said.mixed

    cdef int play(
        self,
        const int32_t* slot,
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
        cdef committee_t* state = self.state
        cdef table_t table = self.alone(&state)
        cdef turn_t turn
        self.fill_row(&row, slot, value, n)
        turn.weight = importance * (self.positive_weight if label > 0 else self.negative_weight)
        if turn.weight > 0.0:
            play(&table, &row, 0 if label > 0 else -1, &turn, self.breadth)
        else:
            judge(&table, &row, &turn, self.breadth)
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
        weights = (self.negative_weight, self.positive_weight)
        learned = arrays.weigh_something(label, importance, *weights)
        cdef Py_ssize_t known = self.memory.n
        cdef int32_t[::1] slot = self.memory.slots_of(row_start, column, learned)
        self.make_slots()
        if ones and self.memory.plain:
            self.memory.remember_ones(row_start, slot, learned, known)
        self.end = &slot[0] + slot.shape[0] if slot.shape[0] else NULL
        try:
            Engine.learn(self, row_start, slot, value, label, ones, scores_out, importance)
        finally:
            self.end = NULL

    def scores(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        bint ones,
        double[::1] scores_out,
    ):
        """Score every row as any engine."""
        slot = self.memory.slots_of(row_start, column, False)
        Engine.scores(self, row_start, slot, value, ones, scores_out)

    def make_ready(self, Py_ssize_t n_rows, Py_ssize_t n_values, Py_ssize_t n_features,
                   tuple values, bint integral, importance=None):
        """Make room for a batch, and note whether its values are needed."""
        self.make_room(n_features)
        self.memory.plain = self.memory.plain and (n_values == 0 or values == (1.0, 1.0))

    cdef int prepare_row(self, PackedRow row, int8_t label, double importance) except -1:
        """Ready the state for one row, which has slots instead of columns from here on."""
        cdef Py_ssize_t k
        cdef double weight = self.positive_weight if label > 0 else self.negative_weight
        for k in range(row.n):
            self.memory.plain = self.memory.plain and row.value[k] == 1.0
        if importance * weight > 0.0:
            self.memory.admit(row.column, row.n, row.column)
            return self.make_slots()
        self.memory.find(row.column, row.n, row.column)
        return 0

    cdef int keep_known(self, PackedRow row, Py_ssize_t n_features) except -1:
        """The row as for any engine, with slots instead of columns."""
        Engine.keep_known(self, row, n_features)
        self.memory.find(row.column, row.n, row.column)
        return 0

    cdef bint far(self) noexcept nogil:
        """The state of a row is asked for where it is known what belongs to it."""
        return False

    def needs_no_values(self, row_start):
        """Whether rows of ones are all that was ever learned from."""
        return self.memory.plain

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow, if this learner grows."""
        if n_features > self.n_weights and self.names.growing:
            self.memory.make_room(self.n_weights, n_features)
            self.n_weights = n_features
        return 0

    # ---- the state ------------------------------------------------------------------------------

    @property
    def has_bias(self):
        """Whether there is a constant feature: always."""
        return True

    def dual(self):
        """What was learned of all features: 16 numbers each, the constant feature last."""
        lines = np.tile(self.memory.fresh, (self.n_weights + 1, 1))
        lines[self.memory.remembered()[0]] = self.memory.lines_of(self.place)
        lines[-1] = <float[:2 * LANES]> self.state.bias
        return lines.ravel()

    def set_dual(self, dual):
        """Start with what `dual` gave, of features that nothing else is known of."""
        lines = arrays.as_lines(np.array(dual, np.float32))
        learned = np.flatnonzero((lines[:-1] != self.memory.fresh).any(axis=1)).astype(np.int32)
        remembered = [learned, np.full(len(learned), UNSEEN), *self.memory.remembered()[2:]]
        self.set_features((len(lines) - 1, True, *remembered, lines[learned]))
        arrays.check_lines("bias", lines[-1:], *self.limits())
        np.asarray(<float[:2 * LANES]> self.state.bias)[:] = lines[-1]

    def fields(self):
        """The parts of the state that are not features, as arrays that share its memory."""
        state = self.state
        n = state.n_members
        spread = np.asarray(<double[:INPUTS * INPUTS]> state.spread).reshape(INPUTS, INPUTS)
        return {
            "square": np.asarray(<double[:n]> state.square),
            "slope": np.asarray(<double[:n]> state.slope),
            "curvature": np.asarray(<double[:n]> state.curvature),
            "share": np.asarray(<double[:n + 1]> state.share),
            "spread": spread[:n + 1, :n + 1],
            "prior": np.asarray(<double[:n + 2]> state.prior),
            "belief": np.asarray(<double[:n + 2]> state.belief),
            "likelihood": np.asarray(<double[:n + 3]> state.likelihood),
            "places": np.asarray(<int64_t[:n + 3]> state.places),
            "mistakes": np.asarray(<int64_t[:n + 3]> state.mistakes),
        }

    def standards(self):
        """What is known of the columns while they are few, and what the seats have learned.

        The column of each slot but the constant one, its mean and its sum of squared distances;
        then of each seat that is not left weights and second numbers, the constant first.
        Triangles are row after row.
        """
        column, _, _, mean, squares = self.memory.remembered()
        return [np.array(part) for part in (column[:len(mean)], mean, squares)] + self.seat_parts()

    def seat_parts(self):
        """Of each seat that is not left weights and second numbers, as far as they are in use."""
        cdef Py_ssize_t k, n = self.memory.columns.n
        found = []
        for k in range(self.state.present - self.state.n_lanes if n else 0):
            places = arrays.seat_places(self.state.seat[k].kind, n)
            for array, where in zip(self.seats[2 * k:], places):
                found.append(array[where])
        return found

    @property
    def present(self):
        """How many members have not left."""
        return self.state.present

    def limits(self):
        """The least and the largest that the numbers of a line may be."""
        rules = [self.state.rule[m] for m in range(LANES)]
        return arrays.limits_of_lines(rules, <float[:LANES]> self.state.start)

    def features(self, Py_ssize_t n_committees=1):
        """What is kept of the features, with the lines of so many committees; not a copy."""
        lines = self.memory.lines_of(self.place, n_committees)
        return (self.n_weights, bool(self.memory.plain), *self.memory.remembered(), lines)

    def set_features(self, features, Py_ssize_t n_committees=1):
        """Take over what `features` gave, once it is clear that a run could have left it behind."""
        cdef Py_ssize_t limit = MOST_GROWN if self.names.growing else self.n_weights
        arrays.check_features(features, limit, n_committees, *self.limits())
        n_features, plain, *remembered, lines = features
        if n_features != self.n_weights and not self.names.growing:
            raise StateError(
                f"the state is of {n_features} features, the committee has {self.n_weights}."
            )
        self.make_room(n_features)
        self.memory.take_over(plain, remembered, lines)

    def totals(self):
        """Rounds in which something was learned, sums of labels and weights, who is present."""
        state = self.state
        totals = [state.rounds, state.labels, state.mass, state.weighed, state.present]
        return np.array(totals, np.float64)

    def other_state(self):
        """What the state holds beside the features."""
        bias = np.array(<float[:2 * LANES]> self.state.bias)
        return (self.totals(), bias, *map(np.array, self.fields().values()), *self.seat_parts())

    def set_other_state(self, other):
        """Take over what was saved, after the features; all of it or, with an error, nothing."""
        cdef Py_ssize_t k, n = self.memory.columns.n
        state = self.state
        own = self.fields()
        kinds = [state.seat[k].kind for k in range(state.n_members - state.n_lanes)]
        totals, bias, parts, seats = arrays.taken_apart(other, own)
        kinds = arrays.check_totals(totals, kinds, state.n_lanes)
        arrays.check_parts(parts, totals[0])
        arrays.check_lines("the constant feature", bias.reshape(1, -1), *self.limits())
        arrays.check_seats(seats, kinds, n)
        arrays.check_rows(totals[0], n, self.memory.columns.rows)
        for name in own:
            own[name][:] = parts[name]
        np.asarray(<float[:2 * LANES]> state.bias)[:] = bias
        state.rounds, state.labels, state.mass, state.weighed = totals[:4]
        state.present = state.n_lanes + len(kinds)
        self.seats, self.slots = [], 0
        self.make_slots()
        for k in range(len(kinds)):
            for i, where in enumerate(arrays.seat_places(kinds[k], n)):
                self.seats[2 * k + i][where] = seats[2 * k + i]

    def set_history(self, counts, JournalBuffer journal not None):
        """Take over saved counters that do not contradict what was learned, and a journal."""
        lightest = min(self.negative_weight, self.positive_weight)
        wrong = self.state.mistakes[self.state.n_members + 2]
        some_weigh_nothing = lightest == 0.0 or journal.weighted
        arrays.check_counts(self.state.rounds, wrong, counts, some_weigh_nothing)
        Engine.set_history(self, counts, journal)
