"""Rows divided by their length, by the sum of their absolute values, or by the largest of them.

The twin in plain Python is `tests/reference/engine.py`, which scales rows as learners do.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t

import numpy as np

from thresher.verifier.compiled.ieee import require_gradual_underflow


def scaled_values(const int64_t[::1] row_start, const double[::1] value, str kind not None):
    """The values of scaled rows; `kind` is "l2", "l1" or "max".

    First by the largest absolute value, so that no square overflows or vanishes; then by the
    root of the sum of squares, or by the sum, added up from left to right.
    """
    cdef double[::1] out = np.empty(value.shape[0])
    cdef bint by_length = kind == "l2", by_sum = kind == "l1"
    cdef int64_t t, k
    cdef double largest, size
    require_gradual_underflow()
    with nogil:
        for t in range(row_start.shape[0] - 1):
            largest = size = 0.0
            for k in range(row_start[t], row_start[t + 1]):
                if fabs(value[k]) > largest:
                    largest = fabs(value[k])
            for k in range(row_start[t], row_start[t + 1]):
                out[k] = value[k] / largest
                size += out[k] * out[k] if by_length else fabs(out[k])
            if by_length:
                size = sqrt(size)
            if by_length or by_sum:
                for k in range(row_start[t], row_start[t + 1]):
                    out[k] = out[k] / size
    return np.asarray(out)
