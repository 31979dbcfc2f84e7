"""Pairs of features: who makes one with whom, and what it is called.

Used by `row_sink`, which makes the pairs of each row, by `lexicon`, which finds the columns of
their names, and by `name_counts`, which keeps those names. The slow twin is
`tests/reference/crossing.py`.

A pair is called by the names of its features with ` \u2227 ` between them, the smaller one (by its
bytes) first. No feature of a row that makes pairs has such a name: the row is refused.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memset

from array import array

# What stands between the names of a pair.
JOINT = " \u2227 "
cdef const unsigned char* joint = b" \xe2\x88\xa7 "
# A row with more pairs is refused: 725 features make as many, 10,000 would make 50 million.
MOST_PAIRS = 2**18
cdef int64_t most_pairs = MOST_PAIRS
# Each takes two bits of a feature's sides, and one pattern of bits says something else.
MOST_GROUPS = 15


@cython.final
cdef class Crossing:
    """Pairs of groups of features; no groups at all: every two features are a pair.

    A feature is in a group if it has the group's name, or a name that goes on behind it with `=`
    (a category of that column) or `^` (a feature of that namespace).
    """

    def __init__(self, list groups):
        cdef Py_ssize_t k
        cdef bytes name
        if len(groups) > MOST_GROUPS:
            raise ValueError(f"more than {MOST_GROUPS} pairs of groups")
        self.everything = not groups
        self.n_pairs = max(1, len(groups))
        self.held = [name for pair in groups for name in pair]
        self.side = <Side*> malloc(max(1, len(self.held)) * sizeof(Side))
        if self.side == NULL:
            raise MemoryError
        for k in range(len(self.held)):
            name = self.held[k]
            self.side[k].name, self.side[k].size = name, len(name)

    def __dealloc__(self):
        free(self.side)

    cdef uint32_t sides(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """A bit for each group that the feature is in; `NAMED_LIKE_A_PAIR`: it must not be here."""
        cdef uint32_t found = 0
        cdef int k
        cdef const Side* side
        if place_of_joint(name, size) >= 0:
            return NAMED_LIKE_A_PAIR
        if self.everything:
            return 3
        for k in range(2 * self.n_pairs):
            side = &self.side[k]
            if size >= side.size and memcmp(name, side.name, side.size) == 0:
                if size == side.size or name[side.size] == c"=" or name[side.size] == c"^":
                    found |= <uint32_t> 1 << k
        return found

    cdef Py_ssize_t pairs(
        self, const uint32_t* sides, Py_ssize_t n, PairList* listed
    ) noexcept nogil:
        """List the pairs among `n` features with these sides; how many, or `TOO_MANY`, `NO_ROOM`.

        One pair of groups comes after another; a pair is listed once, by the first that has it.
        The count that must not be too large has it as often as groups do.
        """
        cdef Py_ssize_t k, i, j, n_left, n_right, both, found = 0
        cdef int64_t asked = 0
        cdef uint32_t left, right, one, other, earlier
        listed.refused = 0
        for k in range(self.n_pairs):
            left, right = <uint32_t> 1 << 2 * k, <uint32_t> 2 << 2 * k
            n_left = n_right = both = 0
            for i in range(n):
                n_left += sides[i] & left != 0
                n_right += sides[i] & right != 0
                both += sides[i] & left != 0 and sides[i] & right != 0
            asked += n_left * n_right - both * (both + 1) // 2
        if asked > most_pairs:
            listed.refused = asked
            return TOO_MANY
        if not make_room(listed, asked, n):
            return NO_ROOM
        for k in range(self.n_pairs):
            left, right = <uint32_t> 1 << 2 * k, <uint32_t> 2 << 2 * k
            earlier = left - 1
            n_left = n_right = 0
            for i in range(n):
                if sides[i] & left:
                    listed.left[n_left] = <uint32_t> i
                    n_left += 1
                if sides[i] & right:
                    listed.right[n_right] = <uint32_t> i
                    n_right += 1
            for i in range(n_left):
                one = listed.left[i]
                for j in range(n_right):
                    other = listed.right[j]
                    # Two that are on both sides would come twice, and one may be alone with itself.
                    if other <= one and sides[one] & right and sides[other] & left:
                        continue
                    if other_sides(sides[one]) & sides[other] & earlier:
                        continue
                    listed.pair[found].one, listed.pair[found].other = one, other
                    found += 1
        return found

    def joined(self, list names):
        """The names of the pairs that some names make, each once; none if they are too many."""
        cdef bytes one
        cdef Py_ssize_t k, n
        cdef PairList listed
        cdef uint32_t[::1] sides
        unlike = list(dict.fromkeys(names))
        sides = array("I", [0, *(self.sides(one, len(one)) for one in unlike)])
        memset(&listed, 0, sizeof(PairList))
        try:
            n = self.pairs(&sides[1] if unlike else NULL, len(unlike), &listed)
            if n == NO_ROOM:
                raise MemoryError
            pairs = [(listed.pair[k].one, listed.pair[k].other) for k in range(n)]
        finally:
            let_go(&listed)
        return [joint[:JOINT_SIZE].join(sorted((unlike[i], unlike[j]))) for i, j in pairs]


cdef Py_ssize_t place_of_joint(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Where the first joint begins in a name; -1: nowhere."""
    cdef const unsigned char* at = name
    cdef const unsigned char* end = name + size
    while True:
        # A byte that few names have.
        at = <const unsigned char*> memchr(at, joint[1], end - at)
        if at == NULL:
            return -1
        if at > name and end - at >= JOINT_SIZE - 1:
            if memcmp(at - 1, joint, JOINT_SIZE) == 0:
                return at - 1 - name
        at += 1


def halves(bytes name):
    """The names of the two features of a pair, or None if it is no name of a pair."""
    cdef Py_ssize_t at = place_of_joint(name, len(name))
    return None if at < 0 else (name[:at], name[at + JOINT_SIZE:])


def pair_hash(uint32_t one, uint32_t other):
    """What the pair of two columns is hashed to, before it is cut down to a column."""
    return hash_of_pair(one, other)
