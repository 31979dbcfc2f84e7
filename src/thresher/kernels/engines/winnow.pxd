"""The engines of Winnow."""

from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.multiplicative cimport MultiplicativeEngine


cdef class WinnowEngine(MultiplicativeEngine):
    # Scores within it of the threshold are updated although the prediction was right.
    cdef double margin
    # No dual leaves this range.
    cdef double floor
    cdef double ceiling
    # While duals are exponents of the weights: no weight but 0 is outside.
    cdef double least
    cdef double most

    cdef bint is_near(self, const Round* round) noexcept nogil
    cdef void write_levels(self) noexcept nogil
    cdef void shift_exponents(self, const int32_t* column, Py_ssize_t n, int y) noexcept nogil
    cdef void move_ones(self, const int32_t* column, Py_ssize_t n, int32_t y) noexcept nogil


cdef class Winnow1Engine(WinnowEngine):
    pass
