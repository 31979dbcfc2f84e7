"""Names kept as two parts each, for the kernels that count them."""

cimport cython
from libc.stdint cimport int64_t, uint32_t, uint64_t

from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.eight_bytes cimport load_eight

cdef enum:
    # The longest part that is its own code.
    SHORT = 7

# A part is a number of 64 bits: its bytes, if it is short, with one more than its size above them;
# or else where it is in a table. 0 is no part.
ctypedef uint64_t Part


cdef struct SplitName:
    # Its parts; the second may be 0.
    Part one
    Part other
    # In how many rows it was, and the last of them: a row counts once.
    int64_t rows
    int64_t last


cdef struct NameSlot:
    # Half of what its parts are mixed to, and 1 more than the number of the name; 0: a free slot.
    uint32_t mixed
    uint32_t number


cdef inline uint64_t mixed(Part one, Part other) noexcept nogil:
    """Where the name of two parts is looked for: rounds of MurmurHash3-64."""
    cdef uint64_t h = (one ^ one >> 33) * <uint64_t> 0xFF51AFD7ED558CCD
    h = (h ^ other ^ h >> 33) * <uint64_t> 0xC4CEB9FE1A85EC53
    h = (h ^ h >> 33) * <uint64_t> 0xFF51AFD7ED558CCD
    return h ^ h >> 33


cdef inline Part short_part(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The code of a short part behind which there may be read up to eight bytes from its start."""
    cdef uint64_t bytes_ = load_eight(text)
    return bytes_ & ((<uint64_t> 1 << 8 * size) - 1) | <uint64_t> (size + 1) << 56


@cython.final
cdef class SplitNames:
    # Parts that are not short.
    cdef ByteTable parts
    # The names by their numbers.
    cdef SplitName* name
    cdef Py_ssize_t n
    cdef Py_ssize_t room
    cdef NameSlot* slot
    cdef Py_ssize_t n_slots
    # Bytes of all names together, as they are written.
    cdef int64_t used
    cdef Part part(self, const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int split(
        self, const unsigned char* text, Py_ssize_t size, Part* one, Part* other
    ) noexcept nogil
    cdef void fetch(self, Part one, Part other) noexcept nogil
    cdef SplitName* find(self, Part one, Part other) noexcept nogil
    cdef SplitName* put(self, Part one, Part other) noexcept nogil
    cdef Py_ssize_t size_of_part(self, Part part) noexcept nogil
    cdef Py_ssize_t size_of(self, Part one, Part other) noexcept nogil
    cdef Py_ssize_t write_part(self, Part part, unsigned char* out) noexcept nogil
    cdef Py_ssize_t write(self, const SplitName* name, unsigned char* out) noexcept nogil
    cdef int grow(self) noexcept nogil
    cdef void settle(self, Py_ssize_t number) noexcept nogil
    cdef void settle_all(self) noexcept nogil
    cdef void keep(self, const unsigned char* wanted) noexcept nogil
    cdef int tidy(self) noexcept nogil
