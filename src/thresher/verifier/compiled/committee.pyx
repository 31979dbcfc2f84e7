"""The Committee, played again: members in single precision, their mixture in double.

The twin in plain Python is `tests/reference/committee.py`. Nothing here is shared with the
kernel, which works on the eight members of one feature at a time; this works on all
features of a row for one member at a time. Both use no other operations than the four of
arithmetic, square roots and conversions, each of which IEEE 754 rounds in one way only, and
take them in the order of the formulas: so the bits are the same.
"""

from libc.math cimport fabs, fabsf, ldexp, rint, sqrt, sqrtf
from libc.stdint cimport int8_t, int32_t, int64_t

import numpy as np

from thresher.verifier.compiled.ieee import require_gradual_underflow

cdef enum:
    MOST = 8            # members
    EXPERTS = MOST + 2  # and the two combinations of them
    VIEWS = 4

RULES = ("arow", "adagrad", "means")
ROWS = ("scaled", "presence", "unit", "root")

cdef enum:
    AROW, ADAGRAD, MEANS    # as in RULES

cdef enum:
    SCALED, PRESENCE, UNIT, ROOT    # as in ROWS

#: What the second number of a feature starts with, by rule.
STARTS = (1.0, 1e-20, 1.0)
#: What a feature that was never seen is multiplied with.
UNSEEN = 1e300

cdef double TERMS[13]
cdef double _product = 1.0
cdef int _k
for _k in range(13):
    _product *= _k or 1
    TERMS[_k] = 1.0 / _product


cdef double exponential(double x) noexcept nogil:
    """e^x as 2^k times the sum of r^j/j! for j up to 12, highest first; |x| <= 30."""
    cdef double k = rint(x * 1.4426950408889634)
    cdef double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10
    cdef double total = TERMS[12]
    cdef int j
    for j in range(11, -1, -1):
        total = total * r + TERMS[j]
    return ldexp(total, <int> k)


cdef inline double within(double x, double most) noexcept nogil:
    return most if x > most else -most if x < -most else x


cdef void learn_arow(
    float* w, float* s, const float* x, Py_ssize_t n, float step, float doubled
) noexcept nogil:
    """w += step x s, then s = s / (1 + s x^2 / r), `doubled` being 1/r."""
    cdef Py_ssize_t k
    cdef float one = 1
    for k in range(n):
        w[k] = w[k] + (step * x[k]) * s[k]
        s[k] = s[k] / (one + (s[k] * x[k]) * (doubled * x[k]))


cdef void learn_adagrad(
    float* w, float* s, const float* x, Py_ssize_t n, float step, float gradient
) noexcept nogil:
    """s += (g x)^2, then w += step x / sqrt(s)."""
    cdef Py_ssize_t k
    for k in range(n):
        s[k] = s[k] + (gradient * x[k]) * (gradient * x[k])
        w[k] = w[k] + (step * x[k]) / sqrtf(s[k])


cdef void learn_means(
    float* w, float* s, const float* x, Py_ssize_t n, float step, float count
) noexcept nogil:
    """s += |c x|, then w += (step x - w |c x|) / s."""
    cdef Py_ssize_t k
    cdef float more
    for k in range(n):
        more = fabsf(count * x[k])
        s[k] = s[k] + more
        w[k] = w[k] + (step * x[k] - w[k] * more) / s[k]


