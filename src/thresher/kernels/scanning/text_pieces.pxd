"""The pieces of a text that are its features, for the kernel that scans texts."""

cimport cython
from libc.stdint cimport int32_t, uint32_t

from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.cut_text cimport Buffer


cdef struct Piece:
    # Where it is in its buffer; of a pair, where the first and the second word are.
    uint32_t start
    uint32_t size
    uint32_t second
    uint32_t second_size
    uint32_t hashed
    int32_t kind


@cython.final
cdef class TextPieces:
    # Shortest and longest word and character sequences; the window of pairs. 0: none.
    cdef Py_ssize_t[5] wanted
    cdef uint32_t seed
    cdef Buffer words
    cdef Buffer characters
    cdef Piece* piece
    cdef Py_ssize_t n
    cdef Py_ssize_t room
    cdef unsigned char* scratch
    cdef Py_ssize_t scratch_room
    # How long the name is that `name_of` gave last.
    cdef Py_ssize_t name_size
    cdef int write_down(self, const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int cut(self) noexcept nogil
    cdef const unsigned char* name_of(self, const Piece* piece) noexcept nogil
    cdef Py_ssize_t distinct(self, Entry* entry, Entry* spare, Py_ssize_t n) noexcept nogil
    cdef int make_room(self) noexcept nogil
    cdef void add(self, const Piece* new) noexcept nogil
    cdef bint same(self, const Piece* one, const Piece* other) noexcept nogil
    cdef Py_ssize_t merged(
        self, Entry* entry, Py_ssize_t first, Py_ssize_t last, Py_ssize_t to
    ) noexcept nogil
