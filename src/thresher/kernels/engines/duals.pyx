"""Duals and their powers: the state of every multiplicative learner.

Used by `multiplicative`; the slow twin of both is `tests/reference/multiplicative.py`.
With power(z) = base**(z - shift), or exp(rate * (z - shift)), feature i weighs
power(dual_i), or power(dual_i) - power(-dual_i) in the mirrored learners, which keep the
two weights of a feature as one dual.

Duals of whole features are whole numbers, which never round, never overflow and recover
from any depth; the first row with a fraction turns them into doubles. The shift moves
only in normalised learners, where a common factor changes nothing.
"""

from libc.math cimport INFINITY, exp, floor, fmax, fmin, frexp, isfinite, pow
from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine

cdef double WHOLE_LIMIT = 1073741824.0    # 2^30: beyond it duals turn real


cdef class DualEngine(Engine):
    """The dual vector and the link from duals to weights."""

    def set_link(self, base, double rate, bint exact_base, bint mirrored):
        """Set the link, once, before anything else.

        `base` is None for powers of e; `rate` is the logarithm of one step. `exact_base` says
        that the double is the base itself, and not only next to it.
        """
        cdef int exponent
        self.natural = base is None
        self.base = 0.0 if self.natural else base
        self.rate = rate
        self.exact_base = exact_base
        self.mirrored = mirrored
        # For a base of 2^j, j: such weights and their sums are exact over a wide range.
        self.binary_digits = 0
        # By its digits: the logarithm of a base next to 16 rounds to 4.
        if self.exact_base and not self.natural and frexp(self.base, &exponent) == 0.5:
            self.binary_digits = exponent - 1
        self.integral = True
        self.level = np.zeros(self.weight.shape[0], np.int32)
        self.table = np.empty(2 * TABLE + 1)
        self.start_afresh()

    def start_afresh(self):
        """All duals zero."""
        self.shift = 0.0
        self.reach = 0.0
        self.fill_table()
        self.in_weights = False
        if self.integral:
            self.level[:] = 0
        else:
            self.real[:] = 0.0
        self.rebuild()

    cdef int fill_table(self) except -1:
        cdef Py_ssize_t k
        for k in range(2 * TABLE + 1):
            if self.natural:
                self.table[k] = exp(self.rate * (k - TABLE))
            else:
                self.table[k] = pow(self.base, k - TABLE)
        return 0

    cdef void rebuild(self) noexcept nogil:
        """All weights anew from the duals."""
        cdef Py_ssize_t i
        for i in range(self.n_weights + (self.bias_slot >= 0)):
            self.weight[i] = self.weight_of(self.dual_at(i))

    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1:
        """Turn the duals real before the first row that is not whole, or before they overflow."""
        if not (integral and self.reach + n_rows * largest < WHOLE_LIMIT):
            self.turn_real()
        return 0

    def turn_real(self):
        """Keep the duals as doubles from now on; whole ones stay the same numbers."""
        if self.integral:
            self.real = self.dual()
            self.level = None
            self.integral = self.in_weights = False

    @property
    def divisor(self):
        """What the stored weights are to be divided by, to get the weights of the score."""
        return 1.0

    def dual(self):
        """The dual vector, the bias last; minus infinity for a feature that was silenced."""
        cdef Py_ssize_t i, n = self.n_weights + (self.bias_slot >= 0)
        cdef double[::1] dual = np.empty(n)
        with nogil:
            for i in range(n):
                dual[i] = self.dual_at(i)
        return np.asarray(dual)

    def set_dual(self, dual):
        """Replace the dual vector (the bias last)."""
        dual = np.ascontiguousarray(dual, np.float64)
        cdef Py_ssize_t i, n = self.n_weights + (self.bias_slot >= 0)
        cdef const double[::1] given = dual.reshape(-1)
        cdef bint sound = dual.shape == (n,), whole = True
        cdef double z, low = 0.0, high = 0.0
        # One pass without temporary arrays: at 2^24 weights their pages took longer than the work.
        with nogil:
            for i in range(given.shape[0]):
                z = given[i]
                # Minus infinity is for learners that silence features; others would move it.
                if z == -INFINITY and self.silences:
                    continue
                sound &= isfinite(z) != 0
                whole &= z == floor(z)
                low = fmin(low, z)
                high = fmax(high, z)
        if not sound:
            silent = " or minus infinity" if self.silences else ""
            raise StateError(
                f"a dual vector for this learner has {n} entries, each a finite number{silent}; "
                f"found shape {dual.shape}."
            )
        self.shift = 0.0
        self.reach = fmax(-low, high)
        self.integral = whole and self.reach < WHOLE_LIMIT
        self.in_weights = False
        self.level = np.empty(n, np.int32) if self.integral else None
        self.real = None if self.integral else np.array(dual)
        if self.integral:
            with nogil:
                for i in range(n):
                    self.level[i] = DEAD if given[i] == -INFINITY else <int32_t> given[i]
        self.rebuild()

    def other_state(self):
        """What the state holds beside the dual vector: the reach, among zeros.

        The zeros are where normalised learners have their shift and the sum of the weights.
        Whether duals are stored whole or real is not part of it: they are the same numbers.
        """
        return 0.0, self.reach, 0.0, 0.0, 0.0

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`, which found the duals and their reach."""
        saved = [float(number) for number in other]
        if len(saved) != 5 or not all(isfinite(number) for number in saved):
            raise StateError("the state beside the dual vector is five finite numbers.")
        if saved[1] < self.reach:
            raise StateError("the state beside the dual vector belongs to another one.")
        self.reach = saved[1]
        self.take_sum(saved[0], saved[2], saved[3], saved[4])

    cdef int take_sum(self, double shift, double total, double error, double peak) except -1:
        """Take over what normalised learners save; where nothing is normalised, zeros."""
        if not shift == total == error == peak == 0.0:
            raise StateError("the state beside the dual vector belongs to another one.")
        return 0
