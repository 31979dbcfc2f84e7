"""Vowpal Wabbit text to rows, without the GIL.

    [label] [importance [initial]] ['tag]|namespace[:weight] [name][:value] ... |namespace ...

Used by `streams.formats.vw_text`, which has the messages for the faults numbered here and says what
of the format is supported. The slow twin is `tests/reference/scan_vw.py`.
"""

cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, memcpy

from thresher.kernels.scanning.eight_bytes cimport load_eight, trailing_zeros
from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, OUTSIDE, Lexicon, as_column
from thresher.kernels.scanning.line_scanner cimport LineScanner
from thresher.kernels.scanning.lines cimport Line
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.number cimport parse_number
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, OVERFLOW, Row

cdef enum:
    NO_BAR = 1
    OTHER_LABEL
    IMPORTANCE
    INITIAL
    TOO_MUCH
    NAMESPACE
    LONG_NAMESPACE
    VALUE
    COLUMN
    SUM

# Every name is hashed with its namespace before it, so that a long one would cost its length
# times the length of the line.
LONGEST_NAMESPACE = 256
cdef Py_ssize_t longest_namespace = LONGEST_NAMESPACE

# What ends a name: 1 white space (all bytes up to the space), 2 a colon, 3 a bar.
cdef unsigned char[256] ends
ends[:] = [0] * 256
ends[:33] = [1] * 33
ends[58] = 2
ends[124] = 3


cdef inline uint64_t name_ends(uint64_t word) noexcept nogil:
    """The highest bit of each of eight bytes that ends a name; the lowest such bit is right.

    (Subtracting borrows from the byte above a hit, which may then be marked without being one.)
    """
    cdef uint64_t colon = word ^ <uint64_t> 0x3A3A3A3A3A3A3A3A
    cdef uint64_t bar = word ^ <uint64_t> 0x7C7C7C7C7C7C7C7C
    return (
        (word - <uint64_t> 0x2121212121212121) & ~word
        | (colon - <uint64_t> 0x0101010101010101) & ~colon
        | (bar - <uint64_t> 0x0101010101010101) & ~bar
    ) & <uint64_t> 0x8080808080808080


