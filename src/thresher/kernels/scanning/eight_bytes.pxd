"""Eight bytes of text at a time, or 64, for the kernels that scan text."""

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
    /* Which of 64 bytes are this one: a bit for each, the first the lowest. */
    #if defined(__SSE2__)
    #include <emmintrin.h>
    static inline uint64_t thresher_places_of(const unsigned char *p, unsigned char wanted) {
        const __m128i all = _mm_set1_epi8((char) wanted);
        uint64_t found = 0;
        for (int k = 0; k < 64; k += 16) {
            __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *) (p + k)), all);
            found |= (uint64_t) (unsigned) _mm_movemask_epi8(same) << k;
        }
        return found;
    }
    #else
    static inline uint64_t thresher_places_of(const unsigned char *p, unsigned char wanted) {
        uint64_t found = 0;
        for (int k = 0; k < 64; k++) found |= (uint64_t) (p[k] == wanted) << k;
        return found;
    }
    #endif
    """
    uint64_t places_of "thresher_places_of"(
        const unsigned char* p, unsigned char wanted
    ) noexcept nogil
    int trailing_zeros "THRESHER_TRAILING_ZEROS"(uint64_t x) noexcept nogil
    uint64_t little_endian "THRESHER_LITTLE_ENDIAN"(uint64_t x) noexcept nogil


cdef inline uint64_t load_eight(const unsigned char* p) noexcept nogil:
    """The bytes p[0], ..., p[7], the first in the lowest place."""
    cdef uint64_t word
    memcpy(&word, p, 8)
    return little_endian(word)


cdef inline unsigned int load_two(const unsigned char* p) noexcept nogil:
    """The bytes p[0] and p[1], the first in the lower place."""
    return p[0] | <unsigned int> p[1] << 8


cdef inline int leading_digits(uint64_t word) noexcept nogil:
    """How many of the eight bytes are digits before the first that is none."""
    cdef uint64_t digit = word ^ <uint64_t> 0x3030303030303030
    # A digit is 0 to 9 now; adding 118 sets the highest bit of everything else.
    cdef uint64_t other = not_digits(digit)
    return trailing_zeros(other) >> 3 if other else 8


cdef inline uint64_t value_of_digits(uint64_t word, int n) noexcept nogil:
    """The number that the first n of the eight bytes, 1 to 8 digits, stand for."""
    return value_of_shifted(shifted_digits(word, n))


cdef inline uint64_t shifted_digits(uint64_t word, Py_ssize_t n) noexcept nogil:
    """The first n of eight bytes, 1 to 8 digits, as numbers in the highest places."""
    # Zeros before the number instead of whatever stands behind it.
    return (word ^ <uint64_t> 0x3030303030303030) << (-8 * n & 63)


cdef inline uint64_t not_digits(uint64_t word) noexcept nogil:
    """What of eight bytes is above 9: 0 if nothing is."""
    return ((word + <uint64_t> 0x7676767676767676) | word) & <uint64_t> 0x8080808080808080


cdef inline uint64_t value_of_shifted(uint64_t word) noexcept nogil:
    """The number that eight digits, as numbers, stand for."""
    # Pairs of digits, then pairs of pairs, then the two halves.
    word = word * 10 + (word >> 8)
    return (
        (word & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x000F424000000064
        + (word >> 16 & <uint64_t> 0x000000FF000000FF) * <uint64_t> 0x0000271000000001
    ) >> 32
