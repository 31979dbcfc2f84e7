"""Decimal numbers in bytes, for the verifier's own readers of text."""

from libc.stdint cimport int64_t, uint64_t


cdef double longer_value(
    const unsigned char* begin, const unsigned char* stop, uint64_t digits, int64_t power
) noexcept nogil


cdef double power_of_ten(int64_t power) noexcept nogil


cdef inline const unsigned char* take_decimal(
    const unsigned char* begin, const unsigned char* stop, double* value
) noexcept nogil:
    """Read the number that begins at `begin`; return where it ends, or NULL if there is none.

    A number is ``[+-] digits [. digits] [e [+-] digits]`` with a digit before or after the point.
    Its value is the double that is nearest, of two equally near ones the even one. One that is
    too large is infinite; the caller refuses it.
    """
    cdef const unsigned char* p = begin
    cdef const unsigned char* first
    cdef const unsigned char* mark
    cdef uint64_t digits = 0
    cdef int64_t n_digits, power = 0, exponent = 0
    cdef bint negative = False, below = False
    if p < stop and (p[0] == c"+" or p[0] == c"-"):
        negative = p[0] == c"-"
        p += 1
    first = p
    while p < stop and c"0" <= p[0] <= c"9":
        digits = 10 * digits + (p[0] - c"0")
        p += 1
    n_digits = p - first
    if p < stop and p[0] == c".":
        p += 1
        mark = p
        while p < stop and c"0" <= p[0] <= c"9":
            digits = 10 * digits + (p[0] - c"0")
            p += 1
        power = mark - p
        n_digits -= power
    if n_digits == 0:
        return NULL
    if p < stop and (p[0] == c"e" or p[0] == c"E"):
        mark = p
        p += 1
        if p < stop and (p[0] == c"+" or p[0] == c"-"):
            below = p[0] == c"-"
            p += 1
        if p == stop or not c"0" <= p[0] <= c"9":
            # A letter behind a number, and no exponent.
            p = mark
        while p < stop and c"0" <= p[0] <= c"9":
            # So large an exponent is none of the short numbers' any more.
            if exponent < 100000:
                exponent = 10 * exponent + (p[0] - c"0")
            p += 1
        power += -exponent if below else exponent
    if n_digits > 19:
        # The digits may not have fitted into 64 bits.
        value[0] = longer_value(first, p, 0, 1000)
    elif digits > <uint64_t> 1 << 53 or power < -22 or power > 22:
        value[0] = longer_value(first, p, digits, power)
    # Both are exact, so that one operation rounds once.
    elif power < 0:
        value[0] = <double> digits / power_of_ten(-power)
    else:
        value[0] = <double> digits * power_of_ten(power)
    if negative:
        value[0] = -value[0]
    return p
