"""The engine of the p-norm Perceptron."""

from libc.math cimport fabs, pow

from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.engines.two_sum cimport add_to


cdef class PNormEngine(Engine):
    cdef double p
    cdef double margin
    # The dual vector; stored weights are sgn(z) |z|^(p-1) for z = dual / unit.
    cdef double[::1] theta
    cdef double unit
    # The sum of |z|^p, as a number and what rounding it left behind; its peak since counted anew.
    cdef double total
    cdef double total_error
    cdef double peak

    cdef void rebuild(self, bint recentre) noexcept nogil

    cdef inline double weight_of(self, double theta) noexcept nogil:
        cdef double size = pow(fabs(theta) / self.unit, self.p - 1.0)
        return -size if theta < 0.0 else size

    cdef inline double mass_of(self, Py_ssize_t i) noexcept nogil:
        """|z_i|^p, from the stored weight."""
        return fabs(self.weight[i]) * (fabs(self.theta[i]) / self.unit)

    cdef inline void add_mass(self, double amount) noexcept nogil:
        add_to(&self.total, &self.total_error, amount)
