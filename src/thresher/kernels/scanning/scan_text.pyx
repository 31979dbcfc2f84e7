"""`label<TAB>text` to rows: words, character sequences and sparse bigrams, without the GIL.

Used by `streams.formats.raw_text`, which has the messages for the faults numbered here and says
what the features of a text are; `text_pieces` finds them. Each comes once: 1 for a feature that is
there (or how often), whatever its neighbours in the same column do. The slow twin is
`tests/reference/scan_text.py`.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memchr

from thresher.kernels.scanning.cut_text cimport Buffer, is_blank
from thresher.kernels.rows.entries cimport Entry, sort_entries
from thresher.kernels.scanning.lexicon cimport FULL, NO_MEMORY, Lexicon
from thresher.kernels.scanning.line_scanner cimport LineScanner
from thresher.kernels.scanning.lines cimport Line
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, Row
from thresher.kernels.scanning.split_names cimport SHORT, Part, short_part
from thresher.kernels.scanning.text_pieces cimport Piece, TextPieces

cdef enum:
    TOO_LONG = 1

# So that places in a line, with room to spare, have 32 bits.
LONGEST_TEXT = 2**30
cdef Py_ssize_t longest_text = LONGEST_TEXT


@cython.final
cdef class TextScanner(LineScanner):
    """A scan: what to look for, and what of it was found in the line."""

    cdef TextPieces pieces
    cdef bint repeated

    def __init__(self, bytes block, Lexicon lexicon, wanted, bint repeated):
        self.pieces = TextPieces(wanted, lexicon.seed)
        self.repeated = repeated

    cdef Py_ssize_t columns(self) noexcept nogil:
        """An entry for each piece that has a column, once; how many, or what stopped it."""
        cdef Entry* entry = self.sink.room_for(self.pieces.n)
        cdef Piece* piece = self.pieces.piece
        cdef const unsigned char* name
        cdef Py_ssize_t k, n = 0
        cdef int64_t column
        if entry == NULL:
            return OUT_OF_MEMORY
        for k in range(self.pieces.n):
            if self.lexicon.hashed:
                column = self.lexicon.bucket(piece[k].hashed)
            else:
                name = self.pieces.name_of(&piece[k])
                if name == NULL:
                    return OUT_OF_MEMORY
                column = self.lexicon.known_column(name, self.pieces.name_size)
                if column == FULL:
                    piece[0] = piece[k]
                    return FULL
                if column == NO_MEMORY:
                    return OUT_OF_MEMORY
                if column < 0:
                    continue
            entry[n].column, entry[n].sides = <uint32_t> column, <uint32_t> k
            entry[n].value = 1.0
            n += 1
        return self.pieces.distinct(entry, entry + self.sink.entry_room, n)

    cdef int count_pieces(self) noexcept nogil:
        """Count the names of the line, each once, in the order of the text."""
        cdef Entry* entry
        cdef const unsigned char* name
        cdef Py_ssize_t k, n = self.columns()
        if n < 0:
            return <int> n
        entry = self.sink.entry
        for k in range(n):
            entry[k].column = entry[k].sides
        sort_entries(entry, entry + self.sink.entry_room, n)
        for k in range(n):
            name = self.pieces.name_of(&self.pieces.piece[entry[k].sides])
            if name == NULL or self.counts.count(name, self.pieces.name_size) < 0:
                return OUT_OF_MEMORY
        return 0

    cdef bint are_plain_names(self) noexcept nogil:
        """Whether names are words and pairs of words, and all fit where they are counted.

        A table that drops nothing counts a name once a row, however often it is told.
        """
        cdef const Buffer* words = &self.pieces.words
        cdef const Py_ssize_t* wanted = self.pieces.wanted
        cdef Py_ssize_t i, n = words.n
        if not self.lexicon.hashed or self.lexicon.crossing is not None:
            return False
        if not 1 <= wanted[1] <= 2 or wanted[3] or wanted[4]:
            return False
        if n and not self.counts.has_room(2 * n, 3 * <int64_t> words.stop[n - 1]):
            return False
        for i in range(n):
            if words.stop[min(i + 1, n - 1)] - words.start[i] > self.counts.longest:
                return False
        return True

    cdef int count_plain_names(self) noexcept nogil:
        """Count words and pairs of words, which are parts of names and need not be written."""
        cdef const Buffer* words = &self.pieces.words
        cdef const unsigned char* word
        cdef Py_ssize_t i, size, n = words.n
        cdef Part part = 0, following = 0
        if n < self.pieces.wanted[0]:
            return 0
        for i in range(n + 1):
            if i < n:
                word, size = words.text + words.start[i], words.stop[i] - words.start[i]
                if size <= SHORT:
                    following = short_part(word, size)
                else:
                    following = self.counts.table.part(word, size)
                    if not following:
                        return OUT_OF_MEMORY
            if i and self.pieces.wanted[0] == 1 and self.counts.count_split(part, 0) < 0:
                return OUT_OF_MEMORY
            if i and i < n and self.pieces.wanted[1] == 2:
                if self.counts.count_split(part, following) < 0:
                    return OUT_OF_MEMORY
            part = following
        return 0

    cdef void finish_entries(self, Py_ssize_t n) noexcept nogil:
        """Say what rows are made of: sides of pairs, and values."""
        cdef Entry* entry = self.sink.entry
        cdef const unsigned char* name
        cdef Py_ssize_t k
        for k in range(n):
            if not self.repeated:
                entry[k].value = 1.0
            if self.lexicon.crossing is not None:
                # There is room for it: a name like this has been written before.
                name = self.pieces.name_of(&self.pieces.piece[entry[k].sides])
                entry[k].sides = self.lexicon.sides(name, self.pieces.name_size)

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
        if self.pieces.write_down(text + body, size - body) < 0:
            return OUT_OF_MEMORY
        if self.counts is not None and self.are_plain_names():
            return self.count_plain_names()
        failed = self.pieces.cut()
        if failed < 0:
            return failed
        if self.counts is not None:
            return self.count_pieces()
        n = self.columns()
        if n < 0:
            return <int> n
        self.finish_entries(n)
        row.line, row.start, row.stop = line.number, line.start, line.stop
        row.importance, row.label = 1.0, -1
        failed = self.sink.end_row(n, row, self.lexicon)
        if failed:
            return failed
        return self.sink.set_label(text, label_size) if label_size else 0

    cdef bytes refused_name(self):
        cdef const unsigned char* name = self.pieces.name_of(&self.pieces.piece[0])
        if name == NULL:
            raise MemoryError
        return (<const char*> name)[:self.pieces.name_size]


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
