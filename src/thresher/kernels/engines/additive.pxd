"""The Perceptron's engine."""

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class AdditiveEngine(IdentityLinkEngine):
    cdef double margin
    # The weights are factor times what is stored: an update forgets a part of all weights.
    cdef double keep
    cdef double factor
    cdef bint whole_weights
    cdef double largest_weight
    cdef void forget(self) noexcept nogil
