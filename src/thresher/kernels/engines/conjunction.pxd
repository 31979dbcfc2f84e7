"""The conjunction learner's engine."""

from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Engine


cdef class ConjunctionEngine(Engine):
    cdef int32_t[::1] member
    cdef Py_ssize_t size
