"""The mixture of a committee, played again: log-odds, weights of experts, their record.

In double precision, one expert after the other. The twin in plain Python is
`tests/reference/committee.py`.
"""

from libc.math cimport fabs, frexp, ldexp, rint, sqrt
from libc.stdint cimport int64_t

import numpy as np

cdef double TERMS[13], _product = 1.0
cdef int _k
for _k in range(13):
    _product *= _k or 1
    TERMS[_k] = 1.0 / _product


cdef double exponential(double x) noexcept nogil:
    """e^x as 2^k times the sum of r^j/j! for j up to 12, highest first; |x| <= 700."""
    cdef double k = rint(x * 1.4426950408889634)
    cdef double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10
    cdef double total = TERMS[12]
    cdef int j
    for j in range(11, -1, -1):
        total = total * r + TERMS[j]
    return ldexp(total, <int> k)


cdef double logarithm(double x) noexcept nogil:
    """ln x as k ln 2 + 2 artanh((m - 1) / (m + 1)) with x = 2^k m, the series up to power 23."""
    cdef int power, j
    cdef double m = 2.0 * frexp(x, &power), t, total = 0.0
    power -= 1
    if m > 1.4142135623730951:
        m, power = 0.5 * m, power + 1
    t = (m - 1.0) / (m + 1.0)
    for j in range(23, 0, -2):
        total = total * (t * t) + 1.0 / j
    return 2.0 * (t * total) + power * 0.6931471805599453


def natural_logarithm(double x):
    """The same, for whoever is not compiled.

    >>> natural_logarithm(1.0), round(natural_logarithm(10.0), 9)
    (0.0, 2.302585093)
    """
    return logarithm(x)


# The constant in the combination of what the members say.
cdef double CONSTANT = 0.25


def prior_weights(int lanes, int seats):
    """What members, average and combination start with: a seat as much as eight lanes."""
    members = [1.0] * lanes + [8.0] * seats
    return [0.6 * (own / sum(members)) for own in members] + [0.3, 0.1]


