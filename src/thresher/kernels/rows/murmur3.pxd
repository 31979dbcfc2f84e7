"""MurmurHash3, 32 bits, for other kernels."""

from libc.stdint cimport uint32_t, uint64_t

cdef uint32_t murmur3_32(const unsigned char* key, Py_ssize_t length, uint32_t seed) noexcept nogil


cdef inline uint32_t rotate(uint32_t x, int bits) noexcept nogil:
    return (x << bits) | (x >> (32 - bits))


cdef inline uint32_t scramble(uint32_t k) noexcept nogil:
    return rotate(k * <uint32_t> 0xCC9E2D51, 15) * <uint32_t> 0x1B873593


cdef inline uint32_t four_bytes(const unsigned char* key) noexcept nogil:
    """Compiled to one load where that is the machine's order of bytes."""
    return (
        <uint32_t> key[0]
        | <uint32_t> key[1] << 8
        | <uint32_t> key[2] << 16
        | <uint32_t> key[3] << 24
    )


cdef inline uint32_t murmur3_inline(
    const unsigned char* key, Py_ssize_t length, uint32_t seed
) noexcept nogil:
    """The same hash, compiled into whoever calls it; of a key of four bytes or more, for the last
    bytes are read together with those before them.
    """
    cdef uint32_t h = seed, last
    cdef Py_ssize_t i
    for i in range(0, length & ~<Py_ssize_t> 3, 4):
        h = rotate(h ^ scramble(four_bytes(key + i)), 13) * 5 + <uint32_t> 0xE6546B64
    last = <uint32_t> (<uint64_t> four_bytes(key + length - 4) >> (32 - 8 * (length & 3)))
    h ^= scramble(last) ^ <uint32_t> length
    h = (h ^ h >> 16) * <uint32_t> 0x85EBCA6B
    h = (h ^ h >> 13) * <uint32_t> 0xC2B2AE35
    return h ^ h >> 16


cdef inline uint32_t murmur3_padded(
    const unsigned char* key, Py_ssize_t length, uint32_t seed
) noexcept nogil:
    """The same hash, of a key behind which four more bytes may be read, whatever they are.

    So the last bytes need no branches, and it is compiled into whoever calls it.
    """
    cdef uint32_t h = seed
    cdef Py_ssize_t i
    cdef Py_ssize_t whole = length & ~<Py_ssize_t> 3
    for i in range(0, whole, 4):
        h = rotate(h ^ scramble(four_bytes(key + i)), 13) * 5 + <uint32_t> 0xE6546B64
    h ^= scramble(four_bytes(key + whole) & ((<uint32_t> 1 << (8 * (length & 3))) - 1))
    h ^= <uint32_t> length
    h = (h ^ h >> 16) * <uint32_t> 0x85EBCA6B
    h = (h ^ h >> 13) * <uint32_t> 0xC2B2AE35
    return h ^ h >> 16
