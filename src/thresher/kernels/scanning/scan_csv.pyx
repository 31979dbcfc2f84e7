"""Rows from the records of a table in text: separated values, quoted as RFC 4180 says.

Used by `streams.formats.csv_table`. The slow twin is `tests/reference/scan_csv.py`.

A record ends at a line end (`\\n` or `\\r\\n`) outside quotes; a line with nothing in it is no
record. A field that begins with a quote ends at the next single one, and two of them stand for
one; blanks around any other field do not count. The first fault of a record is reported, and
the record is then read to its end, so that the next one begins where it should.
"""

cimport cython
from libc.math cimport isinf
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from thresher.errors import NameTableFullError
from thresher.kernels.scanning.csv_fields cimport (
    Field, Scratch, let_go, name_for, no_scratch, read_field,
)
from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, OUTSIDE, Lexicon, as_column
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.number cimport parse_number
from thresher.kernels.scanning.row_sink cimport (
    OUT_OF_MEMORY, OVERFLOW, REFUSED, Fault, Row, RowSink,
)
from thresher.kernels.scanning.lines cimport is_plain, not_text

# What a column is to the reader.
IGNORED, NUMERIC, CATEGORICAL, LABEL = range(4)
cdef enum:
    _NUMERIC = 1
    _CATEGORICAL = 2
    _LABEL = 3

# What can be wrong with a record.
NOT_TEXT, FIELD_COUNT, NOT_A_NUMBER, NOT_FINITE, AFTER_QUOTE = range(1, 6)
UNCLOSED, WRONG_INDEX, SUM = range(6, 9)
cdef enum:
    _NOT_TEXT = 1
    _FIELD_COUNT = 2
    _NOT_A_NUMBER = 3
    _NOT_FINITE = 4
    _WRONG_INDEX = 7
    _SUM = 8
    # Not the fault of a record: the scan ends.
    _FULL = 9
    _MEMORY = 10

