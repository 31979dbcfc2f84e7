"""From dicts of features to sorted rows, at compiled speed.

Used by `engine` for one row at a time and by `streams.arrays` for lists of dicts. An
integer key is a column. A string key is a name: hashed into the columns, or given the
next free column of a vocabulary. The slow twin is `tests/reference/named_rows.py`.

Rows come out as every other row does: columns strictly increasing, no zeros. Two keys
that fall on one column (names that collide under the hash) are added up, or, for a
learner whose features are bounded, the stronger of the two is kept.
"""

cimport cython
from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.number cimport PyIndex_Check
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Check
from libc.math cimport NAN
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from itertools import islice

import numpy as np

from thresher.errors import (
    DimensionError, NameTableFullError, RowError, ThresherError, UnsoundBatchError,
)
from thresher.kernels.rows.entries cimport Entry, merge_entries, sort_entries
from thresher.kernels.rows.murmur3 cimport murmur3_32, murmur3_inline
from thresher.kernels.rows.name_slots cimport (
    MOST_BYTES, PyUnicode_DATA, PyUnicode_GET_LENGTH, bits_of, column_in, drop, fetch_record,
    fetch_slot, let_go, put, size_of,
)
from thresher.kernels.scanning.memory_hints cimport FETCH

# By address, as in `name_slots`.
cdef extern from "Python.h":
    ctypedef struct PyDictObject:
        void* ma_keys

    bint PyDict_Next(object of, Py_ssize_t* at, PyObject** key, PyObject** value) noexcept
    bint PyFloat_CheckExact(PyObject* one) noexcept
    double PyFloat_AS_DOUBLE(PyObject* number) noexcept
    bint PyLong_CheckExact(PyObject* one) noexcept
    bint PyBool_Check(PyObject* one) noexcept
    double PyLong_AsDouble(PyObject* number) noexcept
    bint PyUnicode_CheckExact(PyObject* one) noexcept
    bint PyUnicode_IS_COMPACT_ASCII(PyObject* text) noexcept
    const char* PyUnicode_AsUTF8AndSize(PyObject* text, Py_ssize_t* size) noexcept

# Without a stated n_features, one stray index must not take the machine's memory:
# this many weights are 1 GiB.
LARGEST_GROWN_INDEX = 134217727
cdef Py_ssize_t largest_grown_index = LARGEST_GROWN_INDEX
cdef int64_t UNKNOWN = -1

cdef enum:
    # What `gather_plain` answers to a row that needs `gather`.
    NOT_PLAIN = -1
    # Features whose memory is asked for at once: what a processor has under way is far fewer.
    AT_ONCE = 64


@cython.final
cdef class NameTable:
    """Where a feature's weight is: columns for names, by hash or by vocabulary.

    `n_features` is the number of columns, or None for as many as the stream needs. A vocabulary
    that keeps names `as_written` is for those who write them again: to them a backslash before
    a number is part of the name. Others may add names to a vocabulary; names go by `forget` alone.
    """

    def __init__(
        self,
        n_features,
        bint hashed,
        uint32_t seed=0,
        bint strongest=False,
        bint as_written=False,
    ):
        self.growing = n_features is None
        self.n_features = 0 if self.growing else n_features
        self.hashed = hashed
        self.seed = seed
        self.strongest = strongest
        self.as_written = as_written
        self.vocabulary = {}

    def __dealloc__(self):
        let_go(&self.slots)

    cdef bint in_slots(self) except -1:
        """Whether all names are in the slots; those that others added are taken over.

        No subclass of str is: that may be equal to what it likes.
        """
        cdef Py_ssize_t n = len(self.vocabulary)
        if self.slots.n < n and not self.odd:
            for name, column in islice(self.vocabulary.items(), self.slots.n, None):
                if not _is_plain(<PyObject*> name) or not 0 <= column < 2**32:
                    self.odd = True
                    break
                put(&self.slots, <PyObject*> name, column)
        return self.slots.n == n

    cdef Py_ssize_t take(self, object name) except -1:
        """Give a new name the next column."""
        cdef Py_ssize_t index = len(self.vocabulary)
        if not self.growing and index >= self.n_features:
            raise NameTableFullError(name, self.n_features)
        self.vocabulary[name] = index
        if self.slots.n == index and _is_plain(<PyObject*> name):
            put(&self.slots, <PyObject*> name, <uint32_t> index)
        return index

    cdef int64_t index_of(self, object key, bint add) except -2:
        """The column of a key; -1 for a name the vocabulary does not know (unless `add`)."""
        cdef Py_ssize_t size, index
        cdef const char* text
        if PyUnicode_Check(key):
            if self.hashed:
                text = PyUnicode_AsUTF8AndSize(<PyObject*> key, &size)
                if text == NULL:
                    PyErr_Clear()
                    raise UnsoundBatchError(
                        f"the feature name {key!r} has no UTF-8 form, so it cannot be hashed."
                    )
                return self.bucket(murmur3_32(<const unsigned char*> text, size, self.seed))
            known = self.vocabulary.get(key)
            if known is not None:
                return known
            return self.take(key) if add else UNKNOWN
        if PyLong_CheckExact(<PyObject*> key) or PyIndex_Check(key):
            try:
                index = key
            except OverflowError:
                raise UnsoundBatchError(f"feature index {key} is too large.") from None
            return index if index >= 0 else -3
        raise UnsoundBatchError(
            f"a feature is named by a string or numbered by an integer, found {key!r} "
            f"of type {type(key).__name__}."
        )

    cdef uint32_t bucket(self, uint32_t hashed) noexcept nogil:
        """hashed modulo n_features; a division only where a mask will not do."""
        if self.n_features & (self.n_features - 1) == 0:
            return hashed & <uint32_t> (self.n_features - 1)
        return hashed % <uint32_t> self.n_features

    def column_of(self, key):
        """The column of a name or number, or None where the vocabulary lacks the name."""
        cdef int64_t index = self.index_of(key, False)
        return None if index < 0 else index

    def forget(self, Py_ssize_t size):
        """Drop the names after the first `size`: a refused batch leaves no trace."""
        while len(self.vocabulary) > size:
            name, _ = self.vocabulary.popitem()
            if _is_plain(<PyObject*> name):
                drop(&self.slots, <PyObject*> name)
            self.odd = False
            self.n_forgotten += 1

    def __reduce__(self):
        arguments = (None if self.growing else self.n_features, self.hashed, self.seed)
        return _restored_table, (*arguments, self.strongest, self.vocabulary.copy())

    def __eq__(self, other):
        return isinstance(other, NameTable) and self.__reduce__() == other.__reduce__()

    __hash__ = None


