"""The Committee, played again: members in single precision.

Members for narrow streams are in `standard_columns`, what is made of them all in `mixture`.

The twin in plain Python is `tests/reference/committee.py`. Nothing here is shared with the kernel,
which works on eight members of one feature at a time; this works on all features for one member.
Both use the four operations, square roots and conversions, which IEEE 754 rounds in one way only.
"""

from libc.math cimport fabs, fabsf, sqrt, sqrtf
from libc.stdint cimport int8_t, int32_t, int64_t

import numpy as np

from thresher.verifier.compiled.ieee import require_gradual_underflow
from thresher.verifier.compiled.mixture cimport MixtureRun, exponential, within
from thresher.verifier.compiled.standard_columns cimport StandardColumns

from thresher.verifier.compiled.standard_columns import SEATS

cdef enum:
    MOST_LANES = 8      # members for rows of any width
    VIEWS = 4

RULES, ROWS = ("arow", "adagrad", "means"), ("scaled", "presence", "unit", "root")
cdef enum: AROW, ADAGRAD, MEANS    # as in RULES
cdef enum: SCALED, PRESENCE, UNIT, ROOT    # as in ROWS

# What the second number of a feature starts with, by rule; what an unseen one is multiplied with.
STARTS, UNSEEN = (1.0, 1e-20, 1.0), 1e300

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
    """A committee that starts from nothing, or as another run has left it."""

    # Members for rows of any width.
    cdef int lanes
    cdef int rule[MOST_LANES]
    cdef int view[MOST_LANES]
    cdef float setting[MOST_LANES]
    cdef readonly StandardColumns seats
    cdef readonly MixtureRun mixture
    cdef double class_weight[2]
    # A line per feature, the last for the constant one: the weights of the members, then the
    # second number of each.
    cdef readonly object own
    cdef float[:, ::1] line
    # One over the largest value of each feature so far.
    cdef readonly object shrink
    cdef double[::1] shrunk
    # What the rows weighed, and their labels.
    cdef readonly double mass, labels
    # The row under way, by view; the numbers of its features, by member; what is summed.
    cdef float[:, ::1] seen
    cdef float[:, ::1] weight
    cdef float[:, ::1] second
    # One over what each feature of the row is divided by.
    cdef double[::1] inverse
    cdef float lane_score[MOST_LANES]
    cdef float doubt[MOST_LANES]

    def __init__(self, members, Py_ssize_t n_features, Py_ssize_t longest_row, class_weight):
        """Members are triples (rule, setting, rows); those for narrow streams come last.

        `class_weight` is what a row of the negative and of the positive class weighs.
        """
        cdef int m
        seats = [member for member in members if (member[0], member[2]) in SEATS]
        self.lanes = len(members) - len(seats)
        self.seats = StandardColumns(seats, n_features)
        self.mixture = MixtureRun(self.lanes, len(seats))
        self.class_weight[0], self.class_weight[1] = class_weight
        self.own = np.zeros((n_features + 1, 2 * self.lanes), np.float32)
        for m, (rule, setting, rows) in enumerate(members[:self.lanes]):
            self.rule[m] = RULES.index(rule)
            self.view[m] = ROWS.index(rows)
            self.setting[m] = setting
            self.own[:, self.lanes + m] = STARTS[self.rule[m]]
        self.shrink = np.full(n_features, UNSEEN)
        self.line, self.shrunk = self.own, self.shrink
        self.mass = self.labels = 0.0
        self.make_room(longest_row)

    def begin_with(self, state, places, slots):
        """Begin as another run has left it; see `numbers` and `replays/committee.py`.

        The features of the state are here in these places, and the columns of its slots in those:
        None where there were too many.
        """
        n = self.lanes
        self.own[places, :n], self.own[places, n:] = state["weight"], state["second"]
        self.own[-1] = state["bias"]
        self.shrink[places] = state["shrink"]
        self.labels = state["labels"][0]
        self.mass, present, rows = (
            state["standing"] if "standing" in state else (state["rounds"][0], n, 0.0)
        )
        self.mixture.begin_with(state, int(present))
        self.seats.begin_with(state, slots, int(present) - n, rows)

    def play(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        double[::1] said,
    ):
        """Play one round per row; `said` is how far the mixture leaned to +1 before.

        A row that weighs nothing is heard and counted, and not learned.
        """
        cdef Py_ssize_t t, n
        cdef double weight
        cdef int k
        cdef const int32_t* columns
        require_gradual_underflow()
        with nogil:
            for t in range(label.shape[0]):
                n = row_start[t + 1] - row_start[t]
                columns = &column[row_start[t]] if n else NULL
                weight = self.class_weight[label[t] > 0]
                self.hear(columns, &value[row_start[t]] if n else NULL, n, weight > 0.0)
                said[t] = self.mixture.mixed
                self.mixture.keep_count(label[t])
                if weight > 0.0:
                    self.learn_members(label[t], n + 1, weight)
                    self.put_back(columns, n)
                    for k in range(self.mixture.present - self.lanes):
                        self.seats.learn(k, label[t], weight)
                    self.mixture.learn(label[t], weight)
                    self.mass += weight
                    self.labels += weight * label[t]
                    self.mixture.let_go(self.lanes + self.seats.staying())

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
                self.hear(columns, &value[row_start[t]] if n else NULL, n, False)
                said[t] = self.mixture.mixed
        return np.asarray(said)

    cdef int make_room(self, Py_ssize_t longest_row) except -1:
        """For the values and the numbers of one row."""
        self.seen = np.ones((VIEWS, longest_row + 1), np.float32)
        self.weight = np.empty((self.lanes, longest_row + 1), np.float32)
        self.second = np.empty((self.lanes, longest_row + 1), np.float32)
        self.inverse = np.empty(longest_row + 1)
        return 0

    cdef void hear(
        self, const int32_t* column, const double* value, Py_ssize_t n, bint keep
    ) noexcept nogil:
        """What everybody says about a row; `keep` what it tells of the features."""
        cdef int m
        self.look(column, value, n, keep)
        self.seats.look(column, value, n, keep)
        self.fetch(column, n)
        self.add_up(n + 1)
        for m in range(self.mixture.present):
            self.mixture.score[m] = (
                self.lane_score[m] if m < self.lanes else self.seats.score[m - self.lanes]
            )
        self.mixture.listen()

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
            for m in range(self.lanes):
                self.weight[m, k] = line[m]
                self.second[m, k] = line[self.lanes + m]

    cdef void put_back(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        cdef Py_ssize_t k, m, last = self.line.shape[0] - 1
        cdef float* line
        for k in range(n + 1):
            line = &self.line[column[k] if k < n else last, 0]
            for m in range(self.lanes):
                line[m] = self.weight[m, k]
                line[self.lanes + m] = self.second[m, k]

    cdef void add_up(self, Py_ssize_t n) noexcept nogil:
        """Scores, the sums of w x; and the sums of s x^2, for the rule that asks for them."""
        cdef Py_ssize_t k, m
        cdef float score, doubt
        cdef const float* w
        cdef const float* s
        cdef const float* x
        for m in range(self.lanes):
            w, s, x = &self.weight[m, 0], &self.second[m, 0], &self.seen[self.view[m], 0]
            score = doubt = 0
            if self.rule[m] == AROW:
                for k in range(n):
                    score += w[k] * x[k]
                    doubt += (s[k] * x[k]) * x[k]
            else:
                for k in range(n):
                    score += w[k] * x[k]
            self.lane_score[m], self.doubt[m] = score, doubt

    cdef void learn_members(self, float y, Py_ssize_t n, double weight) noexcept nogil:
        cdef int m
        cdef float margin, gradient, one = 1, often = <float> weight
        cdef double mean = self.labels / (self.mass + 2.0)
        cdef double room = 1.0 - mean * mean
        cdef float* w
        cdef float* s
        cdef const float* x
        if room < 0.01:
            room = 0.01
        for m in range(self.lanes):
            w, s, x = &self.weight[m, 0], &self.second[m, 0], &self.seen[self.view[m], 0]
            margin = y * self.lane_score[m]
            if self.rule[m] == MEANS:
                learn_means(w, s, x, n, <float> (weight * (y - mean)), <float> (weight * room))
            elif self.rule[m] == ADAGRAD:
                gradient = <float> (weight / (1.0 + exponential(within(margin, 30.0))))
                learn_adagrad(w, s, x, n, (self.setting[m] * y) * gradient, gradient)
            elif margin < one:
                learn_arow(
                    w, s, x, n,
                    (y * (one - margin)) / (self.doubt[m] + self.setting[m] / often),
                    often / self.setting[m],
                )

    def numbers(self):
        """What belongs to no feature and decides what comes, by name."""
        found = self.mixture.numbers() | {"labels": np.array([self.labels])}
        if self.mixture.n > self.lanes or self.mass != self.mixture.rounds:
            standing = [self.mass, self.mixture.present, self.seats.rows]
            found |= {"standing": np.array(standing), **self.seats.numbers()}
        return found
