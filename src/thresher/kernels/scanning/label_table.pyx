"""Labels as they are written, numbered in order of appearance.

Used by the kernels that scan text: a token comes in, its number goes out, without the GIL unless
the token is new. The slow twin is `tests/reference/label_table.py`.

The table points into the block that is being scanned; whoever scans holds on to the block until
`names` has been called.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp

from thresher.kernels.rows.murmur3 cimport murmur3_32

cdef int32_t FREE = -1


cdef inline uint64_t key_of(const unsigned char* text, Py_ssize_t length) noexcept nogil:
    """The bytes of a short label, a hash of a long one; never equal between the two."""
    cdef uint64_t key = 0
    cdef Py_ssize_t k
    if length < 8:
        # Not through memory: a number that was written byte by byte is read when all that was
        # written before has arrived, and for a thread whose columns another core has read that
        # takes 60 ns a row.
        for k in range(length):
            key |= <uint64_t> text[k] << 8 * k
        return key << 8 | <uint64_t> length
    return <uint64_t> murmur3_32(text, length, 0) << 8 | 0xFF


cdef inline Py_ssize_t slot_of(uint64_t key, Py_ssize_t n_slots) noexcept nogil:
    return (key * <uint64_t> 0x9E3779B97F4A7C15 >> 32) & <uint64_t> (n_slots - 1)


@cython.final
cdef class LabelTable:
    """Numbers for labels; the first label seen is number 0."""

    def __dealloc__(self):
        free(self.label)
        free(self.slot)

    cdef int32_t number_of(self, const unsigned char* text, Py_ssize_t length) noexcept nogil:
        """The number of a label; NOT_UTF8 or NO_MEMORY for one that cannot be taken."""
        cdef uint64_t key = key_of(text, length)
        cdef Py_ssize_t at
        cdef Label* known
        if self.n_labels * 2 >= self.room and not self.grow():
            return NO_MEMORY
        at = slot_of(key, self.room)
        while self.slot[at] != FREE:
            known = &self.label[self.slot[at]]
            if known.key == key and (
                length < 8
                or (known.length == length and memcmp(known.text, text, length) == 0)
            ):
                return self.slot[at]
            at = (at + 1) & (self.room - 1)
        return self.add(key, text, length)

    cdef int32_t add(
        self, uint64_t key, const unsigned char* text, Py_ssize_t length
    ) noexcept nogil:
        """Take a label that the table lacks."""
        cdef Py_ssize_t at = slot_of(key, self.room)
        with gil:
            try:
                PyBytes_FromStringAndSize(<const char*> text, length).decode("utf-8")
            except UnicodeDecodeError:
                return NOT_UTF8
            except MemoryError:
                return NO_MEMORY
        while self.slot[at] != FREE:
            at = (at + 1) & (self.room - 1)
        self.slot[at] = self.n_labels
        self.label[self.n_labels].key = key
        self.label[self.n_labels].text = text
        self.label[self.n_labels].length = length
        self.n_labels += 1
        return self.n_labels - 1

    cdef bint grow(self) noexcept nogil:
        """Twice the room; False if there is no memory for it."""
        cdef Py_ssize_t room = 2 * self.room if self.room else 64
        cdef Py_ssize_t at
        cdef int32_t number
        cdef int32_t* slot = <int32_t*> malloc(room * sizeof(int32_t))
        cdef Label* label = <Label*> realloc(self.label, room * sizeof(Label))
        if label != NULL:
            self.label = label
        if slot == NULL or label == NULL:
            free(slot)
            return False
        for at in range(room):
            slot[at] = FREE
        for number in range(self.n_labels):
            at = slot_of(self.label[number].key, room)
            while slot[at] != FREE:
                at = (at + 1) & (room - 1)
            slot[at] = number
        free(self.slot)
        self.slot = slot
        self.room = room
        return True

    def names(self):
        """The labels in the order of their numbers."""
        return [
            PyBytes_FromStringAndSize(
                <const char*> self.label[n].text, self.label[n].length
            ).decode("utf-8")
            for n in range(self.n_labels)
        ]


def numbered(labels):
    """The number of each label (bytes; -2 for what is not UTF-8), and the labels by number."""
    cdef LabelTable table = LabelTable()
    cdef bytes label
    kept = list(labels)
    numbers = [
        table.number_of(<const unsigned char*> <const char*> label, len(label)) for label in kept
    ]
    return numbers, table.names()