def _restored_table(n_features, hashed, seed, strongest, vocabulary):
    table = NameTable(n_features, hashed, seed, strongest)
    table.vocabulary.update(vocabulary)
    return table


cdef inline bint _is_plain(PyObject* name) noexcept:
    """Whether a name may stand in the slots."""
    return PyUnicode_CheckExact(name) and size_of(name) <= MOST_BYTES


cdef inline void fetch_entries(dict features) noexcept:
    """Say that all entries of a dict will be gone through: one by one, each would be waited for."""
    cdef Py_ssize_t at
    # A byte or two of index for each of up to twice as many, and then 16 or 24 bytes.
    for at in range(0, min(64 + 20 * len(features), 4096), 64):
        FETCH(<const char*> (<PyDictObject*> features).ma_keys + at)


cdef inline double plain_number(PyObject* number) noexcept:
    """The value of a float, int or bool; not a number for whatever else it may be."""
    cdef double value = NAN
    if PyFloat_CheckExact(number):
        return PyFloat_AS_DOUBLE(number)
    if PyLong_CheckExact(number) or PyBool_Check(number):
        value = PyLong_AsDouble(number)
        if value == -1.0 and PyErr_Occurred() != NULL:
            PyErr_Clear()
            return NAN
    return value


cdef double _as_double(object number, Py_ssize_t row, object key) except? -1.0:
    try:
        return number
    except ThresherError:
        # Of a learner that the value asked.
        raise
    except (TypeError, ValueError, OverflowError):
        raise RowError(
            row, key, repr(number), "a feature value must be a number",
            "Encode a category as a name of its own: {'colour=red': 1}.",
        ) from None


