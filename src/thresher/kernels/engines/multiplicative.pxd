"""The engine of the Winnow family."""

from libc.stdint cimport int32_t, int64_t

from thresher.kernels.engines.duals cimport DualEngine


cdef class MultiplicativeEngine(DualEngine):
    cdef bint promotes
    # For rows of ones: the digits of the longest row, and whether a base of 2 can be exact.
    cdef int row_digits
    cdef bint sums_are_exact
    cdef bint voting
    cdef double margin
    # A phase that has used up its budget of mistakes ends (negative: never).
    cdef readonly int64_t budget
    cdef readonly int64_t phase_mistakes
    cdef object next_phase
    cdef object reaches_threshold

    cdef double settle(
        self, const int32_t* column, const double* value, Py_ssize_t n, double total
    ) except? -1.5 nogil
    cdef bint sum_is_exact(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil
    cdef bint weights_are_equal(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* score
    ) noexcept nogil
    cdef double scaled_gap(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* exponent
    ) noexcept nogil
    cdef bint ask(self, const int32_t* column, const double* value, Py_ssize_t n) except -1
