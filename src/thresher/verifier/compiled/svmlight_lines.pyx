"""Lines of svmlight text to rows, without the GIL: the verifier's own, shared with no kernel.

Used by `readers.svmlight`. The grammar is stated in `docs/certificates.md`; the slow twin, and the
authority on it, is `tests/reference/svmlight_lines.py`.

Contract: the text is any bytes at all, and nothing outside of it is read. Rows come out with
columns that increase and values that are finite and not 0. The first line that is not sound ends
the work, and is reported with what came before it.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memchr, memcmp, memset

import numpy as np

from thresher.verifier.compiled.decimal_number cimport take_decimal

# What can be wrong with a line; the words are in `readers.svmlight`.
cdef enum Fault:
    SOUND = 0
    NO_LABEL = 1
    LABEL_BYTES = 2
    NOT_A_FEATURE = 3
    INDEX_RANGE = 4
    NOT_A_NUMBER = 5
    NOT_FINITE = 6
    TWICE = 7
    OUT_OF_MEMORY = 8

cdef enum:
    N_KNOWN = 512


cdef struct Known:
    # A label that was looked up: its bytes, and its number.
    const unsigned char* text
    Py_ssize_t length
    int32_t number


cdef struct Work:
    int64_t* row_start
    int32_t* column
    double* value
    int32_t* label
    Py_ssize_t n_rows
    Py_ssize_t n_values
    int64_t n_lines
    int64_t first_index
    int64_t n_columns
    Known[N_KNOWN] known
    # What is wrong, and with which bytes, or with which index.
    Fault fault
    const unsigned char* found
    int64_t index


cdef class Labels:
    """The labels of a text, each by its bytes, in order of their first lines."""

    cdef dict number
    cdef list lines

    def __cinit__(self):
        self.number = {}
        self.lines = []

    cdef int32_t number_of(self, const unsigned char* text, Py_ssize_t length, int64_t line):
        """The number of a label; -1 for bytes that are not UTF-8."""
        cdef bytes label = (<const char*> text)[:length]
        found = self.number.get(label)
        if found is None:
            try:
                label.decode("utf-8")
            except UnicodeDecodeError:
                return -1
            found = len(self.lines)
            self.number[label] = found
            self.lines.append(line)
        return found


cdef int32_t looked_up(
    Labels labels, const unsigned char* text, Py_ssize_t length, int64_t line
) noexcept nogil:
    """The number of a label, asked of Python; -1: not UTF-8, -2: no memory."""
    with gil:
        try:
            return labels.number_of(text, length, line)
        except MemoryError:
            return -2


cdef inline const unsigned char* refused(
    Work* work, Fault fault, const unsigned char* found
) noexcept nogil:
    work.fault = fault
    work.found = found
    return NULL


cdef inline bint blank(unsigned char c) noexcept nogil:
    return c == c" " or c == c"\t"


cdef const unsigned char* take_label(
    Work* work, const unsigned char* p, const unsigned char* stop, Labels labels
) noexcept nogil:
    """Read the label that begins here; return where it ends, NULL if it is none."""
    cdef const unsigned char* first = p
    cdef uint32_t mixed = 0
    cdef bint sound = True
    cdef Known* known
    while p < stop and not blank(p[0]):
        if p[0] == c":":
            return refused(work, NO_LABEL, first)
        sound = sound and p[0] > c" " and p[0] != 127
        mixed = 31 * mixed + p[0]
        p += 1
    if not sound:
        return refused(work, LABEL_BYTES, first)
    # Few labels are written again and again; of two that share a place here, the last is known.
    known = &work.known[mixed % N_KNOWN]
    if known.length != p - first or memcmp(known.text, first, p - first) != 0:
        known.number = looked_up(labels, first, p - first, work.n_lines)
        if known.number < 0:
            return refused(work, LABEL_BYTES if known.number == -1 else OUT_OF_MEMORY, first)
        known.text = first
        known.length = p - first
    work.label[work.n_rows] = known.number
    return p


cdef bint take_features(
    Work* work, const unsigned char* p, const unsigned char* stop
) noexcept nogil:
    """Read the features of a row to its end; False if there is a fault in it."""
    cdef const unsigned char* first
    cdef Py_ssize_t begun = work.n_values, n = work.n_values
    cdef int64_t index, last = -1
    cdef bint in_order = True, zeros = False
    cdef double value = 0.0
    while True:
        while p < stop and blank(p[0]):
            p += 1
        if p == stop:
            break
        first = p
        index = 0
        while p < stop and c"0" <= p[0] <= c"9":
            # Once it is above all columns it may stay as it is.
            if index <= work.n_columns:
                index = 10 * index + (p[0] - c"0")
            p += 1
        if p == first and stop - p >= 4 and memcmp(p, b"qid:", 4) == 0:
            while p < stop and not blank(p[0]):
                p += 1
            continue
        if p == first or p == stop or p[0] != c":":
            return refused(work, NOT_A_FEATURE, first) != NULL
        index -= work.first_index
        if index < 0 or index >= work.n_columns:
            return refused(work, INDEX_RANGE, first) != NULL
        p = take_decimal(p + 1, stop, &value)
        if p == NULL or not (p == stop or blank(p[0])):
            return refused(work, NOT_A_NUMBER, first) != NULL
        if value - value != 0.0:
            return refused(work, NOT_FINITE, first) != NULL
        in_order = in_order and index > last
        last = index
        zeros = zeros or value == 0.0
        work.column[n] = <int32_t> index
        work.value[n] = value
        n += 1
    if not in_order and not put_in_order(work, begun, n):
        return False
    work.n_values = without_zeros(work, begun, n) if zeros else n
    return True


cdef bint put_in_order(Work* work, Py_ssize_t begun, Py_ssize_t stop) noexcept nogil:
    """Sort a row by column; False if an index is there twice.

    A heap, for a line may be long, and no order of its features is to make it slow.
    """
    cdef int32_t* column = work.column + begun
    cdef double* value = work.value + begun
    cdef Py_ssize_t n = stop - begun, k
    for k in range(n // 2 - 1, -1, -1):
        sift(column, value, k, n)
    for k in range(n - 1, 0, -1):
        column[0], column[k] = column[k], column[0]
        value[0], value[k] = value[k], value[0]
        sift(column, value, 0, k)
    for k in range(1, n):
        if column[k] == column[k - 1]:
            work.index = column[k] + work.first_index
            refused(work, TWICE, NULL)
            return False
    return True


cdef void sift(int32_t* column, double* value, Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    """Let a feature sink to where none below it has a larger column."""
    cdef int32_t its_column = column[at]
    cdef double its_value = value[at]
    cdef Py_ssize_t below = 2 * at + 1
    while below < n:
        if below + 1 < n and column[below + 1] > column[below]:
            below += 1
        if column[below] <= its_column:
            break
        column[at] = column[below]
        value[at] = value[below]
        at = below
        below = 2 * at + 1
    column[at] = its_column
    value[at] = its_value


cdef Py_ssize_t without_zeros(Work* work, Py_ssize_t begun, Py_ssize_t stop) noexcept nogil:
    """Leave out the features that are 0; where the row ends then."""
    cdef Py_ssize_t k, n = begun
    for k in range(begun, stop):
        if work.value[k] != 0.0:
            work.column[n] = work.column[k]
            work.value[n] = work.value[k]
            n += 1
    return n


cdef const unsigned char* scan(
    Work* work, const unsigned char* p, const unsigned char* end, Labels labels
) noexcept nogil:
    """Read line after line; return where the line begins that has a fault, or the end."""
    cdef const unsigned char* start
    cdef const unsigned char* stop
    cdef const unsigned char* mark
    work.row_start[0] = 0
    while p < end:
        start = p
        work.n_lines += 1
        stop = <const unsigned char*> memchr(p, c"\n", end - p)
        if stop == NULL:
            stop = end
            mark = end
        else:
            mark = stop + 1
        if stop > start and (stop - 1)[0] == c"\r":
            stop -= 1
        p = <const unsigned char*> memchr(start, c"#", stop - start)
        if p != NULL:
            stop = p
        p = start
        while p < stop and blank(p[0]):
            p += 1
        if p < stop:
            p = take_label(work, p, stop, labels)
            if p == NULL or not take_features(work, p, stop):
                return start
            work.n_rows += 1
            work.row_start[work.n_rows] = work.n_values
        p = mark
    return end


cdef Py_ssize_t count(
    const unsigned char* p, Py_ssize_t size, unsigned char wanted
) noexcept nogil:
    """How often a byte occurs."""
    cdef Py_ssize_t k, found = 0
    for k in range(size):
        found += p[k] == wanted
    return found


def scan_lines(
    const unsigned char[::1] text not None, Py_ssize_t start, int64_t n_columns, bint one_based
):
    """The rows of the lines that begin at `start`, up to the first that is not sound.

    Returns row_start, column, value and label of the rows; the labels as they are written; the
    line of each label's first row; the number of lines; and None, or what is wrong with the last
    of those lines: its kind, where the line begins and where the bytes at fault do, and the index
    that is there twice. Lines count from 1.
    """
    cdef Py_ssize_t size = text.shape[0] - start, n_lines, n_features
    cdef const unsigned char* begin = &text[0] + start if size > 0 else NULL
    cdef const unsigned char* reached
    cdef Labels labels = Labels()
    cdef Work work
    if start < 0 or size < 0 or not 0 <= n_columns < <int64_t> 1 << 31:
        raise ValueError("the start lies in the text, and columns are 31 bits")
    with nogil:
        n_lines = count(begin, size, c"\n") + 1
        n_features = min(count(begin, size, c":"), size // 4) + 1
    row_start = np.empty(n_lines + 1, np.int64)
    label = np.empty(n_lines, np.int32)
    column = np.empty(n_features, np.int32)
    value = np.empty(n_features, np.float64)
    cdef int64_t[::1] row_starts = row_start
    cdef int32_t[::1] label_numbers = label, columns = column
    cdef double[::1] values = value
    memset(&work, 0, sizeof(Work))
    work.row_start, work.label = &row_starts[0], &label_numbers[0]
    work.column, work.value = &columns[0], &values[0]
    work.first_index, work.n_columns = one_based, n_columns
    with nogil:
        reached = scan(&work, begin, begin + size, labels)
    if work.fault == OUT_OF_MEMORY:
        raise MemoryError
    fault = None
    if work.fault != SOUND:
        found = reached if work.found == NULL else work.found
        fault = work.fault, start + (reached - begin), start + (found - begin), work.index
    return (
        row_start[: work.n_rows + 1].copy(),
        column[: work.n_values].copy(),
        value[: work.n_values].copy(),
        label[: work.n_rows].copy(),
        list(labels.number),
        labels.lines,
        work.n_lines,
        fault,
    )
