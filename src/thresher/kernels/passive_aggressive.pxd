"""The engine of the Passive-Aggressive learners."""

from thresher.kernels.growing cimport GrowingEngine


cdef class PassiveAggressiveEngine(GrowingEngine):
    cdef int variant
    cdef double aggressiveness
