"""A bounded table of names: in how many rows each was seen, the rarest dropped when it is full.

Used by `names.kept`, and by the kernels that scan files, which find the names. What
the table holds depends on the sequence of rows alone: not on how it was cut into blocks, and
not on whether the table was stored and restored in between. The slow twin is
`tests/reference/name_counts.py`.

A table of many names is in no fast cache, so names are not looked up one by one: they wait until
there are some, and the memory that they will need is asked for ahead.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy

import numpy as np

from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.crossing cimport JOINT_SIZE, Crossing, joined_name, let_go
from thresher.kernels.rows.murmur3 cimport murmur3_32

# Nobody reads a longer one in a table of weights.
LONGEST_NAME = 512
cdef Py_ssize_t longest_name = LONGEST_NAME
cdef enum:
    _LONGEST = 512


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define FETCH(address) __builtin_prefetch(address)
    #else
    #define FETCH(address) ((void) (address))
    #endif
    """
    void FETCH(const void* address) noexcept nogil

# So many names wait at most.
cdef enum:
    _MOST_WAITING = 256
    # Names in fewer rows than this are ranked by counting.
    _FEW = 4096


cdef struct Rank:
    int64_t rows
    int64_t number


cdef int by_rank(const void* one, const void* other) noexcept nogil:
    """More rows first; among equals, the name that has been here longer."""
    cdef const Rank* a = <const Rank*> one
    cdef const Rank* b = <const Rank*> other
    if a.rows != b.rows:
        return -1 if a.rows > b.rows else 1
    return -1 if a.number < b.number else 1


