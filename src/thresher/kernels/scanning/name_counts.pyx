"""A bounded table of names: in how many rows each was seen, the rarest dropped when it is full.

Used by `names.kept`, and by the kernels that scan files, which find the names. What
the table holds depends on the sequence of rows alone: not on how it was cut into blocks, and
not on whether the table was stored and restored in between. The slow twin is
`tests/reference/name_counts.py`.

Names are two numbers each (`split_names`). A table of many names is in no fast cache, so names are
not looked up one by one: they wait until there are some, and the memory that they need is asked for
ahead.
"""

cimport cython
from libc.stdint cimport UINT64_MAX, int32_t, int64_t, uint8_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

import numpy as np

from thresher.kernels.scanning.crossing cimport Crossing
from thresher.kernels.scanning.memory_hints cimport FETCH
from thresher.kernels.scanning.row_names cimport RowNames
from thresher.kernels.scanning.split_names cimport Part, SplitName, SplitNames, mixed

# Nobody reads a longer one in a table of weights.
LONGEST_NAME = 512
cdef Py_ssize_t longest_name = LONGEST_NAME

# So many names wait at most.
cdef enum:
    _MOST_WAITING = 256
    # So far ahead is asked for what the slots of names point to.
    _AHEAD = 12
    # Names are ranked by counting how many were in so many rows: roughly first, if rows are many.
    _BITS = 10
    _BINS = 1 << _BITS


