"""Lines of a block, and whether they are text: shared by the kernels that scan files.

Compiled into whoever cimports it. The slow twins are `bytes.split` and `bytes.decode`.
"""

from libc.string cimport memchr


cdef struct Line:
    # Number of the line in its file.
    Py_ssize_t number
    Py_ssize_t start
    # Where it ends, without its line end (LF or CRLF).
    Py_ssize_t stop
    # Where the next one starts.
    Py_ssize_t next


cdef inline Line before_the_first(Py_ssize_t first_line) noexcept nogil:
    """What `next_line` takes to the first line of a block."""
    cdef Line line
    line.number = first_line - 1
    line.start = line.stop = line.next = 0
    return line


cdef inline bint next_line(const unsigned char* text, Py_ssize_t size, Line* line) noexcept nogil:
    """Go on to the next line; False at the end of the block."""
    cdef const unsigned char* end
    if line.next >= size:
        return False
    line.number += 1
    line.start = line.next
    end = <const unsigned char*> memchr(text + line.start, c"\n", size - line.start)
    line.stop = end - text if end != NULL else size
    line.next = line.stop + 1
    if line.stop > line.start and text[line.stop - 1] == c"\r":
        line.stop -= 1
    return True


cdef inline Py_ssize_t not_text(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Where the first byte is that is not UTF-8 as Unicode defines it, or is NUL; -1: nowhere."""
    cdef Py_ssize_t i = 0, k, more
    cdef unsigned char lead, low, high
    while i < size:
        lead = text[i]
        if lead < 0x80:
            if lead == 0:
                return i
            i += 1
            continue
        # The second byte is what keeps out long forms, surrogates and what is above U+10FFFF.
        low, high = 0x80, 0xBF
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            if lead == 0xE0:
                low = 0xA0
            elif lead == 0xED:
                high = 0x9F
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            if lead == 0xF0:
                low = 0x90
            elif lead == 0xF4:
                high = 0x8F
        else:
            return i
        for k in range(1, more + 1):
            if i + k >= size or not low <= text[i + k] <= high:
                return i
            low, high = 0x80, 0xBF
        i += more + 1
    return -1


cdef inline bint is_plain(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether every byte is ASCII and none is NUL. One pass without branches: it is vectorised."""
    cdef Py_ssize_t i
    cdef unsigned char odd = 0
    for i in range(size):
        odd |= (text[i] & 0x80) | (text[i] == 0)
    return odd == 0
