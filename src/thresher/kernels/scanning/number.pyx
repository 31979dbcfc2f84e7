"""The value of a decimal number, exactly as Python's `float` has it, without the GIL.

Used by the kernels that scan text, through `parse_number` in `number.pxd`, which settles short
numbers itself: up to 2^53 with a power of ten that a double holds. Here are the others. Their
digits, as a 64-bit integer, are multiplied by the power of five, known to 128 bits; where that
leaves no doubt about the rounding (nearly always) the result is built from its bits. The method
is that of Lemire, "Number parsing at a gigabyte per second" (2021), Algorithm 1. In the rest
(subnormal numbers, more than 19 digits on the edge between two doubles) CPython's own routine
decides. The slow twin is `tests/reference/number.py`: `float` itself, behind a grammar.
"""

from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* text, char** stop, PyObject* error) except? -1.0

cdef extern from *:
    """
    /* 64 x 64 -> 128 bits. */
    static void thresher_multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    #ifdef __SIZEOF_INT128__
        unsigned __int128 product = (unsigned __int128) a * b;
        *high = (uint64_t) (product >> 64);
        *low = (uint64_t) product;
    #else
        uint64_t a1 = a >> 32, a0 = a & 0xFFFFFFFFu, b1 = b >> 32, b0 = b & 0xFFFFFFFFu;
        uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
        uint64_t other = a0 * b1 + (middle & 0xFFFFFFFFu);
        *high = a1 * b1 + (middle >> 32) + (other >> 32);
        *low = a * b;
    #endif
    }
    static double thresher_double_of_bits(uint64_t bits) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    """
    void multiply "thresher_multiply"(
        uint64_t a, uint64_t b, uint64_t* high, uint64_t* low
    ) noexcept nogil
    double double_of_bits "thresher_double_of_bits"(uint64_t bits) noexcept nogil

# Powers of ten beyond which every 64-bit integer becomes 0 or infinite.
cdef enum:
    LOWEST_POWER = -342
    HIGHEST_POWER = 308
    N_POWERS = 651

cdef uint64_t[N_POWERS] FIVE_HIGH
cdef uint64_t[N_POWERS] FIVE_LOW


def _fill_powers():
    """5^q as 128 bits with the highest set: cut off, but rounded up where 5^-q has 64 bits or less.

    Rounded up, a quotient by such a power is right whenever the division leaves no rest.
    """
    for place in range(N_POWERS):
        q = LOWEST_POWER + place
        five = 5 ** abs(q)
        if q >= 0:
            bits = five << 128 >> five.bit_length()
        else:
            bits = (1 << 127 + five.bit_length()) // five + (q >= -27)
        FIVE_HIGH[place] = bits >> 64
        FIVE_LOW[place] = bits & 0xFFFFFFFFFFFFFFFF


_fill_powers()

cdef double UNDECIDED = -1.0


cdef double rounded(uint64_t digits, int64_t power) noexcept nogil:
    """digits * 10^power as the nearest double; UNDECIDED where 128 bits are not enough."""
    cdef uint64_t high, low, carry, ignored, mantissa
    cdef int64_t exponent
    cdef int shift = 0, upper
    if digits == 0 or power < LOWEST_POWER:
        return 0.0
    if power > HIGHEST_POWER:
        return double_of_bits(<uint64_t> 0x7FF << 52)
    while not digits >> 63:
        digits <<= 1
        shift += 1
    multiply(digits, FIVE_HIGH[power - LOWEST_POWER], &high, &low)
    if high & 0x1FF == 0x1FF:
        # The bits below those that are kept might be carried into by the rest of the power.
        multiply(digits, FIVE_LOW[power - LOWEST_POWER], &carry, &ignored)
        low += carry
        high += low < carry
        if low == ~(<uint64_t> 0) and not -27 <= power <= 55:
            return UNDECIDED
    upper = high >> 63
    mantissa = high >> (upper + 9)
    # floor(power * log2(10)), and the weight of the highest of 64 bits.
    exponent = (217706 * power >> 16) + 63 + upper - shift + 1023
    if exponent <= 0:
        return UNDECIDED
    if low <= 1 and -4 <= power <= 23 and mantissa & 3 == 1 and mantissa << (upper + 9) == high:
        # Exactly between two doubles: the even one.
        mantissa &= ~(<uint64_t> 1)
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if mantissa >> 53:
        mantissa = <uint64_t> 1 << 52
        exponent += 1
    if exponent >= 0x7FF:
        return double_of_bits(<uint64_t> 0x7FF << 52)
    return double_of_bits(
        (mantissa & ~(<uint64_t> 1 << 52)) | <uint64_t> exponent << 52
    )


cdef double decimal_value(
    const unsigned char* begin, const unsigned char* stop, uint64_t digits, int64_t power, bint cut
) noexcept nogil:
    """The value of the number without a sign that stands in [begin, stop).

    `digits` times ten to the `power` is what it says, or its first 19 digits if `cut`.
    """
    cdef double value = rounded(digits, power)
    if cut and value != rounded(digits + 1, power):
        value = UNDECIDED
    if value != UNDECIDED:
        return value
    return slowly(begin, stop - begin)


cdef double slowly(const unsigned char* begin, Py_ssize_t length) noexcept nogil:
    """The value as CPython finds it; NaN, which callers refuse, if there is no memory left."""
    cdef double value
    cdef char[64] short_text
    cdef char* text = short_text
    if length >= 64:
        text = <char*> malloc(length + 1)
    if text == NULL:
        return double_of_bits(<uint64_t> 0x7FF8 << 48)
    memcpy(text, begin, length)
    text[length] = 0
    with gil:
        value = converted(text)
    if length >= 64:
        free(text)
    return value


cdef double converted(const char* text) noexcept:
    """CPython's answer."""
    try:
        return PyOS_string_to_double(text, NULL, NULL)
    except (ValueError, MemoryError):
        return double_of_bits(<uint64_t> 0x7FF8 << 48)


def read_number(const unsigned char[::1] text not None):
    """The number at the start of some bytes and how long it is; (None, 0) if there is none."""
    cdef double value = 0.0
    cdef const unsigned char* begin
    cdef const unsigned char* stop
    if text.shape[0] == 0:
        return None, 0
    begin = &text[0]
    with nogil:
        stop = parse_number(begin, begin + text.shape[0], &value)
    return (None, 0) if stop == NULL else (value, stop - begin)
