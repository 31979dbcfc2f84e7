"""Rows and faults of a block, in memory that grows while it is scanned.

Used by the kernels that scan files, one sink for one block. Rows come out as every other row
does: columns strictly increasing, no zeros. The slow twin is `scan_rows` in
`tests/reference/scan_rows.py`.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import numpy as np

from thresher.kernels.scanning.crossing import JOINT, MOST_PAIRS
from thresher.kernels.rows.entries cimport Entry, merge_entries, sort_entries
from thresher.kernels.scanning.crossing cimport (
    JOINT_SIZE, NAMED_LIKE_A_PAIR, NO_ROOM, TOO_MANY, comes_after, hash_of_pair, joined_name,
    let_go,
)
from thresher.kernels.scanning.label_table cimport LabelTable
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, UNKNOWN, Lexicon


cdef struct Memory:
    Entry* entry
    int32_t* column
    double* value
    Row* row
    Py_ssize_t entry_room
    Py_ssize_t value_room
    Py_ssize_t row_room

# Memory of sinks that are gone, for those to come: to get new pages for every block took a
# fifth of the time of a scan. Whoever changes it holds the GIL.
cdef Memory[4] idle
cdef int n_idle = 0
cdef Py_ssize_t most_idle_bytes = 33554432


@cython.final
cdef class RowSink:
    """Rows, labels and faults, in the order of the lines."""

    def __cinit__(self, bytes block):
        global n_idle
        self.block = block
        self.labels = LabelTable()
        if n_idle:
            n_idle -= 1
            self.entry, self.entry_room = idle[n_idle].entry, idle[n_idle].entry_room
            self.column, self.value = idle[n_idle].column, idle[n_idle].value
            self.value_room = idle[n_idle].value_room
            self.row, self.row_room = idle[n_idle].row, idle[n_idle].row_room

    def __dealloc__(self):
        global n_idle
        cdef Py_ssize_t n_bytes = (
            2 * self.entry_room * sizeof(Entry)
            + self.value_room * (sizeof(int32_t) + sizeof(double))
            + self.row_room * sizeof(Row)
        )
        free(self.fault)
        free(self.sides)
        free(self.name)
        let_go(&self.listed)
        if n_idle < 4 and n_bytes <= most_idle_bytes:
            idle[n_idle].entry, idle[n_idle].entry_room = self.entry, self.entry_room
            idle[n_idle].column, idle[n_idle].value = self.column, self.value
            idle[n_idle].value_room = self.value_room
            idle[n_idle].row, idle[n_idle].row_room = self.row, self.row_room
            n_idle += 1
            return
        free(self.entry)
        free(self.column)
        free(self.value)
        free(self.row)

    cdef Entry* room_for(self, Py_ssize_t n) noexcept nogil:
        """Room for so many entries, with those written so far in it; NULL: out of memory."""
        cdef void* memory
        if n > self.entry_room or self.entry == NULL:
            n += n // 2 + 64
            # One half is room to sort in.
            memory = realloc(self.entry, 2 * n * sizeof(Entry))
            if memory == NULL:
                return NULL
            self.entry = <Entry*> memory
            self.entry_room = n
        return self.entry

    cdef int end_row(self, Py_ssize_t n, Row row, Lexicon lexicon) noexcept nogil:
        """Sort and merge the `n` entries and keep them as a row, or say why not.

        `OVERFLOW`: entries of one column add up to more than a double holds. `REFUSED`: pairs
        cannot be made, and the fault is there already.
        """
        cdef Py_ssize_t room
        cdef void* memory
        cdef int failed
        if lexicon.crossing is not None:
            failed = self.cross(&n, &row, lexicon)
            if failed:
                return failed
        if self.value_room_for(n) < 0:
            return OUT_OF_MEMORY
        if self.n_rows == self.row_room:
            room = 2 * self.row_room + 64
            memory = realloc(self.row, room * sizeof(Row))
            if memory == NULL:
                return OUT_OF_MEMORY
            self.row = <Row*> memory
            self.row_room = room
        if n:
            sort_entries(self.entry, self.entry + self.entry_room, n)
            n = merge_entries(
                self.entry, n, lexicon.strongest,
                self.column + self.n_values, self.value + self.n_values,
            )
            if n < 0:
                return OVERFLOW
        self.n_values += n
        row.values = self.n_values
        self.weighted |= row.importance != 1.0
        self.row[self.n_rows] = row
        self.n_rows += 1
        return 0

    cdef int value_room_for(self, Py_ssize_t n) noexcept nogil:
        """Room for so many columns and values behind those of all rows; -1: out of memory."""
        cdef Py_ssize_t room
        cdef void* memory
        if self.n_values + n > self.value_room:
            room = 2 * self.value_room + n + 1024
            memory = realloc(self.column, room * sizeof(int32_t))
            if memory == NULL:
                return OUT_OF_MEMORY
            self.column = <int32_t*> memory
            memory = realloc(self.value, room * sizeof(double))
            if memory == NULL:
                return OUT_OF_MEMORY
            self.value = <double*> memory
            self.value_room = room
        return 0

    cdef int cross(self, Py_ssize_t* n_entries, const Row* row, Lexicon lexicon) noexcept nogil:
        """Add the pairs to the entries of a row, whose values multiply; not 0: why not.

        Pairs are those of the row as it would be without them: entries of one column are one.
        """
        cdef Py_ssize_t k, n = n_entries[0], n_pairs
        cdef Entry* entry
        cdef Entry* one
        cdef Entry* other
        cdef int64_t column
        cdef double value
        cdef void* memory
        for k in range(n):
            if self.entry[k].sides == NAMED_LIKE_A_PAIR:
                return self.refuse(row, NAME_OF_A_PAIR, k)
        if self.value_room_for(n) < 0:
            return OUT_OF_MEMORY
        n = self.merged_in_place(n, lexicon.strongest)
        if n < 0:
            return OVERFLOW
        if n > self.sides_room:
            memory = realloc(self.sides, 2 * n * sizeof(uint32_t))
            if memory == NULL:
                return OUT_OF_MEMORY
            self.sides, self.sides_room = <uint32_t*> memory, 2 * n
        for k in range(n):
            self.sides[k] = self.entry[k].sides
        n_pairs = lexicon.crossing.pairs(self.sides, n, &self.listed)
        if n_pairs == TOO_MANY:
            return self.refuse(row, TOO_MANY_PAIRS, self.listed.refused)
        entry = NULL if n_pairs == NO_ROOM else self.room_for(n + n_pairs)
        if entry == NULL:
            return OUT_OF_MEMORY
        for k in range(n_pairs):
            one, other = &entry[self.listed.pair[k].one], &entry[self.listed.pair[k].other]
            value = one.value * other.value
            if value - value != 0.0:
                return self.refuse(row, PRODUCT, 0)
            column = self.column_of_pair(one.column, other.column, lexicon)
            if column == FULL:
                return FULL
            if column == NO_MEMORY:
                return OUT_OF_MEMORY
            if column != UNKNOWN and value != 0.0:
                entry[n].column, entry[n].value = <uint32_t> column, value
                n += 1
        n_entries[0] = n
        return 0

    cdef Py_ssize_t merged_in_place(self, Py_ssize_t n, bint strongest) noexcept nogil:
        """One entry for each column, on the sides of all that fell on it; negative: overflow."""
        cdef Entry* entry = self.entry
        cdef int32_t* column = self.column + self.n_values
        cdef double* value = self.value + self.n_values
        cdef Py_ssize_t m, k, at = 0
        cdef uint32_t sides
        sort_entries(entry, entry + self.entry_room, n)
        m = merge_entries(entry, n, strongest, column, value)
        for k in range(m):
            while entry[at].column != <uint32_t> column[k]:
                at += 1
            sides = 0
            while at < n and entry[at].column == <uint32_t> column[k]:
                sides |= entry[at].sides
                at += 1
            # The place has been read: there are never more columns than entries.
            entry[k].column, entry[k].sides = <uint32_t> column[k], sides
            entry[k].value = value[k]
        return m

    cdef int64_t column_of_pair(
        self, uint32_t one, uint32_t other, Lexicon lexicon
    ) noexcept nogil:
        """The column of the pair of two columns; negative: why there is none."""
        cdef int64_t* stop = lexicon.known.stop
        cdef unsigned char* arena = lexicon.known.arena
        cdef int64_t start, other_start
        cdef Py_ssize_t size
        cdef void* memory
        if lexicon.hashed:
            return lexicon.bucket(hash_of_pair(one, other))
        start = stop[one - 1] if one else 0
        other_start = stop[other - 1] if other else 0
        if comes_after(
            arena + start, stop[one] - start, arena + other_start, stop[other] - other_start
        ):
            one, other, start, other_start = other, one, other_start, start
        size = stop[one] - start + stop[other] - other_start + JOINT_SIZE
        if size > self.name_room:
            memory = realloc(self.name, 2 * size)
            if memory == NULL:
                return NO_MEMORY
            self.name, self.name_room = <unsigned char*> memory, 2 * size
        self.name_size = joined_name(
            self.name,
            arena + start, stop[one] - start, arena + other_start, stop[other] - other_start,
        )
        return lexicon.known_column(self.name, self.name_size)

    cdef int refuse(self, const Row* row, int32_t code, int64_t found) noexcept nogil:
        """Report a row that cannot have pairs."""
        cdef Fault fault
        fault.line, fault.start, fault.stop = row.line, row.start, row.stop
        fault.code, fault.found, fault.found_stop = code, found, found
        return OUT_OF_MEMORY if self.add_fault(fault) < 0 else REFUSED

    @property
    def pair_without_room(self):
        """The name of the pair that found the vocabulary full."""
        return (<const char*> self.name)[:self.name_size] if self.name_size else b""

    cdef int set_label(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Label the last row with a piece of the block, which is UTF-8; -1: out of memory."""
        cdef int32_t number = self.labels.number_of(text, size)
        if number < 0:
            return OUT_OF_MEMORY
        self.row[self.n_rows - 1].label = number
        return 0

    cdef int add_fault(self, Fault fault) noexcept nogil:
        """Remember what is wrong with a line; -1: out of memory."""
        cdef Py_ssize_t room
        cdef void* memory
        if self.n_faults == self.fault_room:
            room = 2 * self.fault_room + 16
            memory = realloc(self.fault, room * sizeof(Fault))
            if memory == NULL:
                return OUT_OF_MEMORY
            self.fault = <Fault*> memory
            self.fault_room = room
        self.fault[self.n_faults] = fault
        self.n_faults += 1
        return 0

    @property
    def only_ones(self):
        """Whether every value is 1."""
        cdef Py_ssize_t k = 0
        while k < self.n_values and self.value[k] == 1.0:
            k += 1
        return k == self.n_values

    def arrays(self, bint with_values=True):
        """Copies of (row_start, column, value, label, importance, line, start, stop).

        The importance is None where it is always 1. Callers who know the values leave them out.
        """
        cdef Py_ssize_t t
        row_start = np.zeros(self.n_rows + 1, np.int64)
        column = np.empty(self.n_values, np.int32)
        value = np.empty(self.n_values if with_values else 0, np.float64)
        label = np.empty(self.n_rows, np.int32)
        importance = np.empty(self.n_rows, np.float64)
        line, start, stop = (np.empty(self.n_rows, np.int64) for _ in range(3))
        cdef int64_t[::1] row_starts = row_start, lines = line, starts = start, stops = stop
        cdef int32_t[::1] columns = column, labels = label
        cdef double[::1] values = value, importances = importance
        with nogil:
            if self.n_values:
                memcpy(&columns[0], self.column, self.n_values * sizeof(int32_t))
                if with_values:
                    memcpy(&values[0], self.value, self.n_values * sizeof(double))
            for t in range(self.n_rows):
                row_starts[t + 1] = self.row[t].values
                labels[t] = self.row[t].label
                importances[t] = self.row[t].importance
                lines[t] = self.row[t].line
                starts[t] = self.row[t].start
                stops[t] = self.row[t].stop
        weights = importance if self.weighted else None
        return row_start, column, value, label, weights, line, start, stop

    def label_names(self):
        """The labels, as written, in the order of their numbers."""
        return self.labels.names()

    def faults(self):
        """For each fault line, start, stop, code, and start and stop of what was found."""
        cdef Py_ssize_t k
        faults = np.empty((self.n_faults, 6), np.int64)
        cdef int64_t[:, ::1] found = faults
        with nogil:
            for k in range(self.n_faults):
                found[k, 0] = self.fault[k].line
                found[k, 1] = self.fault[k].start
                found[k, 2] = self.fault[k].stop
                found[k, 3] = self.fault[k].code
                found[k, 4] = self.fault[k].found
                found[k, 5] = self.fault[k].found_stop
        return faults


