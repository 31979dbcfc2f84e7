"""Columns for the names in a file, for the kernels that scan files."""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.crossing cimport Crossing, hash_of_pair
from thresher.kernels.rows.murmur3 cimport murmur3_32, murmur3_padded
from thresher.kernels.rows.named_rows cimport NameTable

cdef enum:
    # What `column` answers where there is none.
    UNKNOWN = -1
    FULL = -2
    OUTSIDE = -3
    NO_MEMORY = -4


@cython.final
cdef class Lexicon:
    cdef NameTable names
    cdef readonly bint hashed
    cdef readonly bint add
    cdef bint strongest
    cdef bint numbers
    cdef uint32_t seed
    cdef Py_ssize_t n_features
    # What a hash is cut down with; 0 where n_features is no power of two.
    cdef uint32_t mask
    cdef ByteTable known
    cdef int64_t n_forgotten
    # Which pairs a row gets, or None.
    cdef readonly Crossing crossing
    cdef int begin(self) except -1
    cdef int publish(self) except -1
    cdef int64_t known_column(self, const unsigned char* name, Py_ssize_t size) noexcept nogil

    cdef inline uint32_t sides(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """Which sides of pairs a feature is on; 0 where there are no pairs."""
        return 0 if self.crossing is None else self.crossing.sides(name, size)

    cdef inline uint32_t bucket(self, uint32_t hashed) noexcept nogil:
        """The column a hash falls on."""
        if self.mask:
            return hashed & self.mask
        return hashed % <uint32_t> self.n_features

    cdef inline Py_ssize_t mark(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """How many bytes before a name are no part of it."""
        return escape(name, size) if self.numbers else 0

    cdef inline int64_t column(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """The column of a name; negative: why there is none (`UNKNOWN`, `FULL`, ...)."""
        cdef int64_t number
        cdef Py_ssize_t mark = self.mark(name, size)
        if not self.hashed:
            return self.known_column(name + mark, size - mark)
        if self.numbers and size and 48 <= name[0] <= 57:
            number = as_column(name, size)
            if number >= 0:
                return number if number < self.n_features else OUTSIDE
        return self.bucket(murmur3_32(name + mark, size - mark, self.seed))

    cdef inline int64_t padded_column(
        self, const unsigned char* name, Py_ssize_t size
    ) noexcept nogil:
        """The same, of a name behind which four more bytes may be read."""
        cdef int64_t number
        cdef Py_ssize_t mark = self.mark(name, size)
        if not self.hashed:
            return self.known_column(name + mark, size - mark)
        if self.numbers and size and 48 <= name[0] <= 57:
            number = as_column(name, size)
            if number >= 0:
                return number if number < self.n_features else OUTSIDE
        return self.bucket(murmur3_padded(name + mark, size - mark, self.seed))


cdef inline int64_t as_column(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """The number that a name writes: digits, no leading zero, below 2^31; otherwise -1."""
    cdef int64_t number = 0
    cdef Py_ssize_t i
    if size == 0 or size > 10 or (name[0] == 48 and size > 1):
        return -1
    for i in range(size):
        if not 48 <= name[i] <= 57:
            return -1
        number = 10 * number + name[i] - 48
    return number if number <= 2147483647 else -1


cdef inline Py_ssize_t escape(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """1 for a backslash that makes a name of the number behind it, and is no part of the name.

    Behind it there may be more backslashes, which are.
    """
    cdef Py_ssize_t i = 1
    if size < 2 or name[0] != c"\\":
        return 0
    while i < size and name[i] == c"\\":
        i += 1
    return as_column(name + i, size - i) >= 0
