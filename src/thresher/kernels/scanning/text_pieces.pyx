"""The pieces of a text that are its features: words, character sequences and sparse bigrams.

Used by `scan_text`. A text is written down twice: its words in small letters with one space between
two of them, and its characters in small letters with one space for every stretch of white space.
All features are then pieces of these. A row is sorted by column anyway, and then equal pieces stand
together, so that each can come once. The slow twin is `names` in `tests/reference/scan_text.py`.
"""

cimport cython
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from thresher.kernels.rows.entries cimport Entry, sort_entries
from thresher.kernels.rows.murmur3 cimport murmur3_padded
from thresher.kernels.scanning.cut_text cimport (
    cut_characters, cut_words, free_buffer, reserve,
)

cdef enum:
    NO_MEMORY = -1

# Kinds of pieces; a pair of words has its distance, which is 1 or more.
cdef enum:
    WORDS = 0
    CHARACTERS = -1

# In a column with more pieces than this, they are sorted before they are compared.
cdef enum:
    FEW = 16


@cython.final
cdef class TextPieces:
    """The pieces of one text after the other."""

    def __init__(self, wanted, uint32_t seed):
        self.wanted = wanted
        self.seed = seed

    def __dealloc__(self):
        free_buffer(&self.words)
        free_buffer(&self.characters)
        free(self.piece)
        free(self.scratch)

    cdef int write_down(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Write down the words and the characters of a text; -1: out of memory."""
        # A space before and behind, one place more to say where the last one ends; and eight bytes
        # may be read from wherever a word begins.
        if reserve(&self.words, size + 8) < 0 or reserve(&self.characters, size + 8) < 0:
            return NO_MEMORY
        if self.wanted[1] or self.wanted[4]:
            cut_words(text, size, &self.words)
        if self.wanted[3]:
            cut_characters(text, size, &self.characters)
        return 0

    cdef int cut(self) noexcept nogil:
        """All pieces of the text: words, characters, pairs, each kind in the order of the text."""
        cdef Py_ssize_t i, length
        cdef Piece piece
        cdef const unsigned char* name
        cdef uint32_t seed = self.seed
        self.n = 0
        if self.make_room() < 0:
            return NO_MEMORY
        piece.second = piece.second_size = 0
        piece.kind = WORDS
        if self.wanted[1]:
            for i in range(self.words.n):
                piece.start = self.words.start[i]
                for length in range(self.wanted[0], min(self.wanted[1], self.words.n - i) + 1):
                    piece.size = self.words.stop[i + length - 1] - piece.start
                    name = self.words.text + piece.start
                    piece.hashed = murmur3_padded(name, piece.size, seed)
                    self.add(&piece)
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
                        return NO_MEMORY
                    piece.hashed = murmur3_padded(name, self.name_size, seed)
                    self.add(&piece)
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
                        return NO_MEMORY
                    piece.hashed = murmur3_padded(name, self.name_size, seed)
                    self.add(&piece)
        return 0

    cdef int make_room(self) noexcept nogil:
        """Make room for all pieces that the text can have; -1: out of memory."""
        cdef Py_ssize_t words = self.words.n, characters = self.characters.n, room = 0
        cdef void* memory
        if self.wanted[1]:
            room += words * min(self.wanted[1] - self.wanted[0] + 1, words)
        if self.wanted[3]:
            room += characters * min(self.wanted[3] - self.wanted[2] + 1, characters)
        room += words * min(self.wanted[4], words)
        if room > self.room:
            room += room // 2
            memory = realloc(self.piece, room * sizeof(Piece))
            if memory == NULL:
                return NO_MEMORY
            self.piece, self.room = <Piece*> memory, room
        return 0

    cdef void add(self, const Piece* new) noexcept nogil:
        self.piece[self.n] = new[0]
        self.n += 1

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

    cdef Py_ssize_t distinct(self, Entry* entry, Entry* spare, Py_ssize_t n) noexcept nogil:
        """Sort entries by column, and merge those of the same piece; how many there are.

        The sides of an entry are the number of its piece.
        """
        cdef Py_ssize_t k = 0, m = 0, i, j, last
        cdef uint32_t column, hashed
        sort_entries(entry, spare, n)
        while k < n:
            column = entry[k].column
            last = k + 1
            while last < n and entry[last].column == column:
                last += 1
            if last - k == 1:
                entry[m] = entry[k]
                m += 1
            elif last - k <= FEW:
                m = self.merged(entry, k, last, m)
            else:
                # Not each with each: pieces of one hash are nearly always the same.
                for i in range(k, last):
                    entry[i].column = self.piece[entry[i].sides].hashed
                sort_entries(entry + k, spare, last - k)
                while k < last:
                    hashed = entry[k].column
                    j = k
                    while j < last and entry[j].column == hashed:
                        entry[j].column = column
                        j += 1
                    m = self.merged(entry, k, j, m)
                    k = j
            k = last
        return m

    cdef Py_ssize_t merged(
        self, Entry* entry, Py_ssize_t first, Py_ssize_t last, Py_ssize_t to
    ) noexcept nogil:
        """Write some entries of one column from `to` on, each piece once; where they end.

        The first of those that are the same stays, with how many there were.
        """
        cdef Py_ssize_t k, m, end = to
        cdef Piece* one
        cdef Piece* other
        for k in range(first, last):
            one = &self.piece[entry[k].sides]
            for m in range(to, end):
                other = &self.piece[entry[m].sides]
                if one.hashed == other.hashed and self.same(one, other):
                    entry[m].value += 1.0
                    break
            else:
                entry[end] = entry[k]
                end += 1
        return end
