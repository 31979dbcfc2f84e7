"""The Perceptron's engine."""

from libc.stdint cimport int32_t

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class AdditiveEngine(IdentityLinkEngine):
    cdef double margin
    # The weights are factor times what is stored: an update forgets a part of all weights.
    cdef double keep
    cdef double factor
    cdef bint whole_weights
    cdef double largest_weight
    cdef int choose_form(self) except -1
    cdef void change_levels(
        self, const int32_t* column, const double* value, Py_ssize_t n, int32_t y
    ) noexcept nogil
    cdef double score_by_levels(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil
    cdef void forget(self) noexcept nogil
