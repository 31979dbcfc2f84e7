"""The engine of the Passive-Aggressive learners."""

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class PassiveAggressiveEngine(IdentityLinkEngine):
    cdef int variant
    cdef double aggressiveness
