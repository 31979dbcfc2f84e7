"""The Winnow family: weights that are powers, and sums of them compared with a threshold.

Floating point decides where it can be proven to; then a second sum, scaled so that nothing
overflows; and what both leave open is asked outside, in exact arithmetic. So no mistake depends
on how a power was rounded. Where rounds that were right are updates within a margin, the
score itself is compared, as floating point has it, on the side of the threshold that is
true: that is how these learners are defined. The learners in plain Python are
`tests/reference/winnow.py`, `tests/reference/balanced_winnow.py` and
`tests/reference/exponentiated.py`.
"""

from libc.float cimport DBL_EPSILON, DBL_MAX
from libc.math cimport INFINITY, exp, expm1, fabs, isfinite, isnan, nextafter, pow
from libc.stdint cimport int64_t

import numpy as np

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row

cdef enum:
    FEW = 512               # whole duals up to this have their powers in a table


cdef class PowerRounds(LinearRounds):
    """A feature weighs b^z, or b^z - b^-z where it is mirrored, z being its dual."""

    cdef double[::1] dual
    cdef double[::1] table
    cdef bint mirrored
    # Powers of the base, or, where it is not positive, of e.
    cdef double base
    cdef double rate
    # The largest size of any dual so far.
    cdef double reach
    cdef object reaches
    # Whether the base is a power of two, and whether the threshold is a double.
    cdef bint binary
    cdef bint exact_threshold
    # Whether the size of some score is another than the learner's, though not its side.
    cdef bint other_sizes

    def set_link(self, double base, double rate, bint mirrored, bint binary):
        """The base as a double (0: powers of e), its logarithm, and whether it is a power of 2."""
        self.mirrored, self.binary = mirrored, binary
        self.dual = np.zeros(self.width + 1)
        self.table = np.empty(2 * FEW + 1)
        self.start(base, rate)

    def begin_with(self, dict numbers):
        """Duals, from which weights follow."""
        cdef const double[::1] dual = np.array(numbers["dual"], np.float64)
        cdef Py_ssize_t i
        LinearRounds.begin_with(self, {**numbers, "weight": numbers["dual"]})
        for i in range(self.width + 1):
            self.put(i, dual[i])

    def set_threshold(self, double threshold, bint exact_threshold, reaches):
        """The threshold as a double, whether it is one, and who decides where rounding might.

        `reaches(terms)` says whether the sum of x b^z over pairs (x, z) reaches it.
        """
        self.threshold, self.exact_threshold = threshold, exact_threshold
        self.reaches = reaches

    cdef int start(self, double base, double rate) except -1 nogil:
        """All duals zero."""
        cdef Py_ssize_t i
        self.base, self.rate, self.reach = base, rate, 0.0
        for i in range(2 * FEW + 1):
            self.table[i] = self.computed(i - FEW)
        for i in range(self.width + 1):
            self.put(i, 0.0)
            if self.measuring:
                self.off[i] = 0.0
        return 0

    cdef inline double computed(self, double z) noexcept nogil:
        return pow(self.base, z) if self.base > 0.0 else exp(self.rate * z)

    cdef inline double power(self, double z) noexcept nogil:
        if -FEW <= z <= FEW and z == <int64_t> z:
            return self.table[FEW + <int64_t> z]
        return self.computed(z)

    cdef inline void put(self, Py_ssize_t i, double z) noexcept nogil:
        """Give a feature its dual, and the weight that follows."""
        self.dual[i] = z
        if z == -INFINITY:
            self.weight[i] = 0.0
            return
        self.weight[i] = self.power(z) - self.power(-z) if self.mirrored else self.power(z)
        if fabs(z) > self.reach:
            self.reach = fabs(z)

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        """The score, on the side of the threshold on which the exact one is."""
        cdef double total = 0.0, size = 0.0, term, gap, bound
        cdef Py_ssize_t k
        cdef bint positive
        if not row.n and not self.bias:
            return 0.0
        for k in range(row.n):
            term = self.weight[row.column[k]] * row.x[k]
            total += term
            size += fabs(term)
            if self.mirrored:
                # Of two powers that are inverse to each other, one is at most 1.
                size += 2.0 * fabs(row.x[k])
        if self.bias:
            total += self.weight[self.width]
            size += fabs(self.weight[self.width]) + 2.0
        # A rounding is half an epsilon; an error in the base or in rate * z grows with z.
        bound = self.slack(row) * (size + fabs(self.threshold)) + (row.n + 1) * 1e-290
        if self.measuring:
            self.doubtful[row.t] = self.is_doubtful(row, fabs(total - self.threshold) - bound)
        if fabs(total - self.threshold) > bound:
            return total
        if self.did_not_round(row, size):
            return total
        gap = self.scaled_gap(row)
        if gap == 0.0:
            with gil:
                positive = self.ask(row)
        else:
            positive = gap > 0.0
            self.other_sizes |= not isfinite(total) or total == self.threshold
            if not isfinite(total):
                # Too large for a double, and far from any margin.
                total = DBL_MAX if positive else -DBL_MAX
        if positive:
            if isnan(total) or total < self.threshold:
                return self.threshold
            return DBL_MAX if total > DBL_MAX else total
        if isnan(total) or total >= self.threshold:
            return nextafter(self.threshold, -INFINITY)
        return -DBL_MAX if total < -DBL_MAX else total

    cdef bint is_doubtful(self, const Row* row, double distance) noexcept nogil:
        """Whether duals that did not round could have led to the other side of the threshold.

        What is too small for a double is added to each term, so that no doubt vanishes.
        """
        cdef double blur = 0.0, share
        cdef Py_ssize_t k, i
        for k in range(row.n + self.bias):
            i = row.column[k] if k < row.n else self.width
            if self.off[i] > 0.0:
                share = expm1(1.001 * self.rate * self.off[i])
                blur += share * (fabs(self.weight[i]) + 2.0) * fabs(row.x[k] if k < row.n else 1.0)
                blur += 1e-300
        return blur != 0.0 and not distance > 1.001 * blur

    cdef inline double slack(self, const Row* row) noexcept nogil:
        cdef double steep = self.rate if self.rate > 1.0 else 1.0
        return DBL_EPSILON * (2.0 * row.n + 16.0 + 8.0 * steep * self.reach)

    cdef bint did_not_round(self, const Row* row, double size) noexcept nogil:
        """Whether all terms are whole multiples of a power of two, fewer than 2^52 of it in all.

        Seen only where the base is 2, 4, 8, ... and duals and values are whole, or where all
        weights are 1 or none has moved: ties of young learners need not be asked for.
        """
        cdef double least = INFINITY, z
        cdef Py_ssize_t k, n = row.n + self.bias
        if not self.exact_threshold:
            return False
        for k in range(n):
            if k < row.n and (fabs(row.x[k]) > 1e9 or row.x[k] != <int64_t> row.x[k]):
                return False
            z = self.dual[row.column[k] if k < row.n else self.width]
            if z == -INFINITY:
                continue
            if z != 0.0 and (not self.binary or z != <int64_t> z or fabs(z) > FEW):
                return False
            z = self.power(-fabs(z) if self.mirrored else z)
            if z < least:
                least = z
        return least == INFINITY or (least > 1e-100 and size / least < 2.0 ** 52)

    cdef double scaled_gap(self, const Row* row) noexcept nogil:
        """The score less the threshold, divided by its largest power; 0 if too close to call."""
        cdef double top = 0.0 if self.threshold != 0.0 else -INFINITY
        cdef double z, x, total, size
        cdef Py_ssize_t k, n = row.n + self.bias
        for k in range(n):
            z = self.rate * self.dual[row.column[k] if k < row.n else self.width]
            if self.mirrored:
                z = fabs(z)
            if z > top:
                top = z
        if top == -INFINITY:
            return 0.0
        total = -self.threshold * exp(-top)
        size = fabs(total)
        for k in range(n):
            z = self.rate * self.dual[row.column[k] if k < row.n else self.width]
            x = row.x[k] if k < row.n else 1.0
            total += x * exp(z - top)
            size += fabs(x) * exp(z - top)
            if self.mirrored:
                total -= x * exp(-z - top)
                size += fabs(x) * exp(-z - top)
        if fabs(total) > 2.0 * self.slack(row) * size + (n + 1) * 1e-290:
            return total
        return 0.0

    cdef bint ask(self, const Row* row) except -1:
        """Whether the score reaches the threshold, in exact arithmetic."""
        cdef Py_ssize_t k
        terms = [(row.x[k], self.dual[row.column[k]]) for k in range(row.n)]
        if self.bias:
            terms.append((1.0, self.dual[self.width]))
        if self.mirrored:
            terms += [(-x, -z) for x, z in terms]
        return self.reaches([(x, z) for x, z in terms if z != -INFINITY])

    cdef bint sizes_known(self) noexcept nogil:
        return not self.other_sizes

    def margins(self):
        """By how much each score exceeded the threshold; None if only the sides are the same."""
        return None if self.other_sizes else LinearRounds.margins(self)

    def by_feature(self):
        """The numbers of each feature by name, those of the constant one last."""
        found = LinearRounds.by_feature(self)
        del found["weight"]
        # A zero that was reached from below is the same dual.
        return {**found, "dual": np.asarray(self.dual) + 0.0}


