"""MurmurHash3_x86_32 (Appleby 2011): from a name to 32 well-mixed bits.

Used by `named_rows` for feature names. The slow twin is `tests/reference/murmur3.py`;
scikit-learn's implementation is the outside truth. The function is part of the model
format: it never changes, and reads bytes in little-endian order on every machine.
"""

from libc.stdint cimport uint32_t


cdef uint32_t murmur3_32(
    const unsigned char* key, Py_ssize_t length, uint32_t seed
) noexcept nogil:
    """The hash of `length` bytes."""
    cdef uint32_t h = seed
    cdef uint32_t k
    cdef Py_ssize_t i
    cdef Py_ssize_t whole = length - length % 4

    for i in range(0, whole, 4):
        h = rotate(h ^ scramble(four_bytes(key + i)), 13) * 5 + <uint32_t> 0xE6546B64
    k = 0
    if length > whole:
        k = key[whole]
        if length > whole + 1:
            k |= <uint32_t> key[whole + 1] << 8
        if length > whole + 2:
            k |= <uint32_t> key[whole + 2] << 16
    h ^= scramble(k)
    h ^= <uint32_t> length
    h = (h ^ h >> 16) * <uint32_t> 0x85EBCA6B
    h = (h ^ h >> 13) * <uint32_t> 0xC2B2AE35
    return h ^ h >> 16


def hash_bytes(const unsigned char[::1] key not None, uint32_t seed=0):
    """MurmurHash3_x86_32 of some bytes, as an unsigned integer."""
    if key.shape[0] == 0:
        return murmur3_32(NULL, 0, seed)
    return murmur3_32(&key[0], key.shape[0], seed)
