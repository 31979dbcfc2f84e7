"""Byte strings with numbers, for other kernels."""

cimport cython
from libc.stdint cimport int64_t, uint32_t


cdef struct Slot:
    uint32_t hashed
    # 1 more than the number of the string; 0: the slot is free.
    uint32_t number


@cython.final
cdef class ByteTable:
    cdef Py_ssize_t n
    # Bytes of all strings together.
    cdef Py_ssize_t used
    cdef unsigned char* arena
    # Where in the arena a string ends; the next one begins there.
    cdef int64_t* stop
    cdef uint32_t* hashes
    cdef Slot* slot
    cdef Py_ssize_t n_slots
    cdef Py_ssize_t room
    cdef Py_ssize_t arena_room
    cdef int64_t find(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil
    cdef int64_t take(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil
    cdef void forget(self, Py_ssize_t n) noexcept nogil
    cdef bytes string(self, Py_ssize_t number)
    cdef int grow(self, Py_ssize_t size) noexcept nogil
    cdef int64_t put(
        self, const unsigned char* text, Py_ssize_t size, uint32_t hashed
    ) noexcept nogil
    cdef void keep(self, const unsigned char* wanted) noexcept nogil
    cdef void place(self, Py_ssize_t number) noexcept nogil
