"""Where the features of a line of svmlight go, and those that most lines have, read many at once.

Used by `scan_svmlight`, whose contract and slow twin it shares.
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

cdef extern from "plain_features.h":
    ctypedef struct plain_t:
        int32_t* column
        unsigned int first_index
        unsigned int most
        int32_t last
        int disorder
    const unsigned char* wide_features "thresher_wide_features"(
        plain_t* plain, const unsigned char* p, const unsigned char* end
    ) noexcept nogil
    bint has_wide "thresher_has_wide"() noexcept nogil

# What can be wrong with a line.
cdef enum Fault:
    SOUND = 0
    NO_LABEL = 1          # the first token is a feature
    LABEL_BYTES = 2       # the label has a control character or is not UTF-8
    NOT_A_FEATURE = 3     # a token that is not index:value
    INDEX_RANGE = 4
    NOT_A_NUMBER = 5
    NOT_FINITE = 6
    TWICE = 7             # an index occurs twice
    OUT_OF_MEMORY = 8

# A value of modest size: 2^32 of them still sum exactly in a double. As in `check_rows`.
cdef enum:
    LARGEST_INTEGRAL = 1048576

# What stands behind the colon of most features.
cdef enum:
    ONE_BLANK = c"1" | c" " << 8
    ONE_LINE_END = c"1" | c"\n" << 8


cdef struct Sink:
    int32_t* column
    double* value
    Py_ssize_t n
    bint plain            # only ones so far, and none of them written down
    bint ones
    bint integral
    bint zeros            # in the row at hand
    bint disorder         # in the row at hand
    double lowest
    double highest
    int64_t first_index   # 1 where index 1 is column 0
    int64_t largest_column
    bint wide             # whether features are read eight at once
    Fault fault
    const unsigned char* at
    int64_t index


cdef inline bint is_blank(unsigned char c) noexcept nogil:
    return c == c" " or c == c"\t"


cdef inline bint at_end_of_row(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """Whether the row ends here: at the line's end, or where a comment begins."""
    return (
        p == end or p[0] == c"\n" or p[0] == c"#"
        or (p[0] == c"\r" and (p + 1 == end or p[1] == c"\n"))
    )


cdef inline const unsigned char* end_of_token(
    const unsigned char* p, const unsigned char* end
) noexcept nogil:
    while not (at_end_of_row(p, end) or is_blank(p[0])):
        p += 1
    return p


cdef inline const unsigned char* refused(
    Sink* sink, Fault fault, const unsigned char* at
) noexcept nogil:
    sink.fault = fault
    sink.at = at
    return NULL


cdef inline void write_ones(Sink* sink) noexcept nogil:
    """From now on values are written down; so far they were all 1."""
    cdef Py_ssize_t k
    for k in range(sink.n):
        sink.value[k] = 1.0
    sink.plain = False
    sink.ones = sink.n > 0


cdef inline void store(Sink* sink, int64_t column, double value) noexcept nogil:
    """Append a feature, and keep account of what the values are."""
    if value != 1.0:
        if sink.plain:
            write_ones(sink)
        if value == 0.0:
            sink.zeros = True
        else:
            sink.lowest = value if value < sink.lowest else sink.lowest
            sink.highest = value if value > sink.highest else sink.highest
            sink.integral = sink.integral and (
                -LARGEST_INTEGRAL <= value <= LARGEST_INTEGRAL
                and value == <double> <int64_t> value
            )
    if not sink.plain:
        sink.value[sink.n] = value
        sink.ones = sink.ones or value == 1.0
    sink.column[sink.n] = <int32_t> column
    sink.n += 1


cdef inline bint starts_plain(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """Whether here is a feature `index:1 `; where there is none, 64 bytes are not searched."""
    return end - p >= 80 and (
        load_eight(p + leading_digits(load_eight(p))) & 0xFFFFFF
    ) == (c":" | c"1" << 8 | c" " << 16)


cdef inline const unsigned char* read_plain(
    Sink* sink, const unsigned char* p, const unsigned char* end, int64_t* last
) noexcept nogil:
    """Take the features `index:1` from here on, as many as there are; return where they stop.

    The colons of 64 bytes are found at once, so that no feature waits for the length of the one
    before it: 2.1 GB/s instead of 1.6. Where the processor can, eight of them become numbers at
    once: 4 GB/s.
    """
    cdef plain_t plain
    cdef const unsigned char* window
    cdef const unsigned char* colon
    cdef unsigned int behind = 0
    cdef uint64_t colons, digits, column, most = <uint64_t> sink.largest_column
    cdef uint64_t first_index = <uint64_t> sink.first_index
    cdef int64_t previous = last[0], backward = 0
    cdef Py_ssize_t n = sink.n, k
    cdef int32_t* out = sink.column
    if sink.wide:
        plain.column = out + n
        plain.first_index, plain.most = <unsigned int> first_index, <unsigned int> most
        plain.last, plain.disorder = <int32_t> previous, False
        p = wide_features(&plain, p, end)
        n, previous = plain.column - out, plain.last
        backward = -plain.disorder
    # What is looked at behind the last colon of a window is in the block, too.
    while end - p >= 80:
        window = p
        colons = places_of(window, c":")
        while colons:
            colon = window + trailing_zeros(colons)
            digits = shifted_digits(load_eight(p), colon - p)
            column = value_of_shifted(digits) - first_index
            behind = load_two(colon + 1)
            if (
                <uint64_t> (colon - p - 1) > 6 or (behind != ONE_BLANK and behind != ONE_LINE_END)
                or not_digits(digits) or column > most
            ):
                break
            # Negative if columns do not increase.
            backward |= <int64_t> column - previous - 1
            previous = <int64_t> column
            out[n] = <int32_t> column
            n += 1
            p = colon + 3
            if behind == ONE_LINE_END:
                p = colon + 2
                break
            colons &= colons - 1
        if colons or p == window:
            break
    sink.disorder |= backward < 0
    last[0] = previous
    if n > sink.n and not sink.plain:
        sink.ones = True
        for k in range(sink.n, n):
            sink.value[k] = 1.0
    sink.n = n
    return p
