"""One pass over the arrays of a batch: are the rows sound, and what do they hold?

Used by `streams.rows` and by the reader of binary files, which turn the findings into errors
with a row, a column and a value. The same questions answered in plain Python, and the authority
on what this should say, are in `tests/reference/check_rows.py`.

Contract: `row_start` has been checked by the caller (starts at 0, never decreases, ends
at the number of values), except for `inspect_frame`, which checks it. No Python object is
touched inside `nogil`.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from threading import Thread

import numpy as np

# A value of modest size: 2^32 of them still sum exactly in a double.
cdef double LARGEST_INTEGRAL = 1048576.0

cdef struct Findings:
    int64_t unsound           # position of the first value that is not finite, or -1
    int64_t zeros
    int64_t ones
    bint integral
    double lowest
    double highest


# Values are first asked whether they are all ones, a block at a time.
cdef Py_ssize_t BLOCK = 4096


# From so many values on two threads read them: the pass waits for memory. The one that reads the
# columns has time for three values of eight: with a third of 15 million the pass took 6.0 ms, with
# none 8.8. Where both cores together get no more memory than one alone, nothing is gained.
cdef Py_ssize_t SHARED = 1048576


def inspect(const int64_t[::1] row_start, const int32_t[::1] column, const double[::1] value):
    """Return (first unsound row or -1, largest index or -1, zeros, integral, lowest, highest).

    A row is unsound when its indices do not increase strictly from 0 on or a value is not
    finite. `integral` says that every value is a whole number of modest size; `lowest` and
    `highest` are over the stored values (0 when there are none).
    """
    cdef Py_ssize_t n = value.shape[0], cut = n - 3 * n // 8
    found = []
    if n < SHARED:
        inspect_share(row_start, column, value, found)
        row, largest, (unsound, zeros, integral, lowest, highest) = found
    else:
        other = Thread(target=inspect_share, args=(row_start, column, value[cut:], found))
        other.start()
        unsound, zeros, integral, lowest, highest = inspect_values(value[:cut])
        other.join()
        row, largest, (later, more, integral_too, lowest_too, highest_too) = found
        if unsound < 0 <= later:
            unsound = cut + later
        zeros, integral = zeros + more, integral and integral_too
        lowest, highest = min(lowest, lowest_too), max(highest, highest_too)
    if unsound >= 0:
        value_row = int(np.searchsorted(row_start, unsound, side="right")) - 1
        row = value_row if row < 0 else min(row, value_row)
    return row, largest, zeros, integral, lowest, highest


def inspect_share(
    const int64_t[::1] row_start, const int32_t[::1] column, const double[::1] value, found
):
    """Append to `found` what `inspect_columns` and `inspect_values` say."""
    inspect_columns(row_start, column, found)
    found.append(inspect_values(value))


def inspect_columns(const int64_t[::1] row_start, const int32_t[::1] column, order):
    """Append to `order` the first row out of order (or -1) and the largest index (or -1)."""
    cdef Py_ssize_t row = -1, n_rows = row_start.shape[0] - 1
    cdef int32_t largest = -1
    if column.shape[0]:
        with nogil:
            row = first_disorder(&row_start[0], n_rows, &column[0], &largest)
    order += [row, largest]


def inspect_frame(
    const int64_t[::1] row_start,
    const int32_t[::1] column,
    const int32_t[::1] label,
    Py_ssize_t n_labels,
):
    """Return (first row at fault or -1, largest index or -1) of rows as they lie in a file.

    The second is for rows without a fault. Nothing is known of them, not even that a row ends
    where there are still values. Columns must increase from 0 on, and labels be numbers below
    `n_labels`, or -1 for none. Where values are left over behind the last row, the row behind it
    is at fault.
    """
    cdef Py_ssize_t row, n_rows = label.shape[0]
    cdef int32_t largest = -1
    if row_start.shape[0] != n_rows + 1:
        raise ValueError(f"{n_rows} rows have {n_rows + 1} starts, found {row_start.shape[0]}.")
    cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
    cdef const int32_t* labels = &label[0] if n_rows else NULL
    with nogil:
        row = first_fault(
            &row_start[0], columns, column.shape[0], labels, n_rows, n_labels, &largest
        )
    return row, largest


def inspect_values(const double[::1] value):
    """Return (place of the first value that is not finite or -1, zeros, integral, range)."""
    cdef Findings found
    found.unsound = -1
    found.zeros = found.ones = 0
    found.integral = True
    found.lowest = INFINITY
    found.highest = -INFINITY
    if value.shape[0]:
        with nogil:
            look_at_values(&value[0], value.shape[0], &found)
    if found.ones:
        found.lowest = min(found.lowest, 1.0)
        found.highest = max(found.highest, 1.0)
    if found.lowest > found.highest:
        found.lowest = found.highest = 0.0
    return found.unsound, found.zeros, found.integral, found.lowest, found.highest


cdef Py_ssize_t first_fault(
    const int64_t* row_start,
    const int32_t* column,
    int64_t n_values,
    const int32_t* label,
    Py_ssize_t n_rows,
    Py_ssize_t n_labels,
    int32_t* largest,
) noexcept nogil:
    """The first row at fault, or -1; the largest index, if all are sound."""
    cdef Py_ssize_t t, row, sound = n_rows
    if row_start[0] != 0:
        return 0
    # Only rows that end within the columns there are may be looked into.
    for t in range(n_rows):
        if not row_start[t] <= row_start[t + 1] <= n_values:
            sound = t
            break
    row = first_disorder(row_start, sound, column, largest)
    if row < 0:
        row = sound
    for t in range(row):
        if not -1 <= label[t] < n_labels:
            return t
    return -1 if row == n_rows and row_start[n_rows] == n_values else row


cdef Py_ssize_t first_disorder(
    const int64_t* row_start, Py_ssize_t n_rows, const int32_t* column, int32_t* largest
) noexcept nogil:
    """The first row whose indices do not increase from 0 on, or -1; the largest index so far."""
    cdef Py_ssize_t t, k
    cdef int32_t falls
    for t in range(n_rows):
        if row_start[t] == row_start[t + 1]:
            continue
        falls = column[row_start[t]] < 0
        for k in range(row_start[t] + 1, row_start[t + 1]):
            falls |= column[k] <= column[k - 1]
        if falls:
            return t
        if column[row_start[t + 1] - 1] > largest[0]:
            largest[0] = column[row_start[t + 1] - 1]
    return -1


cdef void look_at_values(const double* value, Py_ssize_t n, Findings* found) noexcept nogil:
    """What the values are; stops at the first that is not finite."""
    cdef Py_ssize_t start, stop = 0, k
    cdef int64_t ones
    cdef double v
    while stop < n:
        start, stop = stop, min(stop + BLOCK, n)
        ones = 0
        for k in range(start, stop):
            ones += value[k] == 1.0
        found.ones += ones
        if ones == stop - start:
            continue
        for k in range(start, stop):
            v = value[k]
            if v - v != 0.0:
                found.unsound = k
                return
            found.zeros += v == 0.0
            found.lowest = v if v < found.lowest else found.lowest
            found.highest = v if v > found.highest else found.highest
            if found.integral:
                found.integral = (
                    -LARGEST_INTEGRAL <= v <= LARGEST_INTEGRAL and v == <double> <int64_t> v
                )