cdef bint is_missing(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a field that should be a number says that there is none."""
    if size == 0:
        return True
    if size == 1:
        return text[0] == c"?"
    if size == 2:
        return memcmp(text, b"NA", 2) == 0
    if size == 3:
        return memcmp(text, b"NaN", 3) == 0 or memcmp(text, b"nan", 3) == 0 \
            or memcmp(text, b"N/A", 3) == 0
    if size == 4:
        return memcmp(text, b"null", 4) == 0 or memcmp(text, b"NULL", 4) == 0
    return False


cdef struct Column:
    int kind
    const unsigned char* name
    Py_ssize_t size
    # The column of a numeric one's values; -1: ask the lexicon.
    int64_t place
    # Which sides of pairs it is on.
    uint32_t sides


@cython.final
cdef class Table:
    """What the columns of a table are: `kinds` and `names` in the order of the file.

    A lexicon that hashes is asked once for the columns of numbers.
    """

    cdef Column* column
    cdef readonly Py_ssize_t n_columns
    cdef unsigned char separator
    cdef list names
    cdef Lexicon lexicon

    def __init__(self, list kinds, list names, bytes separator, Lexicon lexicon not None):
        cdef Py_ssize_t k
        cdef bytes name
        self.n_columns = len(kinds)
        self.separator = separator[0]
        self.lexicon = lexicon
        # A category is named column=value.
        self.names = [
            name + b"=" if kind == _CATEGORICAL else name
            for kind, name in zip(kinds, names, strict=True)
        ]
        self.column = <Column*> malloc(max(1, self.n_columns) * sizeof(Column))
        if self.column == NULL:
            raise MemoryError
        for k in range(self.n_columns):
            name = self.names[k]
            self.column[k].kind = kinds[k]
            self.column[k].name = name
            self.column[k].size = len(name)
            self.column[k].place = -1
            self.column[k].sides = lexicon.sides(name, len(name))
            if kinds[k] == _NUMERIC and lexicon.hashed:
                # A column named by too large a number makes bad lines, where it has values.
                self.column[k].place = lexicon.column(name, len(name))

    def __dealloc__(self):
        free(self.column)

    def scan(self, bytes block not None, int64_t first_line):
        """The rows and faults of a block of whole records, in a `RowSink`, and the labels."""
        cdef RowSink sink = RowSink(block)
        cdef Scratch scratch = no_scratch()
        cdef const unsigned char* text = block
        cdef Py_ssize_t size = len(block)
        cdef int failed
        self.lexicon.begin()
        try:
            with nogil:
                failed = self.scan_records(text, size, first_line, &scratch, sink)
            if failed == FULL:
                name = scratch.refused[: scratch.refused_size].decode("utf-8", "backslashreplace")
                raise NameTableFullError(name, self.lexicon.n_features)
            if failed:
                raise MemoryError
            self.lexicon.publish()
            # Now, while the memory of unquoted ones is there.
            return sink, sink.label_names()
        finally:
            let_go(&scratch)

    def count_names(
        self,
        bytes block not None,
        const int64_t[::1] start,
        const int64_t[::1] stop,
        NameCounts counts not None,
    ):
        """Count the names of some sound records; a number that is a column is not a name."""
        cdef Scratch scratch = no_scratch()
        cdef const unsigned char* text = block
        cdef Py_ssize_t t
        cdef int failed = 0
        try:
            with nogil:
                for t in range(start.shape[0]):
                    counts.begin_row()
                    failed = self.count_record(text, start[t], stop[t], &scratch, counts)
                    if failed:
                        break
            if failed:
                raise MemoryError
        finally:
            let_go(&scratch)

    cdef int count_record(
        self, const unsigned char* block, Py_ssize_t at, Py_ssize_t stop, Scratch* scratch,
        NameCounts counts
    ) noexcept nogil:
        """Count the names of a record; not 0: out of memory."""
        cdef Field field
        cdef Column* column
        cdef Py_ssize_t k, mark
        cdef double value
        cdef unsigned char* name
        for k in range(self.n_columns):
            read_field(block, stop, at, self.separator, scratch, &field)
            column = &self.column[k]
            if column.kind == _NUMERIC and not is_missing(field.text, field.size):
                parse_number(field.text, field.text + field.size, &value)
                if value != 0.0:
                    mark = self.lexicon.mark(column.name, column.size)
                    if counts.take_part(column.name, column.size) < 0:
                        return 1
                    if as_column(column.name, column.size) < 0 and (
                        counts.count_alone(column.name + mark, column.size - mark) < 0
                    ):
                        return 1
            elif column.kind == _CATEGORICAL and field.size:
                name = named(scratch, column, &field)
                if name == NULL or counts.count(name, column.size + field.size) < 0:
                    return 1
            at = field.after
            if field.last:
                break
        return 0

    cdef int scan_records(
        self, const unsigned char* block, Py_ssize_t size, int64_t first_line, Scratch* scratch,
        RowSink sink
    ) noexcept nogil:
        cdef Py_ssize_t start = 0
        cdef int64_t line = first_line
        while start < size:
            if block[start] == c"\n" or (
                block[start] == c"\r" and start + 1 < size and block[start + 1] == c"\n"
            ):
                start += 1 if block[start] == c"\n" else 2
                line += 1
                continue
            start = self.scan_record(block, size, start, &line, scratch, sink)
            if start < 0:
                return <int> start
        sink.n_lines = line - first_line
        return 0

    cdef Py_ssize_t scan_record(
        self, const unsigned char* block, Py_ssize_t size, Py_ssize_t start, int64_t* line,
        Scratch* scratch, RowSink sink
    ) noexcept nogil:
        """One record; where the next one begins, or `OUT_OF_MEMORY` or `FULL`."""
        cdef Row row
        cdef Fault fault
        cdef Field field
        cdef Py_ssize_t n_fields = 0, n = 0, at = start, known = self.lexicon.known.n
        cdef const unsigned char* label = NULL
        cdef Py_ssize_t label_size = 0
        cdef Entry* entry = sink.room_for(self.n_columns)
        cdef int found
        if entry == NULL:
            return -1
        row.line = fault.line = line[0]
        row.start = fault.start = start
        row.importance = 1.0
        row.label = -1
        row.values = 0
        fault.code = 0
        while True:
            read_field(block, size, at, self.separator, scratch, &field)
            if field.fault:
                found = field.fault
            elif n_fields >= self.n_columns:
                found = 0
            else:
                found = self.take(&self.column[n_fields], &field, scratch, entry, &n)
                if self.column[n_fields].kind == _LABEL:
                    label, label_size = field.text, field.size
            if found and fault.code == 0:
                fault.code = found
                fault.found, fault.found_stop = field.start, field.stop
            n_fields += 1
            at = field.after
            if field.last:
                break
        row.stop = fault.stop = end_of_record(block, at - 1, start)
        line[0] += newlines(block, start, min(at, size))
        if size < at:
            # No line end after the last record.
            line[0] += 1
        if fault.code == 0:
            self.check(block, &row, n_fields, &fault)
        if fault.code == 0:
            found = sink.end_row(n, row, self.lexicon)
            if found == OUT_OF_MEMORY:
                return -1
            if found == FULL:
                scratch.refused, scratch.refused_size = sink.name, sink.name_size
                return FULL
            if found == REFUSED:
                self.lexicon.known.forget(known)
                return at
            if found == OVERFLOW:
                fault.code = _SUM
                fault.found, fault.found_stop = row.start, row.stop
            elif label_size and sink.set_label(label, label_size):
                return OUT_OF_MEMORY
        if fault.code == _MEMORY:
            return OUT_OF_MEMORY
        if fault.code == _FULL:
            return FULL
        if fault.code:
            if not self.lexicon.hashed:
                self.lexicon.known.forget(known)
            if sink.add_fault(fault):
                return -1
        return at

    cdef void check(
        self, const unsigned char* block, Row* row, Py_ssize_t n_fields, Fault* fault
    ) noexcept nogil:
        """What can be wrong with a record as a whole."""
        cdef Py_ssize_t odd
        if n_fields != self.n_columns:
            fault.code = _FIELD_COUNT
            # No place in the block: the number itself.
            fault.found = fault.found_stop = n_fields
        elif not is_plain(block + row.start, row.stop - row.start):
            odd = not_text(block + row.start, row.stop - row.start)
            if odd >= 0:
                fault.code = _NOT_TEXT
                fault.found, fault.found_stop = row.start + odd, row.start + odd + 1

    cdef int take(
        self, Column* column, Field* field, Scratch* scratch, Entry* entry, Py_ssize_t* n
    ) noexcept nogil:
        """The feature of one field, if it has one; not 0: what is wrong with it."""
        cdef double value = 1.0
        cdef int64_t place = column.place
        cdef uint32_t sides = column.sides
        cdef const unsigned char* stop
        cdef unsigned char* name
        if column.kind == _NUMERIC:
            if is_missing(field.text, field.size):
                return 0
            stop = parse_number(field.text, field.text + field.size, &value)
            if stop != field.text + field.size:
                return _NOT_A_NUMBER
            if isinf(value):
                return _NOT_FINITE
            if place < 0:
                place = self.lexicon.column(column.name, column.size)
                scratch.refused, scratch.refused_size = column.name, column.size
        elif column.kind == _CATEGORICAL:
            if field.size == 0:
                return 0
            name = named(scratch, column, field)
            if name == NULL:
                return _MEMORY
            place = self.lexicon.column(name, column.size + field.size)
            sides = self.lexicon.sides(name, column.size + field.size)
            scratch.refused, scratch.refused_size = name, column.size + field.size
        else:
            return 0
        if place >= 0:
            if value == 0.0:
                return 0
            entry[n[0]].column = <uint32_t> place
            entry[n[0]].value = value
            entry[n[0]].sides = sides
            n[0] += 1
            return 0
        if place == FULL:
            return _FULL
        if place == NO_MEMORY:
            return _MEMORY
        # An unknown name of a closed vocabulary weighs nothing.
        return _WRONG_INDEX if place == OUTSIDE else 0


cdef inline unsigned char* named(
    Scratch* scratch, const Column* column, const Field* field
) noexcept nogil:
    """The name `column=value` of a category; NULL: out of memory."""
    cdef unsigned char* name = name_for(scratch, column.size + field.size)
    if name != NULL:
        memcpy(name, column.name, column.size)
        memcpy(name + column.size, field.text, field.size)
    return name


cdef inline Py_ssize_t end_of_record(
    const unsigned char* block, Py_ssize_t stop, Py_ssize_t start
) noexcept nogil:
    """Where a record ends whose line end is at `stop`, without the first half of a CRLF."""
    return stop - 1 if stop > start and block[stop - 1] == c"\r" else stop


cdef inline int64_t newlines(
    const unsigned char* block, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    cdef int64_t n = 0
    cdef Py_ssize_t k
    for k in range(start, stop):
        n += block[k] == c"\n"
    return n
