"""MurmurHash3, 32 bits, for other kernels."""

from libc.stdint cimport uint32_t

cdef uint32_t murmur3_32(const unsigned char* key, Py_ssize_t length, uint32_t seed) noexcept nogil
