"""Multiplicative updates, and scores that are never on the wrong side of the threshold.

Used by `learners.winnow`, `balanced_winnow`, `normalized_winnow`, `signed_winnow`,
`elimination` and `weighted_majority`. The slow twin is `tests/reference/multiplicative.py`.

A score is compared with the threshold in floating point only where rounding cannot
matter. The other rounds are settled, in this order: by seeing that the sum did not round
at all; by a second sum, scaled so that nothing overflows; in exact arithmetic, outside
the loop. The score of a settled round is moved to the right side of the threshold, so
that whoever reads the score reads the truth.
"""

from libc.math cimport INFINITY, exp, fabs, floor, fmax, fmin, isfinite, log2, nextafter
from libc.stdint cimport int32_t, int64_t

import numpy as np

from thresher.kernels.engines.duals cimport DualEngine
from thresher.kernels.engines.engine cimport Round, entry

cdef double UNIT = 2.220446049250313e-16     # 2^-52: a rounding is at most half of it
cdef double TINY = 1e-290                    # room for terms that underflowed
cdef double SMALLEST = 5e-324
cdef double LARGEST = 1.7976931348623157e308


cdef class MultiplicativeEngine(DualEngine):
    """The Winnow family: the rule that moves the duals, and the comparison."""

    def set_rule(self, rule, reaches_threshold):
        """Set the rule, once.

        `rule` has promotes (whether a false negative raises duals), zeroing (whether demotion
        silences instead of lowering), voting (whether wrong features are demoted in every
        round), margin (scores within it are updated too), floor (no dual falls below it, and
        in mirrored learners none rises above its negative). `reaches_threshold(terms)` decides
        exactly whether a sum of x * power(z), given as pairs (x, z), reaches the threshold.
        """
        self.promotes = rule["promotes"]
        self.zeroing = rule["zeroing"]
        self.voting = rule["voting"]
        self.margin = rule["margin"]
        self.floor = rule["floor"]
        self.reaches_threshold = reaches_threshold
        self.budget = -1

    def set_phase(self, double rate, int64_t budget, reaches_threshold, next_phase):
        """Start over with another rate, until `budget` mistakes have been exceeded."""
        self.reaches_threshold = reaches_threshold
        self.next_phase = next_phase
        self.budget = budget
        self.phase_mistakes = 0
        self.set_rate(rate)

    def set_phase_mistakes(self, int64_t phase_mistakes):
        """Take over a saved count."""
        self.phase_mistakes = phase_mistakes

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef Py_ssize_t k
        cdef bint moved = False
        cdef double y = round.label * round.importance, largest = 0.0
        cdef double inside = round.label * (round.score - self.threshold)
        # As the threshold: a positive row must reach it, a negative one stay below.
        cdef bint near = inside < self.margin or (inside == self.margin and round.label < 0)
        if self.voting:
            for k in range(n):
                if y * value[k] < 0.0:
                    moved = True
                    largest = 1.0
                    if self.zeroing:
                        self.silence(column[k])
                    else:
                        self.move(column[k], -1.0)
        elif not (round.mistake or (self.margin > 0.0 and near)):
            return False
        elif round.label < 0 and self.zeroing:
            for k in range(n):
                self.silence(column[k])
        elif round.label > 0 and not self.promotes:
            return True
        elif self.integral and not (
            self.mirrored or self.normalized or round.importance != 1.0 or self.floor > -INFINITY
        ):
            # Whole numbers in [0, 1] are ones.
            self.move_ones(column, n, round.label)
            largest = 1.0
        else:
            for k in range(n):
                self.move(column[k], y * entry(value, k))
                if fabs(entry(value, k)) > largest:
                    largest = fabs(entry(value, k))
            if self.bias_slot >= 0:
                self.move(self.bias_slot, y)
                largest = fmax(largest, 1.0)
        self.reach += largest * fmax(1.0, round.importance)
        if self.normalized:
            self.keep_in_range(column, n)
        if self.budget >= 0 and round.mistake:
            self.phase_mistakes += 1
            if self.phase_mistakes > self.budget:
                with gil:
                    self.next_phase()
        return moved or round.mistake or not self.voting

    def needs_no_values(self, row_start):
        """Whether a row of ones needs no values: duals are whole, and a weight is a power."""
        longest = int(np.max(np.diff(row_start), initial=0)) + 1
        self.row_digits = max(self.row_digits, longest.bit_length())
        # Powers of two that are not far apart add up without rounding, in any order.
        self.sums_are_exact = self.binary_digits > 0 and self.exact_threshold
        return self.integral and not (self.mirrored or self.normalized or self.voting)

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double magnitude, z, total
        cdef double slack = n + 8.0
        if value == NULL and self.sums_are_exact:
            if self.binary_digits * (self.high - self.low) + self.row_digits < 50:
                return self.sum_of_weights(column, n)
        total = self.dot(column, value, n, &magnitude)
        if self.mirrored:
            # power(z) and power(-z) round apart; their sum is at most |weight| + 2 power(0).
            magnitude += 2.0 * (n + 1) * fmax(1.0, self.highest) * self.power(0.0)
        if not self.exact_base:
            # An error in the base, or in rate * z, grows with the exponent.
            slack += 4.0 * fmax(self.rate, 1.0) * (self.reach + fabs(self.shift))
        # Written so that a sum that overflowed, or is not a number, counts as close.
        if not fabs(total - self.threshold) > (
            slack * UNIT * (magnitude + fabs(self.threshold)) + n * TINY
        ):
            total = self.settle(column, value, n, total)
        if not self.normalized:
            return total
        z = total / (self.total + self.total_error)
        if not isfinite(z):
            return 0.0
        # A quotient may underflow to zero, but not change sides.
        return -SMALLEST if z == 0.0 and total < 0.0 else z

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
            return fmin(fmax(total, self.threshold), LARGEST)
        return fmax(fmin(total, nextafter(self.threshold, -INFINITY)), -LARGEST)

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
        return total if fabs(total) > slack * UNIT * magnitude else 0.0

    cdef bint ask(self, const int32_t* column, const double* value, Py_ssize_t n) except -1:
        """Whether the score reaches the threshold, in exact arithmetic."""
        cdef Py_ssize_t k
        terms = [(entry(value, k), self.dual_at(column[k])) for k in range(n)]
        if self.bias_slot >= 0:
            terms.append((1.0, self.dual_at(self.bias_slot)))
        if self.mirrored:
            terms += [(-x, -z) for x, z in terms]
        return self.reaches_threshold([(x, z) for x, z in terms if z != -INFINITY])
