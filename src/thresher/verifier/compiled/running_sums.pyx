"""Scores of conservative learners whose weights are sums of the rows they were wrong about.

The twin in plain Python is `tests/reference/running_sums.py`. Nothing here is shared with the
kernels: a replay that used their code would repeat their faults.
"""

from libc.stdint cimport int8_t, int32_t, int64_t


def play_sums(
    const int64_t[::1] row_start,
    const int32_t[::1] column,
    const double[::1] value,
    const int8_t[::1] label,
    double[::1] weight,
    double bias_weight,
    bint bias,
    int64_t first,
    int64_t stop,
    unsigned char[::1] mistaken,
):
    """The Perceptron over rows first..stop-1; marks mistaken rounds, returns the bias weight.

    Terms are added from left to right, the constant feature last. `weight` holds the sum of the
    mistaken rows before `first`, and afterwards that of those before `stop`.
    """
    cdef int64_t t, k
    cdef double score, y
    with nogil:
        for t in range(first, stop):
            score = 0.0
            for k in range(row_start[t], row_start[t + 1]):
                score += weight[column[k]] * value[k]
            score += bias_weight
            if (score >= 0.0) != (label[t] > 0):
                mistaken[t] = 1
                y = label[t]
                for k in range(row_start[t], row_start[t + 1]):
                    weight[column[k]] += y * value[k]
                if bias:
                    bias_weight += y
    return bias_weight
