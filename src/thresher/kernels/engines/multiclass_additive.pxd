"""Additive updates for several classes."""

from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine


cdef class AdditiveClasses(MulticlassEngine):
    # 0: Perceptron; otherwise Passive-Aggressive: 1 the whole step, 2 cut off at C, 3 softened.
    cdef int rule
    # Whether the blame is spread over all classes that won against the label.
    cdef bint spread
    cdef double aggressiveness

    cdef double lacking(self, const double* value, Py_ssize_t n, Py_ssize_t label) noexcept nogil
