"""Which hashes a row has had: compiled into the kernel that must notice a name twice.

The slow twin is a `set`, emptied before each row.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

cdef enum:
    # Slots that are looked at for one hash. Half of the table being free, only names that were
    # chosen to meet need more.
    LONGEST_SEARCH = 32


cdef struct HashSlot:
    uint32_t hashed
    # The row that had it; a slot of an earlier row is free, so that nobody has to clear them.
    uint32_t row


# Begins as zeros; whoever has one frees its slots.
cdef struct Seen:
    HashSlot* slot
    uint32_t n_slots
    # The part that this row uses, less one.
    uint32_t mask
    uint32_t row


cdef inline bint room_for_hashes(Seen* seen, Py_ssize_t n) noexcept nogil:
    """Make room for a row of so many hashes, half of it free; False: out of memory."""
    cdef uint32_t n_slots = 64
    while n_slots < 2 * n:
        n_slots *= 2
    if n_slots > seen.n_slots:
        free(seen.slot)
        seen.slot = <HashSlot*> calloc(n_slots, sizeof(HashSlot))
        seen.n_slots = n_slots if seen.slot != NULL else 0
    seen.mask = n_slots - 1
    return seen.slot != NULL


cdef inline void forget_hashes(Seen* seen) noexcept nogil:
    """What follows is another row."""
    seen.row += 1


cdef inline bint is_new_hash(Seen* seen, uint32_t hashed) noexcept nogil:
    """Take a hash; whether the row had not had it. No, too, where that took long to find out."""
    cdef uint32_t at = hashed & seen.mask
    cdef uint32_t last = (at + LONGEST_SEARCH) & seen.mask
    while seen.slot[at].row == seen.row:
        if seen.slot[at].hashed == hashed or at == last:
            return False
        at = (at + 1) & seen.mask
    seen.slot[at].row, seen.slot[at].hashed = seen.row, hashed
    return True
