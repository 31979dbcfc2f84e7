"""Committees of several classes side by side: a row is looked at once, and all learn from it.

Used by `learners.multiclass.side_by_side`. The slow twin is `tests/reference/committees.py`: one
committee after another. The loops are those of `committee.h`.

The committees have the same members and have seen the same rows, each with labels of its own. The
weights of a feature, of all committees, follow each other in memory: they are fetched together.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

import numpy as np

from thresher.kernels.engines import committee_state as arrays
from thresher.kernels.engines.committee cimport (
    LANES, CommitteeEngine, committee_t, judge, play, row_t, table_t, turn_t,
)


cdef class Committees:
    """Engines of committees, the first of which is the background: no row is of its class."""

    def __init__(self, list engines not None):
        self.engines = []
        self.table = np.empty((0, 0), np.float32)
        self.add(engines)

    def add(self, list engines not None):
        """Let these committees learn with the others from now on."""
        cdef CommitteeEngine first = (self.engines or engines)[0]
        cdef Py_ssize_t width = 2 * LANES
        self.engines += engines
        if len(self.engines) * width > self.table.shape[1]:
            # Some room for classes to come, once classes have come.
            spare = len(self.engines) // 4 if self.table.shape[1] else 0
            rows = max(first.n_weights, self.table.shape[0], 1)
            self.arrange(rows, len(self.engines) + spare, first)
        else:
            table = np.asarray(self.table)
            for c in range(len(self.engines) - len(engines), len(self.engines)):
                self.engines[c].move(table[:, width * c:width * (c + 1)], first)
        self.note_addresses()

    def forget(self, Py_ssize_t n):
        """Keep the first `n` committees; the others have learned nothing."""
        del self.engines[n:]
        self.note_addresses()

    def arrange(self, Py_ssize_t n_features, Py_ssize_t n_committees, CommitteeEngine first):
        """Move everybody into a new table, in which each line is one of the cache."""
        width = 2 * LANES
        table = arrays.cache_lines(n_features, n_committees)
        for c, engine in enumerate(self.engines):
            engine.move(table[:, width * c:width * (c + 1)], first)
        self.table = table

    def note_addresses(self):
        """Where the states of the committees are."""
        cdef Py_ssize_t c, n = len(self.engines)
        self.address = np.empty(max(n, 1), np.uintp)
        self.room = np.empty(max(n, 1) * sizeof(turn_t), np.uint8)
        for c in range(n):
            self.address[c] = <size_t> &(<CommitteeEngine> self.engines[c]).state

    def make_ready(self, Py_ssize_t n_values, Py_ssize_t n_features, bint ones, list weighted):
        """Make room for a batch; `ones` says that all its values are 1.

        `weighted` says of each committee whether some rows weigh more or less than others.
        """
        cdef CommitteeEngine first = self.engines[0], engine
        cdef Py_ssize_t n_committees = self.table.shape[1] // (2 * LANES)
        if n_features > first.n_weights and first.names.growing:
            if n_features > self.table.shape[0]:
                room = max(n_features, 2 * first.n_weights, 16)
                first.memory.make_room(first.n_weights, room)
                self.arrange(room, n_committees, first)
            for engine in self.engines:
                engine.n_weights = n_features
        first.memory.plain = first.memory.plain and ones
        for engine, some in zip(self.engines, weighted):
            engine.make_slots(first.memory.columns.n + min(n_values, n_features))
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
        cdef CommitteeEngine first = self.engines[0]
        cdef Py_ssize_t t, c, n = len(self.engines)
        cdef double weight = 1.0, own_weight
        cdef bint weighted = importance is not None
        cdef int64_t[:, ::1] wrong = np.zeros((n, 2), np.int64)
        cdef turn_t* turns = <turn_t*> &self.room[0]
        cdef row_t row
        cdef table_t table
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] and not first.memory.plain else NULL
        self.fill_table(&table)
        with nogil:
            for t in range(label.shape[0]):
                first.fill_row(
                    &row, columns + row_start[t],
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
                    play(&table, &row, 1 + label[t], turns, first.wide)
                else:
                    judge(&table, &row, turns, first.wide)
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
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        cdef const double* values = &value[0] if value.shape[0] else NULL
        if ones and first.memory.plain:
            values = NULL
        self.fill_table(&table)
        with nogil:
            for t in range(scores_out.shape[0]):
                first.fill_row(
                    &row, columns + row_start[t],
                    NULL if values == NULL else values + row_start[t],
                    row_start[t + 1] - row_start[t],
                )
                judge(&table, &row, turns, first.wide)
                for c in range(1, n):
                    scores_out[t, c - 1] = turns[c].said.mixed

    cdef void fill_table(self, table_t* table) noexcept:
        table.state = <committee_t**> &self.address[0]
        table.n = self.address.shape[0]
        table.block = &self.table[0, 0]
        table.stride = self.table.shape[1]
        table.columns = &(<CommitteeEngine> self.engines[0]).memory.columns
