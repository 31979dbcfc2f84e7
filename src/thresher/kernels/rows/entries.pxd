"""The entries of one row, sorted and merged: shared by the kernels that make rows.

Compiled into whoever cimports it. The slow twin is `merged` in `tests/reference/named_rows.py`.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef struct Entry:
    uint32_t column
    # Which sides of pairs the feature is on; read only where pairs are made.
    uint32_t sides
    double value


cdef enum:
    # To 2^11 places at most is dealt out: their numbers take a quarter of the fastest cache.
    MOST_DIGITS = 11
    # Where more fell on one place, they are not nearly in order.
    MOST_IN_ONE_PLACE = 24
    # So many are counted in bytes, and sorted by their numbers.
    FEW = 128


cdef inline void sort_entries(Entry* entry, Entry* spare, Py_ssize_t n) noexcept nogil:
    """Sort by column, equal columns in the order in which they came.

    A sorted row is left alone. A short one is sorted by insertion; a longer one is first dealt out
    by its highest bits, to about as many places as there are entries, after which hashed columns
    are nearly in order. Where many fell on one place, it is dealt out by eight bits at a time from
    the lowest: no comparison, so no branch to guess, and no order of columns that would be slow.
    """
    cdef Py_ssize_t i
    cdef uint32_t bits = 0
    cdef int shift = 0, digits = 6
    cdef Entry* source = entry
    cdef Entry* target = spare
    i = 1
    while i < n and entry[i - 1].column <= entry[i].column:
        i += 1
    if i >= n:
        return
    if n <= 12:
        insert(entry, entry, n)
        return
    for i in range(n):
        bits |= entry[i].column
    while digits < MOST_DIGITS and n >> digits:
        digits += 1
    while bits >> shift >> digits:
        shift += 1
    if n <= FEW:
        sort_few(entry, spare, n, shift, digits)
        return
    if deal_out(entry, spare, n, shift, digits) <= MOST_IN_ONE_PLACE:
        insert(spare, entry, n)
        return
    shift = 0
    while shift < 32 and bits >> shift:
        deal_out(source, target, n, shift, 8)
        source, target = target, source
        shift += 8
    if source != entry:
        for i in range(n):
            entry[i] = source[i]


cdef inline void sort_few(
    Entry* entry, Entry* spare, Py_ssize_t n, int shift, int digits
) noexcept nogil:
    """The same for a few, as numbers: column, then place in the row, so that no two are equal."""
    cdef Py_ssize_t i, j
    cdef uint8_t count, total = 0
    cdef uint8_t[2 * FEW] first
    cdef uint64_t[FEW] number
    cdef uint64_t moving
    for i in range(1 << digits):
        first[i] = 0
    for i in range(n):
        first[entry[i].column >> shift] += 1
    for i in range(1 << digits):
        count = first[i]
        first[i] = total
        total += count
    for i in range(n):
        j = entry[i].column >> shift
        number[first[j]] = <uint64_t> entry[i].column << 32 | <uint64_t> i
        first[j] += 1
    for i in range(1, n):
        moving = number[i]
        j = i
        while j > 0 and number[j - 1] > moving:
            number[j] = number[j - 1]
            j -= 1
        number[j] = moving
    for i in range(n):
        spare[i] = entry[<uint32_t> number[i]]
    memcpy(entry, spare, n * sizeof(Entry))


cdef inline void insert(const Entry* source, Entry* entry, Py_ssize_t n) noexcept nogil:
    """Sort by insertion; fast where nearly everything is in order."""
    cdef Py_ssize_t i, j
    cdef Entry moving
    for i in range(n):
        moving = source[i]
        j = i
        while j > 0 and entry[j - 1].column > moving.column:
            entry[j] = entry[j - 1]
            j -= 1
        entry[j] = moving


cdef inline uint32_t deal_out(
    const Entry* source, Entry* target, Py_ssize_t n, int shift, int digits
) noexcept nogil:
    """Put entries in the order of some bits of their columns, equal ones in their old order.

    How many there are of the most frequent bits.
    """
    cdef Py_ssize_t i, place
    cdef uint32_t count, total = 0, most = 0, mask = (<uint32_t> 1 << digits) - 1
    cdef uint32_t[1 << MOST_DIGITS] first
    for i in range(mask + 1):
        first[i] = 0
    for i in range(n):
        first[source[i].column >> shift & mask] += 1
    for i in range(mask + 1):
        count = first[i]
        first[i] = total
        total += count
        most = max(most, count)
    for i in range(n):
        place = source[i].column >> shift & mask
        target[first[place]] = source[i]
        first[place] += 1
    return most


cdef inline Py_ssize_t merge_entries(
    const Entry* entry, Py_ssize_t n, bint strongest, int32_t* column, double* value
) noexcept nogil:
    """Sorted entries as columns and values, one per column and no zeros; how many there are.

    Entries of one column are added up, or the strongest of them counts. Negative: the entries
    of column -1 - result add up to more than a double holds.
    """
    cdef Py_ssize_t k = 0, m = 0
    cdef double merged
    cdef bint alone
    while k < n:
        column[m] = entry[k].column
        merged = entry[k].value
        k += 1
        alone = True
        while k < n and entry[k].column == <uint32_t> column[m]:
            alone = False
            if not strongest:
                merged += entry[k].value
            elif fabs(entry[k].value) > fabs(merged) or entry[k].value == -merged > 0.0:
                merged = entry[k].value
            k += 1
        if not alone and merged - merged != 0.0:
            return -1 - <Py_ssize_t> column[m]
        # Names that collide can cancel; a row stores no zeros.
        if merged != 0.0:
            value[m] = merged
            m += 1
    return m
