"""The engine of AROW."""

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class ArowEngine(IdentityLinkEngine):
    cdef double regularizer
