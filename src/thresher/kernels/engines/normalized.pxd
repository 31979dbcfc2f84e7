"""Weights that are divided by their sum."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from thresher.kernels.engines.multiplicative cimport MultiplicativeEngine
from thresher.kernels.engines.two_sum cimport add_to


cdef class NormalizedEngine(MultiplicativeEngine):
    # The sum of all masses, as a number and what rounding it left behind.
    cdef double total
    cdef double total_error
    # The largest it has been since it was last summed up anew.
    cdef double peak

    cdef void keep_in_range(self, const int32_t* column, Py_ssize_t n) noexcept nogil
    cdef void recentre(self) noexcept nogil

    cdef inline double mass_at(self, Py_ssize_t i, double dual) noexcept nogil:
        """What a feature adds to the normaliser.

        An unmirrored weight is its own mass; the stored one is the one that was added.
        """
        return self.power(dual) + self.power(-dual) if self.mirrored else self.weight[i]

    cdef inline void add_mass(self, double amount) noexcept nogil:
        add_to(&self.total, &self.total_error, amount)

    cdef inline void move(self, Py_ssize_t i, double step) noexcept nogil:
        """Move one dual; its weight and the normaliser follow."""
        cdef double old = self.dual_at(i), new = old + step
        self.add_mass(-self.mass_at(i, old))
        self.put(i, new)
        self.add_mass(self.mass_at(i, new))

    cdef inline void drop(self, Py_ssize_t i) noexcept nogil:
        """Silence a feature; the normaliser follows."""
        if self.dual_at(i) != -INFINITY:
            self.add_mass(-self.weight[i])
        self.silence(i)
