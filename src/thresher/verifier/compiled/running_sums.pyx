"""The Perceptron: weights that are the sum of the rows it was wrong about, or nearly.

The learner in plain Python is `tests/reference/perceptron.py`.
"""

from libc.math cimport fabs

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row


cdef class RunningSums(LinearRounds):
    """w += y x after a mistake, or within a margin; before that, a share may be forgotten."""

    cdef double margin
    cdef double keep
    # Weights are this factor times what is stored, so that all can be shortened at once.
    cdef double factor

    def set_rule(self, double margin, double decay):
        """The margin within which right rounds are updates, and the share that is forgotten."""
        self.margin, self.keep, self.factor = margin, 1.0 - decay, 1.0

    cdef double score_of(self, const Row* row) except? -1.5 nogil:
        cdef double score = self.factor * self.product(&self.weight[0], row)
        if self.measuring:
            self.doubtful[row.t] = self.is_doubtful(row, score)
        return score

    cdef bint is_doubtful(self, const Row* row, double score) noexcept nogil:
        """Whether the exact score of the exact sums may be on another side of a boundary.

        A product and each addition are off by at most 2^-53 of their size, or, where they leave
        the normal range, by 2^-1074; the bounds themselves are rounded, for which there is a
        thousandth more.
        """
        cdef double blur = 0.0, size = 0.0, term, bound
        cdef Py_ssize_t k
        for k in range(row.n):
            blur += fabs(row.x[k]) * self.off[row.column[k]]
            if self.weight[row.column[k]] != 0.0 or self.off[row.column[k]] != 0.0:
                term = fabs(self.weight[row.column[k]] * row.x[k])
                size += term
                blur += 1e-300 if term < 1e-290 else 0.0
        if self.bias:
            blur += self.off[self.width]
            size += fabs(self.weight[self.width])
        bound = 1.001 * (blur + (row.n + 2) * 2.0 ** -53 * size)
        if bound == 0.0:
            return False
        if not fabs(score) > bound:
            return True
        return self.margin > 0.0 and not fabs(row.y * score - self.margin) > bound

    cdef bint update(self, const Row* row) except -1 nogil:
        cdef double amount = row.y * row.h
        cdef Py_ssize_t k, i
        if not row.wrong and not (self.margin > 0.0 and row.y * row.score <= self.margin):
            return False
        if self.keep < 1.0:
            self.factor *= self.keep
            if self.factor < 1e-100:
                for i in range(self.width + 1):
                    self.weight[i] *= self.factor
                self.factor = 1.0
            amount = amount / self.factor
        for k in range(row.n):
            self.gain(row.column[k], amount * row.x[k], row)
        if self.bias:
            self.gain(self.width, amount, row)
        return True

    cdef inline void gain(self, Py_ssize_t i, double amount, const Row* row) noexcept nogil:
        # Only sums that are also averaged have a limit.
        if self.averaging:
            self.step(i, amount, row.t)
        else:
            self.weight[i] = self.added(i, self.weight[i], amount)

    @property
    def common_factor(self):
        """What stored weights are to be multiplied by."""
        return self.factor
