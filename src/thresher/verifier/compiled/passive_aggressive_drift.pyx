"""How far a Passive-Aggressive run in double precision can be from the run on paper.

A step of PA moves the weights to the nearest ones that have a margin of 1 on the row; those of PA-I
and PA-II minimise the distance and C times the loss or its square. Each is the proximal map of
a convex function, and such maps bring no two points further apart. So the weights are never
further from those of exact arithmetic than the roundings of all steps together, which are added
up here: what each product, quotient and sum was off by, worked out after the fact, so that a run
in which nothing rounds has drifted by nothing.

The learner in plain Python is `tests/reference/passive_aggressive.py`.
"""

from libc.math cimport INFINITY, fabs, fma, sqrt

import numpy as np

from thresher.verifier.compiled.hinge_steps cimport PassiveAggressiveRounds
from thresher.verifier.compiled.linear_rounds cimport Row

# Bounds are sums of rounded numbers themselves: a thousandth more than enough.
cdef double ROOM = 1.001
# Below this, what a product or a square was off by may not be a double any more.
cdef double TINY = 1e-280


cdef class PassiveAggressiveDrift(PassiveAggressiveRounds):
    """The same rounds, with what rounding has done to them so far."""

    # The distance between these weights and those on paper is at most this.
    cdef double drift
    # What the score of the present round is off by, given the weights as they are.
    cdef double blur
    # Features that the run on paper or this one may have changed.
    cdef unsigned char[::1] touched

    def measure(self):
        """Note from now on how far rounding has moved the weights, and where it may matter."""
        PassiveAggressiveRounds.measure(self)
        self.drift, self.touched = 0.0, np.zeros(self.width + 1, np.uint8)

    @property
    def distance(self):
        """How far the weights are at most from those of exact arithmetic."""
        return self.drift

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        cdef double score = 0.0, reach = 0.0, bound, term, new, old
        cdef Py_ssize_t k
        self.blur = 0.0
        for k in range(row.n):
            old = self.weight[row.column[k]]
            term = old * row.x[k]
            self.blur += off_product(old, row.x[k], term)
            new = score + term
            self.blur += off_sum(score, term, new)
            score = new
            if self.touched[row.column[k]]:
                reach += row.x[k] * row.x[k] + TINY
        if self.bias:
            new = score + self.weight[self.width]
            self.blur += off_sum(score, self.weight[self.width], new)
            score = new
            reach += 1.0 if self.touched[self.width] else 0.0
        bound = ROOM * (self.blur + self.drift * sqrt(reach)) if reach > 0.0 else 0.0
        self.doubtful[row.t] = bound != 0.0 and not fabs(score) > bound
        return score

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef Py_ssize_t k
        cdef double before = self.drift
        self.add_roundings(row)
        if self.drift > before or 1.0 - row.y * row.score > 0.0:
            for k in range(row.n):
                self.touched[row.column[k]] = True
            self.touched[self.width] = True
        return PassiveAggressiveRounds.update(self, row)

    cdef void add_roundings(self, const Row* row) noexcept nogil:
        """What this step, from these weights, is off by."""
        cdef double margin = row.y * row.score, loss = 1.0 - margin
        cdef double off_loss = self.blur + off_sum(1.0, -margin, loss)
        cdef double square = self.square_of(row), off_square = self.off_square(row)
        cdef double below = square, off_below = off_square, soft, sum_, tau, off_tau, moved = 0.0
        cdef Py_ssize_t k
        if not row.n and not self.bias:
            return
        if loss + ROOM * off_loss <= 0.0:
            # No step, on paper either.
            return
        if self.variant == 2:
            soft = 0.5 / self.c
            sum_ = square + soft
            off_below += fabs(fma(soft, self.c, -0.5)) / self.c + off_sum(square, soft, sum_)
            below = sum_
        if square == 0.0 or not below > 2.0 * ROOM * off_below or below < TINY:
            # Too short a row for its length to be known; where no square is left, no step is made.
            self.drift = INFINITY
            return
        if loss < 0.0:
            loss = 0.0
        tau = loss / below
        off_tau = off_loss + tau * off_below + fabs(fma(tau, below, -loss))
        off_tau = ROOM * off_tau / (below - ROOM * off_below)
        if self.variant == 1 and tau > self.c:
            if tau - ROOM * off_tau > self.c:
                off_tau = 0.0
            tau = self.c
        for k in range(row.n):
            moved += self.off_step(row.column[k], row.y * tau, row.x[k])
        if self.bias:
            moved += self.off_step(self.width, row.y * tau, 1.0)
        self.drift += ROOM * (moved + off_tau * sqrt(square + ROOM * off_square))

    cdef double off_square(self, const Row* row) noexcept nogil:
        cdef double total = 0.0, term, new, off = 0.0
        cdef Py_ssize_t k
        for k in range(row.n):
            term = row.x[k] * row.x[k]
            off += off_product(row.x[k], row.x[k], term)
            new = total + term
            off += off_sum(total, term, new)
            total = new
        if self.bias:
            off += off_sum(total, 1.0, total + 1.0)
        return off

    cdef double off_step(self, Py_ssize_t i, double tau, double x) noexcept nogil:
        """What a new weight is off by."""
        cdef double amount = tau * x, new = self.weight[i] + amount
        if not fabs(amount) < 1e149 or not fabs(new) < 1e149:
            # Weights that are held back at their limit.
            return INFINITY
        return off_product(tau, x, amount) + off_sum(self.weight[i], amount, new)


cdef inline double off_product(double a, double b, double product) noexcept nogil:
    """|a b - product|, which is a double again unless it is tiny."""
    if a == 0.0 or b == 0.0:
        return 0.0
    if fabs(product) < TINY:
        return TINY
    return fabs(fma(a, b, -product))


cdef inline double off_sum(double a, double b, double sum_) noexcept nogil:
    """|a + b - sum| (Knuth's two-sum)."""
    cdef double part = sum_ - a
    return fabs((a - (sum_ - part)) + (b - part))