def words_for(int code, found):
    """What was found and what was expected, of a fault of pairs."""
    if code == TOO_MANY_PAIRS:
        return f"features that make {found:,} pairs", f"{MOST_PAIRS:,} pairs in a row, at most"
    if code == NAME_OF_A_PAIR:
        return f"a feature with {JOINT!r} in its name", "names that are not like those of pairs"
    return "two features whose product is above 1.8e308", "products that are finite"


def is_of_pairs(int code):
    """Whether a fault is one of pairs, and not one of a format."""
    return code >= TOO_MANY_PAIRS


def cross_rows(
    const int64_t[::1] row_start,
    const int32_t[::1] column,
    const double[::1] value,
    Lexicon lexicon not None,
):
    """Sound rows with the pairs of all their features, in a sink; a row's line is its number."""
    cdef RowSink sink = RowSink(b"")
    cdef Py_ssize_t t, k, n, n_rows = row_start.shape[0] - 1
    cdef Entry* entry
    cdef Row row
    cdef int failed = 0
    row.importance, row.label, row.start, row.stop, row.values = 1.0, -1, 0, 0, 0
    with nogil:
        for t in range(n_rows):
            n = row_start[t + 1] - row_start[t]
            entry = sink.room_for(n)
            if entry == NULL:
                failed = OUT_OF_MEMORY
                break
            for k in range(n):
                entry[k].column = <uint32_t> column[row_start[t] + k]
                entry[k].value = value[row_start[t] + k]
                entry[k].sides = 3
            row.line = t
            failed = min(0, sink.end_row(n, row, lexicon))
            if failed:
                break
    if failed:
        raise MemoryError
    return sink
