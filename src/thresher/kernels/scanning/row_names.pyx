"""The names of one row that make pairs, and the names of these pairs, without writing each.

Used by `name_counts`. The name of a pair is cut behind the name of its first feature (see
`split_names`), so that a feature is two parts, one where it is the first of a pair and one where it
is the second, and its pairs need no other. The slow twin is `joined` in
`tests/reference/crossing.py`.
"""

cimport cython
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcpy

from thresher.kernels.scanning.crossing cimport (
    JOINT_SIZE, Crossing, comes_after, joined_name, let_go,
)
from thresher.kernels.scanning.split_names cimport Part, SplitNames


@cython.final
cdef class RowNames:
    """The names of one row; those of pairs have at most `longest` bytes."""

    def __cinit__(self, Crossing crossing not None, Py_ssize_t longest):
        self.crossing = crossing
        self.longest = longest
        self.joined = <unsigned char*> malloc(longest + JOINT_SIZE)
        if self.joined == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.name)
        free(self.sides)
        free(self.text)
        free(self.joined)
        let_go(&self.listed)

    cdef int take(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Remember a name, or a number that is none, for the pairs of this row."""
        cdef Py_ssize_t room
        cdef void* memory
        cdef RowName* new
        if self.n == self.room:
            room = 2 * self.room + 64
            memory = realloc(self.name, room * sizeof(RowName))
            if memory == NULL:
                return -1
            self.name = <RowName*> memory
            memory = realloc(self.sides, room * sizeof(uint32_t))
            if memory == NULL:
                return -1
            self.sides, self.room = <uint32_t*> memory, room
        if self.text == NULL or self.text_used + size > self.text_room:
            room = 2 * (self.text_used + size) + 64
            memory = realloc(self.text, room)
            if memory == NULL:
                return -1
            self.text, self.text_room = <unsigned char*> memory, room
        memcpy(self.text + self.text_used, name, size)
        new = &self.name[self.n]
        new.start, new.size = self.text_used, size
        new.first = new.second = 0
        new.has_space = memchr(self.text + self.text_used, c" ", size) != NULL
        self.sides[self.n] = self.crossing.sides(name, size)
        self.text_used += size
        self.n += 1
        return 0

    cdef void clear(self) noexcept nogil:
        """What follows is another row."""
        self.n = self.text_used = 0

    cdef Py_ssize_t pair_up(self) noexcept nogil:
        """How many pairs the names make; negative: too many, or out of memory."""
        return self.crossing.pairs(self.sides, self.n, &self.listed)

    cdef Py_ssize_t size_of_pair(self, Py_ssize_t k) noexcept nogil:
        """How many bytes the name of a pair has."""
        cdef Py_ssize_t size = self.name[self.listed.pair[k].one].size
        return size + JOINT_SIZE + self.name[self.listed.pair[k].other].size

    cdef int split_pair(
        self, Py_ssize_t k, SplitNames names, Part* one, Part* other
    ) noexcept nogil:
        """The parts of the name of a pair, which is not too long; -1: out of memory."""
        cdef RowName* a = &self.name[self.listed.pair[k].one]
        cdef RowName* b = &self.name[self.listed.pair[k].other]
        cdef Py_ssize_t size
        if comes_after(self.text + a.start, a.size, self.text + b.start, b.size):
            a, b = b, a
        if a.has_space:
            size = joined_name(
                self.joined, self.text + a.start, a.size, self.text + b.start, b.size
            )
            return names.split(self.joined, size, one, other)
        if not a.first:
            a.first = names.part(self.text + a.start, a.size)
        if not b.second:
            # What stands behind the first space of the joint.
            size = joined_name(self.joined, self.text, 0, self.text + b.start, b.size)
            b.second = names.part(self.joined + 1, size - 1)
        one[0], other[0] = a.first, b.second
        return 0 if a.first and b.second else -1