@cython.final
cdef class PackedRow:
    """One row, sorted by column, in memory of its own."""

    def __dealloc__(self):
        PyMem_Free(self.scratch)

    cdef int fill(self, dict features, NameTable names, Py_ssize_t row, bint add) except -1:
        """Take the features of one dict; names new to a vocabulary are added or left out."""
        cdef Py_ssize_t known = len(names.vocabulary)
        cdef Py_ssize_t n, index, k
        if len(features) > self.room:
            self.room = 2 * len(features)
            # Twice the entries (one half is room to sort in), then columns and values.
            self.scratch = PyMem_Realloc(self.scratch, self.room * (2 * sizeof(Entry) + 12))
            if self.scratch == NULL:
                self.room = 0
                raise MemoryError
        try:
            n = self.gather_plain(features, names, add)
            if n == NOT_PLAIN:
                n = self.gather(features, names, row, add)
        except BaseException:
            names.forget(known)
            raise
        sort_entries(<Entry*> self.scratch, <Entry*> self.scratch + self.room, n)
        self.value = <double*> (<Entry*> self.scratch + 2 * self.room)
        self.column = <int32_t*> (self.value + self.room)
        self.n = merge_entries(
            <Entry*> self.scratch, n, names.strongest, self.column, self.value
        )
        if self.n < 0:
            index, self.n = -1 - self.n, 0
            names.forget(known)
            raise RowError(
                row, index, "names that share the column", "their values must add up to a "
                "finite number",
            )
        self.ones = True
        for k in range(self.n):
            self.ones &= self.value[k] == 1.0
        return 0

    cdef Py_ssize_t gather_plain(self, dict features, NameTable names, bint add) except -2:
        """What `gather` does with a row of str and finite numbers, which runs no foreign code.

        Most of what a row costs is to wait for strings: those of the row, and those of the
        vocabulary. So each step asks for the memory that the next one needs. `NOT_PLAIN`: let
        `gather` see, and say what is wrong; names added meanwhile have the columns it would give.
        """
        cdef Entry* entry = <Entry*> self.scratch
        cdef PyObject* key[AT_ONCE]
        cdef PyObject* number[AT_ONCE]
        cdef double[AT_ONCE] value
        cdef uint64_t[AT_ONCE] bits
        cdef int64_t column
        cdef uint32_t hashed
        cdef Py_ssize_t n = 0, place = 0, size, given = AT_ONCE, i
        cdef const char* text
        if not names.hashed and not names.in_slots():
            return NOT_PLAIN
        fetch_entries(features)
        while given == AT_ONCE:
            given = 0
            while given < AT_ONCE and PyDict_Next(features, &place, &key[given], &number[given]):
                FETCH(key[given])
                # A string's text may be in the next line of the cache.
                FETCH(<const char*> key[given] + 48)
                FETCH(number[given])
                given += 1
            for i in range(given):
                value[i] = plain_number(number[i])
                if value[i] - value[i] != 0.0 or not PyUnicode_CheckExact(key[i]):
                    return NOT_PLAIN
                if not names.hashed:
                    bits[i] = bits_of(key[i])
                    fetch_slot(&names.slots, bits[i])
            for i in range(given):
                if not names.hashed:
                    fetch_record(&names.slots, bits[i])
            for i in range(given):
                if names.hashed:
                    text, size = <const char*> PyUnicode_DATA(key[i]), PyUnicode_GET_LENGTH(key[i])
                    if not PyUnicode_IS_COMPACT_ASCII(key[i]):
                        text = PyUnicode_AsUTF8AndSize(key[i], &size)
                        if text == NULL:
                            PyErr_Clear()
                            return NOT_PLAIN
                    if size < 4:
                        hashed = murmur3_32(<const unsigned char*> text, size, names.seed)
                    else:
                        hashed = murmur3_inline(<const unsigned char*> text, size, names.seed)
                    column = names.bucket(hashed)
                else:
                    column = column_in(&names.slots, key[i], bits[i])
                    if column < 0:
                        if not add:
                            continue
                        column = names.take(<object> key[i])
                    if column > largest_grown_index if names.growing else (
                        column >= names.n_features
                    ):
                        return NOT_PLAIN
                if value[i] != 0.0:
                    entry[n].column = <uint32_t> column
                    entry[n].value = value[i]
                    n += 1
        return n

    cdef Py_ssize_t gather(
        self, dict features, NameTable names, Py_ssize_t row, bint add
    ) except -1:
        """Check every pair and write it down in the order of the dict."""
        cdef Entry* entry = <Entry*> self.scratch
        cdef Py_ssize_t n = 0
        cdef int64_t index
        cdef double value
        for key, number in features.items():
            value = _as_double(number, row, key)
            if value - value != 0.0:
                raise RowError(row, key, value, "feature values must be finite")
            index = names.index_of(key, add)
            if index < UNKNOWN:
                raise RowError(row, key, key, "feature indices must not be negative")
            if index == UNKNOWN or value == 0.0:
                continue
            if index >= names.n_features and not names.growing:
                raise DimensionError(row, index, names.n_features)
            if index > largest_grown_index and names.growing:
                raise RowError(
                    row, key, index,
                    f"without a stated n_features the largest index is {LARGEST_GROWN_INDEX}",
                    "Give n_features to allow more.",
                )
            entry[n].column = <uint32_t> index
            entry[n].value = value
            n += 1
        return n


def pack(rows, NameTable names, bint add):
    """Compressed arrays (row_start, column, value) of an iterable of dicts."""
    cdef PackedRow packed = PackedRow()
    cdef Py_ssize_t known = len(names.vocabulary)
    cdef Py_ssize_t used = 0, t = 0, k, room = 1024
    cdef list listed = rows if type(rows) is list else []
    room += sum([len(row) for row in listed if type(row) is dict])
    columns, values = np.empty(room, np.int32), np.empty(room)
    cdef int32_t[::1] column = columns
    cdef double[::1] value = values
    starts = [0]
    try:
        for features in rows:
            # The next dict arrives while this one is packed.
            if t + 1 < len(listed) and type(listed[t + 1]) is dict:
                fetch_entries(<dict> listed[t + 1])
            if type(features) is not dict:  # but a Counter, say
                features = _as_dict(features, t)
            packed.fill(features, names, t, add)
            if used + packed.n > column.shape[0]:
                columns = np.concatenate((columns, np.empty(used + packed.n, np.int32)))
                values = np.concatenate((values, np.empty(used + packed.n, np.float64)))
                column, value = columns, values
            for k in range(packed.n):
                column[used + k] = packed.column[k]
                value[used + k] = packed.value[k]
            used += packed.n
            starts.append(used)
            t += 1
    except BaseException:
        names.forget(known)
        raise
    return np.array(starts, np.int64), columns[:used].copy(), values[:used].copy()


def _as_dict(features, row):
    try:
        return dict(features)
    except (TypeError, ValueError):
        raise UnsoundBatchError(
            f"row {row}: a row is a dict from feature to value, found {type(features).__name__}."
        ) from None
