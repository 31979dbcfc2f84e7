"""Eight bytes of text at a time, for the kernels that scan text."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define THRESHER_TRAILING_ZEROS(x) __builtin_ctzll(x)
    #else
    static int THRESHER_TRAILING_ZEROS(uint64_t x) {
        int n = 0;
        while (!(x & 1)) { x >>= 1; n++; }
        return n;
    }
    #endif
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define THRESHER_LITTLE_ENDIAN(x) __builtin_bswap64(x)
    #else
    #define THRESHER_LITTLE_ENDIAN(x) (x)
    #endif
    """
    int trailing_zeros "THRESHER_TRAILING_ZEROS"(uint64_t x) noexcept nogil
    uint64_t little_endian "THRESHER_LITTLE_ENDIAN"(uint64_t x) noexcept nogil


cdef inline uint64_t load_eight(const unsigned char* p) noexcept nogil:
    """The bytes p[0], ..., p[7], the first in the lowest place."""
    cdef uint64_t word
    memcpy(&word, p, 8)
    return little_endian(word)


cdef inline int leading_digits(uint64_t word) noexcept nogil:
    """How many of the eight bytes are digits before the first that is none."""
    cdef uint64_t digit = word ^ <uint64_t> 0x3030303030303030
    # A digit is 0 to 9 now; adding 118 sets the highest bit of everything else.
    cdef uint64_t other = (
        (digit + <uint64_t> 0x7676767676767676) | digit
    ) & <uint64_t> 0x8080808080808080
    return trailing_zeros(other) >> 3 if other else 8


cdef inline uint64_t value_of_digits(uint64_t word, int n) noexcept nogil:
    """The number that the first n of the eight bytes, 1 to 8 digits, stand for."""
    # Zeros before the number instead of whatever stands behind it.
    word = (word ^ <uint64_t> 0x3030303030303030) << (64 - 8 * n)
    # Pairs of digits, then pairs of pairs, then the two halves.
    word = word * 10 + (word >> 8)
    return (
        (word & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x000F424000000064
        + (word >> 16 & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x0000271000000001
    ) >> 32
