"""Duals and their powers: the state of every multiplicative learner.

The small methods stand here so that the update loops can inline them.
"""

from libc.math cimport INFINITY, exp, ilogb, pow
from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Engine

cdef enum:
    TABLE = 1024            # powers are kept for whole numbers up to this
    DEAD = -2147483648      # a whole dual of minus infinity


cdef class DualEngine(Engine):
    # The link: power(z) is base**(z - shift), or exp(rate * (z - shift)) when natural.
    cdef double base
    cdef double rate
    cdef bint natural
    cdef bint exact_base
    cdef int binary_digits
    cdef double shift
    cdef double[::1] table
    # Whether a feature stands for its negative as well.
    cdef bint mirrored
    # Duals: whole numbers while the stream is whole, real numbers afterwards.
    cdef bint integral
    # Whether whole duals are the exponents of the weights, and `level` has nothing to say.
    cdef bint in_weights
    cdef int32_t[::1] level
    cdef double[::1] real
    # No dual is larger: the largest at the start, plus the largest value of each updating row.
    cdef double reach
    # Whether a dual may be minus infinity.
    cdef bint silences

    cdef int fill_table(self) except -1
    cdef void rebuild(self) noexcept nogil
    cdef int take_sum(self, double shift, double total, double error, double peak) except -1

    cdef inline double power(self, double dual) noexcept nogil:
        cdef double z = dual - self.shift
        if -TABLE <= z <= TABLE and z == <int32_t> z:
            return self.table[<int32_t> z + TABLE]
        return exp(self.rate * z) if self.natural else pow(self.base, z)

    cdef inline double weight_of(self, double dual) noexcept nogil:
        return self.power(dual) - self.power(-dual) if self.mirrored else self.power(dual)

    cdef inline double dual_at(self, Py_ssize_t i) noexcept nogil:
        if self.in_weights:
            if self.weight[i] == 0.0:
                return -INFINITY
            return ilogb(self.weight[i]) // self.binary_digits
        if not self.integral:
            return self.real[i]
        # Not one expression: with INFINITY, a float in C, it would round the level to a float.
        if self.level[i] == DEAD:
            return -INFINITY
        return self.level[i]

    cdef inline void put(self, Py_ssize_t i, double dual) noexcept nogil:
        """Give a feature a dual, and the weight that follows from it."""
        if self.integral:
            self.level[i] = <int32_t> dual
        else:
            self.real[i] = dual
        self.weight[i] = self.weight_of(dual)

    cdef inline void silence(self, Py_ssize_t i) noexcept nogil:
        """Weight zero, for ever."""
        if self.integral:
            self.level[i] = DEAD
        else:
            self.real[i] = -INFINITY
        self.weight[i] = 0.0