@cython.final
cdef class VwScanner(LineScanner):
    """A scan, with room for a name."""

    # Whether a number that is a column counts as a name.
    cdef bint count_columns
    # Whether a prediction to begin from is passed over.
    cdef bint ignore_initial
    # Room for a namespace, a ^ and a name of the line, and what is read along with it.
    cdef unsigned char* scratch
    cdef Py_ssize_t scratch_room
    # How much of the scratch is the name that found the vocabulary full.
    cdef Py_ssize_t refused_size
    cdef int failed

    def __dealloc__(self):
        free(self.scratch)

    cdef Py_ssize_t give_up(self, int failed) noexcept nogil:
        self.failed = failed
        return -1

    cdef Py_ssize_t word_end(self, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
        """Where the white space, or the bar, after a word begins."""
        while at < stop and ends[self.text[at]] in (0, 2):
            at += 1
        return at

    cdef int head(self, Line line, Py_ssize_t bar, Row* row, Py_ssize_t* label) noexcept nogil:
        """What stands before the first bar; `label` is where the label begins and ends."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t[4] begin
        cdef Py_ssize_t[4] end
        cdef Py_ssize_t at = line.start
        cdef Py_ssize_t first, n = 0, last = line.start, last_end = line.start
        cdef double number
        while True:
            while at < bar and ends[text[at]] == 1:
                at += 1
            if at == bar:
                break
            first = at
            at = self.word_end(at, bar)
            if n < 4:
                begin[n], end[n] = first, at
            last, last_end = first, at
            n += 1
        # The last word is a tag if it touches the bar or begins with an apostrophe.
        if n and (last_end == bar or text[last] == c"'"):
            n -= 1
        if n > 3:
            return self.fail(line, TOO_MUCH, line.start, bar)
        if n == 0:
            return 0
        label[0], label[1] = begin[0], end[0]
        for at in range(begin[0], end[0]):
            if text[at] == c":" or text[at] == c",":
                return self.fail(line, OTHER_LABEL, begin[0], end[0])
        if end[0] - begin[0] == 6 and memcmp(text + begin[0], b"shared", 6) == 0:
            return self.fail(line, OTHER_LABEL, begin[0], end[0])
        if n > 1:
            if parse_number(text + begin[1], text + end[1], &number) != text + end[1]:
                return self.fail(line, IMPORTANCE, begin[1], end[1])
            if number < 0.0 or number - number != 0.0:
                return self.fail(line, IMPORTANCE, begin[1], end[1])
            row.importance = number
        if n > 2:
            if parse_number(text + begin[2], text + end[2], &number) != text + end[2]:
                return self.fail(line, INITIAL, begin[2], end[2])
            if number != 0.0 and not self.ignore_initial:
                return self.fail(line, INITIAL, begin[2], end[2])
        return 0

    cdef int reserve(self, Py_ssize_t size) noexcept nogil:
        """Make room for a name of so many bytes."""
        cdef void* memory
        if size > self.scratch_room:
            memory = realloc(self.scratch, 2 * size)
            if memory == NULL:
                return OUT_OF_MEMORY
            self.scratch = <unsigned char*> memory
            self.scratch_room = 2 * size
        return 0

    cdef int number_at(self, Py_ssize_t* at, Py_ssize_t stop, double* value) noexcept nogil:
        """Read the finite number behind a colon, up to white space or a bar; 1 if it is none."""
        cdef const unsigned char* text = self.text
        cdef const unsigned char* end = parse_number(text + at[0], text + stop, value)
        if end == NULL or value[0] - value[0] != 0.0:
            return 1
        if end < text + stop and ends[end[0]] in (0, 2):
            return 1
        at[0] = end - text
        return 0

    cdef bint is_word(self, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
        """Whether a value is a word: it is not empty, does not begin like a number, and is none."""
        cdef Py_ssize_t size = self.word_end(at, stop) - at, k
        cdef unsigned char first = self.text[at] if size else c"."
        cdef unsigned char[8] small
        if c"0" <= first <= c"9" or first in (c"+", c"-", c"."):
            return False
        if size not in (3, 8):
            return True
        for k in range(size):
            small[k] = self.text[at + k] | 32
        return not (
            memcmp(small, b"nan" if size == 3 else b"infinity", size) == 0
            or memcmp(small, b"inf", size) == 0
        )

    cdef Py_ssize_t joined(
        self, Py_ssize_t size, Py_ssize_t at, Py_ssize_t stop
    ) noexcept nogil:
        """Write ^ and a value behind the name in the scratch; the size of both."""
        self.scratch[size] = c"^"
        memcpy(self.scratch + size + 1, self.text + at, stop - at)
        return size + 1 + stop - at

    cdef Py_ssize_t counted(self, Py_ssize_t size, Py_ssize_t number) noexcept nogil:
        """Write a number behind the namespace in the scratch; the size of both."""
        cdef Py_ssize_t digits = 1, rest = number // 10, k
        while rest:
            rest //= 10
            digits += 1
        for k in range(digits):
            self.scratch[size + digits - 1 - k] = c"0" + <unsigned char> (number % 10)
            number //= 10
        return size + digits

    cdef Py_ssize_t features(self, Line line, Py_ssize_t bar) noexcept nogil:
        """Write the entries of the line, from its first bar; how many, or -1: see `failed`."""
        cdef const unsigned char* text = self.text
        cdef unsigned char* scratch
        cdef Entry* entry = self.sink.room_for((line.stop - bar) // 2 + 1)
        cdef Py_ssize_t at = bar, stop = line.stop, first, last, size, mark, n = 0, prefix = 0
        cdef Py_ssize_t nameless = 0, colon
        cdef double weight = 1.0, value
        cdef uint64_t marks
        cdef int64_t column
        cdef unsigned char what
        if entry == NULL or self.reserve(longest_namespace + stop - bar + 32) < 0:
            return self.give_up(OUT_OF_MEMORY)
        scratch = self.scratch
        while at < stop:
            what = ends[text[at]]
            if what == 1:
                at += 1
                continue
            if what == 3:
                at += 1
                first = at
                while at < stop and ends[text[at]] == 0:
                    at += 1
                prefix = at - first
                weight = 1.0
                nameless = 0
                if prefix > longest_namespace:
                    return self.give_up(self.fail(line, LONG_NAMESPACE, first - 1, at))
                memcpy(scratch, text + first, prefix)
                if at < stop and text[at] == c":":
                    at += 1
                    if prefix == 0 or self.number_at(&at, stop, &weight):
                        at = self.word_end(at, stop)
                        return self.give_up(self.fail(line, NAMESPACE, first - 1, at))
                if prefix:
                    scratch[prefix] = c"^"
                    prefix += 1
                continue
            first = at
            # Up to eight bytes at a time into the scratch, where the namespace is already.
            while True:
                if at + 8 > self.size:
                    while at < stop and ends[text[at]] == 0:
                        scratch[prefix + at - first] = text[at]
                        at += 1
                    break
                memcpy(scratch + prefix + (at - first), text + at, 8)
                marks = name_ends(load_eight(text + at))
                if marks:
                    at += trailing_zeros(marks) >> 3
                    break
                at += 8
            last = at
            size = prefix + at - first
            value = weight
            if at < stop and text[at] == c":":
                # White space before a value is passed over, as in Vowpal Wabbit.
                colon = at
                at += 1
                while at < stop and ends[text[at]] == 1:
                    at += 1
                if self.is_word(at, stop):
                    # Its value is 1 whatever the weight of the namespace, as in Vowpal Wabbit.
                    value = 1.0
                    size = self.joined(size, at, self.word_end(at, stop))
                    at = self.word_end(at, stop)
                elif self.number_at(&at, stop, &value):
                    at = self.word_end(at, stop) if at < stop and text[at] != c"|" else colon + 1
                    return self.give_up(self.fail(line, VALUE, first, at))
                else:
                    value *= weight
                    if value - value != 0.0:
                        return self.give_up(self.fail(line, VALUE, first, at))
                    if size == prefix:
                        size = self.counted(prefix, nameless)
                        nameless += 1
            column = self.lexicon.padded_column(scratch, size)
            if column < 0:
                if column == OUTSIDE:
                    last = last if last > first else self.word_end(first, stop)
                    return self.give_up(self.fail(line, COLUMN, first, last))
                if column == FULL:
                    self.refused_size = size
                    return self.give_up(FULL)
                if column == NO_MEMORY:
                    return self.give_up(OUT_OF_MEMORY)
                continue
            if value == 0.0:
                continue
            if self.counts is not None:
                if self.counts.take_part(scratch, size) < 0:
                    return self.give_up(OUT_OF_MEMORY)
                if self.count_columns or not self.lexicon.hashed or as_column(scratch, size) < 0:
                    # Whoever wants columns as names wants to find them again by what is written.
                    mark = 0 if self.count_columns else self.lexicon.mark(scratch, size)
                    if self.counts.count_alone(scratch + mark, size - mark) < 0:
                        return self.give_up(OUT_OF_MEMORY)
            entry[n].column = <unsigned int> column
            entry[n].value = value
            entry[n].sides = self.lexicon.sides(scratch, size)
            n += 1
        return n

    cdef int scan_line(self, Line line) noexcept nogil:
        """One line to a row or a fault; negative: why the scan cannot go on."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t at = line.start, bar, n
        cdef Py_ssize_t[2] label
        cdef const unsigned char* first_bar
        cdef Row row
        cdef int failed
        while at < line.stop and ends[text[at]] == 1:
            at += 1
        if at == line.stop:
            return 0
        first_bar = <const unsigned char*> memchr(text + at, c"|", line.stop - at)
        if first_bar == NULL:
            return self.fail(line, NO_BAR, at, line.stop)
        bar = first_bar - text
        label[0] = label[1] = 0
        row.line, row.start, row.stop = line.number, line.start, line.stop
        row.importance, row.label = 1.0, -1
        failed = self.head(line, bar, &row, label)
        if failed:
            return failed
        n = self.features(line, bar)
        if n < 0:
            return self.failed
        if self.counts is not None:
            return 0
        failed = self.sink.end_row(n, row, self.lexicon)
        if failed:
            return self.fail(line, SUM, bar, line.stop) if failed == OVERFLOW else failed
        if label[1] > label[0]:
            return self.sink.set_label(text + label[0], label[1] - label[0])
        return 0

    cdef bytes refused_name(self):
        return (<const char*> self.scratch)[:self.refused_size]


def scan(bytes block, Py_ssize_t first_line, Lexicon lexicon, bint ignore_initial=False):
    """The rows and faults of a block of whole lines.

    With `ignore_initial`, a prediction to begin from is passed over.
    """
    cdef VwScanner scanner = VwScanner(block, lexicon)
    scanner.ignore_initial = ignore_initial
    return scanner.scan_lines(first_line)


def count_names(
    bytes block,
    const int64_t[::1] start,
    const int64_t[::1] stop,
    Lexicon lexicon,
    NameCounts counts,
    bint columns,
):
    """Count the names of some lines, each of them a row; with `columns`, numbers are names, too."""
    cdef VwScanner scanner = VwScanner(block, lexicon)
    # These lines have been read once, and what they may hold was decided then.
    scanner.ignore_initial = True
    scanner.count_columns = columns
    scanner.count_lines(start, stop, counts)
