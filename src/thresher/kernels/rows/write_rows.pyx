"""Sparse rows as text, `head index:value index:value ...`, at compiled speed.

Used by the writers of svmlight, Vowpal Wabbit and JSON lines, which differ only in the marks
around the numbers. The slow twin is `tests/reference/write_rows.py`.

A value is written so that it reads back to the same bits: a whole number as such, a number
with up to eight decimals with those, any other with the shortest digits that do (Python's
`repr`).
"""

from cpython.mem cimport PyMem_Free
from libc.math cimport fabs, rint
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, strlen

cdef extern from "Python.h":
    char* PyOS_double_to_string(double value, char code, int precision, int flags, int* kind) \
        except NULL

# The longest: -2.2250738585072014e-308.
cdef Py_ssize_t VALUE_ROOM = 25
cdef Py_ssize_t INDEX_ROOM = 11
cdef double LARGEST_WHOLE = 1e15
cdef int MOST_DECIMALS = 8


cdef inline char* put(char* out, const char* text, Py_ssize_t size) noexcept nogil:
    memcpy(out, text, size)
    return out + size


cdef inline char* put_whole(char* out, uint64_t number) noexcept nogil:
    """The digits of a whole number."""
    cdef char[20] digits
    cdef int n = 20
    while True:
        n -= 1
        digits[n] = <char> (48 + number % 10)
        number //= 10
        if number == 0:
            break
    return put(out, &digits[n], 20 - n)


cdef char* put_short(char* out, double value) noexcept nogil:
    """A whole number or one with few decimals; NULL for any other."""
    cdef double size = fabs(value), scale = 1.0, scaled
    cdef uint64_t number, fraction
    cdef uint64_t unit = 1
    cdef int decimals, k
    for decimals in range(MOST_DECIMALS + 1):
        # Below 1e15 the product is off by less than a half, so that if any number with so many
        # decimals reads back to the value, it is this one.
        scaled = rint(size * scale)
        if scaled >= LARGEST_WHOLE:
            return NULL
        if scaled / scale == size:
            if value < 0.0:
                out[0] = 45
                out += 1
            number = <uint64_t> scaled
            out = put_whole(out, number // unit)
            if decimals == 0:
                return out
            out[0] = 46
            fraction = number % unit
            for k in range(decimals):
                out[decimals - k] = <char> (48 + fraction % 10)
                fraction //= 10
            return out + decimals + 1
        scale *= 10.0
        unit *= 10
    return NULL


cdef char* put_exact(char* out, double value) except NULL with gil:
    """The shortest digits that read back to the value."""
    cdef char* text = PyOS_double_to_string(value, 114, 0, 0, NULL)
    out = put(out, text, strlen(text))
    PyMem_Free(text)
    return out


def write_rows(
    rows, Py_ssize_t first, const int32_t[::1] head_of_row, list heads, tuple marks,
    bytearray buffer
):
    """Write the rows from `first` on that fit into the buffer: (row after the last, bytes used).

    `rows` is (row_start, column, value); `heads[head_of_row[t]]` begins the line of row t; the
    marks stand before the first feature of a row, before the others, inside one, and after all.
    Where not even one row fits, the second number is minus the bytes it may need.
    """
    cdef const int64_t[::1] row_start = rows[0]
    cdef const int32_t[::1] column = rows[1]
    cdef const double[::1] value = rows[2]
    cdef Py_ssize_t n_rows = row_start.shape[0] - 1, t = first, k, need = 0
    cdef Py_ssize_t room = len(buffer)
    cdef bytes first_mark = marks[0], before_mark = marks[1]
    cdef bytes between_mark = marks[2], tail_mark = marks[3]
    cdef const char* at_first = first_mark
    cdef const char* before = before_mark
    cdef const char* between = between_mark
    cdef const char* tail = tail_mark
    cdef Py_ssize_t n_first = len(first_mark), n_before = len(before_mark)
    cdef Py_ssize_t n_between = len(between_mark), n_tail = len(tail_mark)
    cdef Py_ssize_t entry = max(n_first, n_before) + INDEX_ROOM + n_between + VALUE_ROOM
    cdef char* start = buffer
    cdef char* out = start
    cdef char* after
    cdef bytes head
    while t < n_rows:
        head = heads[head_of_row[t]]
        need = len(head) + (row_start[t + 1] - row_start[t]) * entry + n_tail
        if out - start + need > room:
            break
        out = put(out, head, len(head))
        with nogil:
            for k in range(row_start[t], row_start[t + 1]):
                if k == row_start[t]:
                    out = put(out, at_first, n_first)
                else:
                    out = put(out, before, n_before)
                out = put_whole(out, column[k])
                out = put(out, between, n_between)
                if value[k] == 1.0:
                    out[0] = 49
                    out += 1
                    continue
                after = put_short(out, value[k])
                out = after if after != NULL else put_exact(out, value[k])
            out = put(out, tail, n_tail)
        t += 1
    if t == first and t < n_rows:
        return t, -need
    return t, out - start
