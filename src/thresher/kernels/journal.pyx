"""The journal of updates: the rows that changed a learner, in order, in bounded memory.

Used by `engine`. Room is reserved before a batch (pages that stay untouched cost
nothing), so that appending a row inside the hot loop neither allocates nor fails. Rows
of ones, the common case, are kept without their values. When the limit is reached the
journal keeps what it has, a true prefix, and counts what it could not keep. The slow
twin is `tests/reference/journal.py`.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void prefer_large_pages(void *memory, size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        uintptr_t page = (uintptr_t) 1 << 21;
        uintptr_t start = ((uintptr_t) memory + page - 1) & ~(page - 1);
        uintptr_t stop = ((uintptr_t) memory + size) & ~(page - 1);
        if (stop > start) madvise((void *) start, stop - start, MADV_HUGEPAGE);
    #endif
    }
    """
    # 52,000 updates of 75 features cost 13 to 18 ms page by page, 4 to 11 with large pages.
    void prefer_large_pages(void* memory, size_t size) noexcept nogil


cdef class JournalBuffer:
    """Rows in growing memory; at most `limit` bytes of them."""

    def __init__(self, int64_t limit):
        self.limit = limit
        self.only_ones = True

    def __dealloc__(self):
        free(self.row_stop)
        free(self.round_number)
        free(self.label)
        free(self.column)
        free(self.value)

    @property
    def nbytes(self):
        """Bytes in use by the rows kept."""
        return self.rows * 17 + self.values * (4 if self.only_ones else 12)

    def __len__(self):
        return self.rows

    cdef int reserve(self, Py_ssize_t rows, Py_ssize_t values, bint ones) except -1:
        """Make sure that `append` has room for so many more rows and values within the limit.

        `ones` says that all those values are known to be 1.
        """
        self.known_ones = ones
        cdef Py_ssize_t most_rows = max(0, self.limit // 17)
        cdef Py_ssize_t most_values = max(0, self.limit // 4)
        rows = min(self.rows + rows, most_rows)
        values = min(self.values + values, most_values)
        if rows > self.row_room:
            rows = min(max(rows, 2 * self.row_room), most_rows)
            self.row_stop = <int64_t*> grown(self.row_stop, rows * sizeof(int64_t))
            self.round_number = <int64_t*> grown(self.round_number, rows * sizeof(int64_t))
            self.label = <int8_t*> grown(self.label, rows)
            self.row_room = rows
        if values > self.value_room:
            values = min(max(values, 2 * self.value_room), most_values)
            self.column = <int32_t*> grown(self.column, values * sizeof(int32_t))
            self.value = <double*> grown(self.value, values * sizeof(double))
            self.value_room = values
        return 0

    cdef void append(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        int64_t round_number,
    ) noexcept nogil:
        """Keep one row, or count it as omitted; `reserve` has been called.

        A row of ones may come without its values (NULL).
        """
        cdef Py_ssize_t k
        cdef bint only_ones = self.only_ones
        if self.omitted:
            self.omitted += 1
            return
        if only_ones and not self.known_ones and value != NULL:
            for k in range(n):
                only_ones &= value[k] == 1.0
        if (self.rows + 1) * 17 + (self.values + n) * (4 if only_ones else 12) > self.limit:
            self.omitted = 1
            return
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
    ):
        """Keep one row given as arrays."""
        cdef Py_ssize_t n = column.shape[0]
        self.reserve(1, n, False)
        self.append(&column[0] if n else NULL, &value[0] if n else NULL, n, label, round_number)

    def warn_once(self):
        """Whether the limit was reached and nobody has been told; a limit of 0 was asked for."""
        tell = self.omitted > 0 and not self.warned and self.limit > 0
        self.warned = self.warned or tell
        return tell

    def arrays(self):
        """Copies of (row_start, column, value, label, round_number)."""
        # Read once: a batch under way in another thread may go on appending.
        cdef Py_ssize_t k, n_rows = self.rows
        cdef Py_ssize_t n_values = self.row_stop[n_rows - 1] if n_rows else 0
        row_start = np.zeros(n_rows + 1, np.int64)
        round_number = np.empty(n_rows, np.int64)
        label = np.empty(n_rows, np.int8)
        column = np.empty(n_values, np.int32)
        value = np.ones(n_values, np.float64)
        cdef int64_t[::1] starts = row_start, rounds = round_number
        cdef int8_t[::1] labels = label
        cdef int32_t[::1] columns = column
        cdef double[::1] values = value
        for k in range(n_rows):
            starts[k + 1] = self.row_stop[k]
            rounds[k] = self.round_number[k]
            labels[k] = self.label[k]
        for k in range(n_values):
            columns[k] = self.column[k]
            if not self.only_ones:
                values[k] = self.value[k]
        return row_start, column, value, label, round_number

    def __reduce__(self):
        return _restored, (self.limit, self.arrays(), self.omitted, self.warned)

    def __eq__(self, other):
        if not isinstance(other, JournalBuffer):
            return NotImplemented
        ours, theirs = self.__reduce__()[1], other.__reduce__()[1]
        same = all(np.array_equal(a, b) for a, b in zip(ours[1], theirs[1], strict=True))
        return same and ours[0] == theirs[0] and ours[2:] == theirs[2:]

    __hash__ = None


def _restored(limit, arrays, int64_t omitted, bint warned):
    cdef JournalBuffer buffer = JournalBuffer(limit)
    row_start, column, value, label, round_number = arrays
    for k in range(len(label)):
        inside = slice(row_start[k], row_start[k + 1])
        buffer.append_row(column[inside], value[inside], label[k], round_number[k])
    buffer.omitted = omitted
    buffer.warned = warned
    return buffer


cdef void* grown(void* memory, size_t size) except NULL:
    memory = realloc(memory, size)
    if memory == NULL:
        raise MemoryError
    prefer_large_pages(memory, size)
    return memory
