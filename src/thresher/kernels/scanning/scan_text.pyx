"""`label<TAB>text` to rows: words, character sequences and sparse bigrams, without the GIL.

Used by `streams.formats.raw_text`, which has the messages for the faults numbered here and says
what the features of a text are. The slow twin is `tests/reference/scan_text.py`.

A line is written down twice: its words in small letters with one space between two of them,
and its characters in small letters with one space for every stretch of white space. All
features are then pieces of these, and a table that lives as long as the line sees to it that
each comes once: 1 for a feature that is there (or how often), whatever its neighbours in the
same column do.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from thresher.kernels.scanning.cut_text cimport (
    Buffer, cut_characters, cut_words, free_buffer, is_blank, reserve,
)
from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, Lexicon
from thresher.kernels.scanning.line_scanner cimport LineScanner
from thresher.kernels.scanning.lines cimport Line
from thresher.kernels.rows.murmur3 cimport murmur3_32
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, Row

cdef enum:
    TOO_LONG = 1

# So that places in a line, with room to spare, have 32 bits.
LONGEST_TEXT = 2**30
cdef Py_ssize_t longest_text = LONGEST_TEXT

# Kinds of pieces; a pair of words has its distance, which is 1 or more.
cdef enum:
    WORDS = 0
    CHARACTERS = -1

cdef struct Piece:
    # Where it is in its buffer; of a pair, where the first and the second word are.
    uint32_t start
    uint32_t size
    uint32_t second
    uint32_t second_size
    uint32_t hashed
    uint32_t times
    int32_t kind


@cython.final
cdef class TextScanner(LineScanner):
    """A scan: what to look for, and what of it was found in the line."""

    # Shortest and longest word and character sequences; the window of pairs. 0: none.
    cdef Py_ssize_t[5] wanted
    cdef bint repeated
    cdef Buffer words
    cdef Buffer characters
    cdef Piece* piece
    cdef Py_ssize_t n_pieces
    cdef Py_ssize_t piece_room
    cdef uint32_t* slot
    cdef Py_ssize_t n_slots
    cdef unsigned char* scratch
    cdef Py_ssize_t scratch_room
    cdef Py_ssize_t name_size

    def __init__(self, bytes block, Lexicon lexicon, wanted, bint repeated):
        self.wanted = wanted
        self.repeated = repeated

    def __dealloc__(self):
        free_buffer(&self.words)
        free_buffer(&self.characters)
        free(self.piece)
        free(self.slot)
        free(self.scratch)

    cdef int grow(self) noexcept nogil:
        """Twice the room for pieces; -1: out of memory."""
        cdef Py_ssize_t k, at, room = 2 * self.piece_room + 256
        cdef Py_ssize_t n_slots = 2 * self.n_slots if self.n_slots else 1024
        cdef void* memory = realloc(self.piece, room * sizeof(Piece))
        if memory == NULL:
            return OUT_OF_MEMORY
        self.piece = <Piece*> memory
        while n_slots < 2 * room:
            n_slots *= 2
        memory = calloc(n_slots, sizeof(uint32_t))
        if memory == NULL:
            return OUT_OF_MEMORY
        free(self.slot)
        self.slot = <uint32_t*> memory
        self.n_slots = n_slots
        self.piece_room = room
        for k in range(self.n_pieces):
            at = self.piece[k].hashed & (n_slots - 1)
            while self.slot[at]:
                at = (at + 1) & (n_slots - 1)
            self.slot[at] = <uint32_t> k + 1
        return 0

    cdef void clear(self) noexcept nogil:
        """Forget the pieces of the last line."""
        cdef Py_ssize_t at
        if self.n_slots <= 16 * self.n_pieces:
            memset(self.slot, 0, self.n_slots * sizeof(uint32_t))
            self.n_pieces = 0
        # One long line must not make every short one after it wait for a large table.
        while self.n_pieces:
            at = self.piece[self.n_pieces - 1].hashed & (self.n_slots - 1)
            while self.slot[at] != <uint32_t> self.n_pieces:
                at = (at + 1) & (self.n_slots - 1)
            self.slot[at] = 0
            self.n_pieces -= 1

    cdef bint same(self, const Piece* one, const Piece* other) noexcept nogil:
        """Whether two pieces of the same hash are the same feature."""
        cdef const unsigned char* text = self.words.text
        if one.kind != other.kind or one.size != other.size:
            return False
        if one.kind == CHARACTERS:
            text = self.characters.text
        if memcmp(text + one.start, text + other.start, one.size) != 0:
            return False
        if one.kind <= 0:
            return True
        if one.second_size != other.second_size:
            return False
        return memcmp(text + one.second, text + other.second, one.second_size) == 0

    cdef int add(self, Piece* new) noexcept nogil:
        """Count a piece of the line, which has its hash; -1: out of memory."""
        cdef Py_ssize_t at
        cdef Piece* old
        if self.n_pieces == self.piece_room and self.grow() < 0:
            return OUT_OF_MEMORY
        at = new.hashed & (self.n_slots - 1)
        while self.slot[at]:
            old = self.piece + (self.slot[at] - 1)
            if old.hashed == new.hashed and self.same(old, new):
                old.times += 1
                return 0
            at = (at + 1) & (self.n_slots - 1)
        new.times = 1
        self.piece[self.n_pieces] = new[0]
        self.n_pieces += 1
        self.slot[at] = <uint32_t> self.n_pieces
        return 0

    cdef const unsigned char* name_of(self, const Piece* piece) noexcept nogil:
        """The name of a piece, `name_size` bytes long; NULL: out of memory.

        Words are their own name: "free cash". Characters have c: before them. Between the
        words of a pair stands how far they are apart: "free ~2 cash".
        """
        cdef void* memory
        cdef unsigned char* out
        cdef Py_ssize_t room = piece.size + piece.second_size + 24
        if piece.kind == WORDS:
            self.name_size = piece.size
            return self.words.text + piece.start
        if room > self.scratch_room:
            memory = realloc(self.scratch, 2 * room)
            if memory == NULL:
                return NULL
            self.scratch = <unsigned char*> memory
            self.scratch_room = 2 * room
        out = self.scratch
        if piece.kind == CHARACTERS:
            out[0], out[1] = c"c", c":"
            memcpy(out + 2, self.characters.text + piece.start, piece.size)
            self.name_size = piece.size + 2
            return out
        memcpy(out, self.words.text + piece.start, piece.size)
        out += piece.size
        out[0], out[1] = c" ", c"~"
        out += 2
        if piece.kind >= 10:
            out[0] = c"0" + piece.kind // 10
            out += 1
        out[0], out[1] = c"0" + piece.kind % 10, c" "
        out += 2
        memcpy(out, self.words.text + piece.second, piece.second_size)
        self.name_size = out - self.scratch + piece.second_size
        return self.scratch

    cdef int cut(self) noexcept nogil:
        """All pieces of the line: words, characters, pairs, each kind in the order of the text."""
        cdef Py_ssize_t i, length
        cdef Piece piece
        cdef const unsigned char* name
        piece.second = piece.second_size = 0
        piece.kind = WORDS
        if self.wanted[1]:
            for i in range(self.words.n):
                piece.start = self.words.start[i]
                for length in range(self.wanted[0], min(self.wanted[1], self.words.n - i) + 1):
                    piece.size = self.words.stop[i + length - 1] - piece.start
                    piece.hashed = murmur3_32(
                        self.words.text + piece.start, piece.size, self.lexicon.seed
                    )
                    if self.add(&piece) < 0:
                        return OUT_OF_MEMORY
        piece.kind = CHARACTERS
        if self.wanted[3]:
            for i in range(self.characters.n):
                piece.start = self.characters.start[i]
                for length in range(
                    self.wanted[2], min(self.wanted[3], self.characters.n - i) + 1
                ):
                    piece.size = self.characters.start[i + length] - piece.start
                    name = self.name_of(&piece)
                    if name == NULL:
                        return OUT_OF_MEMORY
                    piece.hashed = murmur3_32(name, self.name_size, self.lexicon.seed)
                    if self.add(&piece) < 0:
                        return OUT_OF_MEMORY
        if self.wanted[4]:
            for i in range(self.words.n):
                piece.start = self.words.start[i]
                piece.size = self.words.stop[i] - piece.start
                for length in range(1, min(self.wanted[4], self.words.n - i)):
                    piece.kind = <int32_t> length
                    piece.second = self.words.start[i + length]
                    piece.second_size = self.words.stop[i + length] - piece.second
                    name = self.name_of(&piece)
                    if name == NULL:
                        return OUT_OF_MEMORY
                    piece.hashed = murmur3_32(name, self.name_size, self.lexicon.seed)
                    if self.add(&piece) < 0:
                        return OUT_OF_MEMORY
        return 0

    cdef int count(self, const unsigned char* name, uint32_t hashed) noexcept nogil:
        """Count a name that was hashed for its column; the table of names hashes with seed 0."""
        if self.lexicon.seed or self.lexicon.crossing is not None:
            return self.counts.count(name, self.name_size)
        return self.counts.count_hashed(name, self.name_size, hashed)

    cdef Py_ssize_t entries(self) noexcept nogil:
        """Write the entries of the pieces; how many, or what stopped it."""
        cdef Entry* entry = self.sink.room_for(self.n_pieces)
        cdef const unsigned char* name = NULL
        cdef Py_ssize_t k, n = 0
        cdef int64_t column
        cdef bint named = (
            not self.lexicon.hashed
            or self.counts is not None
            or self.lexicon.crossing is not None
        )
        if entry == NULL:
            return OUT_OF_MEMORY
        for k in range(self.n_pieces):
            if named:
                name = self.name_of(&self.piece[k])
                if name == NULL:
                    return OUT_OF_MEMORY
            if self.lexicon.hashed:
                column = self.lexicon.bucket(self.piece[k].hashed)
            else:
                column = self.lexicon.known_column(name, self.name_size)
            if column == FULL:
                self.piece[0] = self.piece[k]
                return FULL
            if column == NO_MEMORY:
                return OUT_OF_MEMORY
            if column < 0:
                continue
            if self.counts is not None and self.count(name, self.piece[k].hashed) < 0:
                return OUT_OF_MEMORY
            entry[n].column = <uint32_t> column
            entry[n].sides = self.lexicon.sides(name, self.name_size) if named else 0
            entry[n].value = self.piece[k].times if self.repeated else 1.0
            n += 1
        return n

    cdef int scan_line(self, Line line) noexcept nogil:
        """One line to a row; negative: why the scan cannot go on."""
        cdef const unsigned char* text = self.text + line.start
        cdef Py_ssize_t size = line.stop - line.start, n
        cdef const unsigned char* tab = <const unsigned char*> memchr(text, c"\t", size)
        cdef Py_ssize_t label_size = tab - text if tab != NULL else 0
        cdef Py_ssize_t body = label_size + 1 if tab != NULL else 0
        cdef Row row
        cdef int failed
        if is_blank(text, size):
            return 0
        if size > longest_text:
            return self.fail(line, TOO_LONG, line.start, line.stop)
        # A space before and behind, and one place more to say where the last one ends.
        if reserve(&self.words, size + 4) < 0 or reserve(&self.characters, size + 4) < 0:
            return OUT_OF_MEMORY
        if self.wanted[1] or self.wanted[4]:
            cut_words(text + body, size - body, &self.words)
        if self.wanted[3]:
            cut_characters(text + body, size - body, &self.characters)
        self.clear()
        failed = self.cut()
        if failed < 0:
            return failed
        n = self.entries()
        if n < 0 or self.counts is not None:
            return <int> min(n, 0)
        row.line, row.start, row.stop = line.number, line.start, line.stop
        row.importance, row.label = 1.0, -1
        failed = self.sink.end_row(n, row, self.lexicon)
        if failed:
            return failed
        return self.sink.set_label(text, label_size) if label_size else 0

    cdef bytes refused_name(self):
        cdef const unsigned char* name = self.name_of(&self.piece[0])
        if name == NULL:
            raise MemoryError
        return (<const char*> name)[:self.name_size]


def scan(bytes block, Py_ssize_t first_line, Lexicon lexicon, wanted, bint repeated):
    """The rows and faults of a block of whole lines.

    `wanted` has the shortest and the longest sequences of words, those of characters, and the
    window of pairs; 0 for none. With `repeated`, a value says how often a feature is there.
    """
    cdef TextScanner scanner = TextScanner(block, lexicon, wanted, repeated)
    return scanner.scan_lines(first_line)


def count_names(
    bytes block,
    const int64_t[::1] start,
    const int64_t[::1] stop,
    Lexicon lexicon,
    NameCounts counts,
    wanted,
):
    """Count the names of some lines, each of them a row."""
    cdef TextScanner scanner = TextScanner(block, lexicon, wanted, False)
    scanner.count_lines(start, stop, counts)
