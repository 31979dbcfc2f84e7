"""Columns of strings that are in a dict, too, found by two looks into memory that is close by.

A dict finds a name by going to four places far apart: index, entry, string and number. Here a slot
of 8 bytes tells names apart by a mark, and a record has all the rest: hash, column and text. Where
the slot is follows from the hash that Python keeps in the string, so that `fetch_slot` can ask for
the slots of a whole row before the first is needed. Compiled into whoever cimports it. For `str`
itself, no subclass, and under the GIL. The slow twin is a dict.
"""

from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from thresher.kernels.scanning.memory_hints cimport FETCH, zeros

# By address: to count references would write into every string that is only looked at.
cdef extern from "Python.h":
    Py_hash_t PyObject_Hash(PyObject* one) noexcept
    int PyUnicode_KIND(PyObject* text) noexcept
    void* PyUnicode_DATA(PyObject* text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject* text) noexcept


cdef struct Slot:
    # Bits of the hash that do not say where the slot is.
    uint32_t mark
    # Where the record begins, in words of 8 bytes, and 1 more; 0 in a free slot.
    uint32_t record


cdef struct Record:
    uint64_t bits
    uint32_t column
    uint32_t form
    # Behind it stands the text, up to a whole number of words.


cdef struct Slots:
    # Eight fill a line of the cache, where `memory` begins with one.
    Slot* slot
    void* memory
    Py_ssize_t mask
    int shift
    Py_ssize_t n
    # Records, oldest first, in words of 8 bytes.
    uint64_t* words
    Py_ssize_t used
    Py_ssize_t room


cdef enum:
    IN_A_LINE = 8
    RECORD_WORDS = 2
    #: Longer names have no record.
    MOST_BYTES = 1 << 20


cdef inline uint64_t bits_of(PyObject* name) noexcept:
    """The hash of a string with its bits spread: the highest say where, the lowest are the mark."""
    return <uint64_t> PyObject_Hash(name) * <uint64_t> 0x9E3779B97F4A7C15


cdef inline Py_ssize_t size_of(PyObject* name) noexcept:
    """The bytes of a string as Python stores it."""
    return PyUnicode_GET_LENGTH(name) * PyUnicode_KIND(name)


cdef inline uint32_t form_of(PyObject* name) noexcept:
    """How many bytes there are, of which width; strings are equal if this and the bytes are."""
    return <uint32_t> (size_of(name) << 3) | <uint32_t> PyUnicode_KIND(name)


cdef inline Slot* slot_of(const Slots* slots, PyObject* name, uint64_t bits) noexcept:
    """The slot of a name, or the free one that ends the search, as it does where `name` is NULL.

    First within a line of the cache. Then far away, where the mark says: names that begin in one
    place part there, as they do in a dict.
    """
    cdef Py_ssize_t at = <Py_ssize_t> (bits >> slots.shift)
    cdef Py_ssize_t line = at & ~<Py_ssize_t> (IN_A_LINE - 1)
    cdef Py_ssize_t k
    cdef Slot* slot
    cdef Record* record
    while True:
        for k in range(IN_A_LINE):
            slot = &slots.slot[line + ((at + k) & (IN_A_LINE - 1))]
            if slot.record == 0:
                return slot
            if slot.mark == <uint32_t> bits and name != NULL:
                record = <Record*> &slots.words[slot.record - 1]
                if record.bits == bits and record.form == form_of(name):
                    if memcmp(record + 1, PyUnicode_DATA(name), size_of(name)) == 0:
                        return slot
        line = (line + IN_A_LINE * <Py_ssize_t> (<uint32_t> bits | 1)) & slots.mask


cdef inline int64_t column_in(const Slots* slots, PyObject* name, uint64_t bits) noexcept:
    """The column of a name; -1 if it is not here."""
    cdef Slot* slot
    if slots.n == 0:
        return -1
    slot = slot_of(slots, name, bits)
    return (<Record*> &slots.words[slot.record - 1]).column if slot.record else -1


cdef inline void fetch_slot(const Slots* slots, uint64_t bits) noexcept nogil:
    """Say that a name with these bits will be looked for."""
    if slots.n:
        FETCH(&slots.slot[bits >> slots.shift])


cdef inline void fetch_record(const Slots* slots, uint64_t bits) noexcept nogil:
    """Say that it will be compared, once its slot has come."""
    cdef Slot* slot
    if slots.n:
        slot = &slots.slot[bits >> slots.shift]
        if slot.record and slot.mark == <uint32_t> bits:
            FETCH(&slots.words[slot.record - 1])


cdef inline int put(Slots* slots, PyObject* name, uint32_t column) except -1:
    """Take a name that is not here, of at most `MOST_BYTES`."""
    cdef Py_ssize_t size = RECORD_WORDS + (size_of(name) + 7) // 8
    cdef Py_ssize_t room = max(2 * slots.room, slots.used + size, 64)
    cdef Record* record
    cdef Slot* slot
    cdef void* words
    if slots.used + size > slots.room:
        if room >= <Py_ssize_t> 1 << 32:
            raise MemoryError
        words = realloc(slots.words, room * sizeof(uint64_t))
        if words == NULL:
            raise MemoryError
        slots.words = <uint64_t*> words
        slots.room = room
    if 2 * slots.n >= slots.mask:
        grow(slots)
    record = <Record*> &slots.words[slots.used]
    record.bits = bits_of(name)
    record.column = column
    record.form = form_of(name)
    slot = slot_of(slots, name, record.bits)
    memcpy(record + 1, PyUnicode_DATA(name), size_of(name))
    slot.mark = <uint32_t> record.bits
    slot.record = <uint32_t> slots.used + 1
    slots.used += size
    slots.n += 1
    return 0


cdef inline void drop(Slots* slots, PyObject* name) noexcept:
    """Let go of the name that came last, if it is here.

    The last one in is the first one out, so its slot was free when all that remain were placed,
    and nobody's search ends there too early.
    """
    cdef Slot* slot
    if slots.n:
        slot = slot_of(slots, name, bits_of(name))
        if slot.record:
            slots.used = slot.record - 1
            slot.record = 0
            slots.n -= 1


cdef inline int grow(Slots* slots) except -1:
    """Have twice as many slots, so that half of them or more are free."""
    cdef Py_ssize_t mask = max(2 * slots.mask + 1, 63), at = 0
    cdef Record* record
    cdef Slot* slot
    # Up to a line more, so that slots can begin with a line.
    cdef void* memory = zeros((mask + 1 + IN_A_LINE) * sizeof(Slot))
    if memory == NULL:
        raise MemoryError
    free(slots.memory)
    slots.memory = memory
    slots.slot = <Slot*> ((<size_t> memory + 63) & ~<size_t> 63)
    slots.mask = mask
    slots.shift = 64
    while mask:
        mask >>= 1
        slots.shift -= 1
    while at < slots.used:
        record = <Record*> &slots.words[at]
        slot = slot_of(slots, NULL, record.bits)
        slot.mark = <uint32_t> record.bits
        slot.record = <uint32_t> at + 1
        at += RECORD_WORDS + ((record.form >> 3) + 7) // 8
    return 0


cdef inline void let_go(Slots* slots) noexcept:
    """Give the memory back."""
    free(slots.memory)
    free(slots.words)