@cython.final
cdef class NameCounts:
    """At most `limit` names of at most `max_bytes` bytes together.

    A name that finds the table full makes room: half of it stays, the names seen in most
    rows, among equals the older ones. `dropped` counts every name that went, or never came
    because it is longer than `LONGEST_NAME` bytes or a quarter of `max_bytes`. With a `crossing`,
    the pairs of a row's names are counted behind them.
    """

    def __init__(self, int64_t limit, int64_t max_bytes, Crossing crossing=None):
        self.limit = limit
        self.max_bytes = max_bytes
        self.longest = min(longest_name, max_bytes // 4) if limit > 0 else -1
        self.table = SplitNames()
        self.row_names = None if crossing is None else RowNames(crossing, longest_name)
        self.waiting = <Waiting*> malloc(_MOST_WAITING * sizeof(Waiting))
        if self.waiting == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.waiting)

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
        self.end_row()
        self.row += 1

    cdef void end_row(self) noexcept nogil:
        """Have everything looked up that waits. Numbers of parts are good for one row."""
        self.cross()
        self.look_up()
        if self.untidy:
            self.out_of_memory |= self.table.tidy() < 0
            self.untidy = False

    cdef int settle(self) except -1:
        """The same, between two rows."""
        self.end_row()
        if self.out_of_memory:
            raise MemoryError
        return 0

    cdef int count(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Count a name of this row, once; -1: out of memory."""
        if self.take_part(name, size) < 0:
            return -1
        return self.count_alone(name, size)

    cdef int take_part(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Remember a name, or a number that is none, for the pairs of this row."""
        return 0 if self.row_names is None else self.row_names.take(name, size)

    cdef void cross(self) noexcept nogil:
        """Count the pairs of this row's names; those of a row with too many are not counted."""
        cdef Part one, other
        cdef Py_ssize_t k
        if self.row_names is None:
            return
        for k in range(self.row_names.pair_up() if self.row_names.n else 0):
            if self.row_names.size_of_pair(k) > self.longest:
                self.n_dropped += 1
            elif self.row_names.split_pair(k, self.table, &one, &other) < 0:
                self.out_of_memory = True
            else:
                self.count_split(one, other)
        self.row_names.clear()

    cdef int count_alone(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Count a name, and not what it makes with others; -1: out of memory."""
        cdef Part one, other
        if size > self.longest:
            self.n_dropped += 1
            return 0
        if self.table.split(name, size, &one, &other) < 0:
            self.out_of_memory = True
            return -1
        return self.count_split(one, other)

    cdef int count_split(self, Part one, Part other) noexcept nogil:
        """Count a name, which is not too long, by its parts; -1: out of memory."""
        cdef Waiting* new
        if self.n_waiting == _MOST_WAITING:
            self.look_up()
        new = &self.waiting[self.n_waiting]
        new.one, new.other = one, other
        self.n_waiting += 1
        if self.table.n_slots:
            FETCH(&self.table.slot[mixed(one, other) & (self.table.n_slots - 1)])
        return -1 if self.out_of_memory else 0

    cdef bint has_room(self, Py_ssize_t n, int64_t n_bytes) noexcept nogil:
        """Whether so many names with so many bytes fit, so that none is dropped for them.

        To be asked at the beginning of a row, when nothing waits.
        """
        return self.table.n + n <= self.limit and self.table.used + n_bytes <= self.max_bytes

    cdef void look_up(self) noexcept nogil:
        """Enter the names that wait, in their order."""
        cdef Py_ssize_t k, ahead
        for k in range(self.n_waiting):
            ahead = min(k + _AHEAD, self.n_waiting - 1)
            self.table.fetch(self.waiting[ahead].one, self.waiting[ahead].other)
            if self.enter(self.waiting[k].one, self.waiting[k].other) < 0:
                self.out_of_memory = True
        self.n_waiting = 0

    cdef int enter(self, Part one, Part other) noexcept nogil:
        """Count a name in the table; -1: out of memory."""
        cdef SplitName* name = self.table.find(one, other)
        if name == NULL:
            if (
                self.table.n >= self.limit
                or self.table.used + self.table.size_of(one, other) > self.max_bytes
            ):
                if self.drop() < 0:
                    return -1
            name = self.table.put(one, other)
            if name == NULL:
                return -1
        if name.last != self.row:
            name.last = self.row
            name.rows += 1
        return 0

    cdef int drop(self) noexcept nogil:
        """Keep half of the limits; those who stay keep their order.

        Less often than if more stayed: to look at all names takes as long as to count some rows.
        """
        cdef Py_ssize_t n = self.table.n, number, kept = 0
        cdef int64_t room = self.limit // 2, n_bytes = self.max_bytes // 2
        cdef uint64_t last = self.rows_of_the_last(&room, &n_bytes)
        cdef const SplitName* name
        cdef unsigned char* stays = <unsigned char*> calloc(n + 1, 1)
        if stays == NULL:
            return -1
        for number in range(n):
            name = &self.table.name[number]
            stays[number] = <uint64_t> name.rows > last
            if <uint64_t> name.rows == last and room > 0:
                # Of these the older ones stay; the first that is too much ends it.
                n_bytes -= self.table.size_of(name.one, name.other)
                stays[number] = n_bytes >= 0
                room = room - 1 if n_bytes >= 0 else 0
            kept += stays[number]
        self.n_dropped += n - kept
        # Parts that only dropped names had may stay while they are few.
        self.untidy = (
            self.table.parts.n > self.limit // 2
            or self.table.parts.used > self.max_bytes // 2
        )
        self.table.keep(stays)
        free(stays)
        return 0

    cdef uint64_t rows_of_the_last(self, int64_t* room, int64_t* n_bytes) noexcept nogil:
        """A number of rows: names in more all stay, those in as many as far as there is room.

        What the former take is taken off the room, for so many names of so many bytes together.
        Names are counted by their rows, those in very many by ranges of them, which are looked into
        only where one of them has names that stay and names that do not.
        """
        cdef int64_t[_BINS] count
        cdef int64_t[_BINS] size
        cdef uint64_t first = 0, end = UINT64_MAX, rows
        cdef int shift = 0
        cdef Py_ssize_t at, number
        cdef const SplitName* name
        # Where all names together are short enough, their sizes need not be added up.
        cdef bint short_enough = self.table.used <= n_bytes[0]
        while True:
            memset(count, 0, sizeof(count))
            memset(size, 0, sizeof(size))
            for number in range(self.table.n):
                name = &self.table.name[number]
                rows = <uint64_t> name.rows
                if first <= rows < end:
                    at = min((rows - first) >> shift, <uint64_t> (_BINS - 1))
                    count[at] += 1
                    if not short_enough:
                        size[at] += self.table.size_of(name.one, name.other)
            at = _BINS - 1
            while at >= 0 and count[at] <= room[0] and size[at] <= n_bytes[0]:
                room[0] -= count[at]
                n_bytes[0] -= size[at]
                at -= 1
            if at == _BINS - 1 and end == UINT64_MAX:
                first += <uint64_t> at << shift
                shift += _BITS
            elif shift == 0 or at < 0:
                return first + at
            else:
                first += <uint64_t> at << shift
                end = first + (<uint64_t> 1 << shift)
                shift -= _BITS

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
        cdef Py_ssize_t k, n = self.table.n, at = 0
        text = np.empty(self.table.used, np.uint8)
        stop = np.empty(n, np.int64)
        rows = np.empty(n, np.int64)
        cdef const SplitName* name
        cdef uint8_t[::1] texts = text
        cdef int64_t[::1] stops = stop, counts = rows
        cdef unsigned char nothing = 0
        # A text that is empty has no first byte to point to.
        cdef unsigned char* out = &texts[0] if self.table.used else &nothing
        with nogil:
            for k in range(n):
                name = &self.table.name[k]
                at += self.table.write(name, out + at)
                stops[k], counts[k] = at, name.rows
        return text, stop, rows

    def restore(
        self,
        const uint8_t[::1] text,
        const int64_t[::1] stop,
        const int64_t[::1] rows,
        int64_t dropped,
    ):
        """Take up what `arrays` described, which has been checked; the table is empty."""
        cdef Py_ssize_t k, n = stop.shape[0], start = 0
        cdef Part one, other
        cdef SplitName* held
        cdef unsigned char nothing = 0
        cdef const unsigned char* name = &text[0] if text.shape[0] else &nothing
        cdef bint fits = True
        with nogil:
            for k in range(n):
                fits = stop[k] - start <= self.longest and self.has_room(1, stop[k] - start)
                if not fits:
                    break
                if self.table.split(name + start, stop[k] - start, &one, &other) < 0:
                    self.out_of_memory = True
                    break
                fits = self.table.find(one, other) == NULL
                if not fits:
                    break
                held = self.table.put(one, other)
                if held == NULL:
                    self.out_of_memory = True
                    break
                held.rows = rows[k]
                start = stop[k]
        if not fits:
            raise ValueError(f"name {k} is there twice, or is too much for the limits")
        if self.out_of_memory:
            raise MemoryError
        self.n_dropped = dropped
