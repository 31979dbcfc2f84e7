"""What is kept of the features of a stream: a slot for each that was learned from.

Used by `committee` and `committees`: committees that see the same rows have one memory, and in each
slot a line of weights of their own. Slots are given in the order in which features first appear:
memory and files are as large as what was learned, and frequent features lie close together. What
a round does with them is in `prepared_row.h` and `standard_columns.h`; the slow twin of both is in
`tests/reference/committee.py`.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

import numpy as np

UNSEEN = unseen_in_c

# Where the number of features is stated, address space is asked for in such pieces. The system
# gives out memory when it is written to: to be moved costs more than to have space in reserve.
cdef Py_ssize_t RESERVE = 1 << 33


cdef class FeatureMemory:
    """Slots, their lines and largest values; mean and deviation of columns while they are few."""

    def __init__(self, Py_ssize_t n_features, bint growing, bint narrow, fresh):
        self.slot = np.zeros(max(n_features, 1), np.int32)
        self.fresh = np.ascontiguousarray(fresh, np.float32)
        self.growing, self.plain = growing, True
        self.n, self.n_committees, self.marked = 1, 1, 1
        self.column, self.shrink = np.zeros(1, np.int32), np.full(1, UNSEEN)
        self.lines = cache_lines(1, 1)
        self.arrays = []
        self.columns.n = 1 if narrow else 0
        self.columns.rows = 0.0
        self.make_slots()

    # ---- room -----------------------------------------------------------------------------------

    cdef int make_room(self, Py_ssize_t known, Py_ssize_t n_features) except -1:
        """Make room for so many features, in doubling steps; the first `known` stay."""
        if n_features > self.slot.shape[0]:
            slot = np.zeros(max(n_features, 2 * known, 16), np.int32)
            slot[:known] = self.slot[:known]
            self.slot = slot
        return 0

    def arrange(self, Py_ssize_t n_slots, Py_ssize_t n_committees):
        """Move everything into a table with room for so many slots and committees at least."""
        cdef Py_ssize_t n = self.n, width = 2 * LANES * self.n_committees
        cdef Py_ssize_t room = max(n_slots, 16)
        if not self.growing:
            room = max(room, RESERVE // (n_committees * 2 * LANES * <Py_ssize_t> sizeof(float)))
        room = max(n_slots, min(room, self.slot.shape[0] + 1))
        lines = None
        while lines is None:
            try:
                lines = cache_lines(room, n_committees)
            except MemoryError:
                # The system may not give space away on trust.
                if room <= n_slots:
                    raise
                room = max(n_slots, room // 2)
        lines[1:n, :width] = self.lines[1:n, :width]
        column, shrink = np.empty(room, np.int32), np.empty(room)
        column[:n], shrink[:n] = self.column[:n], self.shrink[:n]
        self.lines, self.column, self.shrink = lines, column, shrink

    cdef Py_ssize_t make_slots(self) except -1:
        """Make room to standardise all slots, in doubling steps; how many there is room for."""
        cdef double[::1] mean, squares
        cdef Py_ssize_t old = len(self.arrays[0]) if self.arrays else 0, room
        cdef Py_ssize_t n = min(self.n, MOST_COLUMNS + 1)
        if self.columns.n == 0:
            # The columns were closed: nobody looks at them any more.
            self.arrays = []
            return 0
        if n <= old:
            return old
        room = 4 * ((max(n, min(2 * old, MOST_COLUMNS + 1)) + 3) // 4)
        fresh = [np.zeros(room), np.zeros(room)]
        for own, known in zip(fresh, self.arrays):
            own[:len(known)] = known
        self.arrays = on_lines_of_their_own(fresh)
        mean, squares = self.arrays
        self.columns.mean, self.columns.squares = &mean[0], &squares[0]
        return room

    # ---- slots ----------------------------------------------------------------------------------

    cdef void find(self, const int32_t* column, Py_ssize_t n, int32_t* slot) noexcept nogil:
        """The slots of features; 0 for those that were never learned from."""
        cdef Py_ssize_t k
        for k in range(n):
            slot[k] = self.slot[column[k]]

    cdef int admit(self, const int32_t* column, Py_ssize_t n, int32_t* slot) except -1 nogil:
        """The slots of features that will be learned from."""
        cdef Py_ssize_t k, c
        cdef int32_t found
        for k in range(n):
            found = self.slot[column[k]]
            if found == 0:
                if self.n == self.lines.shape[0]:
                    with gil:
                        self.arrange(2 * self.n, self.lines.shape[1] // (2 * LANES))
                found = <int32_t> self.n
                self.column[found], self.shrink[found] = column[k], unseen_in_c
                for c in range(self.n_committees):
                    memcpy(&self.lines[found, 2 * LANES * c], &self.fresh[0],
                           2 * LANES * sizeof(float))
                self.slot[column[k]] = found
                self.n += 1
            slot[k] = found
        return 0

    def slots_of(self, const int64_t[::1] row_start, const int32_t[::1] column, learned):
        """The slots of the features of rows, row after row.

        `learned` says of each row whether it will be learned from; True or False is for all.
        """
        cdef Py_ssize_t t, start, n
        cdef int32_t[::1] slot = np.empty(column.shape[0], np.int32)
        cdef const unsigned char[::1] each = None
        if not isinstance(learned, bool):
            each = learned.view(np.uint8)
        cdef bint each_differs = each is not None, every = learned is True
        if column.shape[0] == 0:
            return np.asarray(slot)
        with nogil:
            if not each_differs and every:
                self.admit(&column[0], column.shape[0], &slot[0])
            elif not each_differs:
                self.find(&column[0], column.shape[0], &slot[0])
            else:
                for t in range(row_start.shape[0] - 1):
                    start, n = row_start[t], row_start[t + 1] - row_start[t]
                    if n and each[t]:
                        self.admit(&column[start], n, &slot[start])
                    elif n:
                        self.find(&column[start], n, &slot[start])
        return np.asarray(slot)

    cdef int remember_ones(
        self, const int64_t[::1] row_start, const int32_t[::1] slot, learned, Py_ssize_t known
    ) except -1:
        """Remember the value 1 of rows of ones that will be learned from, before they are.

        Arguments as of `slots_of`, and how many slots there were before it was asked. While all
        values ever seen are ones, a slot has little to remember: what is fresh is marked here, and
        what was there before, mostly, long ago. To write it in every row took a tenth of the time.
        """
        cdef Py_ssize_t t, k
        cdef const unsigned char[::1] each = None
        for k in range(known, self.n):
            self.shrink[k] = 1.0
        while self.marked < known and self.shrink[self.marked] == 1.0:
            self.marked += 1
        if self.marked == known:
            self.marked = self.n
            return 0
        # Some were given weights and no values, or a slot and, for want of memory, no row.
        if not isinstance(learned, bool):
            each = learned.view(np.uint8)
        for t in range(row_start.shape[0] - 1):
            if each is None or each[t]:
                for k in range(row_start[t], row_start[t + 1]):
                    self.shrink[slot[k]] = 1.0
        return 0

    # ---- the state ------------------------------------------------------------------------------

    def same_as(self, FeatureMemory other not None):
        """Whether both remember the same of the same features."""
        return self.plain == other.plain and all(
            map(np.array_equal, self.remembered(), other.remembered())
        )

    def remembered(self):
        """What does not depend on labels: columns in the order of their slots, largest values.

        Then, while there are few columns, their number with the constant (0 if they are not few),
        the number of rows, means and squared distances. The arrays are the memory itself.
        """
        cdef Py_ssize_t n = self.columns.n
        narrow = [array[1:n] for array in self.arrays] if n else [np.zeros(0), np.zeros(0)]
        return [np.asarray(self.column[1:self.n]), np.asarray(self.shrink[1:self.n]),
                np.array([n, self.columns.rows]), *narrow]

    def lines_of(self, Py_ssize_t place, Py_ssize_t n=1):
        """The lines of `n` committees from this place on, by slot; not a copy."""
        return np.asarray(self.lines)[1:self.n, 2 * LANES * place:2 * LANES * (place + n)]

    def take_over(self, bint plain, list remembered not None, lines):
        """Take over what was checked, with the lines of as many committees as there are."""
        column, shrink, (n, rows), *narrow = remembered
        self.n_committees = lines.shape[1] // (2 * LANES)
        self.n = 1
        self.arrange(len(column) + 1, self.n_committees)
        self.n = len(column) + 1
        np.asarray(self.column)[1:self.n], np.asarray(self.shrink)[1:self.n] = column, shrink
        np.asarray(self.lines)[1:self.n] = lines
        np.asarray(self.slot)[column] = np.arange(1, self.n, dtype=np.int32)
        self.plain, self.marked, self.arrays = plain, 1, []
        self.columns.n, self.columns.rows = int(n), rows
        self.make_slots()
        for own, known in zip(self.arrays, narrow):
            own[1:len(known) + 1] = known


def cache_lines(Py_ssize_t n_slots, Py_ssize_t n_committees):
    """Room for so many slots, with 16 numbers for each committee: one line of the cache.

    The first slot has zeros; the others have what they are given.
    """
    cdef Py_ssize_t width = 2 * LANES, size = n_slots * n_committees * width
    room = np.empty(size + width, np.float32)
    skip = -(room.ctypes.data // 4) % width
    lines = room[skip:skip + size].reshape(n_slots, -1)
    lines[0] = 0.0
    return lines


cdef list on_lines_of_their_own(list known):
    """Copies of arrays of doubles, each of which begins where a line of the cache does.

    Nothing else is on these lines: what one thread writes does not hold up another.
    """
    sizes = [8 * ((len(array) + 7) // 8) for array in known]
    room = np.empty(sum(sizes) + 8)
    begin = -(room.ctypes.data // 8) % 8
    found = []
    for array, size in zip(known, sizes):
        own = room[begin:begin + len(array)]
        own[:] = array
        found.append(own)
        begin += size
    return found