cdef class WinnowRounds(PowerRounds):
    """Winnow and Balanced Winnow: duals move by y x after a mistake, or within a margin."""

    cdef double margin
    cdef double lowest
    cdef double highest
    cdef bint zeroing

    def set_rule(self, double margin, double lowest, bint zeroing):
        """The margin, the least dual, and whether demotions silence features for good."""
        self.margin, self.lowest, self.zeroing = margin, lowest, zeroing
        self.highest = -lowest if self.mirrored else INFINITY

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double inside = row.y * (row.score - self.threshold), z
        cdef Py_ssize_t k
        if not row.wrong:
            # A positive row must reach the margin, a negative one stay below it.
            if not self.margin > 0.0 or inside > self.margin:
                return False
            if inside == self.margin and row.y > 0.0:
                return False
        for k in range(row.n):
            if self.zeroing and row.y < 0.0:
                self.put(row.column[k], -INFINITY)
                continue
            z = self.added(
                row.column[k], self.dual[row.column[k]], row.y * row.h * row.x[k]
            )
            if z < self.lowest:
                z = self.lowest
            self.put(row.column[k], self.highest if z > self.highest else z)
        return True


cdef class ExponentiatedRounds(PowerRounds):
    """Normalised and signed Winnow: the threshold is 0, so that no sum need be divided."""

    # For learners that guess their margin: the rate and the mistakes allowed in each phase.
    cdef double[::1] rates
    cdef int64_t[::1] budgets
    cdef int64_t phase
    cdef int64_t phase_mistakes
    # The sum of all weights, of both signs where features are mirrored; what was lost when it was
    # rounded (Knuth's two-sum); and the largest it has been.
    cdef double coordinates
    # Which coordinate each column is, for whoever begins with a sum of its own.
    cdef const int64_t[::1] given
    cdef double total
    cdef double lost
    cdef double highest

    def set_coordinates(self, Py_ssize_t coordinates, given=None):
        """How many features there are, with those that no row has; which of them columns are."""
        self.coordinates, self.given = coordinates, given
        self.sum_up_new()

    def begin_with(self, dict numbers):
        """Duals, from which weights and their sum follow; it takes a step for each coordinate.

        Where nobody has said which coordinates columns are, only the sides of scores are right.
        """
        PowerRounds.begin_with(self, numbers)
        if self.given is None:
            self.other_sizes = True
            return
        self.sum_up_again()
        self.highest = self.total + self.lost
        # The learner would divide all weights by the largest.
        self.other_sizes |= self.rate * self.reach > 500.0

    cdef void sum_up_again(self) noexcept nogil:
        """The sum of all weights in their order, also of coordinates that no row has."""
        cdef Py_ssize_t i = 0, at
        self.total = self.lost = 0.0
        for at in range(<Py_ssize_t> self.coordinates - self.bias):
            if i < self.given.shape[0] and self.given[i] == at:
                self.count(i, 1.0)
                i += 1
            else:
                self.add(2.0 if self.mirrored else 1.0)
        if self.bias:
            self.count(self.width, 1.0)

    def set_phases(self, rates, budgets):
        """What each phase has, from the first on; empty where there are none."""
        self.rates, self.budgets = rates, budgets
        self.phase = 1 if len(rates) else 0

    cdef void sum_up_new(self) noexcept nogil:
        """The sum before anything has moved."""
        self.total = self.highest = self.coordinates * (2.0 if self.mirrored else 1.0)
        self.lost = 0.0

    cdef inline void count(self, Py_ssize_t i, double sign) noexcept nogil:
        """Add the weights of a feature to the sum, or take them away."""
        cdef double z = self.dual[i]
        self.add(sign * (self.power(z) + (self.power(-z) if self.mirrored else 0.0)))

    cdef inline void add(self, double amount) noexcept nogil:
        cdef double before = self.total, after = before + amount, part = after - before
        self.lost += (before - (after - part)) + (amount - part)
        self.total = after

    cdef inline void gain(self, Py_ssize_t i, double step) noexcept nogil:
        self.count(i, -1.0)
        self.put(i, self.added(i, self.dual[i], step))
        self.count(i, 1.0)
        self.other_sizes |= i < self.width and not fabs(self.weight[i]) <= 1e260

    cdef double margin_of(self, double score) noexcept nogil:
        """The score over the sum of all weights; a quotient does not change sides."""
        cdef double quotient = score / (self.total + self.lost)
        if not isfinite(quotient):
            return 0.0
        return -5e-324 if quotient == 0.0 and score < 0.0 else quotient

    cdef void watch_sum(self) noexcept nogil:
        """The learner sums up anew where the sum leaves its range or loses its digits."""
        cdef double whole = self.total + self.lost
        if whole > self.highest:
            self.highest = whole
        self.other_sizes |= not 1e-260 <= whole <= 1e260 or whole < self.highest * 1e-12

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef Py_ssize_t k
        if not row.wrong:
            return False
        for k in range(row.n):
            self.gain(row.column[k], row.y * row.h * row.x[k])
        if self.bias:
            self.gain(self.width, row.y * row.h)
        self.watch_sum()
        if self.phase:
            self.phase_mistakes += 1
            if self.phase_mistakes > self.budgets[self.phase - 1]:
                self.phase += 1
                self.phase_mistakes = 0
                self.start(0.0, self.rates[self.phase - 1])
                self.sum_up_new()
        return True

    @property
    def present_phase(self):
        """The number of the phase, and the mistakes in it; 0 where there are none."""
        return self.phase, self.phase_mistakes


cdef class VotingRounds(PowerRounds):
    """Weighted Majority: in every round the experts that were wrong lose weight."""

    cdef bint dropping

    def set_rule(self, bint dropping):
        """Whether an expert is dropped at its first mistake."""
        self.dropping = dropping
        # The learner divides its scores by the weight of all experts, also of silent ones.
        self.other_sizes = True

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef bint some = False
        cdef Py_ssize_t k
        for k in range(row.n):
            if row.y * row.x[k] < 0.0:
                some = True
                self.put(
                    row.column[k], -INFINITY if self.dropping else self.dual[row.column[k]] - 1.0
                )
        return some or row.wrong
