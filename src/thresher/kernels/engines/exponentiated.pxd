"""The engine of normalised and signed Winnow."""

from libc.stdint cimport int64_t

from thresher.kernels.engines.normalized cimport NormalizedEngine


cdef class ExponentiatedEngine(NormalizedEngine):
    # A phase that has used up its budget of mistakes ends (negative: never).
    cdef int64_t budget
    cdef readonly int64_t phase_mistakes
    cdef object next_phase
