"""The entries of one row, sorted and merged: shared by the kernels that make rows.

Compiled into whoever cimports it. The slow twin is `merged` in `tests/reference/named_rows.py`.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    /* From how many fall on each place to how many fall before it, at most 255 in all; the places
       are a multiple of eight, which are added up in one product. */
    static inline void thresher_places_before(uint8_t *count, int n) {
        uint8_t total = 0;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (int i = 0; i < n; i++) {
            uint8_t own = count[i];
            count[i] = total;
            total += own;
        }
    #else
        const uint64_t each = 0x0101010101010101u;
        for (int i = 0; i < n; i += 8) {
            uint64_t eight;
            memcpy(&eight, count + i, 8);
            eight *= each;
            uint64_t before = (eight << 8) + total * each;
            memcpy(count + i, &before, 8);
            total += (uint8_t) (eight >> 56);
        }
    #endif
    }
    """
    void places_before "thresher_places_before"(uint8_t* count, int n) noexcept nogil


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
    # So many are counted in bytes, and sorted as numbers, by so many digits at a time at most.
    FEW = 128
    FEW_DIGITS = 9
    # Where more of a few fell on one place, to compare them would take a guess for each.
    CROWDED = 6


cdef inline void sort_entries(Entry* entry, Entry* spare, Py_ssize_t n) noexcept nogil:
    """Sort by column, equal columns in the order in which they came.

    A sorted row is left alone. A short one is sorted by insertion; a longer one is first dealt out
    by its highest bits, to at least as many places as there are entries, after which hashed columns
    are nearly in order. Where many fell on one place, it is dealt out by some bits at a time from
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
    if n <= FEW:
        sort_few(entry, spare, n, bits)
        return
    while digits < MOST_DIGITS and n >> digits:
        digits += 1
    while bits >> shift >> digits:
        shift += 1
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


cdef inline void sort_few(Entry* entry, Entry* spare, Py_ssize_t n, uint32_t bits) noexcept nogil:
    """The same for a few, as numbers: column, then place in the row, so that no two are equal.

    `bits` are those that columns have. Guesses that fail are most of what sorting takes: so there
    are several times as many places as entries, and few to compare in any of them.
    """
    cdef Py_ssize_t i, j
    cdef int shift = 0, passes, digits
    cdef uint64_t[FEW] number
    cdef uint64_t[FEW] other
    cdef uint64_t moving
    cdef uint64_t* source = number
    cdef uint64_t* target = other
    for i in range(n):
        number[i] = <uint64_t> entry[i].column << 32 | <uint64_t> i
    while bits >> shift >> FEW_DIGITS:
        shift += 1
    if deal_few(number, other, n, shift, FEW_DIGITS, CROWDED):
        for i in range(1, n):
            moving = other[i]
            j = i
            while j > 0 and other[j - 1] > moving:
                other[j] = other[j - 1]
                j -= 1
            other[j] = moving
        source = other
    else:
        passes = (shift + 2 * FEW_DIGITS - 1) // FEW_DIGITS
        digits = (shift + FEW_DIGITS + passes - 1) // passes
        shift = 0
        while shift < 32 and bits >> shift:
            deal_few(source, target, n, shift, digits, FEW)
            source, target = target, source
            shift += digits
    for i in range(n):
        spare[i] = entry[<uint32_t> source[i]]
    memcpy(entry, spare, n * sizeof(Entry))


cdef inline bint deal_few(
    const uint64_t* source, uint64_t* target, Py_ssize_t n, int shift, int digits, uint8_t most
) noexcept nogil:
    """Put a few numbers in the order of some bits of their columns, equal ones in their old order.

    Whether that was done: not where more than `most` have the same bits.
    """
    cdef Py_ssize_t i
    cdef uint8_t[1 << FEW_DIGITS] first
    cdef uint8_t crowd = 0
    cdef uint64_t mask = (<uint64_t> 1 << digits) - 1, place
    for i in range(1 << digits):
        first[i] = 0
    for i in range(n):
        place = source[i] >> 32 >> shift & mask
        first[place] += 1
        crowd = max(crowd, first[place])
    if crowd > most:
        return False
    places_before(first, 1 << digits)
    for i in range(n):
        place = source[i] >> 32 >> shift & mask
        target[first[place]] = source[i]
        first[place] += 1
    return True


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
