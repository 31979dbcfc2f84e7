"""The engine of AROW."""

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class ArowEngine(IdentityLinkEngine):
    cdef double regularizer
    # Whether it waits for its class: rows of -1 leave it unsure.
    cdef bint waiting
