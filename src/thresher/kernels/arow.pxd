"""The engine of AROW."""

from thresher.kernels.growing cimport GrowingEngine


cdef class ArowEngine(GrowingEngine):
    cdef double regularizer
