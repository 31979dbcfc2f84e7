"""Additive updates: w += y x in every mistaken round, or whenever y <w, x> <= margin.

Used by `learners.two_class.perceptron`. The slow twin is `tests/reference/perceptron.py`.

While all weights are whole numbers they are kept in 32 bits: such sums do not round, so that
they have the bits that doubles give, and twice as many weights are in a cache. Rows of ones come
without their values then. On 400,000 rows of 75 ones out of 2^18 a pass of the bare loop took
31 ms instead of 43.

A learner that forgets multiplies all weights by `keep` before each update. They are
stored divided by a common factor, so that an update still costs no more than its row.
"""

from libc.stdint cimport int8_t, int32_t, int64_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport NEAR, PLAIN, Engine, Round
from thresher.kernels.engines.identity_link cimport IdentityLinkEngine
from thresher.kernels.scanning.memory_hints cimport FETCH

# Below this factor the stored weights are brought back to their true size.
cdef double SMALLEST_FACTOR = 1e-100
# Whole weights below this are kept in 32 bits.
cdef double LARGEST_LEVEL = 2147483648.0


cdef class AdditiveEngine(IdentityLinkEngine):
    """The Perceptron's update; the dual vector is the weight vector."""

    def __cinit__(self):
        self.whole_weights = True
        self.keep = self.factor = 1.0

    def __init__(self, *given):
        super().__init__(*given)
        self.level = np.zeros(self.weight.shape[0], np.int32)

    def set_rule(self, double margin, double decay):
        """Set the margin within which to update, and the share that an update forgets; once."""
        self.margin = margin
        self.keep = 1.0 - decay
        self.whole_weights = decay == 0.0
        self.choose_form()

    def average(self):
        """Predict with the mean of the weights of all rounds; once."""
        super().average()
        self.choose_form()

    cdef int choose_form(self) except -1:
        """Go over to doubles when the weights may become something else than levels."""
        if self.level is not None and not (
            self.whole_weights and not self.averaging and self.largest_weight < LARGEST_LEVEL
        ):
            np.asarray(self.weight)[:] = self.level
            self.level = None
        return 0

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef Py_ssize_t k
        cdef double y = round.label * round.importance
        cdef double* weight = &self.weight[0]
        if not (
            round.mistake or (self.margin > 0.0 and round.label * round.score <= self.margin)
        ):
            return False
        if self.keep < 1.0:
            self.forget()
            y /= self.factor
        if self.averaging:
            self.add(column, value, n, y)
            return True
        if self.level is not None:
            self.change_levels(column, value, n, <int32_t> y)
            return True
        if value == NULL:
            for k in range(n):
                weight[column[k]] += y
        else:
            for k in range(n):
                weight[column[k]] += y * value[k]
        if self.bias_slot >= 0:
            weight[self.bias_slot] += y
        return True

    cdef void change_levels(
        self, const int32_t* column, const double* value, Py_ssize_t n, int32_t y
    ) noexcept nogil:
        """w += y x, where all of it is whole."""
        cdef int32_t* level = &self.level[0]
        cdef Py_ssize_t k
        if value == NULL:
            for k in range(n):
                level[column[k]] += y
        else:
            for k in range(n):
                level[column[k]] += y * <int32_t> value[k]
        if self.bias_slot >= 0:
            level[self.bias_slot] += y

    cdef void forget(self) noexcept nogil:
        """All weights times `keep`."""
        cdef Py_ssize_t i
        self.factor *= self.keep
        if self.factor < SMALLEST_FACTOR:
            for i in range(self.weight.shape[0]):
                self.weight[i] *= self.factor
            self.factor = 1.0

    def learn(
        self,
        const int64_t[::1] row_start,
        const int32_t[::1] column,
        const double[::1] value,
        const int8_t[::1] label,
        bint ones,
        double[::1] scores_out,
        const double[::1] importance=None,
        const int64_t[::1] rounds=None,
    ):
        """Play one round per row as any engine.

        Where nothing but a mistake changes anything, rounds without one end here: a pass over
        400,000 rows of 75 ones, of which one in eight was a mistake, took 32 ms instead of 37
        without a journal, and 40 instead of 42 with it.
        """
        cdef Py_ssize_t t, start, n
        cdef const int32_t* columns = &column[0] if column.shape[0] else NULL
        if (
            not ones or self.level is None or importance is not None or self.margin > 0.0
            or self.far() or rounds is not None or not self.needs_no_values(row_start)
        ):
            return Engine.learn(
                self, row_start, column, value, label, ones, scores_out, importance, rounds
            )
        with nogil:
            for t in range(label.shape[0]):
                start, n = row_start[t], row_start[t + 1] - row_start[t]
                scores_out[t] = self.score_by_levels(columns + start, NULL, n)
                if (scores_out[t] >= self.threshold) == (label[t] > 0):
                    self.n_rounds += 1
                else:
                    self.play(columns + start, NULL, n, label[t], 1.0, &scores_out[t])

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        # An empty row has no values either.
        if self.level is not None:
            return self.score_by_levels(column, value, n)
        if value == NULL and n > 0:
            return self.sum_of_weights(column, n)
        return self.factor * self.mean_score(column, value, n)

    cdef double score_by_levels(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil:
        """<w, x>; where values are not whole it rounds as it would with doubles."""
        cdef const int32_t* level = &self.level[0]
        cdef int64_t whole = 0
        cdef double total = 0.0
        cdef Py_ssize_t k
        if value == NULL:
            for k in range(n):
                whole += level[column[k]]
            total = <double> whole
        else:
            for k in range(n):
                total += level[column[k]] * value[k]
        return total + level[self.bias_slot] if self.bias_slot >= 0 else total

    cdef bint far(self) noexcept nogil:
        if self.level is None:
            return Engine.far(self)
        return self.level.shape[0] * sizeof(int32_t) >= NEAR

    cdef void fetch(self, const int32_t* column, Py_ssize_t n) noexcept nogil:
        cdef Py_ssize_t k
        if self.level is None:
            Engine.fetch(self, column, n)
        else:
            for k in range(n):
                FETCH(&self.level[column[k]])

    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1:
        """Note whether the weights stay whole, and how large they can become."""
        self.whole_weights = self.whole_weights and integral
        self.largest_weight += n_rows * largest
        return self.choose_form()

    def needs_no_values(self, const int64_t[::1] row_start):
        """Whether no sum over a row of ones can round: whole weights, and below 2^53 in all."""
        cdef Py_ssize_t t
        cdef int64_t longest = 0
        for t in range(row_start.shape[0] - 1):
            longest = max(longest, row_start[t + 1] - row_start[t])
        whole = self.whole_weights and not self.averaging
        return whole and self.largest_weight * (longest + 1) < 2.0**53

    def way_back(self, Py_ssize_t n_values):
        """What `go_back` takes after a batch of so many ones; None where there is no way back.

        Nor is there one where weights are so many that to copy them would take as long as to wait.
        """
        if self.level is None or self.scaling != PLAIN or self.level.shape[0] > n_values // 8:
            return None
        numbers = (self.n_weights, self.bias_slot, self.whole_weights, self.largest_weight)
        weights = (np.array(self.level), np.asarray(self.weight))
        return (*weights, numbers, self.counts(), self.journal.extent())

    def go_back(self, way):
        """Be what we were when `way_back` gave this, before a batch of ones or a part of one."""
        self.level, self.weight, numbers, counts, extent = way
        self.n_weights, self.bias_slot, self.whole_weights, self.largest_weight = numbers
        self.journal.cut_back(extent)
        self.set_history(counts, self.journal)

    def dual(self):
        """The dual vector, the bias last."""
        if self.level is not None:
            return np.array(self.level[:self.in_use], np.float64)
        return super().dual() * self.factor

    def set_dual(self, dual):
        """Replace the dual vector (the bias last)."""
        super().set_dual(dual)
        self.factor, self.level = 1.0, None
        dual = self.dual()
        self.whole_weights = self.keep == 1.0 and bool(np.all(dual == np.rint(dual)))
        self.largest_weight = float(np.max(np.abs(dual), initial=0.0))
        if self.whole_weights and not self.averaging and self.largest_weight < LARGEST_LEVEL:
            level = np.zeros(self.weight.shape[0], np.int32)
            level[:len(dual)] = dual
            # A zero that was given with a sign has none as a level.
            if not np.any(np.signbit(dual) & (dual == 0.0)):
                self.level = level

    def other_state(self):
        """What the state holds beside the dual vector.

        A learner that forgets keeps what it stores and its factor: their product rounds.
        """
        if self.keep == 1.0:
            return super().other_state()
        return (np.array(self.weight[:self.in_use]), self.factor)

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`."""
        if self.keep == 1.0:
            super().set_other_state(other)
        else:
            if len(other) != 2:
                raise StateError("beside the weights there are those stored and their factor.")
            stored, factor = np.asarray(other[0], np.float64), float(other[1])
            dual = self.dual()
            if not (
                stored.shape == dual.shape and SMALLEST_FACTOR <= factor <= 1.0
                and np.array_equal(stored * factor, dual)
            ):
                raise StateError("the stored weights, times their factor, are not the weights.")
            np.asarray(self.weight)[:self.in_use] = stored
            self.factor = factor
