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
    LANES, CommitteeEngine, committee_t, judge, play, row_t, table_t, turn_t,
)


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
        self.room = np.empty(max(n, 1) * sizeof(turn_t), np.uint8)
        for c in range(n):
            self.address[c] = <size_t> &(<CommitteeEngine> self.engines[c]).state

    def make_ready(self, Py_ssize_t n_features, bint ones, list weighted):
        """Make room for a batch; `ones` says that all its values are 1.

        `weighted` says of each committee whether some rows weigh more or less than others.
        """
        cdef CommitteeEngine engine
        self.memory.plain = self.memory.plain and ones
        for engine, some in zip(self.engines, weighted):
            engine.make_room(n_features)
            engine.journal.weighted = engine.journal.weighted or some

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int32_t[::1] label,
        const double[::1] own,
        const int64_t[::1] known,
        double[::1] best_out,
        int32_t[::1] predicted_out,
        const double[::1] importance=None,
    ):
        """Play one round per row, of which `label` says the class: the committee after the first.

        `own` is what the rows of each class weigh in its own committee. `best_out` is the highest
        score before the label was used, among the classes that are known (from that round on), and
        `predicted_out` the class that has it; -1 if none is.
        """
        cdef CommitteeEngine first = self.engines[0], engine
        cdef Py_ssize_t t, c, n = len(self.engines)
        cdef double weight = 1.0, own_weight
        cdef bint weighted = importance is not None
        cdef int64_t[:, ::1] wrong = np.zeros((n, 2), np.int64)
        cdef turn_t* turns = <turn_t*> &self.room[0]
        cdef row_t row
        cdef table_t table
        learned = True if importance is None else np.asarray(importance) > 0.0
        cdef Py_ssize_t known_slots = self.memory.n
        cdef const int32_t[::1] slot = self.memory.slots_of(row_start, column, learned)
        cdef const int32_t* slots = &slot[0] if slot.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] and not self.memory.plain else NULL
        for engine in self.engines:
            engine.make_slots()
        if values == NULL and self.memory.plain:
            self.memory.remember_ones(row_start, slot, learned, known_slots)
        self.fill_table(&table)
        with nogil:
            for t in range(label.shape[0]):
                first.fill_row(
                    &row, slots + row_start[t],
                    NULL if values == NULL else values + row_start[t],
                    row_start[t + 1] - row_start[t],
                )
                if weighted:
                    weight = importance[t]
                for c in range(n):
                    turns[c].weight = weight * first.negative_weight
                # In this order, as the plain arrangement multiplies.
                own_weight = weight * own[label[t]]
                turns[1 + label[t]].weight = own_weight * first.positive_weight
                # What weighs nothing in one committee does in all, or they would not be here.
                if weight > 0.0:
                    play(&table, &row, 1 + label[t], turns, first.breadth)
                else:
                    judge(&table, &row, turns, first.breadth)
                best_out[t] = -INFINITY
                predicted_out[t] = -1
                for c in range(n):
                    wrong[c, c == 1 + label[t]] += (
                        (turns[c].said.mixed >= 0.0) != (c == 1 + label[t])
                    )
                    if c and known[c - 1] <= t and turns[c].said.mixed > best_out[t]:
                        best_out[t] = turns[c].said.mixed
                        predicted_out[t] = c - 1
        self.count(label.shape[0], np.asarray(wrong))

    def count(self, Py_ssize_t n_rounds, wrong):
        """Add to the counters of each committee."""
        cdef CommitteeEngine engine
        for engine, (false_positives, false_negatives) in zip(self.engines, wrong.tolist()):
            engine.n_rounds += n_rounds
            engine.false_positives += false_positives
            engine.false_negatives += false_negatives
            engine.journal.omitted += n_rounds

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
        # Not our own: many may be reading.
        cdef unsigned char[::1] room = np.empty(n * sizeof(turn_t), np.uint8)
        cdef turn_t* turns = <turn_t*> &room[0]
        cdef row_t row
        cdef table_t table
        cdef const int32_t[::1] slot = self.memory.slots_of(row_start, column, False)
        cdef const int32_t* slots = &slot[0] if slot.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        if ones and self.memory.plain:
            values = NULL
        self.fill_table(&table)
        with nogil:
            for t in range(scores_out.shape[0]):
                first.fill_row(
                    &row, slots + row_start[t],
                    NULL if values == NULL else values + row_start[t],
                    row_start[t + 1] - row_start[t],
                )
                judge(&table, &row, turns, first.breadth)
                for c in range(1, n):
                    scores_out[t, c - 1] = turns[c].said.mixed

    cdef void fill_table(self, table_t* table) noexcept:
        table.state = <committee_t**> &self.address[0]
        table.n = self.address.shape[0]
        table.block = &self.memory.lines[0, 0]
        table.stride = self.memory.lines.shape[1]
        table.columns = &self.memory.columns
