"""The engine of AdaGrad."""

from libc.stdint cimport int32_t

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class AdaGradEngine(IdentityLinkEngine):
    cdef double rate
    cdef bint logistic
