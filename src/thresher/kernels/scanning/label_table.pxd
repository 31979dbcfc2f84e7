"""Labels as they are written, numbered in order of appearance, for the kernels that scan text."""

cimport cython
from libc.stdint cimport int32_t, uint64_t

# What `number_of` says of a label that cannot be taken.
cdef enum:
    NOT_UTF8 = -2
    NO_MEMORY = -3


cdef struct Label:
    uint64_t key
    const unsigned char* text
    Py_ssize_t length


@cython.final
cdef class LabelTable:
    cdef Label* label
    cdef int32_t* slot
    cdef int32_t n_labels
    cdef Py_ssize_t room
    cdef int32_t number_of(self, const unsigned char* text, Py_ssize_t length) noexcept nogil
    cdef int32_t add(
        self, uint64_t key, const unsigned char* text, Py_ssize_t length
    ) noexcept nogil
    cdef bint grow(self) noexcept nogil
