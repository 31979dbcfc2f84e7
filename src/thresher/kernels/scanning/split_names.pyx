"""Names numbered 0, 1, 2, ... in the order in which they first come, each kept as two parts.

Used by `name_counts`. A name is cut at its first space: `free cash` is `free` and `cash`, and a
pair of features `colour=red \u2227 size` is `colour=red` and `\u2227 size`; what has no space is
one part. Parts are numbers of 64 bits, so that a name is two numbers: compared at once, and never
written until somebody asks for it. Names stand one behind the other, so that to go through all of
them is fast, and are found by slots, which are small enough for a cache. Most words are short
enough to be such a number themselves; of the others there are far fewer than names, and a table
has them.
The slow twin is a dict, in `tests/reference/byte_table.py`.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcpy, memset

from thresher.kernels.rows.murmur3 cimport murmur3_32
from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.memory_hints cimport FETCH, zeros

cdef enum:
    # So far ahead is asked for the memory of slots that are filled one after the other.
    AHEAD = 16

# What stands above the number of a part that is in the table.
cdef uint64_t in_table = <uint64_t> 0xFF << 56


@cython.final
cdef class SplitNames:
    """Numbers for names; at most 2^31 of them."""

    def __cinit__(self):
        self.parts = ByteTable()

    def __dealloc__(self):
        free(self.name)
        free(self.slot)

    def __len__(self):
        return self.n

    cdef Part part(self, const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """The code of a part, which may be new; 0: out of memory."""
        cdef unsigned char[8] padded
        cdef int64_t number
        if size <= SHORT:
            memset(padded, 0, 8)
            memcpy(padded, text, size)
            return short_part(padded, size)
        number = self.parts.take(text, size, murmur3_32(text, size, 0))
        return 0 if number < 0 else in_table | <uint64_t> number

    cdef int split(
        self, const unsigned char* text, Py_ssize_t size, Part* one, Part* other
    ) noexcept nogil:
        """The parts of a name; -1: out of memory."""
        cdef const unsigned char* space = NULL
        if size:
            space = <const unsigned char*> memchr(text, c" ", size)
        if space == NULL:
            one[0], other[0] = self.part(text, size), 0
            return 0 if one[0] else -1
        one[0] = self.part(text, space - text)
        other[0] = self.part(space + 1, size - (space - text) - 1)
        return 0 if one[0] and other[0] else -1

    cdef SplitName* find(self, Part one, Part other) noexcept nogil:
        """The name that has these parts; NULL if there is none."""
        cdef uint64_t hashed = mixed(one, other)
        cdef Py_ssize_t mask = self.n_slots - 1, at = hashed & mask
        cdef SplitName* name
        if self.n_slots == 0:
            return NULL
        while self.slot[at].number:
            if self.slot[at].mixed == <uint32_t> (hashed >> 32):
                name = &self.name[self.slot[at].number - 1]
                if name.one == one and name.other == other:
                    return name
            at = (at + 1) & mask
        return NULL

    cdef void fetch(self, Part one, Part other) noexcept nogil:
        """Ask for the memory of a name, if there is one where its parts point."""
        cdef uint32_t number
        if self.n_slots:
            number = self.slot[mixed(one, other) & (self.n_slots - 1)].number
            if number:
                FETCH(&self.name[number - 1])

    cdef SplitName* put(self, Part one, Part other) noexcept nogil:
        """A name that is new, and in no row so far; NULL: out of memory."""
        cdef SplitName* name
        if self.grow() < 0:
            return NULL
        name = &self.name[self.n]
        name.one, name.other, name.rows, name.last = one, other, 0, 0
        self.settle(self.n)
        self.used += self.size_of(one, other)
        self.n += 1
        return name

    cdef Py_ssize_t size_of_part(self, Part part) noexcept nogil:
        cdef uint32_t number = <uint32_t> part
        if part < in_table:
            return <Py_ssize_t> (part >> 56) - 1
        return self.parts.stop[number] - (self.parts.stop[number - 1] if number else 0)

    cdef Py_ssize_t size_of(self, Part one, Part other) noexcept nogil:
        """How many bytes a name of these parts has."""
        cdef Py_ssize_t size = self.size_of_part(one)
        return size + 1 + self.size_of_part(other) if other else size

    cdef Py_ssize_t write_part(self, Part part, unsigned char* out) noexcept nogil:
        cdef Py_ssize_t size = self.size_of_part(part), i
        if part >= in_table:
            memcpy(out, self.parts.arena + self.parts.stop[<uint32_t> part] - size, size)
        else:
            for i in range(size):
                out[i] = <unsigned char> (part >> 8 * i)
        return size

    cdef Py_ssize_t write(self, const SplitName* name, unsigned char* out) noexcept nogil:
        """Write a name; its size."""
        cdef Py_ssize_t size = self.write_part(name.one, out)
        if not name.other:
            return size
        out[size] = c" "
        return size + 1 + self.write_part(name.other, out + size + 1)

    cdef void settle(self, Py_ssize_t number) noexcept nogil:
        """Put a number into the first free slot from where the parts of its name point."""
        cdef uint64_t hashed = mixed(self.name[number].one, self.name[number].other)
        cdef Py_ssize_t mask = self.n_slots - 1, at = hashed & mask
        while self.slot[at].number:
            at = (at + 1) & mask
        self.slot[at].mixed = <uint32_t> (hashed >> 32)
        self.slot[at].number = <uint32_t> number + 1

    cdef void settle_all(self) noexcept nogil:
        """Fill the slots, which are empty."""
        cdef Py_ssize_t number, later
        for number in range(self.n):
            later = min(number + AHEAD, self.n - 1)
            FETCH(&self.slot[
                mixed(self.name[later].one, self.name[later].other) & (self.n_slots - 1)
            ])
            self.settle(number)

    cdef int grow(self) noexcept nogil:
        """Make room for one more name; -1: out of memory."""
        cdef Py_ssize_t room
        cdef void* memory
        if self.n == self.room:
            room = 2 * self.room + 16
            memory = realloc(self.name, room * sizeof(SplitName))
            if memory == NULL:
                return -1
            self.name, self.room = <SplitName*> memory, room
        if 2 * (self.n + 1) > self.n_slots:
            room = 2 * self.n_slots if self.n_slots else 64
            memory = zeros(room * sizeof(NameSlot))
            if memory == NULL:
                return -1
            free(self.slot)
            self.slot, self.n_slots = <NameSlot*> memory, room
            self.settle_all()
        return 0

    cdef void keep(self, const unsigned char* wanted) noexcept nogil:
        """Drop the names that are not wanted; the others move up, in their order.

        Parts that no name has any more stay until `tidy`.
        """
        cdef Py_ssize_t number, n = 0
        for number in range(self.n):
            if wanted[number]:
                self.name[n] = self.name[number]
                n += 1
            else:
                self.used -= self.size_of(self.name[number].one, self.name[number].other)
        self.n = n
        memset(self.slot, 0, self.n_slots * sizeof(NameSlot))
        self.settle_all()

    cdef int tidy(self) noexcept nogil:
        """Drop the parts that no name has; others get new codes. -1: out of memory."""
        cdef Py_ssize_t n_parts = self.parts.n, number, n = 0
        cdef SplitName* name
        cdef unsigned char* wanted = <unsigned char*> calloc(n_parts + 1, 1)
        cdef uint32_t* now = <uint32_t*> malloc((n_parts + 1) * sizeof(uint32_t))
        if wanted == NULL or now == NULL:
            free(wanted)
            free(now)
            return -1
        for number in range(self.n):
            name = &self.name[number]
            if name.one >= in_table:
                wanted[<uint32_t> name.one] = 1
            if name.other >= in_table:
                wanted[<uint32_t> name.other] = 1
        for number in range(n_parts):
            now[number] = <uint32_t> n
            n += wanted[number]
        self.parts.keep(wanted)
        for number in range(self.n):
            name = &self.name[number]
            if name.one >= in_table:
                name.one = in_table | now[<uint32_t> name.one]
            if name.other >= in_table:
                name.other = in_table | now[<uint32_t> name.other]
        free(wanted)
        free(now)
        # Where a name is looked for follows from its parts.
        memset(self.slot, 0, self.n_slots * sizeof(NameSlot))
        self.settle_all()
        return 0

    def add(self, list names):
        """Names, of which new ones get the next numbers."""
        cdef bytes name
        cdef Part one, other
        for name in names:
            if self.split(name, len(name), &one, &other) < 0:
                raise MemoryError
            if self.find(one, other) == NULL and self.put(one, other) == NULL:
                raise MemoryError

    def keep_only(self, list wanted):
        """Drop the names that are not wanted, and the parts that only these had."""
        cdef bytes flags = bytes(wanted)
        self.keep(flags)
        if self.tidy() < 0:
            raise MemoryError

    def strings(self):
        """All names, in the order of their numbers."""
        cdef Py_ssize_t number
        cdef const SplitName* name
        cdef bytes text
        names = []
        for number in range(self.n):
            name = &self.name[number]
            text = PyBytes_FromStringAndSize(NULL, self.size_of(name.one, name.other))
            self.write(name, <unsigned char*> <char*> text)
            names.append(text)
        return names

    def long_parts(self):
        """The parts that are in the table, in the order of their numbers."""
        return self.parts.strings()

    @property
    def n_bytes(self):
        """Bytes of all names together, as they are written."""
        return self.used
