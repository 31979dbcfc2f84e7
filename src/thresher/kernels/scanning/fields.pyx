"""From objects with named fields to sparse rows, at compiled speed.

Used by the reader of JSON lines. The slow twin is `tests/reference/fields.py`.

    number            a feature named as the field, with that value; 0 is dropped
    string            the feature `field=string` with value 1; an empty one is dropped
    true              the feature `field` with value 1
    false, null       nothing
    list of strings   the feature `field=string` for each of them
    object            its fields, each named `field.inner`

A name that is a decimal number without leading zeros is the column it names, unless names
are kept in a vocabulary. An object that breaks a rule has no row: it is listed with the place
of the fault, what was found there and what was expected.
"""

cimport cython
from cpython.bool cimport PyBool_Check
from cpython.float cimport PyFloat_CheckExact
from cpython.list cimport PyList_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.unicode cimport PyUnicode_CheckExact
from libc.stdint cimport int32_t, int64_t, uint32_t

from thresher.errors import NameTableFullError
from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, OUTSIDE, Lexicon, as_column
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, OVERFLOW, Row, RowSink

from thresher.kernels.scanning import row_sink

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


class _Fault(Exception):
    """An object that has no row: where in it, what was found, what was expected.

    If it is an index without a column, `OUTSIDE` is the last argument.
    """


@cython.final
cdef class Fields:
    """Objects as rows, with columns from a lexicon."""

    cdef Lexicon lexicon
    cdef RowSink sink
    # Where names are counted, instead of making rows.
    cdef NameCounts counts
    cdef Py_ssize_t n

    def __init__(self, Lexicon lexicon not None):
        self.lexicon = lexicon

    def pack(self, list objects):
        """Pack one dict, or list of names, after another.

        Returns row_start, column and value of the rows of the good ones, and a list of faults:
        (place in `objects`, where in the object, what was found, what was expected).
        """
        cdef Py_ssize_t t, known
        cdef Row row
        cdef int kept
        cdef Lexicon lexicon = self.lexicon
        row.line = row.start = row.stop = row.values = row.label = 0
        row.importance = 1.0
        self.sink = RowSink(b"")
        faults = []
        lexicon.begin()
        for t in range(len(objects)):
            known = lexicon.known.n
            self.n = 0
            try:
                self.take_all("", objects[t], "$")
                kept = self.sink.end_row(self.n, row, lexicon)
                if kept == OUT_OF_MEMORY:
                    raise MemoryError
                if kept == OVERFLOW:
                    raise _Fault("$", "features of one column that add up to more than 1.8e308",
                                 "finite sums")
                if kept == FULL:
                    name = self.sink.pair_without_room.decode("utf-8")
                    raise NameTableFullError(name, lexicon.n_features)
                if kept:
                    code, found = self.sink.faults()[-1, 3:5].tolist()
                    raise _Fault("$", *row_sink.words_for(code, found))
            except _Fault as fault:
                lexicon.known.forget(known)
                faults.append((t, *fault.args))
        lexicon.publish()
        return (*self.sink.arrays()[:3], faults)

    def count_names(self, list objects, NameCounts counts not None):
        """Count the names of sound objects; a number that is a column is not a name."""
        self.counts = counts
        for found in objects:
            counts.begin_row()
            self.take_all("", found, "$")

    cdef int take_all(self, str prefix, object fields, str where) except -1:
        """Every field of an object, or every name in a list of names."""
        if PyList_CheckExact(fields):
            for k, item in enumerate(<list> fields):
                if not PyUnicode_CheckExact(item):
                    raise _Fault(f"{where}[{k}]", _shown(item), "the name of a feature")
                self.take(prefix + item, 1.0, where)
            return 0
        for key, content in (<dict> fields).items():
            self.take_field(prefix + key if prefix else key, content, where, key)
        return 0

    cdef int take_field(self, str name, object content, str where, str key) except -1:
        if PyFloat_CheckExact(content):
            self.take(name, content, where)
        elif PyBool_Check(content):
            if content:
                self.take(name, 1.0, where)
        elif PyLong_CheckExact(content):
            try:
                self.take(name, content, where)
            except OverflowError:
                raise _Fault(
                    f"{where}.{key}", "a whole number of more than 308 digits", "a finite number"
                ) from None
        elif PyUnicode_CheckExact(content):
            if content:
                self.take(f"{name}={content}", 1.0, where)
        elif content is None:
            pass
        elif PyList_CheckExact(content):
            for k, item in enumerate(<list> content):
                if not PyUnicode_CheckExact(item):
                    raise _Fault(f"{where}.{key}[{k}]", _shown(item), "a string")
                if item:
                    self.take(f"{name}={item}", 1.0, where)
        else:
            self.take_all(name + ".", content, f"{where}.{key}")
        return 0

    cdef int take(self, str name, double value, str where) except -1:
        """One feature, unless its value is 0 or the vocabulary is closed and lacks its name."""
        cdef Py_ssize_t size, mark
        cdef const unsigned char* text
        cdef Entry* entry
        cdef int64_t column
        if value - value != 0.0:
            raise _Fault(f"{where}.{name}", f"{value}", "a finite number")
        try:
            text = <const unsigned char*> PyUnicode_AsUTF8AndSize(name, &size)
        except UnicodeEncodeError:
            raise _Fault(where, f"the name {name!r}", "a name that has a UTF-8 form") from None
        if self.counts is not None:
            mark = self.lexicon.mark(text, size)
            if value != 0.0:
                if self.counts.take_part(text, size) < 0:
                    raise MemoryError
                if as_column(text, size) < 0 and (
                    self.counts.count_alone(text + mark, size - mark) < 0
                ):
                    raise MemoryError
            return 0
        column = self.lexicon.column(text, size)
        if column < 0:
            return self.refuse(column, name, where)
        if value == 0.0:
            return 0
        entry = self.sink.room_for(self.n + 1)
        if entry == NULL:
            raise MemoryError
        entry[self.n].column = <uint32_t> column
        entry[self.n].value = value
        entry[self.n].sides = self.lexicon.sides(text, size)
        self.n += 1
        return 0

    cdef int refuse(self, int64_t why, str name, str where) except -1:
        """A name without a column: one that is unknown weighs nothing, otherwise an error."""
        if why == FULL:
            raise NameTableFullError(name, self.lexicon.n_features)
        if why == NO_MEMORY:
            raise MemoryError
        if why == OUTSIDE:
            raise _Fault(
                f"{where}.{name}", f"index {name}", f"an index below {self.lexicon.n_features}",
                OUTSIDE,
            )
        return 0


