"""Byte strings numbered 0, 1, 2, ... in the order in which they first come.

Labels of a block, names of a vocabulary and names kept for inspection are such strings: found
without the GIL and without an object for each. The slow twin is a dict, in
`tests/reference/byte_table.py`.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from thresher.kernels.rows.murmur3 cimport murmur3_32


@cython.final
cdef class ByteTable:
    """Numbers for byte strings; at most 2^32 - 2 of them."""

    def __dealloc__(self):
        free(self.arena)
        free(self.stop)
        free(self.hashes)
        free(self.slot)

    def __len__(self):
        return self.n

    cdef int64_t find(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil:
        """The number of a string whose murmur3_32 with seed 0 is `hashed`; -1 if it has none."""
        cdef Py_ssize_t mask = self.n_slots - 1
        cdef Py_ssize_t at = hashed & mask
        cdef Py_ssize_t number, start
        if self.n_slots == 0:
            return -1
        while self.slot[at].number:
            number = self.slot[at].number - 1
            if self.slot[at].hashed == hashed:
                start = self.stop[number - 1] if number else 0
                if self.stop[number] - start == size:
                    if memcmp(self.arena + start, text, size) == 0:
                        return number
            at = (at + 1) & mask
        return -1

    cdef int64_t take(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil:
        """The number of a string, which gets the next one if it has none; -2: out of memory."""
        cdef int64_t number = self.find(text, size, hashed)
        return number if number >= 0 else self.put(text, size, hashed)

    cdef int64_t put(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil:
        """The number of a string that is new; -2: out of memory."""
        if self.grow(size) < 0:
            return -2
        memcpy(self.arena + self.used, text, size)
        self.used += size
        self.stop[self.n] = self.used
        self.hashes[self.n] = hashed
        self.place(self.n)
        self.n += 1
        return self.n - 1

    cdef void place(self, Py_ssize_t number) noexcept nogil:
        """Put a number into the first free slot from where its hash points."""
        cdef Py_ssize_t mask = self.n_slots - 1
        cdef Py_ssize_t at = self.hashes[number] & mask
        while self.slot[at].number:
            at = (at + 1) & mask
        self.slot[at].hashed = self.hashes[number]
        self.slot[at].number = <uint32_t> number + 1

    cdef void forget(self, Py_ssize_t n) noexcept nogil:
        """Drop the strings numbered `n` and above.

        The last one in is the first one out, so every slot freed is one that was free when
        all that remain were placed, and nobody's path through the slots is cut.
        """
        cdef Py_ssize_t mask = self.n_slots - 1
        cdef Py_ssize_t at
        while self.n > n:
            self.n -= 1
            at = self.hashes[self.n] & mask
            while self.slot[at].number != <uint32_t> self.n + 1:
                at = (at + 1) & mask
            self.slot[at].number = 0
            self.used = self.stop[self.n - 1] if self.n else 0

    cdef void keep(self, const unsigned char* wanted) noexcept nogil:
        """Drop the strings that are not wanted; the others move up, in their order."""
        cdef Py_ssize_t number, start = 0, stop, used = 0, n = 0
        for number in range(self.n):
            stop = self.stop[number]
            if wanted[number]:
                memmove(self.arena + used, self.arena + start, stop - start)
                used += stop - start
                self.stop[n] = used
                self.hashes[n] = self.hashes[number]
                n += 1
            start = stop
        memset(self.slot, 0, self.n_slots * sizeof(Slot))
        self.n, self.used = n, used
        for number in range(n):
            self.place(number)

    cdef int grow(self, Py_ssize_t size) noexcept nogil:
        """Make room for one more string; -1: out of memory."""
        cdef Py_ssize_t room, number
        cdef void* memory
        if self.used + size > self.arena_room:
            room = 2 * self.arena_room + size + 64
            memory = realloc(self.arena, room)
            if memory == NULL:
                return -1
            self.arena = <unsigned char*> memory
            self.arena_room = room
        if self.n == self.room:
            room = 2 * self.room + 16
            memory = realloc(self.stop, room * sizeof(int64_t))
            if memory == NULL:
                return -1
            self.stop = <int64_t*> memory
            memory = realloc(self.hashes, room * sizeof(uint32_t))
            if memory == NULL:
                return -1
            self.hashes = <uint32_t*> memory
            self.room = room
        if 2 * (self.n + 1) > self.n_slots:
            room = 2 * self.n_slots if self.n_slots else 64
            memory = calloc(room, sizeof(Slot))
            if memory == NULL:
                return -1
            free(self.slot)
            self.slot = <Slot*> memory
            self.n_slots = room
            for number in range(self.n):
                self.place(number)
        return 0

    cdef bytes string(self, Py_ssize_t number):
        """The string that has this number."""
        cdef Py_ssize_t start = self.stop[number - 1] if number else 0
        return (<const char*> self.arena)[start:self.stop[number]]

    def add(self, strings):
        """The numbers of some strings; new ones get the next numbers."""
        cdef bytes text
        cdef int64_t number
        numbers = []
        for text in strings:
            number = self.take(text, len(text), murmur3_32(text, len(text), 0))
            if number < 0:
                raise MemoryError
            numbers.append(number)
        return numbers

    def shorten(self, Py_ssize_t n):
        """Drop the strings numbered `n` and above."""
        self.forget(max(n, 0))

    def strings(self):
        """All strings, in the order of their numbers."""
        return [self.string(number) for number in range(self.n)]
