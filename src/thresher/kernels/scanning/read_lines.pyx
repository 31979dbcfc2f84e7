"""Whole lines from a file, read straight into the bytes that are handed out.

Used by `streams.sources` for what is not compressed: to read and then to cut would copy every
byte twice more. The slow twin is `tests/reference/read_lines.py`.
"""

from cpython.buffer cimport PyBUF_WRITE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy

from thresher.kernels.scanning.spare_memory cimport SpareTexts, resize

cdef extern from "Python.h":
    object PyMemoryView_FromMemory(char* memory, Py_ssize_t size, int flags)


cdef Py_ssize_t after_last_line_end(
    const char* text, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Where the last line that ends in [start, stop) ends; 0 if none does."""
    while stop > start and text[stop - 1] != c"\n":
        stop -= 1
    return 0 if stop == start else stop


cdef Py_ssize_t fill(read_into, char* memory, Py_ssize_t size) except -1:
    """Read at most so many bytes to a place in memory; how many they were, 0 at the end."""
    view = PyMemoryView_FromMemory(memory, size, PyBUF_WRITE)
    try:
        got = read_into(view)
    finally:
        # The memory moves on; nobody may keep a view of it.
        view.release()
    if got is None:
        raise BlockingIOError("the file gives nothing without being waited for")
    return got


cdef class LineReader:
    """Reads an input to its end, block by block of whole lines.

    `read_into` is the `readinto` of a raw file. Once there is a whole line, `has_more()` is asked
    whether to go on; without it there is always more until the end.
    """

    cdef object read_into
    cdef object has_more
    cdef SpareTexts spare

    def __init__(self, read_into, has_more=None):
        self.read_into, self.has_more = read_into, has_more
        self.spare = SpareTexts()

    def read(self, bytes begun not None, Py_ssize_t size):
        """Read, after those of a line already begun, bytes up to `size` in all (one at least).

        Returns the whole lines, what there is of the next one, and whether that was the end of the
        input.
        """
        cdef Py_ssize_t before = len(begun)
        cdef Py_ssize_t used = before, got = 1, cut = 0
        cdef Py_ssize_t room = max(size, before + 1)
        cdef bytes block = self.spare.take(room)
        cdef char* text = PyBytes_AS_STRING(block)
        memcpy(text, PyBytes_AS_STRING(begun), before)
        while got > 0 and used < room:
            got = fill(self.read_into, text + used, room - used)
            used += got
            if self.has_more is not None:
                cut = cut or after_last_line_end(text, used - got, used)
                if cut and not self.has_more():
                    break
        cut = after_last_line_end(text, before, used)
        rest = PyBytes_FromStringAndSize(text + cut, used - cut)
        if cut < room // 2:
            # So little that it is not worth its memory.
            return PyBytes_FromStringAndSize(text, cut), rest, got == 0
        # The memory behind the cut stays with it. Were it given back, small things would settle
        # there, and no block would fit into the place of another: a stream of 1 GB came to hold
        # 280 MB.
        resize(block, cut)
        return block, rest, got == 0
