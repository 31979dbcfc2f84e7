"""The engine of Modified Balanced Winnow."""

from thresher.kernels.engines.engine cimport Engine


cdef class ModifiedBalancedWinnowEngine(Engine):
    cdef double promotion
    cdef double demotion
    cdef double margin
    # Natural logarithms of the two weights of a feature.
    cdef double[::1] upper
    cdef double[::1] lower

    cdef double size(self, const double* value, Py_ssize_t n) noexcept nogil
