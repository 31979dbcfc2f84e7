"""Lines of JSON objects to rows, without the GIL and without making objects.

Used by `streams.formats.json_lines`. What a line means is said in `streams/formats/objects.py` and
in `kernels/scanning/fields.pyx`; the slow twin is `tests/reference/scan_json.py`.

The scanner settles lines whose names are hashed, that are sound and have nothing rare in them.
Every other line it leaves undecided, for those who decode objects and know what to say of a
bad one: whatever may be a fault, two fields of one name, a label with escapes or that Python
would write otherwise, an escape for half a character, a number of more than 40 characters,
nesting beyond 32 levels, a vocabulary.

Two fields of one name are noticed by their hashes: those of all the fields of a row, with the
names of the objects around them, stand in a table until the row ends, and a hash that is there
already leaves the line undecided, whether the names are equal or only their hashes.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.field_names cimport FieldNames, drop_names, holds, take_names, wants
from thresher.kernels.scanning.hashes_seen cimport Seen, forget_hashes, is_new_hash, room_for_hashes
from thresher.kernels.scanning.json_text cimport (
    DEEPEST, Paper, Text, after_spaces, equal, is_blank, is_digit, is_features, read_key,
    read_label, read_number, read_string, read_word, skip_value,
)
from thresher.kernels.scanning.lexicon cimport Lexicon, as_column
from thresher.kernels.scanning.lines cimport Line, before_the_first, is_plain, next_line, not_text
from thresher.kernels.rows.murmur3 cimport murmur3_32, murmur3_padded
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, OVERFLOW, REFUSED, Row, RowSink

cdef enum:
    # What an object is: within another; the features; the line, which has its features apart;
    # the line, whose fields are its features.
    INNER
    FEATURES
    APART
    FLAT

    # Bytes that are read behind a name, to hash it.
    SLACK = 4


@cython.final
cdef class JsonScanner:
    """A scan of one block, with columns from a lexicon that hashes.

    `label_field`, `ignored` and `only` are names in UTF-8. If `only` is given, no other field of a
    line is a feature, and `passed_over` says whether there were others.
    """

    cdef Lexicon lexicon
    cdef RowSink sink
    # Where names are counted, and whether they are now, the line being sound.
    cdef NameCounts counts
    cdef bint counting
    # The names, and those who hold their bytes.
    cdef Text label_name
    cdef FieldNames ignored, only
    cdef bint choosy
    cdef readonly bint passed_over
    cdef object held
    # Room for a name that is put together, and behind it for strings with escapes.
    cdef unsigned char* scratch
    cdef Py_ssize_t room
    cdef Paper paper
    cdef Seen seen
    cdef Entry* entry
    cdef Py_ssize_t n
    cdef Text label
    cdef double importance
    cdef bint has_label, has_weight, has_features
    # Whether the last line had its features apart: the next one is first read as if it had.
    cdef bint apart
    cdef bint failed

    def __init__(
        self, Lexicon lexicon not None, bytes label_field not None, list ignored not None,
        list only=None,
    ):
        if not lexicon.hashed:
            raise ValueError("a vocabulary is for those who decode objects")
        self.lexicon = lexicon
        self.held = label_field, tuple(ignored), tuple(only or ())
        self.label_name.at, self.label_name.size = label_field, len(label_field)
        take_names(&self.ignored, ignored)
        take_names(&self.only, only or [])
        self.choosy = only is not None

    def __dealloc__(self):
        drop_names(&self.ignored)
        drop_names(&self.only)
        free(self.scratch)
        free(self.seen.slot)

    def scan(self, bytes block not None, int64_t first_line):
        """The rows of a block of whole lines; its faults are the lines left undecided."""
        cdef const unsigned char* text = block
        cdef Py_ssize_t size = len(block)
        self.sink = RowSink(block)
        self.paper.end = text + size
        with nogil:
            self.scan_block(text, size, first_line)
        if self.failed:
            raise MemoryError
        return self.sink

    def count_names(
        self,
        bytes block not None,
        const int64_t[::1] start,
        const int64_t[::1] stop,
        NameCounts counts not None,
        Py_ssize_t first,
    ):
        """Count the names of lines that are rows, from number `first` on.

        Returns the number of the first line that is left undecided, of whose names none is
        counted, or how many lines there are. A number that is a column is not a name.
        """
        cdef const unsigned char* text = block
        cdef Py_ssize_t t = first
        self.sink = RowSink(block)
        self.counts = counts
        self.paper.end = text + len(block)
        with nogil:
            while t < start.shape[0] and self.is_settled(text + start[t], text + stop[t]):
                counts.begin_row()
                self.counting = True
                self.is_settled(text + start[t], text + stop[t])
                self.counting = False
                if self.failed:
                    break
                t += 1
        if self.failed:
            raise MemoryError
        return t

    cdef void scan_block(
        self, const unsigned char* text, Py_ssize_t size, int64_t first_line
    ) noexcept nogil:
        cdef Line line = before_the_first(first_line)
        cdef bint plain = is_plain(text, size)
        cdef Row row
        while next_line(text, size, &line) and not self.failed:
            self.sink.n_lines += 1
            while line.stop > line.start and text[line.stop - 1] == c"\r":
                line.stop -= 1
            if not self.scan_line(text, &line, plain):
                row.line, row.start, row.stop = line.number, line.start, line.stop
                self.failed |= self.sink.refuse(&row, 0, 0) == OUT_OF_MEMORY

    cdef bint scan_line(
        self, const unsigned char* text, const Line* line, bint plain
    ) noexcept nogil:
        """One line to a row, or to nothing if it is blank; False: it is left to the slow reader."""
        cdef const unsigned char* begin = text + line.start
        cdef Py_ssize_t size = line.stop - line.start
        cdef int failed
        cdef Row row
        if is_blank(begin, size):
            return True
        if not plain and not is_plain(begin, size) and not_text(begin, size) >= 0:
            return False
        if not self.is_settled(begin, begin + size):
            return False
        row.line, row.start, row.stop = line.number, line.start, line.stop
        row.values, row.importance, row.label = 0, self.importance, -1
        failed = self.sink.end_row(self.n, row, self.lexicon)
        if failed == OVERFLOW or failed == REFUSED:
            # What cannot have pairs is among the lines left undecided already.
            return failed == REFUSED
        if failed or (self.label.size and self.sink.set_label(self.label.at, self.label.size)):
            self.failed = True
        return True

    cdef bint is_settled(
        self, const unsigned char* begin, const unsigned char* stop
    ) noexcept nogil:
        """Take the entries, label and importance of a line, if nothing in it is rare."""
        cdef const unsigned char* first = after_spaces(begin)
        cdef const unsigned char* p
        cdef int _attempt
        if first[0] != c"{" or not self.reserve(stop - begin):
            return False
        for _attempt in range(2):
            self.paper.free = self.scratch + self.room
            forget_hashes(&self.seen)
            self.n = 0
            self.label.size = 0
            self.importance = 1.0
            self.has_label = self.has_weight = self.has_features = False
            p = self.take_object(first, 0, 0, APART if self.apart else FLAT)
            if p != NULL and after_spaces(p) >= stop and self.has_features == self.apart:
                return True
            self.apart = not self.apart
        return False

    cdef bint reserve(self, Py_ssize_t size) noexcept nogil:
        """Make room for all that a line of this size can need."""
        if size + SLACK > self.room:
            free(self.scratch)
            # One half for names, the other for strings.
            self.room = 2 * size + SLACK
            self.scratch = <unsigned char*> malloc(2 * self.room)
            if self.scratch == NULL:
                self.room = 0
                self.failed = True
                return False
        # A name in a list takes three bytes at least, a field five.
        self.entry = self.sink.room_for(size // 3 + 1)
        self.failed |= self.entry == NULL or not room_for_hashes(&self.seen, size // 5)
        return not self.failed

    cdef const unsigned char* take_object(
        self, const unsigned char* p, Py_ssize_t prefix, int depth, int kind
    ) noexcept nogil:
        """The fields of the object at `p`; the scratch begins with what stands before their names.

        Like all that take something: the place behind it, or NULL to leave the line undecided.
        """
        cdef Text key
        p = after_spaces(p + 1)
        if p[0] == c"}":
            return p + 1
        while True:
            p = read_key(p, &self.paper, &key)
            if p == NULL:
                return NULL
            if kind == INNER:
                p = self.take_field(p, &key, prefix, depth)
            elif kind == APART:
                p = self.take_part(p, &key)
            else:
                p = self.take_outer(p, &key, kind == FLAT)
            if p == NULL:
                return NULL
            p = after_spaces(p)
            if p[0] == c"}":
                return p + 1
            if p[0] != c",":
                return NULL
            p = after_spaces(p + 1)

    cdef const unsigned char* take_part(
        self, const unsigned char* p, const Text* key
    ) noexcept nogil:
        """A field of a line that has its features apart."""
        if equal(key, &self.label_name):
            return self.take_label(p)
        if is_features(key):
            if self.has_features:
                return NULL
            self.has_features = True
            if p[0] == c"[":
                return self.take_strings(p, 0, True)
            return self.take_object(p, 0, 0, FEATURES) if p[0] == c"{" else NULL
        if key.size == 6 and memcmp(key.at, b"weight", 6) == 0:
            return self.take_weight(p)
        return skip_value(p, &self.paper, 0)

    cdef const unsigned char* take_outer(
        self, const unsigned char* p, const Text* key, bint flat
    ) noexcept nogil:
        """A field of the features, or of a line whose fields they are."""
        if flat:
            if equal(key, &self.label_name):
                return self.take_label(p)
            if (p[0] == c"{" or p[0] == c"[") and is_features(key):
                return NULL
        if holds(&self.ignored, key):
            return skip_value(p, &self.paper, 0)
        if flat and self.choosy and not wants(&self.only, key):
            self.passed_over = True
            return skip_value(p, &self.paper, 0)
        return self.take_field(p, key, 0, 0)

    cdef const unsigned char* take_field(
        self, const unsigned char* p, const Text* key, Py_ssize_t prefix, int depth
    ) noexcept nogil:
        """The features of one field."""
        cdef const unsigned char* name = key.at
        cdef Py_ssize_t size = prefix + key.size
        cdef uint32_t hashed
        cdef double value = 1.0
        cdef Text text
        if p >= self.paper.end:
            # Now there are four bytes behind the name: a quote, a colon, one more, and a NUL.
            return NULL
        if prefix:
            memcpy(self.scratch + prefix, key.at, key.size)
            name = self.scratch
        hashed = murmur3_padded(name, size, self.lexicon.seed)
        if not is_new_hash(&self.seen, hashed):
            return NULL
        if p[0] == c'"':
            p = read_string(p, &self.paper, &text)
            if p == NULL or text.size == 0:
                return p
            self.begin_name(name, size, c"=")
            return p if self.take_joined(size + 1, &text) else NULL
        if p[0] == c"{":
            self.begin_name(name, size, c".")
            return self.take_object(p, size + 1, depth + 1, INNER) if depth < DEEPEST else NULL
        if p[0] == c"[":
            self.begin_name(name, size, c"=")
            return self.take_strings(p, size + 1, False)
        if c"a" <= p[0] <= c"z":
            if p[0] != c"t":
                return read_word(p)
            p = read_word(p)
        else:
            p = read_number(p, self.paper.end, &value)
        return p if p != NULL and self.take(name, size, hashed, value) else NULL

    cdef const unsigned char* take_strings(
        self, const unsigned char* p, Py_ssize_t prefix, bint empty_too
    ) noexcept nogil:
        """A list of strings, each of them a feature behind what the scratch begins with."""
        cdef Text text
        p = after_spaces(p + 1)
        if p[0] == c"]":
            return p + 1
        while True:
            if p[0] != c'"':
                return NULL
            p = read_string(p, &self.paper, &text)
            if p == NULL:
                return NULL
            if (text.size or empty_too) and not self.take_joined(prefix, &text):
                return NULL
            p = after_spaces(p)
            if p[0] == c"]":
                return p + 1
            if p[0] != c",":
                return NULL
            p = after_spaces(p + 1)

    cdef inline void begin_name(
        self, const unsigned char* name, Py_ssize_t size, unsigned char mark
    ) noexcept nogil:
        if name != self.scratch:
            memcpy(self.scratch, name, size)
        self.scratch[size] = mark

    cdef inline bint take_joined(self, Py_ssize_t prefix, const Text* text) noexcept nogil:
        """The feature that is named by the start of the scratch and a string, with value 1."""
        cdef Py_ssize_t size = prefix + text.size
        memcpy(self.scratch + prefix, text.at, text.size)
        return self.take(
            self.scratch, size, murmur3_padded(self.scratch, size, self.lexicon.seed), 1.0
        )

    cdef inline bint take(
        self, const unsigned char* name, Py_ssize_t size, uint32_t hashed, double value
    ) noexcept nogil:
        """One feature; False if its name is a column that there is not."""
        cdef int64_t number = -1
        cdef uint32_t column
        cdef Py_ssize_t mark = 0
        if size and is_digit(name[0]) and self.lexicon.numbers:
            number = as_column(name, size)
            if number >= self.lexicon.n_features:
                return False
        elif self.lexicon.mark(name, size):
            mark = 1
            hashed = murmur3_32(name + mark, size - mark, self.lexicon.seed)
        if value == 0.0:
            return True
        column = <uint32_t> number if number >= 0 else self.lexicon.bucket(hashed)
        self.entry[self.n].column = column
        self.entry[self.n].value = value
        self.entry[self.n].sides = self.lexicon.sides(name, size)
        self.n += 1
        if self.counting:
            self.failed |= self.counts.take_part(name, size) < 0
            if number < 0:
                self.failed |= self.counts.count_alone(name + mark, size - mark) < 0
        return True

    cdef const unsigned char* take_weight(self, const unsigned char* p) noexcept nogil:
        """The importance of the line."""
        if self.has_weight:
            return NULL
        self.has_weight = True
        if p[0] == c"n":
            return read_word(p)
        if p[0] == c"-":
            return NULL
        p = read_number(p, self.paper.end, &self.importance)
        return p if self.importance < 1e300 else NULL

    cdef const unsigned char* take_label(self, const unsigned char* p) noexcept nogil:
        if self.has_label:
            return NULL
        self.has_label = True
        return read_label(p, &self.paper, &self.label)
