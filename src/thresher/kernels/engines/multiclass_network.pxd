"""A network of Winnows."""

from libc.stdint cimport int32_t

from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine


cdef class NetworkClasses(MulticlassEngine):
    cdef double base
    cdef double start
    cdef double threshold

    cdef bint link(self, const int32_t* column, Py_ssize_t n, Py_ssize_t label) noexcept nogil
