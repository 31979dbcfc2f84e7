"""A text as words and as characters, for the kernel that scans texts."""

from libc.stdint cimport uint32_t


cdef struct Buffer:
    unsigned char* text
    # Where a word (or a character) begins, and where it ends; `n` of them.
    uint32_t* start
    uint32_t* stop
    Py_ssize_t n
    Py_ssize_t room


cdef bint is_blank(const unsigned char* text, Py_ssize_t size) noexcept nogil
cdef int reserve(Buffer* buffer, Py_ssize_t room) noexcept nogil
cdef void free_buffer(Buffer* buffer) noexcept nogil
cdef void cut_words(const unsigned char* text, Py_ssize_t size, Buffer* words) noexcept nogil
cdef void cut_characters(
    const unsigned char* text, Py_ssize_t size, Buffer* characters
) noexcept nogil
