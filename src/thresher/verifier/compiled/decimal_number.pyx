"""The double nearest to a decimal number, by whole numbers of 128 bits, without the GIL.

`take_decimal` (in `decimal_number.pxd`) settles what is a matter of one multiplication or division
of exact doubles. Here are the others: with at most 19 digits and a power of ten from -27 to 27
the number is a fraction of whole numbers that fit into 128 bits, which is rounded as one
learns at school. What is longer, or further away from 1, Python's `float` decides.

Nothing is shared with the kernels that read numbers for the learners; those have another method.
The slow twin is `tests/reference/decimal_number.py`.
"""

from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t

cdef extern from *:
    """
    /* 5^27 is the largest power of five below 2^64. */
    #define FURTHEST_POWER 27

    #ifdef __SIZEOF_INT128__
    typedef unsigned __int128 wide;

    static int width(wide n) {
        int bits = 0;
        while (n >> bits > 255) bits += 8;
        while (n >> bits) bits += 1;
        return bits;
    }

    /* n * 2^power, and a little more if `more`: the nearest double. It is never subnormal. */
    static double nearest(wide n, int power, int more) {
        int drop = width(n) - 53;
        wide kept, rest, half;
        if (drop <= 0) return ldexp((double) (uint64_t) n, power);
        kept = n >> drop;
        rest = n - (kept << drop);
        half = (wide) 1 << (drop - 1);
        if (rest > half || (rest == half && (more || (kept & 1)))) kept += 1;
        return ldexp((double) (uint64_t) kept, drop + power);
    }

    /* digits * 10^power, with digits > 0 and -27 <= power <= 27. */
    static double settled(uint64_t digits, int power) {
        uint64_t five = 1;
        wide top;
        int k, shift;
        for (k = power < 0 ? -power : power; k > 0; k--) five *= 5;
        if (power >= 0) return nearest((wide) digits * five, power, 0);
        shift = 128 - width(digits);
        top = (wide) digits << shift;
        return nearest(top / five, power - shift, top % five != 0);
    }
    #define SETTLES 1
    #else
    #define SETTLES 0
    static double settled(uint64_t digits, int power) { return 0.0; }
    #endif
    """
    const int FURTHEST_POWER
    const int SETTLES
    double settled(uint64_t digits, int power) noexcept nogil

cdef double[23] TENS = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]


cdef double power_of_ten(int64_t power) noexcept nogil:
    """10^power for 0 <= power <= 22, where it is exact."""
    return TENS[power]


cdef double longer_value(
    const unsigned char* begin, const unsigned char* stop, uint64_t digits, int64_t power
) noexcept nogil:
    """The value of the number without a sign in [begin, stop).

    It is digits * 10^power, unless the power is beyond all that is settled here.
    """
    cdef double value
    if SETTLES and -FURTHEST_POWER <= power <= FURTHEST_POWER:
        return settled(digits, <int> power) if digits else 0.0
    with gil:
        value = as_python_has_it(begin, stop - begin)
    return value


cdef double as_python_has_it(const unsigned char* begin, Py_ssize_t length) noexcept:
    """The value that `float` gives; NaN, which callers refuse, if there is no memory for it."""
    try:
        return float((<const char*> begin)[:length])
    except MemoryError:
        return NAN


def read_decimal(const unsigned char[::1] text not None):
    """The number at the start of some bytes and how long it is; (None, 0) if there is none."""
    cdef double value = 0.0
    cdef const unsigned char* begin
    cdef const unsigned char* end
    if text.shape[0] == 0:
        return None, 0
    begin = &text[0]
    with nogil:
        end = take_decimal(begin, begin + text.shape[0], &value)
    return (None, 0) if end == NULL else (value, end - begin)
