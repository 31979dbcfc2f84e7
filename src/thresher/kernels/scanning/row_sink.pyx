"""Rows and faults of a block, in memory that grows while it is scanned.

Used by the kernels that scan files, one sink for one block. Rows come out as every other row
does: columns strictly increasing, no zeros. The slow twin is `scan_rows` in
`tests/reference/scan_rows.py`.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import numpy as np

from thresher.kernels.rows.entries cimport Entry, merge_entries, sort_entries
from thresher.kernels.scanning.label_table cimport LabelTable


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

    cdef int end_row(self, Py_ssize_t n, Row row, bint strongest) noexcept nogil:
        """Sort and merge the `n` entries and keep them as a row, or say why not.

        `OVERFLOW`: entries of one column add up to more than a double holds.
        """
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
                self.entry, n, strongest, self.column + self.n_values, self.value + self.n_values
            )
            if n < 0:
                return OVERFLOW
        self.n_values += n
        row.values = self.n_values
        self.weighted |= row.importance != 1.0
        self.row[self.n_rows] = row
        self.n_rows += 1
        return 0

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