cdef class MixtureRun:
    """Members that have said nothing yet, their average, and their best combination."""

    def __init__(self, int lanes, int seats):
        cdef int m, k, n = lanes + seats
        self.n = self.present = n
        for m in range(n):
            self.square[m] = 0.0
            self.slope[m], self.curvature[m] = 0.5, 1.0
            self.share[m] = (1.0 if m < lanes else 8.0) / (lanes + 8.0 * seats)
        self.share[n] = 0.0
        for m in range(n + 1):
            for k in range(n + 1):
                self.spread[m][k] = m == k
        for m in range(n + 3):
            self.value[m], self.places[m], self.wrong[m] = 1.0, 0, 0
        for m, own in enumerate(prior_weights(lanes, seats)):
            self.belief[m] = self.prior[m] = own
        self.rounds = 0.0

    def begin_with(self, state, int present):
        """Begin as another run has left it, see `numbers`; so many members have not left."""
        cdef int m, k
        order = [self.n, *range(self.n)]
        cdef double[:, ::1] spread = np.ascontiguousarray(state["spread"])
        for m in range(self.n):
            self.square[m] = state["square"][m]
            self.slope[m], self.curvature[m] = state["slope"][m], state["curvature"][m]
        for m in range(self.n + 1):
            self.share[<int> order[m]] = state["share"][m]
            for k in range(self.n + 1):
                self.spread[<int> order[m]][<int> order[k]] = spread[m, k]
        for m in range(self.n + 2):
            self.belief[m] = state["belief"][m]
        self.rounds, self.present = state["rounds"][0], present

    cdef int expert(self, int e) noexcept nogil:
        """The place of the e-th expert present: members, then average and combination."""
        return e if e < self.present else e - self.present + self.n

    cdef void listen(self) noexcept nogil:
        """Standardised scores, and the log-odds and the lean of every expert present."""
        cdef int m, n = self.present
        cdef double s, square, power, average = 0.0, whole = 0.0
        cdef double best = self.share[self.n] * CONSTANT
        for m in range(n):
            s = self.score[m]
            square = (self.square[m] + s * s) / (self.rounds + 1.0)
            self.standard[m] = within(s / sqrt(square), 4.0) if square > 0.0 else 0.0
            self.odds[m] = within(self.slope[m] * self.standard[m], 8.0)
            average += self.prior[m] * self.odds[m]
            whole += self.prior[m]
            best += self.share[m] * self.odds[m]
        self.odds[n] = average / whole if n else 0.0
        self.odds[n + 1] = within(best, 8.0)
        self.mixed = 0.0
        for m in range(n + 2):
            power = exponential(-fabs(self.odds[m]))
            self.lean[m] = (1.0 - power) / (1.0 + power)
            if self.odds[m] < 0.0:
                self.lean[m] = -self.lean[m]
            self.mixed += self.belief[self.expert(m)] * self.lean[m]

    cdef void note(self, int expert, double lean, bint wrong, double y) noexcept nogil:
        """Multiply the likelihood with the probability that the label was given."""
        self.value[expert] *= 0.5 + 0.5 * y * lean
        if self.value[expert] < 2.0 ** -512:
            self.value[expert] *= 2.0 ** 512
            self.places[expert] += 1
        self.wrong[expert] += wrong

    cdef void believe(self, double y, double weight) noexcept nogil:
        """Multiply each belief by the probability of the label to the power of the weight."""
        cdef int e, m, experts = self.present + 2
        cdef double total = 0.0, whole = 0.0, most = -1e300, forget = 1.0 / (self.rounds + 2.0)
        cdef double factor[EXPERTS]
        for e in range(experts):
            factor[e] = 1.0 + y * self.lean[e]
        if weight != 1.0:
            for e in range(experts):
                factor[e] = logarithm(0.5 * factor[e])
                most = factor[e] if factor[e] > most else most
            for e in range(experts):
                factor[e] = weight * (factor[e] - most)
                factor[e] = exponential(factor[e] if factor[e] > -700.0 else -700.0)
        for e in range(experts):
            m = self.expert(e)
            self.belief[m] *= factor[e]
            total += self.belief[m]
            whole += self.prior[m]
        for e in range(experts):
            m = self.expert(e)
            self.belief[m] = (
                (1.0 - forget) * (self.belief[m] / total) + forget * (self.prior[m] / whole)
            )

    cdef void keep_count(self, double y) noexcept nogil:
        """Mistakes and likelihoods of a round, also of one that weighs nothing."""
        cdef int e, m, n = self.present
        cdef bint wrong = (self.mixed >= 0.0) != (y > 0.0)
        cdef double own
        for e in range(n + 2):
            own = self.score[e] if e < n else self.odds[e]
            self.note(self.expert(e), self.lean[e], (own >= 0.0) != (y > 0.0), y)
        for m in range(n, self.n):
            self.note(m, self.mixed, wrong, y)
        self.note(self.n + 2, self.mixed, wrong, y)

    cdef void learn(self, double y, double weight) noexcept nogil:
        cdef int m, n = self.present
        cdef double own, f, lean
        self.believe(y, weight)
        self.learn_combination(y, weight)
        for m in range(n):
            f, lean, own = self.standard[m], self.lean[m], self.score[m]
            self.square[m] += own * own
            self.curvature[m] += weight * (0.25 * (1.0 - lean * lean)) * (f * f)
            self.slope[m] += weight * (0.5 * (y - lean)) * f / self.curvature[m]
            if self.slope[m] < 0.01:
                self.slope[m] = 0.01
        self.rounds += 1.0

    cdef void learn_combination(self, double y, double weight) noexcept nogil:
        """Newton's step on the logistic loss of the weighted sum of log-odds and a constant."""
        cdef int j, k, i, m, n = self.present
        cdef double lean = self.lean[n + 1], doubt = 0.0, rate, part
        cdef double pull = weight * (0.5 * (y - lean))
        cdef double bend = weight * (0.25 * (1.0 - lean * lean))
        cdef double moved[MOST + 1]
        # The constant, which is kept last, is added first.
        for i in range(n + 1):
            m = self.place(i)
            moved[m] = 0.0
            moved[m] += self.spread[self.n][m] * CONSTANT
            for k in range(n):
                moved[m] += self.spread[k][m] * self.odds[k]
        doubt = moved[self.n] * CONSTANT
        for m in range(n):
            doubt += moved[m] * self.odds[m]
        rate = 1.0 / (1.0 + bend * (doubt if doubt > 0.0 else 0.0))
        for i in range(n + 1):
            m = self.place(i)
            self.share[m] += pull * rate * moved[m]
            part = bend * rate * moved[m]
            for j in range(n + 1):
                k = self.place(j)
                self.spread[m][k] -= part * moved[k]

    cdef int place(self, int i) noexcept nogil:
        """Where the i-th input of the combination is kept: members present, then the constant."""
        return i if i < self.present else self.n

    cdef void let_go(self, int staying) noexcept nogil:
        """Go on with the first members; those who leave have no weight and no share any more."""
        cdef int m, k
        cdef double belief = 0.0
        if staying == self.present:
            return
        for m in range(staying, self.present):
            self.belief[m] = self.share[m] = 0.0
            for k in range(self.n + 1):
                self.spread[m][k] = self.spread[k][m] = 0.0
        self.present = staying
        for m in range(self.n + 2):
            belief += self.belief[m]
        for m in range(self.n + 2):
            self.belief[m] /= belief

    # ---- what it has become ------------------------------------------------------------------

    def numbers(self):
        """What decides what it will say, by name."""
        n = self.n
        spread = of_doubles(&self.spread[0][0], (MOST + 1) ** 2).reshape(MOST + 1, MOST + 1)
        # By name the constant comes first.
        order = [n, *range(n)]
        return {
            "rounds": np.array([self.rounds]),
            "square": of_doubles(self.square, n),
            "slope": of_doubles(self.slope, n),
            "curvature": of_doubles(self.curvature, n),
            "share": of_doubles(self.share, n + 1)[order],
            "spread": spread[np.ix_(order, order)],
            "belief": of_doubles(self.belief, n + 2),
        }

    def record(self):
        """Of every expert and, last, of the mixture: mistakes, likelihood and its places."""
        n = self.n + 3
        return of_counts(self.wrong, n), of_doubles(self.value, n), of_counts(self.places, n)


cdef object of_doubles(double* start, Py_ssize_t n):
    cdef double[::1] own = <double[:n]> start
    return np.array(own)


cdef object of_counts(int64_t* start, Py_ssize_t n):
    cdef int64_t[::1] own = <int64_t[:n]> start
    return np.array(own)
