"""A committee: up to eight members in lanes and four in seats, which share one pass over each row.

Used by `learners.two_class.committee`. The slow twin is `tests/reference/committee.py`; the loops
are in the headers that `committee.h` names, in vectors, compiled for any processor and for one
with AVX2. Both give the same bits.

A stream of ones, while nothing else was ever seen, comes without its values: every lane then
sees one and the same number for all features of a row.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.string cimport memcpy, memset

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.rows.named_rows cimport PackedRow

# The members in lanes: rules, and what they may see of a row.
RULES = ("arow", "adagrad", "means")
VIEWS = ("scaled", "presence", "unit", "root")
# The members in seats, (rule, rows); those further down leave first.
SEAT_KINDS = (
    ("arow", "standard"), ("arow", "squares"), ("arow", "pairs"), ("matrix", "standard")
)
MOST_LANES, MOST_SEATS = LANES, SEATS

# What the second number of a feature starts from, by rule: a variance, a sum of squares that must
# not be 0, a count that keeps first impressions small.
STARTS = (1.0, 1e-20, 1.0)

# The view of a lane without a member: none, so that it sees nothing.
cdef int SPARE = -1
# What a feature that was never seen is multiplied with: any value it will have makes it less.
UNSEEN = 1e300
# Fields of the state of a committee without seats as it was saved when there were none.
cdef int FIELDS_WITHOUT_SEATS = 14


def seat_limits():
    """For each kind of seat, how many columns a stream may have before it is left."""
    return tuple(most_columns(kind) for kind in range(len(SEAT_KINDS)))


cdef Py_ssize_t triangle_size(Py_ssize_t n) noexcept:
    return row_at(n)


def in_triangle(n):
    """Where in a padded triangle of n rows the n (n + 1) / 2 numbers are."""
    return np.concatenate([np.zeros(0, np.intp), *(row_at(j) + np.arange(j + 1) for j in range(n))])


cdef class CommitteeEngine(Engine):
    """Members in lanes, and the mixture of what they say."""

    def __cinit__(self):
        memset(&self.state, 0, sizeof(committee_t))
        self.plain = True
        self.wide = wide_here()

    def set_members(self, members):
        """Start with these members, triples (rule, view, setting): lanes, then seats by kind."""
        cdef Py_ssize_t m, n = len(members)
        seats = [member for member in members if member[:2] in SEAT_KINDS]
        cdef Py_ssize_t n_lanes = n - len(seats)
        self.state.n_members = self.state.present = n
        self.state.n_lanes = n_lanes
        for m in range(LANES):
            rule, view, setting = members[m] if m < n_lanes else ("arow", None, 1.0)
            self.state.rule[m] = RULES.index(rule)
            self.state.view[m] = SPARE if view is None else VIEWS.index(view)
            self.state.setting[m] = setting
            self.state.bias[m] = 0.0
            self.state.bias[LANES + m] = STARTS[self.state.rule[m]]
        for m in range(n - n_lanes):
            self.state.seat[m].kind = SEAT_KINDS.index(seats[m][:2])
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
        self.shrink = np.full(max(self.n_weights, 1), UNSEEN)
        self.columns.n = 1 if seats else 0
        self.arrays = []
        self.make_slots(self.columns.n)

    def fresh_block(self, Py_ssize_t n_features):
        """Weights of so many unseen features, at an address where each fills one cache line."""
        width = 2 * LANES
        room = np.empty((max(n_features, 1) + 1) * width, np.float32)
        skip = -(room.ctypes.data // 4) % width
        block = room[skip:skip + max(n_features, 1) * width].reshape(-1, width)
        block[:, :LANES] = 0.0
        block[:, LANES:] = [STARTS[self.state.rule[m]] for m in range(LANES)]
        return block

    cdef int make_slots(self, Py_ssize_t n) except -1:
        """Make room for so many slots in all, in doubling steps; what is there stays."""
        cdef Py_ssize_t k, room, old
        cdef double[::1] doubles
        cdef int32_t[::1] column
        cdef int16_t[::1] place
        cdef Py_ssize_t seats = self.state.present - self.state.n_lanes if self.columns.n else 0
        # What belonged to those who left is no longer needed.
        del self.arrays[4 + 2 * seats if self.columns.n else 0:]
        n = min(n, MOST_COLUMNS + 1)
        old = len(self.arrays[0]) if self.arrays else 0
        if self.columns.n == 0 or n <= old:
            return 0
        room = 4 * ((max(n, min(2 * old, MOST_COLUMNS + 1)) + 3) // 4)
        fresh = [np.zeros(room, np.int32), np.zeros(room), np.zeros(room), np.zeros(PLACES, np.int16)]
        for k in range(seats):
            fresh += fresh_seat(self.state.seat[k].kind, room)
        for own, known in zip(fresh, self.arrays):
            own[:len(known)] = known
        self.arrays = fresh
        column, place = fresh[0], fresh[3]
        self.columns.column, self.columns.place = &column[0], &place[0]
        doubles = fresh[1]
        self.columns.mean = &doubles[0]
        doubles = fresh[2]
        self.columns.squares = &doubles[0]
        for k in range(seats):
            doubles = fresh[4 + 2 * k]
            self.state.seat[k].weight = &doubles[0]
            doubles = fresh[5 + 2 * k]
            self.state.seat[k].second = &doubles[0]
        return 0

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
        table.columns = &self.columns
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
        self.make_slots(self.columns.n + min(n_values, n_features))
        self.plain = self.plain and (n_values == 0 or values == (1.0, 1.0))

    cdef int prepare_row(self, PackedRow row, double importance) except -1:
        cdef Py_ssize_t k
        self.make_slots(self.columns.n + row.n)
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

        Returns what each lane adds for the constant feature and for each value of the rows; the
        score of each member who is present; the log-odds of these, of the average and of the
        combination; and the score of each row.
        """
        cdef Py_ssize_t t, start, n_rows = row_start.shape[0] - 1
        # A row more than there are, so that there is a first one to point at.
        cdef float[:, ::1] part = np.zeros((column.shape[0] + 1, LANES), np.float32)
        cdef double[:, ::1] score = np.zeros((n_rows + 1, MEMBERS))
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
            memcpy(&score[t, 0], turn.said.score, MEMBERS * sizeof(double))
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

    def standards(self):
        """What is known of the columns while they are few, and what the seats have learned.

        The column of each slot but the constant one, its mean and its sum of squared distances;
        then of each seat that is not left weights and second numbers, the constant first.
        Triangles are row after row. Without seats, six empty arrays fewer for each.
        """
        cdef Py_ssize_t k, n = self.columns.n
        if n == 0:
            return [np.zeros(0, np.int32), np.zeros(0), np.zeros(0)]
        found = [np.array(array[1:n]) for array in self.arrays[:3]]
        for k in range(self.state.present - self.state.n_lanes):
            for array, where in zip(self.arrays[4 + 2 * k:], seat_places(self.state.seat[k].kind, n)):
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
        return self.columns.rows

    def other_state(self):
        """What the state holds beside the features."""
        state = &self.state
        parts = tuple(np.array(part) for part in self.fields().values())
        shrink = np.array(self.shrink[:self.n_weights])
        standing = np.array([state.mass, state.weighed, state.present, self.columns.n > 0,
                             self.columns.rows])
        return (state.rounds, state.labels, bool(self.plain), shrink, *parts, standing,
                *self.standards())

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`; all of it or, with an error, nothing."""
        fields = list(self.fields().values())
        if len(other) == FIELDS_WITHOUT_SEATS and self.state.n_members == self.state.n_lanes:
            other = with_seats(other, self.state.n_members)
        count = 4 + len(fields)
        if len(other) < count + 4:
            raise StateError(f"a committee keeps {count + 4} or more things beside the features.")
        rounds, labels, plain, shrink, *parts = other[:count]
        standing, *standards = (np.asarray(part, np.float64) for part in other[count:])
        shapes = [(self.n_weights,), *(own.shape for own in fields), (5,)]
        parts = [np.asarray(part, np.float64) for part in (shrink, *parts)]
        numbers = np.concatenate([[rounds, labels], *(part.ravel() for part in (
            *parts, standing, *standards))])
        if ([part.shape for part in (*parts, standing)] != shapes
                or not np.all(np.isfinite(numbers))):
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
        self.check_standards(standing, standards)
        self.state.rounds, self.state.labels, self.plain = rounds, labels, plain
        np.asarray(self.shrink)[:self.n_weights] = parts[0]
        for own, saved in zip(fields, parts[1:], strict=True):
            own[:] = saved
        self.set_standards(standing, standards)

    def check_standards(self, standing, standards):
        """Refuse columns and seats that no run could have left behind."""
        mass, weighed, present, narrow, rows = standing.tolist()
        column, mean, squares, *seats = standards
        n = len(column) + 1
        if present not in range(self.state.n_lanes, self.state.n_members + 1):
            raise StateError(f"a committee of {self.state.n_members} has no {present} members.")
        kinds = [self.state.seat[k].kind for k in range(int(present) - self.state.n_lanes)]
        expected = [(n - 1,)] * 3
        for kind in kinds:
            expected += [(len(where),) for where in seat_places(kind, n)]
        few = all(n - 1 <= most_columns(kind) for kind in kinds) and n - 1 <= MOST_COLUMNS
        if [part.shape for part in standards] != expected or not few or (kinds and not narrow):
            raise StateError("the seats of a committee do not fit the columns it knows.")
        known = np.unique(column)
        if len(known) != n - 1 or not np.all((known >= 0) & (known < self.n_weights)
                                             & (known == np.rint(known))):
            raise StateError("the slots of a committee have different columns each.")
        largest = max((float(np.max(np.abs(part), initial=0.0)) for part in seats), default=0.0)
        if not np.all(squares >= 0.0) or min(mass, weighed, rows) < 0.0 or largest > 1e150:
            raise StateError("the seats of a committee hold numbers of at most 1e150.")

    def set_standards(self, standing, standards):
        """Take over columns and seats that were checked."""
        cdef Py_ssize_t k, n = len(standards[0]) + 1
        state = &self.state
        state.mass, state.weighed, state.present = standing[0], standing[1], int(standing[2])
        self.columns.n = 1 if standing[3] else 0
        self.columns.rows = standing[4]
        self.arrays = []
        self.make_slots(n)
        if not standing[3]:
            return
        self.columns.n = n
        for k in range(3):
            self.arrays[k][1:n] = standards[k]
        for k in range(state.present - state.n_lanes):
            for i, where in enumerate(seat_places(state.seat[k].kind, n)):
                self.arrays[4 + 2 * k + i][where] = standards[3 + 2 * k + i]
        place = self.arrays[3]
        for k in range(1, n):
            place[place_of(&self.columns, self.columns.column[k])] = k


def seat_places(int kind, n):
    """Where the weights and the second numbers of a seat are in its arrays."""
    row, triangle = np.arange(n), in_triangle(n)
    return (triangle if kind == 2 else row), (row if kind < 2 else triangle)


def fresh_seat(int kind, Py_ssize_t room):
    """Weights and second numbers of a seat that has learned nothing; there is room for fours."""
    limit = 4 * ((most_columns(kind) + 4) // 4)
    n = min(room, limit)
    if kind < 2:
        return [np.zeros(n), np.ones(n)]
    if kind == 2:
        return [np.zeros(triangle_size(n)), np.ones(triangle_size(n))]
    matrix = np.zeros(triangle_size(n))
    matrix[[row_at(j) + j for j in range(n)]] = 1.0
    return [np.zeros(n), matrix]


def with_seats(other, n):
    """The state of a committee that was saved when there were only lanes, eight of them in files."""
    rounds, labels, plain, shrink, square, slope, curvature, share, spread, *rest = other
    prior, belief, *record = (np.asarray(part) for part in rest)
    spread = np.asarray(spread).reshape(LANES, LANES)[:n, :n]
    record = [np.append(part[:n + 2], part[LANES + 2:]) for part in record]
    nothing = [np.zeros(0, np.int32), np.zeros(0), np.zeros(0)]
    lanes = [np.asarray(part)[:n] for part in (square, slope, curvature, share)]
    return (rounds, labels, plain, shrink, *lanes, spread, prior[:n + 2], belief[:n + 2], *record,
            np.array([rounds, 0.0, n, 0.0, 0.0]), *nothing)