def _shown(item):
    text = repr(item)
    return text if len(text) <= 40 else text[:37] + "..."


def pack_entries(
    const int64_t[::1] start, const int32_t[::1] place, const double[::1] value, Lexicon lexicon
):
    """Rows whose entries stand in any order, sorted and merged: (row_start, column, value).

    Entry k of row t is one of `start[t]` to before `start[t + 1]`; a negative place or a value
    of 0 is none. None instead of rows if a value, or a sum, is not finite.
    """
    cdef Py_ssize_t t, k, n, n_rows = start.shape[0] - 1
    cdef Row row
    cdef Entry* entry
    cdef int kept = 0
    cdef RowSink sink = RowSink(b"")
    row.line = row.start = row.stop = row.values = row.label = 0
    row.importance = 1.0
    with nogil:
        for t in range(n_rows):
            entry = sink.room_for(start[t + 1] - start[t])
            if entry == NULL and start[t + 1] > start[t]:
                kept = OUT_OF_MEMORY
                break
            n = 0
            for k in range(start[t], start[t + 1]):
                if value[k] - value[k] != 0.0:
                    kept = OVERFLOW
                elif place[k] >= 0 and value[k] != 0.0:
                    entry[n].column = <uint32_t> place[k]
                    entry[n].value = value[k]
                    n += 1
            kept = kept if kept else sink.end_row(n, row, lexicon)
            if kept:
                break
    if kept == OUT_OF_MEMORY:
        raise MemoryError
    return None if kept else sink.arrays()[:3]
