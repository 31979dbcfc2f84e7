"""Memory that is used again once nobody looks at it any more.

Used for what is read and scanned block by block. Were it given back each time, every block would
begin with fresh pages, which the system clears and hands out one by one: a seventh of the time of a
run over a gigabyte. Whether anybody still looks is told by the count of references, which the
interpreter lock protects: whoever keeps a block, or a part of it, keeps it as it is. The slow twin
is `tests/reference/spare_memory.py`: memory that is never used again.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject

import numpy as np

cdef extern from *:
    """
    /* As if it had just been made: of this size, and never hashed. */
    static void thresher_resize(PyObject *text, Py_ssize_t size) {
    #if defined(__GNUC__)
    #pragma GCC diagnostic push
    #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    #endif
        ((PyBytesObject *) text)->ob_shash = -1;
    #if defined(__GNUC__)
    #pragma GCC diagnostic pop
    #endif
        Py_SET_SIZE((PyVarObject *) text, size);
        PyBytes_AS_STRING(text)[size] = 0;
    }
    """
    void thresher_resize(PyObject* text, Py_ssize_t size)

cdef extern from "Python.h":
    Py_ssize_t references "Py_REFCNT"(PyObject* one)
    PyObject* PyList_GET_ITEM(object pieces, Py_ssize_t k)

# More pieces than this are never between reader and learner, and larger ones are rare.
cdef enum:
    MOST_PIECES = 12
    LARGEST_PIECE = 1 << 24


cdef void resize(bytes text, Py_ssize_t size) noexcept:
    """Let a text that nobody has seen yet be shorter, or as long as it has been."""
    thresher_resize(<PyObject*> text, size)


cdef class SpareMemory:
    """Pieces of one kind; subclasses make them."""

    def __cinit__(self, *_):
        self.pieces, self.room = [], []

    cdef object free_piece(self, Py_ssize_t size):
        """A piece that nobody holds and that is large enough; None: there is none."""
        cdef Py_ssize_t k = 0
        while k < len(self.pieces):
            if references(PyList_GET_ITEM(self.pieces, k)) > 1:
                k += 1
            elif self.room[k] < size:
                # Blocks have become larger.
                del self.pieces[k], self.room[k]
            else:
                return self.pieces[k]
        return None

    cdef int keep(self, object piece, Py_ssize_t room, Py_ssize_t n_bytes) except -1:
        """Keep a piece for later, unless it is very large, or there are many."""
        if n_bytes <= LARGEST_PIECE and len(self.pieces) < MOST_PIECES:
            self.pieces.append(piece)
            self.room.append(room)
        return 0


cdef class SpareArrays(SpareMemory):
    """Arrays of numbers of one type, to be written to."""

    def __init__(self, kind):
        self.kind = np.dtype(kind)

    def take(self, Py_ssize_t n):
        """An array of n numbers, whatever they are."""
        cdef Py_ssize_t room = n + n // 4
        piece = self.free_piece(n)
        if piece is None:
            piece = np.empty(room, self.kind)
            self.keep(piece, room, piece.nbytes)
        return piece[:n]


cdef class SpareTexts(SpareMemory):
    """Texts; who takes one writes into it before anybody else sees it."""

    cdef bytes take(self, Py_ssize_t room):
        """A text of this size, whatever it holds."""
        piece = self.free_piece(room)
        if piece is None:
            piece = PyBytes_FromStringAndSize(NULL, room)
            self.keep(piece, room, room)
        resize(piece, room)
        return piece
