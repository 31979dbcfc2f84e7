"""Standardised columns of a narrow stream, and the members of a committee that see them.

The twin in plain Python is `tests/reference/seats.py`. Sums are taken in four parts, by slot modulo
four, which meet in one order. Nothing here is shared with the kernel, which keeps triangles row
after row in vectors of four; here are squares, and one number after the other.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t

import numpy as np

from thresher.verifier.compiled.mixture cimport logarithm

cdef enum:
    WIDEST = 1024       # columns of a stream that is narrow at all
    NARROWEST = 128     # and of one where pairs of columns are looked at
    HATTED = 8          # hats of a column

SEATS = (
    ("arow", "standard"), ("arow", "squares"), ("means", "standard"),
    ("arow", "pairs"), ("matrix", "standard"), ("arow", "hats"),
)
cdef enum: STANDARD, SQUARES, CLASSES, PAIRS, MATRIX, HATS     # as in SEATS


cdef inline double met(const double* part) noexcept nogil:
    return (part[0] + part[1]) + (part[2] + part[3])


cdef inline double within_four(double x) noexcept nogil:
    return 4.0 if x > 4.0 else -4.0 if x < -4.0 else x


cdef class StandardColumns:
    """Columns by first appearance, and up to seven seats that start from nothing."""

    def __init__(self, seats, Py_ssize_t n_features):
        """Seats are triples (rule, setting, rows), those that stay longest first."""
        cdef int k, i
        self.n_seats = len(seats)
        self.slots = 1 if seats else 0
        self.rows = 0.0
        for k, (rule, setting, rows) in enumerate(seats):
            self.kind[k] = SEATS.index((rule, rows))
            self.setting[k] = setting
        self.slot_of = np.zeros(n_features, np.int32)
        self.column_of = np.zeros(WIDEST + 1, np.int32)
        self.mean, self.squares = np.zeros(WIDEST + 1), np.zeros(WIDEST + 1)
        self.z, self.square = np.zeros(WIDEST + 1), np.zeros(WIDEST + 1)
        self.raw, self.inverse = np.zeros(WIDEST + 1), np.zeros(WIDEST + 1)
        self.product = np.zeros(WIDEST + 1)
        self.line = np.zeros((MOST_SEATS, WIDEST + 1))
        self.variance = np.ones((MOST_SEATS, WIDEST + 1))
        self.pair = np.zeros((self.n_seats, NARROWEST + 1, NARROWEST + 1))
        self.covariance = np.ones((self.n_seats, NARROWEST + 1, NARROWEST + 1))
        self.class_mass = np.zeros((MOST_SEATS, 2))
        self.class_mean = np.zeros((self.n_seats, 2, WIDEST + 1))
        self.hat_weight = np.zeros((self.n_seats, NARROWEST + 1, HATTED))
        self.hat_variance = np.ones((self.n_seats, NARROWEST + 1, HATTED))
        for k in range(self.n_seats):
            if self.kind[k] == MATRIX:
                for i in range(NARROWEST + 1):
                    self.covariance[k, i, :i] = 0.0

    def begin_with(self, state, column, int staying, double rows):
        """Begin as another run has left it, see `numbers`.

        `column` says which columns have slots, None where there are too many; of the seats so many
        are not left.
        """
        cdef Py_ssize_t i, n
        cdef int k
        self.rows, self.n_seats = rows, staying
        if column is None:
            self.slots = 0
            return
        n = self.slots = len(column) + 1
        for i in range(1, n):
            self.column_of[i] = column[i - 1]
            self.slot_of[self.column_of[i]] = <int32_t> i
        np.asarray(self.mean)[1:n], np.asarray(self.squares)[1:n] = state["mean"], state["squares"]
        left = state["seats"]
        low = np.tril_indices(n)
        for k in range(staying):
            line, second = np.asarray(self.line)[k], np.asarray(self.variance)[k]
            at, other = np.s_[:n], np.s_[:n]
            if self.kind[k] == PAIRS:
                line, second = np.asarray(self.pair)[k], np.asarray(self.covariance)[k]
                at = other = low
            elif self.kind[k] == MATRIX:
                second, other = np.asarray(self.covariance)[k], low
            elif self.kind[k] == HATS:
                line, second = np.asarray(self.hat_weight)[k], np.asarray(self.hat_variance)[k]
            elif self.kind[k] == CLASSES:
                second, other = np.asarray(self.class_mean)[k], np.s_[:, :n]
            for array, where in ((line, at), (second, other)):
                own = array[where]
                array[where] = left[:own.size].reshape(own.shape)
                left = left[own.size:]
            if self.kind[k] == CLASSES:
                # Where the constant would be is what the rows of the class weigh.
                np.asarray(self.class_mass)[k] = second[:, 0]
                second[:, 0] = 0.0

    cdef void look(
        self, const int32_t* column, const double* value, Py_ssize_t n, bint keep
    ) noexcept nogil:
        """Standardise the row, with it in mean and deviation; add up the scores of the seats."""
        cdef Py_ssize_t i, k
        cdef double away, near, squares, variance
        cdef double share = 1.0 / (self.rows + 1.0)
        self.overflow = False
        if self.slots == 0:
            return
        if keep:
            for k in range(n):
                if self.slot_of[column[k]] == 0:
                    if self.slots <= WIDEST:
                        self.slot_of[column[k]] = <int32_t> self.slots
                        self.column_of[self.slots] = column[k]
                        self.slots += 1
                    else:
                        self.overflow = True
        for i in range(self.slots):
            self.z[i] = 0.0
        for k in range(n):
            i = self.slot_of[column[k]]
            if i > 0:
                self.z[i] = value[k]
        for i in range(1, self.slots):
            away = self.z[i] - self.mean[i]
            near = away * (self.rows * share)
            squares = self.squares[i] + away * near
            variance = squares * share
            self.raw[i] = self.z[i]
            self.inverse[i] = 1.0 / sqrt(variance) if variance > 1e-280 else 0.0
            self.z[i] = near / sqrt(variance) if variance > 1e-280 else 0.0
            if self.z[i] > 4.0:
                self.z[i] = 4.0
            elif self.z[i] < -4.0:
                self.z[i] = -4.0
            self.square[i] = self.z[i] * self.z[i] - 1.0 if variance > 1e-280 else 0.0
            if keep:
                self.mean[i] += away * share
                self.squares[i] = squares
        self.z[0] = self.square[0] = 1.0
        if keep:
            self.rows += 1.0
        for k in range(self.n_seats):
            self.score[k] = self.total(<int> k, False)

    cdef Py_ssize_t seen(self, int seat) noexcept nogil:
        """The slots that a seat sees: in the round after which it leaves, not all."""
        if self.kind[seat] >= PAIRS and self.slots > NARROWEST + 1:
            return NARROWEST + 1
        return self.slots

    cdef double shown(self, int seat, Py_ssize_t i) noexcept nogil:
        """What a seat of lines sees in a slot."""
        return self.square[i] if self.kind[seat] == SQUARES else self.z[i]

    cdef double worn(self, Py_ssize_t slot, int hat) noexcept nogil:
        """A hat is 1 at its own place, from -1.75 on, and 0 at the next, half a unit away."""
        cdef double place = (self.z[slot] + 1.75) * 2.0
        cdef int below
        if slot == 0:
            return 1.0 if hat == 0 else 0.0
        if self.inverse[slot] == 0.0:
            return 0.0
        if place > HATTED - 1:
            place = HATTED - 1
        elif place < 0.0:
            place = 0.0
        below = <int> place
        if below > HATTED - 2:
            below = HATTED - 2
        if hat == below:
            return 1.0 - (place - below)
        return place - below if hat == below + 1 else 0.0

    cdef double total(self, int seat, bint doubt) noexcept nogil:
        """The sum of w x, or of s x^2."""
        cdef double part[4]
        cdef double x
        cdef Py_ssize_t i, j, n = self.seen(seat)
        part[0] = part[1] = part[2] = part[3] = 0.0
        if self.kind[seat] == PAIRS:
            for j in range(n):
                for i in range(j + 1):
                    x = self.z[j] * self.z[i]
                    if doubt:
                        part[i & 3] += (self.covariance[seat, j, i] * x) * x
                    else:
                        part[i & 3] += self.pair[seat, j, i] * x
        elif self.kind[seat] == HATS:
            for j in range(n):
                for i in range(HATTED):
                    x = self.worn(j, <int> i)
                    if doubt:
                        part[i & 3] += (self.hat_variance[seat, j, i] * x) * x
                    else:
                        part[i & 3] += self.hat_weight[seat, j, i] * x
        else:
            for i in range(n):
                x = self.shown(seat, i)
                if doubt:
                    part[i & 3] += (self.variance[seat, i] * x) * x
                else:
                    part[i & 3] += self.line[seat, i] * x
        return met(part)

    cdef void learn(self, int seat, double y, double weight) noexcept nogil:
        """AROW with r over the weight of the row, if the margin is less than 1; or class means."""
        cdef double r = self.setting[seat] / weight, score = self.score[seat]
        cdef double lack = y * (1.0 - y * score), step, shorter, x, s
        cdef Py_ssize_t i, j, n = self.seen(seat)
        if self.kind[seat] == CLASSES:
            self.learn_means(seat, y, weight)
            return
        if not y * score < 1.0:
            return
        if self.kind[seat] == MATRIX:
            self.learn_matrix(seat, lack, r)
            return
        step, shorter = lack / (self.total(seat, True) + r), weight / self.setting[seat]
        if self.kind[seat] == PAIRS:
            for j in range(n):
                for i in range(j + 1):
                    x, s = self.z[j] * self.z[i], self.covariance[seat, j, i]
                    self.pair[seat, j, i] += (step * x) * s
                    self.covariance[seat, j, i] = s / (1.0 + (s * x) * (shorter * x))
        elif self.kind[seat] == HATS:
            for j in range(n):
                for i in range(HATTED):
                    x, s = self.worn(j, <int> i), self.hat_variance[seat, j, i]
                    self.hat_weight[seat, j, i] += (step * x) * s
                    self.hat_variance[seat, j, i] = s / (1.0 + (s * x) * (shorter * x))
        else:
            for i in range(n):
                x, s = self.shown(seat, i), self.variance[seat, i]
                self.line[seat, i] += (step * x) * s
                self.variance[seat, i] = s / (1.0 + (s * x) * (shorter * x))

    cdef void learn_means(self, int seat, double y, double weight) noexcept nogil:
        """Weights are the differences of the classes' means, over the variance within them."""
        cdef double part[4]
        cdef double* mass = &self.class_mass[seat, 0]
        cdef double low, high, within, between, whole, rate, before = self.setting[seat]
        cdef Py_ssize_t i, n = self.seen(seat)
        cdef int own = 1 if y > 0.0 else 0
        mass[own] += weight
        whole, rate = mass[0] + mass[1], weight / mass[own]
        between = mass[0] * mass[1] / whole / (whole + before)
        part[0] = part[1] = part[2] = part[3] = 0.0
        for i in range(1, n):
            self.class_mean[seat, own, i] += (self.raw[i] - self.class_mean[seat, own, i]) * rate
            low = within_four((self.class_mean[seat, 0, i] - self.mean[i]) * self.inverse[i])
            high = within_four((self.class_mean[seat, 1, i] - self.mean[i]) * self.inverse[i])
            within = 1.0 - between * ((high - low) * (high - low))
            if within < 0.05:
                within = 0.05
            low *= mass[0] / (mass[0] + before)
            high *= mass[1] / (mass[1] + before)
            self.line[seat, i] = (high - low) / within
            part[i & 3] += self.line[seat, i] * (high + low)
        self.line[seat, 0] = logarithm(mass[1] + 1.0) - logarithm(mass[0] + 1.0) - 0.5 * met(part)

    cdef void learn_matrix(self, int seat, double lack, double r) noexcept nogil:
        """w += c S z and S -= (S z)(S z)' / (z' S z + r), the lower half of S being kept."""
        cdef double part[4]
        cdef double doubt, shrink
        cdef double* v = &self.product[0]
        cdef Py_ssize_t i, j, n = self.seen(seat)
        for i in range(n):
            v[i] = 0.0
        for j in range(n):
            part[0] = part[1] = part[2] = part[3] = 0.0
            for i in range(j + 1):
                v[i] += self.covariance[seat, j, i] * self.z[j]
                if i < j:
                    part[i & 3] += self.covariance[seat, j, i] * self.z[i]
            v[j] += met(part)
        part[0] = part[1] = part[2] = part[3] = 0.0
        for i in range(n):
            part[i & 3] += self.z[i] * v[i]
        doubt = met(part)
        shrink = 1.0 / ((doubt if doubt > 0.0 else 0.0) + r)
        for j in range(n):
            for i in range(j + 1):
                self.covariance[seat, j, i] -= (shrink * v[j]) * v[i]
            self.line[seat, j] += (lack * shrink) * v[j]

    cdef int staying(self) noexcept nogil:
        """How many seats are not left after this round."""
        cdef int n = self.n_seats
        if self.overflow:
            self.slots = 0
            n = 0
        while n > 0 and self.kind[n - 1] >= PAIRS and self.slots - 1 > NARROWEST:
            n -= 1
        self.n_seats = n
        return n

    # ---- what it has become ------------------------------------------------------------------

    def numbers(self):
        """Columns by slot, mean and squared distances of each; the seats, one after another."""
        n = self.slots
        low = np.tril_indices(n)
        found = [np.zeros(0)]
        for k in range(self.n_seats):
            line, variance = np.asarray(self.line)[k, :n], np.asarray(self.variance)[k, :n]
            square = np.asarray(self.covariance)[k, :n, :n]
            if self.kind[k] == PAIRS:
                line, variance = np.asarray(self.pair)[k, :n, :n][low], square[low]
            elif self.kind[k] == MATRIX:
                variance = square[low]
            elif self.kind[k] == HATS:
                line = np.asarray(self.hat_weight)[k, :n].ravel()
                variance = np.asarray(self.hat_variance)[k, :n].ravel()
            elif self.kind[k] == CLASSES:
                # Where the constant would be, what the rows of the class weigh.
                classes = np.array(self.class_mean[k, :, :n])
                classes[:, 0] = self.class_mass[k]
                variance = classes.ravel()
            found += [line, variance]
        return {
            "slots": np.array(self.column_of[1:n] if n else [], np.int64),
            "mean": np.array(self.mean[1:n] if n else []),
            "squares": np.array(self.squares[1:n] if n else []),
            "seats": np.concatenate(found),
        }