@cython.final
cdef class NameCounts:
    """At most `limit` names of at most `max_bytes` bytes together.

    A name that finds the table full makes room: three quarters of it stay, those seen in most
    rows, among equals the older ones. `dropped` counts every name that went, or never came
    because it is longer than `LONGEST_NAME` bytes or a quarter of `max_bytes`. With a `crossing`,
    the pairs of a row's names are counted behind them.
    """

    def __init__(self, int64_t limit, int64_t max_bytes, Crossing crossing=None):
        self.crossing = crossing
        self.limit = limit
        self.max_bytes = max_bytes
        self.table = ByteTable()
        self.waiting = <Waiting*> malloc(_MOST_WAITING * sizeof(Waiting))
        self.text = <unsigned char*> malloc(_MOST_WAITING * longest_name)
        if self.waiting == NULL or self.text == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.rows)
        free(self.last)
        free(self.waiting)
        free(self.text)
        free(self.part)
        free(self.part_stop)
        free(self.sides)
        let_go(&self.listed)

    def __len__(self):
        self.settle()
        return self.table.n

    @property
    def dropped(self):
        """How often a name went, or never came."""
        self.settle()
        return self.n_dropped

    cdef void begin_row(self) noexcept nogil:
        """What is counted from now on is in another row."""
        self.cross()
        self.look_up()
        self.row += 1

    cdef int count(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Count a name of this row, once; -1: out of memory."""
        if self.take_part(name, size) < 0:
            return -1
        return self.count_alone(name, size)

    cdef int take_part(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Remember a name, or a number that is none, for the pairs of this row."""
        cdef Py_ssize_t start = self.part_stop[self.n_parts - 1] if self.n_parts else 0
        cdef Py_ssize_t room
        cdef void* memory
        if self.crossing is None:
            return 0
        if self.n_parts == self.parts_room:
            room = 2 * self.parts_room + 64
            memory = realloc(self.part_stop, room * sizeof(Py_ssize_t))
            if memory == NULL:
                return -1
            self.part_stop = <Py_ssize_t*> memory
            memory = realloc(self.sides, room * sizeof(uint32_t))
            if memory == NULL:
                return -1
            self.sides, self.parts_room = <uint32_t*> memory, room
        if start + size > self.part_room:
            room = 2 * (start + size)
            memory = realloc(self.part, room)
            if memory == NULL:
                return -1
            self.part, self.part_room = <unsigned char*> memory, room
        memcpy(self.part + start, name, size)
        self.part_stop[self.n_parts] = start + size
        self.sides[self.n_parts] = self.crossing.sides(name, size)
        self.n_parts += 1
        return 0

    cdef int cross(self) noexcept nogil:
        """Count the pairs of this row's names; those of a row with too many are not counted."""
        cdef unsigned char[2 * _LONGEST + JOINT_SIZE] name
        cdef Py_ssize_t k, n, n_bytes, one, other, start, other_start
        if not self.n_parts:
            return 0
        n = self.crossing.pairs(self.sides, self.n_parts, &self.listed)
        for k in range(n):
            one, other = self.listed.pair[k].one, self.listed.pair[k].other
            start = self.part_stop[one - 1] if one else 0
            other_start = self.part_stop[other - 1] if other else 0
            if max(self.part_stop[one] - start, self.part_stop[other] - other_start) > _LONGEST:
                self.n_dropped += 1
            else:
                n_bytes = joined_name(
                    name,
                    self.part + start, self.part_stop[one] - start,
                    self.part + other_start, self.part_stop[other] - other_start,
                )
                self.count_alone(name, n_bytes)
        self.n_parts = 0
        return 0

    cdef int count_alone(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Count a name, and not what it makes with others; -1: out of memory."""
        return self.count_hashed(name, size, murmur3_32(name, size, 0))

    cdef int count_hashed(
        self, const unsigned char* name, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil:
        """The same for a name whose murmur3_32 with seed 0 is known."""
        cdef Waiting* one
        if size > longest_name or size > self.max_bytes // 4 or self.limit < 1:
            self.n_dropped += 1
            return 0
        if self.n_waiting == _MOST_WAITING:
            self.look_up()
        one = &self.waiting[self.n_waiting]
        one.start, one.size, one.hashed = self.text_used, size, hashed
        memcpy(self.text + self.text_used, name, size)
        self.text_used += size
        self.n_waiting += 1
        if self.table.n_slots:
            FETCH(&self.table.slot[one.hashed & (self.table.n_slots - 1)])
        return -1 if self.out_of_memory else 0

    cdef void look_up(self) noexcept nogil:
        """Enter the names that wait, in their order."""
        cdef Waiting* one
        cdef Py_ssize_t k, number, mask = self.table.n_slots - 1
        if self.table.n_slots:
            for k in range(self.n_waiting):
                number = self.table.slot[self.waiting[k].hashed & mask].number
                if number > 1:
                    FETCH(&self.table.stop[number - 2])
                    FETCH(&self.last[number - 1])
                    FETCH(&self.rows[number - 1])
            for k in range(self.n_waiting):
                number = self.table.slot[self.waiting[k].hashed & mask].number
                if number > 1:
                    FETCH(self.table.arena + self.table.stop[number - 2])
        for k in range(self.n_waiting):
            one = &self.waiting[k]
            if self.enter(self.text + one.start, one.size, one.hashed) < 0:
                self.out_of_memory = True
        self.n_waiting = self.text_used = 0

    cdef int settle(self) except -1:
        """Have everything looked up that waits."""
        self.cross()
        self.look_up()
        if self.out_of_memory:
            raise MemoryError
        return 0

    cdef int enter(
        self, const unsigned char* name, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil:
        """Count a name in the table; -1: out of memory."""
        cdef int64_t number = self.table.find(name, size, hashed)
        cdef Py_ssize_t room
        cdef void* memory
        if number < 0:
            if self.table.n >= self.limit or self.table.used + size > self.max_bytes:
                if self.drop() < 0:
                    return -1
            number = self.table.put(name, size, hashed)
            if number < 0:
                return -1
            if number >= self.room:
                room = 2 * self.room + 64
                memory = realloc(self.rows, room * sizeof(int64_t))
                if memory == NULL:
                    return -1
                self.rows = <int64_t*> memory
                memory = realloc(self.last, room * sizeof(int64_t))
                if memory == NULL:
                    return -1
                self.last = <int64_t*> memory
                self.room = room
            self.rows[number] = 0
            self.last[number] = 0
        if self.last[number] != self.row:
            self.last[number] = self.row
            self.rows[number] += 1
        return 0

    cdef int drop(self) noexcept nogil:
        """Keep three quarters of the limits; those who stay keep their order."""
        cdef Py_ssize_t n = self.table.n, k, kept = 0, number
        cdef int64_t used = 0
        cdef int64_t* ranked = <int64_t*> malloc((n + 1) * sizeof(int64_t))
        cdef unsigned char* stays = <unsigned char*> calloc(n + 1, 1)
        if ranked == NULL or stays == NULL or self.rank(ranked) < 0:
            free(ranked)
            free(stays)
            return -1
        while kept < n and kept < self.limit - (self.limit + 3) // 4:
            number = ranked[kept]
            used += self.table.stop[number] - (self.table.stop[number - 1] if number else 0)
            if used > self.max_bytes - (self.max_bytes + 3) // 4:
                break
            stays[number] = 1
            kept += 1
        self.n_dropped += n - kept
        self.table.keep(stays)
        k = 0
        for number in range(n):
            if stays[number]:
                self.rows[k], self.last[k] = self.rows[number], self.last[number]
                k += 1
        free(ranked)
        free(stays)
        return 0

    cdef int rank(self, int64_t* ranked) noexcept nogil:
        """The names by how many rows had them, most first, among equals the older; -1: no memory.

        Nearly all were in few rows, and are counted into their places; the others are sorted.
        """
        cdef Py_ssize_t n = self.table.n, k, few, often = 0
        cdef int64_t number
        cdef int64_t* place = <int64_t*> calloc(_FEW + 1, sizeof(int64_t))
        cdef Rank* rank
        if place == NULL:
            return -1
        for k in range(n):
            if self.rows[k] < _FEW:
                place[self.rows[k]] += 1
            else:
                often += 1
        rank = <Rank*> malloc((often + 1) * sizeof(Rank))
        if rank == NULL:
            free(place)
            return -1
        # From how many have a number of rows to where the first of them stands.
        number = often
        for k in range(_FEW - 1, -1, -1):
            number, place[k] = number + place[k], number
        often = 0
        for k in range(n):
            few = self.rows[k]
            if few < _FEW:
                ranked[place[few]] = k
                place[few] += 1
            else:
                rank[often].rows, rank[often].number = few, k
                often += 1
        qsort(rank, often, sizeof(Rank), by_rank)
        for k in range(often):
            ranked[k] = rank[k].number
        free(rank)
        free(place)
        return 0

    def count_row(self, list names):
        """Count the names of one row."""
        cdef bytes name
        self.begin_row()
        for name in names:
            if self.count(name, len(name)) < 0:
                raise MemoryError

    def count_pairs(self, const int64_t[::1] row_start, const int32_t[::1] column):
        """Count the pairs of rows whose features have no names but their columns."""
        cdef unsigned char[16] digits
        cdef Py_ssize_t t, k
        cdef int failed = 0
        with nogil:
            for t in range(row_start.shape[0] - 1):
                self.begin_row()
                for k in range(row_start[t], row_start[t + 1]):
                    failed |= self.take_part(
                        digits, snprintf(<char*> digits, 16, b"%d", column[k])
                    )
                if failed:
                    break
        if failed:
            raise MemoryError

    def names(self):
        """The names, oldest first."""
        self.settle()
        return self.table.strings()

    def arrays(self):
        """All names in one text, where each of them ends, and in how many rows it was."""
        self.settle()
        cdef Py_ssize_t n = self.table.n
        text = np.empty(self.table.used, np.uint8)
        stop = np.empty(n, np.int64)
        rows = np.empty(n, np.int64)
        cdef uint8_t[::1] texts = text
        cdef int64_t[::1] stops = stop, counts = rows
        if self.table.used:
            memcpy(&texts[0], self.table.arena, self.table.used)
        if n:
            memcpy(&stops[0], self.table.stop, n * sizeof(int64_t))
            memcpy(&counts[0], self.rows, n * sizeof(int64_t))
        return text, stop, rows

    def restore(
        self,
        const uint8_t[::1] text,
        const int64_t[::1] stop,
        const int64_t[::1] rows,
        int64_t dropped,
    ):
        """Take up what `arrays` described, which has been checked; the table is empty."""
        cdef Py_ssize_t k, start = 0
        cdef unsigned char nothing = 0
        cdef const unsigned char* name
        self.begin_row()
        for k in range(stop.shape[0]):
            # An empty name has no first byte to point to.
            name = &nothing
            if stop[k] > start:
                name = &text[start]
            if self.count_alone(name, stop[k] - start) < 0:
                raise MemoryError
            self.settle()
            if self.table.n != k + 1:
                raise ValueError(f"name {k} is there twice, or is too much for the limits")
            self.rows[k] = rows[k]
            start = stop[k]
        self.n_dropped = dropped
