"""The journal of updates: the rows that changed a learner, in order, in bounded memory.

Used by `engine`. Room is reserved before a batch (pages that stay untouched cost
nothing), so that appending a row inside the hot loop neither allocates nor fails. Rows
of ones, the common case, are kept without their values, and rows of weight 1 without
their weights. When the limit is reached the
journal keeps what it has, a true prefix, and counts what it could not keep. The slow
twin is `tests/reference/journal.py`.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memcpy

import numpy as np

# Room that is not used costs nothing, and what is copied to a new place takes fresh pages, which
# the system has to clear: with a factor of 2 the journal of a gigabyte, 50 MB, went through 110,
# with 8 through 86, now through 54.
cdef enum:
    GROWTH = 64

cdef class JournalBuffer:
    """Rows in growing memory; at most `limit` bytes of them."""

    def __init__(self, int64_t limit):
        self.limit = limit
        self.only_ones = True
        self.memory = {}

    @property
    def nbytes(self):
        """Bytes in use by the rows kept."""
        each_row = 25 if self.keeps_weights else 17
        return self.rows * each_row + self.values * (4 if self.only_ones else 12)

    def __len__(self):
        return self.rows

    cdef int reserve(
        self, Py_ssize_t rows, Py_ssize_t values, bint ones, bint weighted
    ) except -1:
        """Make sure that `append` has room for so many more rows and values within the limit.

        `ones` says that all those values are known to be 1, `weighted` that the rows may
        have weights other than 1.
        """
        self.known_ones = ones
        cdef Py_ssize_t k, most_rows = max(0, self.limit // 17)
        cdef Py_ssize_t used, most_values = max(0, self.limit // 4)
        rows = min(self.rows + rows, most_rows)
        values = min(self.values + values, most_values)
        if rows > self.row_room:
            rows = min(max(rows, GROWTH * self.row_room), most_rows)
            self.row_stop = <int64_t*> self.grown("row_stop", "i8", self.rows, rows)
            self.round_number = <int64_t*> self.grown("round_number", "i8", self.rows, rows)
            self.label = <int8_t*> self.grown("label", "i1", self.rows, rows)
            if self.importance != NULL:
                self.importance = <double*> self.grown("importance", "f8", self.rows, rows)
            self.row_room = rows
        if weighted and self.importance == NULL and self.row_room:
            self.importance = <double*> self.grown("importance", "f8", 0, self.row_room)
            for k in range(self.rows):
                self.importance[k] = 1.0
        if values > self.column_room:
            values = min(max(values, GROWTH * self.column_room), most_values)
            self.column = <int32_t*> self.grown("column", "i4", self.values, values)
            self.column_room = values
        if not (ones and self.only_ones) and self.value_room < self.column_room:
            used = 0 if self.only_ones else self.values
            self.value = <double*> self.grown("value", "f8", used, self.column_room)
            self.value_room = self.column_room
        return 0

    cdef void* grown(self, str name, str kind, Py_ssize_t used, Py_ssize_t room) except NULL:
        """New memory for an array, with what the old one holds; whoever has that keeps it."""
        # Not realloc: it copies the pages that were never used as well, and with them takes
        # memory and, on a stream of 400,000 rows in 29 batches, as long as learning does.
        new = np.empty(max(room, 1), kind)
        if used:
            new[:used] = self.memory[name][:used]
        self.memory[name] = new
        cdef int8_t[::1] where = new.view("i1")
        return &where[0]

    cdef void append(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        int64_t round_number,
        double importance,
    ) noexcept nogil:
        """Keep one row, or count it as omitted; `reserve` has been called.

        A row of ones may come without its values (NULL).
        """
        cdef Py_ssize_t k
        cdef bint only_ones = self.only_ones
        cdef bint keeps_weights = self.keeps_weights or importance != 1.0
        self.weighted = self.weighted or importance != 1.0
        if self.omitted:
            self.omitted += 1
            return
        if only_ones and not self.known_ones and value != NULL:
            for k in range(n):
                only_ones &= value[k] == 1.0
        if (
            (self.rows + 1) * (25 if keeps_weights else 17)
            + (self.values + n) * (4 if only_ones else 12)
        ) > self.limit:
            self.omitted = 1
            return
        self.keeps_weights = keeps_weights
        if self.importance != NULL:
            self.importance[self.rows] = importance
        if self.only_ones and not only_ones:
            self.only_ones = False
            for k in range(self.values):
                self.value[k] = 1.0
        if n:
            memcpy(self.column + self.values, column, n * sizeof(int32_t))
            if not only_ones and value != NULL:
                memcpy(self.value + self.values, value, n * sizeof(double))
            elif not only_ones:
                for k in range(n):
                    self.value[self.values + k] = 1.0
        self.values += n
        self.row_stop[self.rows] = self.values
        self.round_number[self.rows] = round_number
        self.label[self.rows] = label
        self.rows += 1

    def append_row(
        self,
        const int32_t[::1] column,
        const double[::1] value,
        int8_t label,
        int64_t round_number,
        double importance=1.0,
    ):
        """Keep one row given as arrays."""
        cdef Py_ssize_t n = column.shape[0]
        self.reserve(1, n, False, importance != 1.0)
        self.append(
            &column[0] if n else NULL, &value[0] if n else NULL, n, label, round_number, importance
        )

    def extent(self):
        """How far the journal goes, for `cut_back`."""
        return (self.rows, self.values, self.omitted, self.only_ones, self.known_ones,
                self.keeps_weights, self.weighted)

    def cut_back(self, extent):
        """Forget the rows after those there were; nobody may have been shown them."""
        (self.rows, self.values, self.omitted, self.only_ones, self.known_ones,
         self.keeps_weights, self.weighted) = extent

    def warn_once(self):
        """Whether the limit was reached and nobody has been told; a limit of 0 was asked for."""
        tell = self.omitted > 0 and not self.warned and self.limit > 0
        self.warned = self.warned or tell
        return tell

    def parts(self):
        """(row_start, column, value or None if all are 1, label, round_number), to be read only.

        They show the journal as it is now, most of them in its own memory: what is appended
        later stands behind them, and when the journal outgrows that memory they keep it.
        """
        # Read once: a batch under way in another thread may go on appending.
        cdef Py_ssize_t n_rows = self.rows
        cdef Py_ssize_t n_values = self.row_stop[n_rows - 1] if n_rows else 0
        row_start = np.zeros(n_rows + 1, np.int64)
        row_start[1:] = self.shown("row_stop", "i8", n_rows)
        value = None if self.only_ones else self.shown("value", "f8", n_values)
        return (
            row_start, self.shown("column", "i4", n_values), value,
            self.shown("label", "i1", n_rows), self.shown("round_number", "i8", n_rows),
        )

    cdef object shown(self, str name, str kind, Py_ssize_t n):
        part = self.memory[name][:n] if n else np.empty(0, kind)
        part.flags.writeable = False
        return part

    def arrays(self):
        """The same, with a value for each column."""
        row_start, column, value, label, round_number = self.parts()
        value = np.ones(len(column)) if value is None else value
        return row_start, column, value, label, round_number

    def weights(self):
        """The weight of each row kept, or None if all are 1; to be read only."""
        return self.shown("importance", "f8", self.rows) if self.keeps_weights else None

    def __copy__(self):
        """A journal of its own; the two share the memory of what both hold."""
        cdef JournalBuffer twin = JournalBuffer(self.limit)
        twin.omitted, twin.warned, twin.weighted = self.omitted, self.warned, self.weighted
        twin.only_ones, twin.keeps_weights = self.only_ones, self.keeps_weights
        twin.memory = dict(self.memory)
        # No room is left, so that whatever it appends goes to memory of its own.
        twin.rows = twin.row_room = self.rows
        twin.values = twin.column_room = self.row_stop[twin.rows - 1] if twin.rows else 0
        twin.value_room = 0 if self.only_ones else twin.values
        twin.row_stop, twin.round_number, twin.label = self.row_stop, self.round_number, self.label
        twin.column, twin.value, twin.importance = self.column, self.value, self.importance
        return twin

    def __reduce__(self):
        weights = (self.weighted, self.weights())
        return restored, (self.limit, self.parts(), self.omitted, self.warned, weights)

    def __eq__(self, other):
        if not isinstance(other, JournalBuffer):
            return NotImplemented
        ours, theirs = self.__reduce__()[1], other.__reduce__()[1]
        same = all(np.array_equal(a, b) for a, b in zip(ours[1], theirs[1], strict=True))
        weights = np.array_equal(ours[4][1], theirs[4][1]) and ours[4][0] == theirs[4][0]
        return same and weights and ours[0] == theirs[0] and ours[2:4] == theirs[2:4]

    __hash__ = None


def restored(
    int64_t limit, parts, int64_t omitted, bint warned, weights=(False, None)
):
    """The journal whose `parts` these are; the caller has checked them, as `Batch` does.

    `weights` says whether some update weighed more or less than 1, and holds the weights of
    the rows kept, or None if all are 1.
    """
    cdef JournalBuffer buffer = JournalBuffer(limit)
    cdef const int64_t[::1] row_start = parts[0], round_number = parts[4]
    cdef const int32_t[::1] column = parts[1]
    cdef const double[::1] value = parts[2]
    cdef const int8_t[::1] label = parts[3]
    cdef const double[::1] weight = weights[1]
    cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
    cdef bint ones = value is None
    cdef const double* values = NULL if ones or not value.shape[0] else &value[0]
    cdef bint weighted = weight is not None
    cdef Py_ssize_t t, start
    buffer.reserve(label.shape[0], column.shape[0], ones, weighted)
    with nogil:
        for t in range(label.shape[0]):
            start = row_start[t]
            buffer.append(
                columns + start, NULL if ones else values + start, row_start[t + 1] - start,
                label[t], round_number[t], weight[t] if weighted else 1.0,
            )
    buffer.weighted = buffer.weighted or weights[0]
    buffer.omitted += omitted
    buffer.warned = warned
    return buffer
