"""The features `index:1` of svmlight text, many at a time: for `scan_svmlight`.

Most files have hardly any others. What is not plain is left to the general loop.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from thresher.kernels.scanning.eight_bytes cimport (
    leading_digits,
    load_eight,
    load_two,
    not_digits,
    places_of,
    shifted_digits,
    trailing_zeros,
    value_of_shifted,
)

# What stands behind the colon.
cdef enum:
    ONE_BLANK = c"1" | c" " << 8
    ONE_LINE_END = c"1" | c"\n" << 8

# So much is left of the block wherever 64 bytes and a little behind them are looked at.
cdef enum:
    WINDOW = 80


cdef struct Plain:
    int32_t* column
    Py_ssize_t n
    int64_t last          # the column before
    int64_t backward      # negative if columns did not increase


cdef inline bint starts_plain(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """Whether here is a feature `index:1 `; where there is none, 64 bytes are not searched."""
    return end - p >= WINDOW and (
        load_eight(p + leading_digits(load_eight(p))) & 0xFFFFFF
    ) == (c":" | c"1" << 8 | c" " << 16)


cdef inline const unsigned char* plain_features(
    Plain* plain,
    const unsigned char* p,
    const unsigned char* end,
    int64_t first_index,
    int64_t largest_column,
) noexcept nogil:
    """Take plain features from here on, as many as there are; return where they stop.

    The colons of 64 bytes are found at once, so that no feature waits for the length of the one
    before it: 2.1 GB/s instead of 1.6.
    """
    cdef const unsigned char* window
    cdef const unsigned char* colon
    cdef unsigned int behind
    cdef uint64_t colons, digits, column
    cdef int64_t last = plain.last, backward = plain.backward
    cdef int32_t* out = plain.column
    cdef Py_ssize_t n = plain.n
    while end - p >= WINDOW:
        window = p
        colons = places_of(window, c":")
        while colons:
            colon = window + trailing_zeros(colons)
            digits = shifted_digits(load_eight(p), colon - p)
            column = value_of_shifted(digits) - <uint64_t> first_index
            behind = load_two(colon + 1)
            if (
                <uint64_t> (colon - p - 1) > 6 or (behind != ONE_BLANK and behind != ONE_LINE_END)
                or not_digits(digits) or column > <uint64_t> largest_column
            ):
                break
            backward |= <int64_t> column - last - 1
            last = <int64_t> column
            out[n] = <int32_t> column
            n += 1
            p = colon + 3
            if behind == ONE_LINE_END:
                p = colon + 2
                break
            colons &= colons - 1
        if colons or p == window:
            break
    plain.n, plain.last, plain.backward = n, last, backward
    return p
