"""The tokens of JSON: compiled into the kernel that scans lines of it.

A function takes the place where a token begins and returns the place behind it, or NULL for
whatever it does not settle: text that is not JSON, but also what is too rare to be worth the
code. None of them looks for the end of a line: a line feed, or the NUL behind the bytes of a
block, is part of no token. The slow twin is `json` of the standard library.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from thresher.kernels.scanning.eight_bytes cimport little_endian, load_eight, trailing_zeros
from thresher.kernels.scanning.number cimport parse_number

cdef enum:
    # Objects and lists within each other; beyond that a line is left to others.
    DEEPEST = 32
    # Characters of a number.
    LONGEST_NUMBER = 40


cdef struct Text:
    const unsigned char* at
    Py_ssize_t size


cdef struct Paper:
    # Where the block ends.
    const unsigned char* end
    # Where the next string that has escapes is put together; there is room for the line.
    unsigned char* free


cdef inline const unsigned char* after_spaces(const unsigned char* p) noexcept nogil:
    while p[0] == c" " or p[0] == c"\t" or p[0] == c"\r":
        p += 1
    return p


cdef inline bint is_blank(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether there is nothing but white space, as Python's bytes define it."""
    cdef Py_ssize_t k
    for k in range(size):
        if text[k] != c" " and not 9 <= text[k] <= 13:
            return False
    return True


cdef inline bint equal(const Text* one, const Text* other) noexcept nogil:
    return one.size == other.size and memcmp(one.at, other.at, one.size) == 0


cdef inline bint is_digit(unsigned char found) noexcept nogil:
    return <unsigned char> (found - c"0") < 10


