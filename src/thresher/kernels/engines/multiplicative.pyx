"""What the engines of the Winnow family share: scores on the right side of the threshold.

The updates are in `winnow`, `elimination`, `exponentiated` and `weighted_majority`. The slow
twin is `tests/reference/multiplicative.py`.

A score is compared with the threshold in floating point only where rounding cannot
matter. The other rounds are settled, in this order: by seeing that the sum did not round
at all; by a second sum, scaled so that nothing overflows; in exact arithmetic, outside
the loop. The score of a settled round is moved to the right side of the threshold, so
that whoever reads the score reads the truth.
"""

from libc.float cimport DBL_EPSILON, DBL_MAX
from libc.math cimport INFINITY, exp, fabs, floor, fmax, fmin, isfinite, log2, nextafter
from libc.stdint cimport int32_t, int64_t

from thresher.kernels.engines.duals cimport DualEngine
from thresher.kernels.engines.engine cimport entry


cdef class MultiplicativeEngine(DualEngine):
    """Duals, and the comparison of a sum of their powers with the threshold."""

    def set_comparison(self, reaches_threshold, bint exact_threshold):
        """Set how sums are compared, once.

        `reaches_threshold(terms)` decides exactly whether a sum of x * power(z), given as pairs
        (x, z), reaches the threshold; `exact_threshold` says that the double is the threshold
        itself, and not only next to it.
        """
        self.reaches_threshold = reaches_threshold
        self.exact_threshold = exact_threshold

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        return self.sum_on_its_side(column, value, n)

    cdef double settle(
        self, const int32_t* column, const double* value, Py_ssize_t n, double total
    ) except? -1.5 nogil:
        """A score on the right side of the threshold, where floating point could not tell."""
        cdef double gap, exponent
        cdef bint positive
        if self.sum_is_exact(column, value, n):
            return total
        if self.weights_are_equal(column, value, n, &gap):
            positive = gap >= 0.0
        else:
            gap = self.scaled_gap(column, value, n, &exponent)
            if gap == 0.0:
                with gil:
                    # Learning counts; looking changes nothing.
                    self.close_calls += self.writing
                    positive = self.ask(column, value, n)
            else:
                positive = gap > 0.0
                if not isfinite(total) or total == self.threshold:
                    total = self.threshold + gap * exp(fmin(exponent, 709.0))
        # fmax and fmin pass over a sum that is not a number.
        if positive:
            return fmin(fmax(total, self.threshold), DBL_MAX)
        return fmax(fmin(total, nextafter(self.threshold, -INFINITY)), -DBL_MAX)

    cdef bint sum_is_exact(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil:
        """Whether no addition in the dot product can have rounded.

        So it is when all terms are modest multiples of one unit: whole numbers times powers
        of two that are not too far apart.
        """
        cdef Py_ssize_t k, terms = n + (self.bias_slot >= 0)
        cdef double z, low = INFINITY, high = -INFINITY, largest = 1.0, digits
        cdef bint whole = True
        if self.threshold != 0.0 and not self.exact_threshold:
            return False
        for k in range(terms):
            z = self.dual_at(column[k] if k < n else self.bias_slot)
            if k < n:
                if entry(value, k) != <int64_t> entry(value, k):
                    return False
                largest = fmax(largest, fabs(entry(value, k)))
            if z != -INFINITY:
                low = fmin(low, z)
                high = fmax(high, z)
                whole &= z == floor(z)
        if low > high:
            return True
        if self.binary_digits == 0 or not whole:
            return False
        if self.mirrored:
            high = fmax(fabs(low), fabs(high))
            low = -high
        digits = log2(largest) + log2(terms) + self.binary_digits * (high - low)
        return (
            digits < 50.0
            and self.binary_digits * (low - self.shift) > -900.0
            and self.binary_digits * (high - self.shift) < 900.0
        )

    cdef bint weights_are_equal(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* score
    ) noexcept nogil:
        """Whether one weight w stands before a whole sum; then score / |w|, which is exact.

        The terms themselves may round: 3 w is not always a double.
        """
        cdef Py_ssize_t k, terms = n + (self.bias_slot >= 0)
        cdef double x, z, dual = -INFINITY, total = 0.0, magnitude = 0.0
        if self.threshold != 0.0:
            return False
        for k in range(terms):
            z = self.dual_at(column[k] if k < n else self.bias_slot)
            if z == -INFINITY:
                continue
            x = entry(value, k) if k < n else 1.0
            if dual == -INFINITY:
                dual = z
            if z != dual or x != <int64_t> x:
                return False
            total += x
            magnitude += fabs(x)
        if self.mirrored:
            total = total if dual > 0.0 else (-total if dual < 0.0 else 0.0)
        score[0] = total
        # Weights that left the range of doubles say nothing about the size of the score.
        return magnitude < 1e15 and fabs(self.rate * (dual - self.shift)) < 600.0

    cdef double scaled_gap(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* exponent
    ) noexcept nogil:
        """(score - threshold) / e^exponent, its largest term near 1; 0 when too close to call.

        Nothing overflows here, and nothing that matters underflows: this settles scores
        whose weights left the range of doubles.
        """
        cdef Py_ssize_t k, i, terms = n + (self.bias_slot >= 0)
        cdef double z, x, total, magnitude, slack
        cdef double shift = self.rate * self.shift
        cdef double top = shift if self.threshold != 0.0 else -INFINITY
        for k in range(terms):
            z = self.dual_at(column[k] if k < n else self.bias_slot)
            top = fmax(top, self.rate * (fabs(z) if self.mirrored else z))
        exponent[0] = top - shift
        if not isfinite(top):
            return 0.0
        total = -self.threshold * exp(shift - top) if self.threshold != 0.0 else 0.0
        magnitude = fabs(total)
        for k in range(terms):
            i = column[k] if k < n else self.bias_slot
            x = entry(value, k) if k < n else 1.0
            z = self.rate * self.dual_at(i)
            total += x * exp(z - top)
            magnitude += fabs(x) * exp(z - top)
            if self.mirrored:
                total -= x * exp(-z - top)
                magnitude += fabs(x) * exp(-z - top)
        slack = 2.0 * n + 16.0 + 8.0 * fmax(self.rate, 1.0) * (self.reach + fabs(self.shift))
        return total if fabs(total) > slack * DBL_EPSILON * magnitude else 0.0

    cdef bint ask(self, const int32_t* column, const double* value, Py_ssize_t n) except -1:
        """Whether the score reaches the threshold, in exact arithmetic."""
        cdef Py_ssize_t k
        terms = [(entry(value, k), self.dual_at(column[k])) for k in range(n)]
        if self.bias_slot >= 0:
            terms.append((1.0, self.dual_at(self.bias_slot)))
        if self.mirrored:
            terms += [(-x, -z) for x, z in terms]
        return self.reaches_threshold([(x, z) for x, z in terms if z != -INFINITY])
