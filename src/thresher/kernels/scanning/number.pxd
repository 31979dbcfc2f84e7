"""Decimal numbers in bytes, for the kernels that scan text."""

from libc.stdint cimport int64_t, uint64_t

cdef extern from *:
    """
    /* The powers of ten that a double holds exactly. */
    static const double THRESHER_EXACT_POWERS[23] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    """
    const double[23] EXACT_POWERS "THRESHER_EXACT_POWERS"


# The largest number of digits that always fit into 64 bits.
cdef enum:
    WHOLE_DIGITS = 19


cdef double decimal_value(
    const unsigned char* begin, const unsigned char* stop, uint64_t digits, int64_t power, bint cut
) noexcept nogil


cdef inline const unsigned char* parse_number(
    const unsigned char* begin, const unsigned char* end, double* value
) noexcept nogil:
    """Read the number that begins at `begin`; return where it stops, or NULL if there is none.

    A number is `[+-] digits [. digits] [e [+-] digits]`, with digits before or after the point
    (`1.` and `.5` are numbers). Its value is that of Python's `float`, to the last bit. What is
    too large for a double is infinite: the caller refuses it. `inf`, `nan`, hexadecimal digits
    and underscores are no numbers here; of `1e`, only the 1 is.
    """
    cdef const unsigned char* p = begin
    cdef const unsigned char* first
    cdef const unsigned char* point = NULL
    cdef uint64_t digits = 0
    cdef int64_t power = 0, n_digits
    cdef bint negative = False, cut = False
    cdef double magnitude

    if p < end and (p[0] == c"-" or p[0] == c"+"):
        negative = p[0] == c"-"
        p += 1
    first = p
    while p < end and <unsigned char> (p[0] - c"0") < 10:
        digits = 10 * digits + (p[0] - c"0")
        p += 1
    n_digits = p - first
    if p < end and p[0] == c".":
        p += 1
        point = p
        while p < end and <unsigned char> (p[0] - c"0") < 10:
            digits = 10 * digits + (p[0] - c"0")
            p += 1
        power = point - p
        n_digits -= power
    if n_digits == 0:
        return NULL
    if n_digits > WHOLE_DIGITS:
        cut = first_digits(first, p, &digits, &power)
    if p < end and (p[0] | 32) == c"e":
        p = parse_exponent(p, end, &power)
    if not cut and digits <= <uint64_t> 1 << 53 and -22 <= power <= 22:
        # Both factors are exact doubles, so one rounding is all there is.
        magnitude = <double> digits
        if power < 0:
            magnitude /= EXACT_POWERS[-power]
        else:
            magnitude *= EXACT_POWERS[power]
    else:
        magnitude = decimal_value(first, p, digits, power, cut)
    value[0] = -magnitude if negative else magnitude
    return p


cdef inline bint first_digits(
    const unsigned char* first, const unsigned char* stop, uint64_t* digits, int64_t* power
) noexcept nogil:
    """Of many digits, the first 19 that count, and the power of ten they stand for.

    Returns whether any other digit was left out.
    """
    cdef const unsigned char* p = first
    cdef int64_t kept = 0
    cdef bint behind_the_point = False, cut = False
    digits[0] = 0
    power[0] = 0
    while p < stop:
        if p[0] == c".":
            behind_the_point = True
        elif kept == WHOLE_DIGITS:
            cut = cut or p[0] != c"0"
            power[0] += not behind_the_point
        else:
            digits[0] = 10 * digits[0] + (p[0] - c"0")
            kept += digits[0] != 0
            power[0] -= behind_the_point
        p += 1
    return cut


cdef inline const unsigned char* parse_exponent(
    const unsigned char* begin, const unsigned char* end, int64_t* power
) noexcept nogil:
    """Add the exponent that begins with this `e`; return where it stops: here if there is none."""
    cdef const unsigned char* p = begin + 1
    cdef const unsigned char* first
    cdef bint negative = False
    cdef int64_t exponent = 0
    if p < end and (p[0] == c"-" or p[0] == c"+"):
        negative = p[0] == c"-"
        p += 1
    first = p
    while p < end and <unsigned char> (p[0] - c"0") < 10:
        # Beyond this no number of digits that fits into memory makes a difference.
        if exponent < <int64_t> 1 << 40:
            exponent = 10 * exponent + (p[0] - c"0")
        p += 1
    if p == first:
        return begin
    power[0] += -exponent if negative else exponent
    return p