cdef class CommitteeRun:
    """A committee that starts from nothing, and what it has become."""

    cdef int n, experts
    cdef int rule[MOST]
    cdef int view[MOST]
    cdef float setting[MOST]
    # A line per feature, the last for the constant one: the weights of the members, then the
    # second number of each.
    cdef readonly object own
    cdef float[:, ::1] line
    # One over the largest value of each feature so far.
    cdef readonly object shrink
    cdef double[::1] shrunk
    cdef readonly double rounds, labels
    cdef double square[MOST]
    cdef double slope[MOST]
    cdef double curvature[MOST]
    cdef double share[MOST]
    cdef double spread[MOST][MOST]
    cdef double prior[EXPERTS]
    cdef double belief[EXPERTS]
    # Of the experts and, last, of the mixture: a likelihood is value * 2^(-512 places).
    cdef double value[EXPERTS + 1]
    cdef int64_t places[EXPERTS + 1]
    cdef int64_t wrong[EXPERTS + 1]
    # The row under way, by view; the numbers of its features, by member; what is summed.
    cdef float[:, ::1] seen
    cdef float[:, ::1] weight
    cdef float[:, ::1] second
    # One over what each feature of the row is divided by.
    cdef double[::1] inverse
    cdef float score[MOST]
    cdef float doubt[MOST]
    cdef double standard[MOST]
    cdef double odds[EXPERTS]
    cdef double lean[EXPERTS]
    cdef double mixed

    def __init__(self, members, Py_ssize_t n_features, Py_ssize_t longest_row):
        """Members are triples (rule, setting, rows)."""
        cdef int m, k
        self.n = len(members)
        self.experts = self.n + 2
        self.own = np.zeros((n_features + 1, 2 * self.n), np.float32)
        for m, (rule, setting, rows) in enumerate(members):
            self.rule[m] = RULES.index(rule)
            self.view[m] = ROWS.index(rows)
            self.setting[m] = setting
            self.own[:, self.n + m] = STARTS[self.rule[m]]
            self.square[m] = 0.0
            self.slope[m] = self.curvature[m] = 1.0
            self.share[m] = 1.0 / self.n
            self.prior[m] = 0.5 / self.n
            for k in range(self.n):
                self.spread[m][k] = m == k
        self.prior[self.n] = self.prior[self.n + 1] = 0.25
        for m in range(self.experts + 1):
            self.value[m], self.places[m], self.wrong[m] = 1.0, 0, 0
        for m in range(self.experts):
            self.belief[m] = self.prior[m]
        self.shrink = np.full(n_features, UNSEEN)
        self.line, self.shrunk = self.own, self.shrink
        self.rounds = self.labels = 0.0
        self.make_room(longest_row)

    def play(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        double[::1] said,
    ):
        """Play one round per row; `said` is how far the mixture leaned to +1 before."""
        cdef Py_ssize_t t, n
        cdef const int32_t* columns
        require_gradual_underflow()
        with nogil:
            for t in range(label.shape[0]):
                n = row_start[t + 1] - row_start[t]
                columns = &column[row_start[t]] if n else NULL
                self.look(columns, &value[row_start[t]] if n else NULL, n, True)
                self.fetch(columns, n)
                self.add_up(n + 1)
                self.listen()
                said[t] = self.mixed
                self.learn_members(label[t], n + 1)
                self.put_back(columns, n)
                self.learn_mixture(label[t])
                self.rounds += 1.0
                self.labels += label[t]

    def leaning(
        self, const int64_t[::1] row_start, const int32_t[::1] column, const double[::1] value
    ):
        """How far the mixture leans to +1 on each of further rows; nothing changes."""
        cdef Py_ssize_t t, n
        cdef const int32_t* columns
        cdef double[::1] said = np.empty(row_start.shape[0] - 1)
        require_gradual_underflow()
        self.make_room(int(np.max(np.diff(row_start), initial=0)))
        with nogil:
            for t in range(said.shape[0]):
                n = row_start[t + 1] - row_start[t]
                columns = &column[row_start[t]] if n else NULL
                self.look(columns, &value[row_start[t]] if n else NULL, n, False)
                self.fetch(columns, n)
                self.add_up(n + 1)
                self.listen()
                said[t] = self.mixed
        return np.asarray(said)

    cdef int make_room(self, Py_ssize_t longest_row) except -1:
        """For the values and the numbers of one row."""
        self.seen = np.ones((VIEWS, longest_row + 1), np.float32)
        self.weight = np.empty((self.n, longest_row + 1), np.float32)
        self.second = np.empty((self.n, longest_row + 1), np.float32)
        self.inverse = np.empty(longest_row + 1)
        return 0

    cdef void look(
        self, const int32_t* column, const double* value, Py_ssize_t n, bint keep
    ) noexcept nogil:
        """The row in each view; the constant feature, 1 in all of them, comes last.

        What a feature is divided by is the largest value so far, this one included; whether it
        is remembered is for the caller to say.
        """
        cdef Py_ssize_t k
        cdef double size, inverse, part, squares = 0.0, sizes = 0.0, unit = 0.0, share = 0.0
        cdef float* scaled = &self.seen[SCALED, 0]
        cdef float* presence = &self.seen[PRESENCE, 0]
        cdef float* units = &self.seen[UNIT, 0]
        cdef float* root = &self.seen[ROOT, 0]
        cdef float one = 1
        for k in range(n):
            size = fabs(value[k])
            inverse = 1.0 / size
            if not inverse < self.shrunk[column[k]]:
                inverse = self.shrunk[column[k]]
            elif keep:
                self.shrunk[column[k]] = inverse
            self.inverse[k] = inverse
            part = size * inverse
            squares += part * part
            sizes += size
        if squares > 0.0:
            unit = 1.0 / sqrt(squares)
        if sizes > 1e-300:
            share = 1.0 / sizes
        for k in range(n):
            part = value[k] * self.inverse[k]
            scaled[k] = <float> part
            units[k] = <float> (part * unit)
            presence[k] = one if value[k] > 0.0 else -one
            root[k] = sqrtf(<float> (fabs(value[k]) * share)) * presence[k]
        scaled[n] = presence[n] = units[n] = root[n] = one

    cdef void fetch(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        """The numbers of the features, member by member."""
        cdef Py_ssize_t k, m, last = self.line.shape[0] - 1
        cdef const float* line
        for k in range(n + 1):
            line = &self.line[column[k] if k < n else last, 0]
            for m in range(self.n):
                self.weight[m, k] = line[m]
                self.second[m, k] = line[self.n + m]

    cdef void put_back(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        cdef Py_ssize_t k, m, last = self.line.shape[0] - 1
        cdef float* line
        for k in range(n + 1):
            line = &self.line[column[k] if k < n else last, 0]
            for m in range(self.n):
                line[m] = self.weight[m, k]
                line[self.n + m] = self.second[m, k]

    cdef void add_up(self, Py_ssize_t n) noexcept nogil:
        """Scores, the sums of w x; and the sums of s x^2, for the rule that asks for them."""
        cdef Py_ssize_t k, m
        cdef float score, doubt
        cdef const float* w
        cdef const float* s
        cdef const float* x
        for m in range(self.n):
            w, s, x = &self.weight[m, 0], &self.second[m, 0], &self.seen[self.view[m], 0]
            score = doubt = 0
            if self.rule[m] == AROW:
                for k in range(n):
                    score += w[k] * x[k]
                    doubt += (s[k] * x[k]) * x[k]
            else:
                for k in range(n):
                    score += w[k] * x[k]
            self.score[m], self.doubt[m] = score, doubt

    cdef void listen(self) noexcept nogil:
        """Standardised scores, and the log-odds and the lean of every expert."""
        cdef int m, n = self.n
        cdef double s, square, average = 0.0, best = 0.0, power
        for m in range(n):
            s = self.score[m]
            square = (self.square[m] + s * s) / (self.rounds + 1.0)
            self.standard[m] = within(s / sqrt(square), 4.0) if square > 0.0 else 0.0
            self.odds[m] = within(self.slope[m] * self.standard[m], 8.0)
            average += self.odds[m]
            best += self.share[m] * self.odds[m]
        self.odds[n] = average / n
        self.odds[n + 1] = within(best, 8.0)
        self.mixed = 0.0
        for m in range(self.experts):
            power = exponential(-fabs(self.odds[m]))
            self.lean[m] = (1.0 - power) / (1.0 + power)
            if self.odds[m] < 0.0:
                self.lean[m] = -self.lean[m]
            self.mixed += self.belief[m] * self.lean[m]

    cdef void learn_members(self, float y, Py_ssize_t n) noexcept nogil:
        cdef int m
        cdef float margin, gradient, one = 1
        cdef double mean = self.labels / (self.rounds + 2.0)
        cdef double room = 1.0 - mean * mean
        cdef float* w
        cdef float* s
        cdef const float* x
        for m in range(self.n):
            w, s, x = &self.weight[m, 0], &self.second[m, 0], &self.seen[self.view[m], 0]
            margin = y * self.score[m]
            if self.rule[m] == MEANS:
                learn_means(w, s, x, n, <float> (y - mean), <float> (room if room > 0.01 else 0.01))
            elif self.rule[m] == ADAGRAD:
                gradient = <float> (1.0 / (1.0 + exponential(within(margin, 30.0))))
                learn_adagrad(w, s, x, n, (self.setting[m] * y) * gradient, gradient)
            elif margin < one:
                learn_arow(
                    w, s, x, n,
                    (y * (one - margin)) / (self.doubt[m] + self.setting[m]),
                    one / self.setting[m],
                )

    cdef void note(self, int expert, double lean, bint wrong, double y) noexcept nogil:
        """Multiply the likelihood with the probability that the label was given."""
        self.value[expert] *= 0.5 + 0.5 * y * lean
        if self.value[expert] < 2.0 ** -512:
            self.value[expert] *= 2.0 ** 512
            self.places[expert] += 1
        self.wrong[expert] += wrong

    cdef void learn_mixture(self, double y) noexcept nogil:
        cdef int m, n = self.n
        cdef double own, f, lean, total = 0.0, forget = 1.0 / (self.rounds + 2.0)
        for m in range(self.experts):
            own = self.score[m] if m < n else self.odds[m]
            self.note(m, self.lean[m], (own >= 0.0) != (y > 0.0), y)
        self.note(self.experts, self.mixed, (self.mixed >= 0.0) != (y > 0.0), y)
        for m in range(self.experts):
            self.belief[m] *= 1.0 + y * self.lean[m]
            total += self.belief[m]
        for m in range(self.experts):
            self.belief[m] = (1.0 - forget) * (self.belief[m] / total) + forget * self.prior[m]
        self.learn_combination(y)
        for m in range(n):
            f, lean, own = self.standard[m], self.lean[m], self.score[m]
            self.square[m] += own * own
            self.curvature[m] += 0.25 * (1.0 - lean * lean) * (f * f)
            self.slope[m] += 0.5 * (y - lean) * f / self.curvature[m]
            if self.slope[m] < 0.01:
                self.slope[m] = 0.01

    cdef void learn_combination(self, double y) noexcept nogil:
        """Newton's step on the logistic loss of the weighted sum of log-odds."""
        cdef int k, m, n = self.n
        cdef double lean = self.lean[n + 1], doubt = 0.0, rate, part
        cdef double pull = 0.5 * (y - lean), bend = 0.25 * (1.0 - lean * lean)
        cdef double moved[MOST]
        for m in range(n):
            moved[m] = 0.0
            for k in range(n):
                moved[m] += self.spread[k][m] * self.odds[k]
        for m in range(n):
            doubt += moved[m] * self.odds[m]
        rate = 1.0 / (1.0 + bend * (doubt if doubt > 0.0 else 0.0))
        for m in range(n):
            self.share[m] += pull * rate * moved[m]
            part = bend * rate * moved[m]
            for k in range(n):
                self.spread[m][k] -= part * moved[k]

    # ---- what it has become --------------------------------------------------------------

    def numbers(self):
        """What belongs to no feature and decides what comes, by name."""
        n, experts = self.n, self.experts
        return {
            "rounds": np.array([self.rounds]),
            "labels": np.array([self.labels]),
            "square": np.array(<double[:MOST]> self.square)[:n],
            "slope": np.array(<double[:MOST]> self.slope)[:n],
            "curvature": np.array(<double[:MOST]> self.curvature)[:n],
            "share": np.array(<double[:MOST]> self.share)[:n],
            "spread": np.array(<double[:MOST, :MOST]> &self.spread[0][0])[:n, :n].copy(),
            "belief": np.array(<double[:EXPERTS]> self.belief)[:experts],
        }

    def record(self):
        """Of every expert and, last, of the mixture: mistakes, likelihood and its places.

        Then the weight that each expert started with.
        """
        size = self.experts + 1
        return (
            np.array(<int64_t[:EXPERTS + 1]> self.wrong)[:size],
            np.array(<double[:EXPERTS + 1]> self.value)[:size],
            np.array(<int64_t[:EXPERTS + 1]> self.places)[:size],
            np.array(<double[:EXPERTS]> self.prior)[:self.experts],
        )
