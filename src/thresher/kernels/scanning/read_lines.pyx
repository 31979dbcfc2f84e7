"""Whole lines from a file descriptor, read straight into the bytes that are handed out.

Used by `streams.blocks` for what is not compressed: `os.read` and then cutting would copy every
byte twice more. The slow twin is `tests/reference/read_lines.py`.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from libc.errno cimport EINTR, errno
from libc.string cimport memcpy, strerror

cdef extern from "Python.h":
    PyObject* new_bytes "PyBytes_FromStringAndSize"(char* text, Py_ssize_t size) except NULL
    char* PyBytes_AsTextOf "PyBytes_AS_STRING"(PyObject* text) nogil
    int _PyBytes_Resize(PyObject** text, Py_ssize_t size) except -1
    void Py_DECREF(PyObject* text)
    void Py_SET_SIZE(PyObject* text, Py_ssize_t size)

cdef extern from "<unistd.h>" nogil:
    Py_ssize_t c_read "read"(int fd, void* buffer, size_t size)

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events
    int poll(pollfd* fds, unsigned long n, int timeout)
    enum:
        POLLIN


# Milliseconds. A writer that is busy is worth waiting for: small blocks cost more than they gain.
cdef int MOMENT = 20


cdef bint is_ready(int fd) noexcept nogil:
    """Whether there is something to read, now or in a moment."""
    cdef pollfd wanted
    wanted.fd = fd
    wanted.events = POLLIN
    return poll(&wanted, 1, MOMENT) != 0


cdef Py_ssize_t after_last_line_end(
    const char* text, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Where the last line that ends in [start, stop) ends; 0 if none does."""
    while stop > start and text[stop - 1] != c"\n":
        stop -= 1
    return 0 if stop == start else stop


def read_lines(int fd, bytes begun not None, Py_ssize_t size, bint live):
    """Read, after those of a line already begun, bytes up to `size` in all (one more at least).

    Returns the whole lines, what there is of the next one, and whether that was the end of the
    input. With `live`, input that has nothing more to say at the moment is not waited for once
    there is a whole line. Raises OSError.
    """
    cdef Py_ssize_t before = len(begun)
    cdef Py_ssize_t used = before, got = 1, cut = 0
    cdef Py_ssize_t room = max(size, before + 1)
    cdef PyObject* block = new_bytes(NULL, room)
    cdef char* text = PyBytes_AsTextOf(block)
    cdef int fault = 0
    memcpy(text, PyBytes_AS_STRING(begun), before)
    with nogil:
        while got > 0 and used < room:
            got = c_read(fd, text + used, room - used)
            if got < 0 and errno == EINTR:
                got = 1
                continue
            if got < 0:
                fault = errno
                break
            used += got
            if live and not cut:
                cut = after_last_line_end(text, used - got, used)
            if live and cut and not is_ready(fd):
                break
        cut = after_last_line_end(text, before, used)
    try:
        if fault:
            raise OSError(fault, strerror(fault).decode("utf-8", "replace"))
        rest = PyBytes_FromStringAndSize(text + cut, used - cut)
    except BaseException:
        Py_DECREF(block)
        raise
    # Nobody else has seen the block yet, so it may still change its size.
    if cut < used // 2:
        _PyBytes_Resize(&block, cut)
    else:
        # The memory behind the cut stays with it. Were it given back, small things would settle
        # there, and no block would fit into the place of another: a stream of 1 GB came to hold
        # 280 MB.
        text[cut] = 0
        Py_SET_SIZE(block, cut)
    whole = <object> block
    Py_DECREF(block)
    return whole, rest, got == 0
