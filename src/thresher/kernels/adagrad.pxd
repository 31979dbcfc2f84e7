"""The engine of AdaGrad."""

from libc.stdint cimport int32_t

from thresher.kernels.growing cimport GrowingEngine


cdef class AdaGradEngine(GrowingEngine):
    cdef double rate
    cdef bint logistic