cdef inline uint64_t eight_at(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """The next eight bytes; zeros from the end of the block on."""
    cdef uint64_t word = 0
    if end - p >= 8:
        return load_eight(p)
    memcpy(&word, p, end - p)
    return little_endian(word)


cdef inline uint64_t string_marks(uint64_t word) noexcept nogil:
    """The highest bit of each of eight bytes that no plain string holds; the lowest is right.

    (Subtracting borrows from the byte above a hit, which may then be marked without being one.)
    """
    cdef uint64_t quote = word ^ <uint64_t> 0x2222222222222222
    cdef uint64_t backslash = word ^ <uint64_t> 0x5C5C5C5C5C5C5C5C
    return (
        (word - <uint64_t> 0x2020202020202020) & ~word
        | (quote - <uint64_t> 0x0101010101010101) & ~quote
        | (backslash - <uint64_t> 0x0101010101010101) & ~backslash
    ) & <uint64_t> 0x8080808080808080


cdef inline const unsigned char* read_string(
    const unsigned char* p, Paper* paper, Text* text
) noexcept nogil:
    """The string whose opening quote is at `p`."""
    cdef const unsigned char* first = p + 1
    cdef uint64_t marks
    p = first
    marks = string_marks(eight_at(p, paper.end))
    while not marks:
        p += 8
        marks = string_marks(eight_at(p, paper.end))
    p += trailing_zeros(marks) >> 3
    if p[0] == c'"':
        text.at, text.size = first, p - first
        return p + 1
    return read_escaped(first, p, paper, text) if p[0] == c"\\" else NULL


cdef inline const unsigned char* read_escaped(
    const unsigned char* first, const unsigned char* p, Paper* paper, Text* text
) noexcept nogil:
    """The string that begins at `first` and has its first escape at `p`, put together apart."""
    cdef unsigned char* out = paper.free + (p - first)
    cdef uint32_t code
    memcpy(paper.free, first, p - first)
    while p[0] != c'"':
        if p[0] < 32:
            return NULL
        if p[0] != c"\\":
            out[0] = p[0]
            out += 1
            p += 1
        elif p[1] == c"u":
            p = read_code(p + 2, &code)
            if p == NULL:
                return NULL
            out = write_code(out, code)
        else:
            out[0] = unescaped(p[1])
            if out[0] == 0:
                return NULL
            out += 1
            p += 2
    text.at, text.size = paper.free, out - paper.free
    paper.free = out
    return p + 1


cdef inline unsigned char unescaped(unsigned char letter) noexcept nogil:
    """What a backslash and a letter stand for; 0: nothing."""
    if letter == c'"' or letter == c"\\" or letter == c"/":
        return letter
    if letter == c"n":
        return 10
    if letter == c"t":
        return 9
    if letter == c"r":
        return 13
    if letter == c"b":
        return 8
    return 12 if letter == c"f" else 0


cdef inline const unsigned char* read_code(
    const unsigned char* p, uint32_t* code
) noexcept nogil:
    """The character of an escape whose digits begin at `p`; two escapes if it takes two halves."""
    cdef uint32_t low = 0
    p = four_digits(p, code)
    if p == NULL or code[0] < 0xD800 or code[0] > 0xDFFF:
        return p
    if code[0] > 0xDBFF or p[0] != c"\\" or p[1] != c"u":
        return NULL
    p = four_digits(p + 2, &low)
    if p == NULL or low < 0xDC00 or low > 0xDFFF:
        return NULL
    code[0] = 0x10000 + ((code[0] - 0xD800) << 10) + (low - 0xDC00)
    return p


cdef inline const unsigned char* four_digits(
    const unsigned char* p, uint32_t* code
) noexcept nogil:
    cdef int _digit
    cdef unsigned char letter
    code[0] = 0
    for _digit in range(4):
        letter = p[0] | 32
        if is_digit(p[0]):
            code[0] = code[0] << 4 | <uint32_t> (p[0] - c"0")
        elif c"a" <= letter <= c"f":
            code[0] = code[0] << 4 | <uint32_t> (letter - c"a" + 10)
        else:
            return NULL
        p += 1
    return p


cdef inline unsigned char* write_code(unsigned char* out, uint32_t code) noexcept nogil:
    """A character in UTF-8."""
    if code < 0x80:
        out[0] = <unsigned char> code
        return out + 1
    if code < 0x800:
        out[0] = <unsigned char> (0xC0 | code >> 6)
        out[1] = <unsigned char> (0x80 | code & 63)
        return out + 2
    if code < 0x10000:
        out[0] = <unsigned char> (0xE0 | code >> 12)
        out[1] = <unsigned char> (0x80 | code >> 6 & 63)
        out[2] = <unsigned char> (0x80 | code & 63)
        return out + 3
    out[0] = <unsigned char> (0xF0 | code >> 18)
    out[1] = <unsigned char> (0x80 | code >> 12 & 63)
    out[2] = <unsigned char> (0x80 | code >> 6 & 63)
    out[3] = <unsigned char> (0x80 | code & 63)
    return out + 4


cdef inline const unsigned char* read_number(
    const unsigned char* p, const unsigned char* end, double* value
) noexcept nogil:
    """The finite number at `p`: `parse_number`, but with the stricter grammar of JSON."""
    cdef const unsigned char* first = p
    if is_digit(p[0]) and (p[1] == c"," or p[1] == c"}"):
        # Counts and ones are most of what there is.
        value[0] = p[0] - c"0"
        return p + 1
    p += p[0] == c"-"
    if not is_digit(p[0]) or (p[0] == c"0" and is_digit(p[1])):
        return NULL
    while is_digit(p[0]):
        p += 1
    if p[0] == c"." and not is_digit(p[1]):
        return NULL
    p = parse_number(first, end, value)
    return p if p - first <= LONGEST_NUMBER and value[0] - value[0] == 0.0 else NULL


cdef inline bint is_as_python_writes(
    const unsigned char* text, Py_ssize_t size, double value
) noexcept nogil:
    """Whether a number stands as `str` of its value would; no for some where it does."""
    cdef Py_ssize_t k, n_digits = 0, point = -1
    for k in range(size):
        if text[k] == c".":
            point = k
        elif is_digit(text[k]):
            n_digits += 1
        elif text[k] != c"-":
            return False
    if point < 0:
        return n_digits <= 18 and not (text[0] == c"-" and text[1] == c"0")
    # Fifteen digits come back from a double as they were.
    if n_digits > 15 or (text[size - 1] == c"0" and point != size - 2):
        return False
    return value == 0.0 or not -0.0001 < value < 0.0001


cdef inline const unsigned char* read_word(const unsigned char* p) noexcept nogil:
    """One of `true`, `false` and `null`."""
    if p[0] == c"t" and p[1] == c"r" and p[2] == c"u" and p[3] == c"e":
        return p + 4
    if p[0] == c"n" and p[1] == c"u" and p[2] == c"l" and p[3] == c"l":
        return p + 4
    if p[0] == c"f" and p[1] == c"a" and p[2] == c"l" and p[3] == c"s" and p[4] == c"e":
        return p + 5
    return NULL


cdef inline const unsigned char* skip_value(
    const unsigned char* p, Paper* paper, int depth
) noexcept nogil:
    """A value that nobody reads; it is JSON all the same."""
    cdef double number
    cdef Text text
    if p[0] == c'"':
        return read_string(p, paper, &text)
    if p[0] == c"{" or p[0] == c"[":
        return skip_inside(p, paper, depth + 1) if depth < DEEPEST else NULL
    if c"a" <= p[0] <= c"z":
        return read_word(p)
    return read_number(p, paper.end, &number)


cdef inline const unsigned char* skip_inside(
    const unsigned char* p, Paper* paper, int depth
) noexcept nogil:
    """An object or a list."""
    cdef unsigned char closing = p[0] + 2
    cdef Text text
    p = after_spaces(p + 1)
    if p[0] == closing:
        return p + 1
    while True:
        if closing == c"}":
            p = read_key(p, paper, &text)
            if p == NULL:
                return NULL
        p = skip_value(p, paper, depth)
        if p == NULL:
            return NULL
        p = after_spaces(p)
        if p[0] == closing:
            return p + 1
        if p[0] != c",":
            return NULL
        p = after_spaces(p + 1)


cdef inline const unsigned char* read_key(
    const unsigned char* p, Paper* paper, Text* key
) noexcept nogil:
    """The name of a field, the colon, and the spaces around it."""
    if p[0] != c'"':
        return NULL
    p = read_string(p, paper, key)
    if p == NULL:
        return NULL
    p = after_spaces(p)
    return after_spaces(p + 1) if p[0] == c":" else NULL


cdef inline const unsigned char* read_label(
    const unsigned char* p, Paper* paper, Text* label
) noexcept nogil:
    """A label, as Python would write it; of size 0 if there is none."""
    cdef const unsigned char* first = p
    cdef const unsigned char* unescaped = paper.free
    cdef double value
    if p[0] == c'"':
        # A label must stay where it is longer than the paper does.
        p = read_string(p, paper, label)
        return p if paper.free == unescaped else NULL
    label.at, label.size = b"0", 1
    if p[0] == c"t":
        label.at = b"1"
    elif p[0] == c"n":
        label.size = 0
    if c"a" <= p[0] <= c"z":
        return read_word(p)
    p = read_number(p, paper.end, &value)
    if p == NULL or not is_as_python_writes(first, p - first, value):
        return NULL
    label.at, label.size = first, p - first
    return p


cdef inline bint is_features(const Text* key) noexcept nogil:
    """Whether a field is called `features`."""
    return key.size == 8 and memcmp(key.at, b"features", 8) == 0
