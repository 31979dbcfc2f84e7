"""Which features of a row make pairs, for the kernels that make them."""

cimport cython
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

cdef enum:
    # The sides of a feature whose name would be taken for that of a pair.
    NAMED_LIKE_A_PAIR = 0xFFFFFFFF
    # What `pairs` answers where it made none.
    TOO_MANY = -1
    NO_ROOM = -2
    # How many bytes stand between the names of a pair.
    JOINT_SIZE = 5


cdef struct Side:
    const unsigned char* name
    Py_ssize_t size


cdef struct Pair:
    uint32_t one
    uint32_t other


cdef struct PairList:
    Pair* pair
    Py_ssize_t room
    # Places of the features on the left and on the right of one pair of groups.
    uint32_t* left
    uint32_t* right
    Py_ssize_t side_room
    # How many pairs were too many.
    int64_t refused


@cython.final
cdef class Crossing:
    # Whether every feature is paired with every other.
    cdef readonly bint everything
    # The left and the right group of each pair of groups, in turn.
    cdef Side* side
    cdef int n_pairs
    cdef object held
    cdef uint32_t sides(self, const unsigned char* name, Py_ssize_t size) noexcept nogil
    cdef Py_ssize_t pairs(
        self, const uint32_t* sides, Py_ssize_t n, PairList* listed
    ) noexcept nogil


cdef Py_ssize_t place_of_joint(const unsigned char* name, Py_ssize_t size) noexcept nogil


cdef inline uint32_t other_sides(uint32_t sides) noexcept nogil:
    """Left for right and right for left."""
    return (sides & 0x55555555) << 1 | sides >> 1 & 0x55555555


cdef inline uint32_t hash_of_pair(uint32_t one, uint32_t other) noexcept nogil:
    """What a pair of columns is hashed to, in either order: the mixer of MurmurHash3-64."""
    cdef uint64_t h = <uint64_t> min(one, other) << 32 | max(one, other)
    h = (h ^ h >> 33) * <uint64_t> 0xFF51AFD7ED558CCD
    h = (h ^ h >> 33) * <uint64_t> 0xC4CEB9FE1A85EC53
    return <uint32_t> (h ^ h >> 33)


cdef inline bint make_room(PairList* listed, Py_ssize_t n_pairs, Py_ssize_t n) noexcept nogil:
    """Room for so many pairs of so many features; False: out of memory."""
    cdef void* memory
    if n_pairs > listed.room:
        n_pairs += n_pairs // 2
        memory = realloc(listed.pair, n_pairs * sizeof(Pair))
        if memory == NULL:
            return False
        listed.pair, listed.room = <Pair*> memory, n_pairs
    if n > listed.side_room:
        n += n // 2 + 16
        memory = realloc(listed.left, n * sizeof(uint32_t))
        if memory == NULL:
            return False
        listed.left = <uint32_t*> memory
        memory = realloc(listed.right, n * sizeof(uint32_t))
        if memory == NULL:
            return False
        listed.right, listed.side_room = <uint32_t*> memory, n
    return True


cdef inline void let_go(PairList* listed) noexcept nogil:
    free(listed.pair)
    free(listed.left)
    free(listed.right)


cdef inline bint comes_after(
    const unsigned char* one, Py_ssize_t size, const unsigned char* other, Py_ssize_t other_size
) noexcept nogil:
    """Whether a name stands behind another in the name of their pair."""
    cdef int order = memcmp(one, other, min(size, other_size))
    return order > 0 or (order == 0 and size > other_size)


cdef inline Py_ssize_t joined_name(
    unsigned char* room,
    const unsigned char* one,
    Py_ssize_t size,
    const unsigned char* other,
    Py_ssize_t other_size,
) noexcept nogil:
    """Write the name of a pair, the first name first; there is room for JOINT_SIZE bytes more."""
    memcpy(room, one, size)
    memcpy(room + size, <const char*> b" \xe2\x88\xa7 ", JOINT_SIZE)
    memcpy(room + size + JOINT_SIZE, other, other_size)
    return size + JOINT_SIZE + other_size
