"""What is remembered of the features of a stream, whatever the labels of its rows were.

Used by `committee` and `committees`: committees that see the same rows have one memory. Its part in
a round is in `prepared_row.h` and `standard_columns.h`; the slow twin of both is in
`tests/reference/committee.py`.
"""

from libc.stdint cimport int16_t, int32_t

import numpy as np

UNSEEN = unseen_in_c


cdef class FeatureMemory:
    """Largest values of all features; mean and deviation of columns while they are few."""

    def __init__(self, Py_ssize_t n_features, bint narrow):
        self.shrink = np.full(max(n_features, 1), UNSEEN)
        self.plain = True
        self.arrays = []
        self.columns.n = 1 if narrow else 0
        self.columns.rows = 0.0
        self.make_slots(self.columns.n)

    cdef int make_room(self, Py_ssize_t known, Py_ssize_t room) except -1:
        """Make room for so many features; the first `known` stay."""
        shrink = np.full(room, UNSEEN)
        shrink[:known] = self.shrink[:known]
        self.shrink = shrink
        return 0

    cdef Py_ssize_t make_slots(self, Py_ssize_t n) except -1:
        """Make room for so many slots in all, in doubling steps; how many there is room for."""
        cdef double[::1] doubles
        cdef int32_t[::1] column
        cdef int16_t[::1] place
        cdef Py_ssize_t old = len(self.arrays[0]) if self.arrays else 0, room
        if self.columns.n == 0:
            # The columns were closed: nobody looks at them any more.
            self.arrays = []
            return 0
        n = min(n, MOST_COLUMNS + 1)
        if n <= old:
            return old
        room = 4 * ((max(n, min(2 * old, MOST_COLUMNS + 1)) + 3) // 4)
        place_room = np.zeros(PLACES, np.int16)
        fresh = [np.zeros(room, np.int32), np.zeros(room), np.zeros(room), place_room]
        for own, known in zip(fresh, self.arrays):
            own[:len(known)] = known
        self.arrays = fresh
        column, place = fresh[0], fresh[3]
        self.columns.column, self.columns.place = &column[0], &place[0]
        doubles = fresh[1]
        self.columns.mean = &doubles[0]
        doubles = fresh[2]
        self.columns.squares = &doubles[0]
        return room

    def same_as(self, FeatureMemory other not None, Py_ssize_t n_features):
        """Whether both remember the same of so many features."""
        ours = [np.asarray(self.shrink[:n_features]), *self.standards()]
        theirs = [np.asarray(other.shrink[:n_features]), *other.standards()]
        return (
            self.plain == other.plain and self.columns.n == other.columns.n
            and self.columns.rows == other.columns.rows
            and all(map(np.array_equal, ours, theirs))
        )

    def standards(self):
        """The column of each slot but the constant one, its mean and sum of squared distances."""
        cdef Py_ssize_t n = self.columns.n
        if n == 0:
            return [np.zeros(0, np.int32), np.zeros(0), np.zeros(0)]
        return [np.array(array[1:n]) for array in self.arrays[:3]]

    def set_standards(self, double rows, bint narrow, list standards not None):
        """Take over columns that were checked."""
        cdef Py_ssize_t k, n = len(standards[0]) + 1
        self.columns.n, self.columns.rows = narrow, rows
        self.arrays = []
        self.make_slots(n)
        if not narrow:
            return
        self.columns.n = n
        for k in range(3):
            self.arrays[k][1:n] = standards[k]
        for k in range(1, n):
            self.columns.place[place_of(&self.columns, self.columns.column[k])] = k
