"""A text as words and as characters, in small letters: the first half of `scan_text`.

The slow twin is `names` in `tests/reference/scan_text.py`.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc

# 1: a byte of a word, 2: an apostrophe, 3: white space; and each byte as a small letter.
cdef unsigned char[256] kind
cdef unsigned char[256] small
for byte in range(256):
    letter = bytes((byte,))
    kind[byte] = 1 if byte >= 128 or letter.isalnum() else 3 if letter.isspace() else 0
    small[byte] = letter.lower()[0]
kind[39] = 2


cdef bint is_blank(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether there is nothing but white space."""
    cdef Py_ssize_t i = 0
    while i < size and kind[text[i]] == 3:
        i += 1
    return i == size


cdef int reserve(Buffer* buffer, Py_ssize_t room) noexcept nogil:
    """Make room for a text of so many bytes; -1: out of memory."""
    if room <= buffer.room:
        return 0
    room += room // 2
    free_buffer(buffer)
    buffer.text = <unsigned char*> malloc(room)
    buffer.start = <uint32_t*> malloc(room * sizeof(uint32_t))
    buffer.stop = <uint32_t*> malloc(room * sizeof(uint32_t))
    if buffer.text == NULL or buffer.start == NULL or buffer.stop == NULL:
        return -1
    buffer.room = room
    return 0


cdef void free_buffer(Buffer* buffer) noexcept nogil:
    free(buffer.text)
    free(buffer.start)
    free(buffer.stop)
    buffer.text = NULL
    buffer.start = buffer.stop = NULL
    buffer.room = 0


cdef void cut_words(
    const unsigned char* text, Py_ssize_t size, Buffer* words
) noexcept nogil:
    """The words in small letters, a space between two of them.

    A word is a stretch of ASCII letters, digits, bytes from 0x80, and apostrophes between two
    of these.
    """
    cdef Py_ssize_t i = 0, out = 0, n = 0
    while i < size:
        if kind[text[i]] != 1:
            i += 1
            continue
        if n:
            words.text[out] = c" "
            out += 1
        words.start[n] = out
        while i < size and (
            kind[text[i]] == 1
            or kind[text[i]] == 2 and i + 1 < size and kind[text[i + 1]] == 1
        ):
            words.text[out] = small[text[i]]
            out += 1
            i += 1
        words.stop[n] = out
        n += 1
    words.n = n


cdef void cut_characters(
    const unsigned char* text, Py_ssize_t size, Buffer* characters
) noexcept nogil:
    """The characters in small letters; one space before, behind, and for all white space."""
    cdef Py_ssize_t i, out = 1, n = 1
    cdef unsigned char byte
    characters.text[0] = c" "
    characters.start[0] = 0
    for i in range(size):
        byte = small[text[i]]
        if kind[byte] == 3:
            if characters.text[out - 1] == c" ":
                continue
            byte = c" "
        if byte & 0xC0 != 0x80:
            characters.start[n] = out
            n += 1
        characters.text[out] = byte
        out += 1
    if characters.text[out - 1] != c" ":
        characters.start[n] = out
        characters.text[out] = c" "
        n += 1
        out += 1
    # Where a character begins, the one before it ends.
    characters.start[n] = out
    characters.n = n
