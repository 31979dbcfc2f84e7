"""Whether the processor rounds as IEEE 754 says, at this moment and in this thread.

A library loaded into the same process may have asked for tiny numbers to be flushed to zero,
or for another direction of rounding. Replays to the bit are then replays of something else.
There is no twin in plain Python: it would be asked by the same processor.
"""

from libc.float cimport DBL_MIN, FLT_MIN

from thresher.errors import ArithmeticModeError

# Read at run time, every time: what a compiler knows beforehand says nothing of the processor.
cdef volatile double ONE = 1.0
cdef volatile double HALF_A_STEP = 2.0 ** -53
cdef volatile double LEAST = DBL_MIN
cdef volatile float LEAST_OF_32 = FLT_MIN


def flushes_to_zero():
    """Whether results below the normal range, or operands there, are taken to be zero.

    >>> flushes_to_zero()
    False
    """
    cdef volatile double half = LEAST * 0.5
    cdef volatile float half_of_32 = LEAST_OF_32 * <float> 0.5
    # Half of the least normal number is lost where results are flushed; to double it again,
    # where operands are.
    cdef volatile double again = half * 2.0
    cdef volatile float again_of_32 = half_of_32 * <float> 2.0
    return again != LEAST or again_of_32 != LEAST_OF_32


def rounds_to_nearest():
    """Whether sums are rounded to the nearest double, and ties to the even one.

    >>> rounds_to_nearest()
    True
    """
    cdef volatile double tie = ONE + HALF_A_STEP
    cdef volatile double above = ONE + 1.5 * HALF_A_STEP
    cdef volatile double below = -ONE - HALF_A_STEP
    cdef volatile double under = -ONE - 1.5 * HALF_A_STEP
    cdef double step = 2.0 * HALF_A_STEP
    return tie == 1.0 and above == 1.0 + step and below == -1.0 and under == -1.0 - step


def require_gradual_underflow():
    """Refuse to go on in a thread whose arithmetic is not that of IEEE 754.

    >>> require_gradual_underflow()
    """
    if flushes_to_zero():
        raise ArithmeticModeError("tiny numbers are flushed to zero")
    if not rounds_to_nearest():
        raise ArithmeticModeError("sums are not rounded to the nearest double")
