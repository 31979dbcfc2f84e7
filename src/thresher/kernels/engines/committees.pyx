"""Committees of several classes side by side: a row is looked at once, and all learn from it.

Used by `learners.multiclass.side_by_side`. The slow twin is `tests/reference/committees.py`: one
committee after another. The loops are those of `committee_loops.c`.

The committees have the same members and have seen the same rows, each with labels of its own. The
weights of a feature, of all committees, follow each other in memory: they are fetched together.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

import numpy as np

from thresher.kernels.engines.committee cimport (
    LANES, CommitteeEngine, committee_t, judge_row, play_row, row_t, table_t, turn_t,
)
from thresher.kernels.engines.feature_memory cimport (
    FeatureMemory, columns_t, on_lines_of_their_own,
)


cdef class Share:
    """Committees that follow each other, which learn a batch in a thread of their own.

    What is remembered of features depends on the rows alone: every share remembers the same, the
    first of them for all, the others in copies that nobody needs any more when they have learned.
    """

    def __init__(
        self, Committees whole not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t rows
    ):
        cdef double[::1] mean, squares
        cdef Py_ssize_t doubles = sizeof(turn_t) // sizeof(double)
        self.whole, self.begin, self.n = whole, begin, end - begin
        self.columns, self.shrink = whole.memory.columns, whole.memory.shrink
        if begin:
            self.arrays = on_lines_of_their_own(whole.memory.arrays)
            self.shrink = on_lines_of_their_own([self.shrink[:whole.memory.n]])[0]
        if self.arrays:
            mean, squares = self.arrays
            self.columns.mean, self.columns.squares = &mean[0], &squares[0]
        self.room, self.wrong, self.best, self.predicted = on_lines_of_their_own(
            [np.zeros(n) for n in (self.n * doubles, 2 * self.n, rows, rows)]
        )

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] slot,
        const double[::1] value,
        const int32_t[::1] label,
        const double[::1] own,
        const int64_t[::1] known,
        const double[::1] importance=None,
    ):
        """Play one round per row, of which `label` says the class: the committee after the first.

        `own` is what the rows of each class weigh in its own committee. What is `best` afterwards
        is the highest score before the label was used, among the classes that are known (from that
        round on), and `predicted` the class that has it; -1 if none is.
        """
        # Nothing that a round writes or reads is next to what another share writes.
        cdef CommitteeEngine first = self.whole.engines[0]
        cdef FeatureMemory memory = self.whole.memory
        cdef Py_ssize_t t, c, mine, begin = self.begin, n = self.n
        cdef double weight = 1.0, if_own = first.positive_weight, if_other = first.negative_weight
        cdef int breadth = first.breadth
        cdef turn_t* turns = <turn_t*> &self.room[0]
        cdef const int32_t* slots = &slot[0] if slot.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] and not memory.plain else NULL
        cdef const double* weights = &importance[0] if importance is not None else NULL
        cdef double* shrink = &self.shrink[0]
        cdef double* wrong = &self.wrong[0]
        cdef double* best = &self.best[0] if label.shape[0] else NULL
        cdef double* predicted = &self.predicted[0] if label.shape[0] else NULL
        cdef columns_t columns = self.columns
        cdef row_t row
        cdef table_t table
        self.whole.fill_table(&table, begin, n, &columns)
        with nogil:
            for t in range(label.shape[0]):
                row.slot = slots + row_start[t]
                row.value = NULL if values == NULL else values + row_start[t]
                row.shrink = shrink
                row.n = row_start[t + 1] - row_start[t]
                row.more = slot.shape[0] - row_start[t + 1]
                if weights != NULL:
                    weight = weights[t]
                for c in range(n):
                    turns[c].weight = weight * if_other
                mine = 1 + label[t] - begin
                if 0 <= mine < n:
                    # In this order, as the plain arrangement multiplies.
                    turns[mine].weight = (weight * own[label[t]]) * if_own
                # What weighs nothing in one committee does in all, or they would not be here.
                if weight > 0.0:
                    play_row(&table, &row, mine, turns, breadth)
                else:
                    judge_row(&table, &row, turns, breadth)
                best[t], predicted[t] = -INFINITY, -1
                for c in range(n):
                    wrong[2 * c + (c == mine)] += (turns[c].said.mixed >= 0.0) != (c == mine)
                    if begin + c and known[begin + c - 1] <= t and turns[c].said.mixed > best[t]:
                        best[t], predicted[t] = turns[c].said.mixed, begin + c - 1
        if begin == 0:
            memory.columns = columns

    def outcome(self):
        """What was best in each round, and whose it was."""
        return np.asarray(self.best), np.asarray(self.predicted).astype(np.int32)


cdef class Committees:
    """Engines of committees, the first of which is the background: no row is of its class."""

    def __init__(self, list engines not None):
        cdef CommitteeEngine first = engines[0], engine
        cdef Py_ssize_t c
        self.engines = engines
        self.memory = first.memory
        self.widen(len(engines), len(engines))
        for c, engine in enumerate(engines):
            if c:
                engine.move(self.memory, c)
        self.note_addresses()

    def add(self, list engines not None):
        """Let these committees learn with the others from now on, as copies of the first."""
        cdef Py_ssize_t c, old = len(self.engines), n = old + len(engines)
        # Some room for classes to come.
        self.widen(n, n + n // 8)
        for c, engine in enumerate(engines, old):
            engine.become(self.engines[0], c)
        self.engines += engines
        self.note_addresses()

    def widen(self, Py_ssize_t n, Py_ssize_t room):
        """Give every slot lines for `n` committees; where the table is too narrow, for `room`."""
        if 2 * LANES * n > self.memory.lines.shape[1]:
            self.memory.arrange(self.memory.n, room)
        self.memory.n_committees = n

    def forget(self, Py_ssize_t n):
        """Keep the first `n` committees; the others have learned nothing."""
        del self.engines[n:]
        self.memory.n_committees = n
        self.note_addresses()

    def set_features(self, features):
        """Take over what the committees keep of features, with lines for each of them."""
        cdef CommitteeEngine first = self.engines[0], engine
        first.set_features(features, len(self.engines))
        for engine in self.engines:
            engine.make_room(first.n_weights)

    def note_addresses(self):
        """Where the states of the committees are."""
        cdef Py_ssize_t c, n = len(self.engines)
        self.address = np.empty(max(n, 1), np.uintp)
        for c in range(n):
            self.address[c] = <size_t> (<CommitteeEngine> self.engines[c]).state

    def make_ready(self, Py_ssize_t n_features, bint ones, list weighted):
        """Make room for a batch; `ones` says that all its values are 1.

        `weighted` says of each committee whether some rows weigh more or less than others.
        """
        cdef CommitteeEngine engine
        self.memory.plain = self.memory.plain and ones
        for engine, some in zip(self.engines, weighted):
            engine.make_room(n_features)
            engine.journal.weighted = engine.journal.weighted or some

    def begin(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        Py_ssize_t n_shares,
        const double[::1] importance=None,
    ):
        """Get ready to learn rows: their slots, and shares of the committees that will learn them.

        Each share has the memory that it needs, so that once they have begun all will finish.
        """
        cdef CommitteeEngine engine
        cdef Py_ssize_t k, n = len(self.engines)
        learned = True if importance is None else np.asarray(importance) > 0.0
        cdef Py_ssize_t known_slots = self.memory.n
        slot = self.memory.slots_of(row_start, column, learned)
        for engine in self.engines:
            engine.make_slots()
        if self.memory.plain:
            self.memory.remember_ones(row_start, slot, learned, known_slots)
        cuts = [n * k // n_shares for k in range(n_shares + 1)]
        shares = [Share(self, *ends, row_start.shape[0] - 1) for ends in zip(cuts, cuts[1:])]
        return slot, shares

    def finish(self, list shares not None):
        """Note what all shares have learned; the first has what was best in each round."""
        cdef CommitteeEngine engine
        cdef Share share, first = shares[0]
        cdef Py_ssize_t c, t, n = first.best.shape[0]
        for share in shares[1:]:
            for t in range(n):
                # Among equals the class that appeared first.
                if share.best[t] > first.best[t]:
                    first.best[t], first.predicted[t] = share.best[t], share.predicted[t]
        for share in shares:
            for c in range(share.n):
                engine = self.engines[share.begin + c]
                engine.n_rounds += n
                engine.false_positives += <int64_t> share.wrong[2 * c]
                engine.false_negatives += <int64_t> share.wrong[2 * c + 1]
                engine.journal.omitted += n

    def scores(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        bint ones,
        double[:, ::1] scores_out,
    ):
        """Score every row for every class; nothing changes. `ones` says that all values are 1."""
        cdef CommitteeEngine first = self.engines[0]
        cdef Py_ssize_t t, c, n = len(self.engines)
        cdef unsigned char[::1] room = np.empty(n * sizeof(turn_t), np.uint8)
        cdef turn_t* turns = <turn_t*> &room[0]
        cdef row_t row
        cdef table_t table
        cdef const int32_t[::1] slot = self.memory.slots_of(row_start, column, False)
        cdef const int32_t* slots = &slot[0] if slot.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        if ones and self.memory.plain:
            values = NULL
        self.fill_table(&table, 0, n, &self.memory.columns)
        with nogil:
            for t in range(scores_out.shape[0]):
                first.fill_row(
                    &row, slots + row_start[t],
                    NULL if values == NULL else values + row_start[t],
                    row_start[t + 1] - row_start[t],
                )
                judge_row(&table, &row, turns, first.breadth)
                for c in range(1, n):
                    scores_out[t, c - 1] = turns[c].said.mixed

    cdef void fill_table(
        self, table_t* table, Py_ssize_t begin, Py_ssize_t n, columns_t* columns
    ) noexcept:
        """Let the `n` committees from `begin` on look at rows."""
        table.state = <committee_t**> &self.address[begin]
        table.n = n
        table.block = &self.memory.lines[0, 2 * LANES * begin]
        table.stride = self.memory.lines.shape[1]
        table.columns = columns
