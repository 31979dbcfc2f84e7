"""Winnow with a threshold: w_i <- w_i (1 + beta)^(y x_i) after a mistake.

Used by `learners.two_class.winnow` and, with mirrored duals, by
`learners.two_class.balanced_winnow`. The slow twins are `tests/reference/winnow.py`,
`tests/reference/winnow1.py` and `tests/reference/balanced_winnow.py`. The weights are (1 +
beta)^dual, so that the update adds y x to the duals; a mirrored dual c stands for the weights
(1 + beta)^c and (1 + beta)^-c.

Where 1 + beta is a power of two and the stream is one of ones, a weight shows its dual: it is its
exponent, and is kept nowhere else until a weight comes near the end of the doubles.
"""

from libc.math cimport INFINITY, fabs, fmax, fmin
from libc.stdint cimport int32_t, uint32_t

from thresher.kernels.engines.duals cimport DEAD, TABLE
from thresher.kernels.engines.engine cimport Round, entry
from thresher.kernels.engines.multiplicative cimport MultiplicativeEngine

cdef double TWO_52 = 4503599627370496.0


cdef class WinnowEngine(MultiplicativeEngine):
    """Winnow of Littlestone (1988): active features are promoted or demoted by one factor."""

    def __cinit__(self):
        self.floor, self.ceiling = -INFINITY, INFINITY

    def set_rule(self, double margin, double floor):
        """Set the margin within which to update, and the least dual; once, after the link."""
        self.margin = margin
        self.floor = floor
        # Neither of the two weights of a mirrored dual falls below the floor.
        self.ceiling = -floor if self.mirrored else INFINITY
        self.leave_levels()

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef double y = round.label * round.importance, dual, largest = 0.0
        cdef Py_ssize_t k
        if not (round.mistake or self.is_near(round)):
            return False
        if self.integral and round.importance == 1.0 and self.floor == -INFINITY and (
            value == NULL or not self.mirrored
        ):
            # Whole numbers in [0, 1] are ones.
            if self.in_weights:
                self.shift_exponents(column, n, round.label)
            else:
                self.move_ones(column, n, round.label)
            largest = n > 0
        else:
            if self.in_weights:
                self.write_levels()
            for k in range(n):
                dual = self.dual_at(column[k]) + y * entry(value, k)
                self.put(column[k], fmin(fmax(dual, self.floor), self.ceiling))
                if fabs(entry(value, k)) > largest:
                    largest = fabs(entry(value, k))
        self.reach += largest * fmax(1.0, round.importance)
        return True

    cdef bint is_near(self, const Round* round) noexcept nogil:
        """Whether the score is within the margin, if there is one.

        As for the threshold: a positive row must reach it, a negative one stay below.
        """
        cdef double inside = round.label * (round.score - self.threshold)
        return self.margin > 0.0 and (
            inside < self.margin or (inside == self.margin and round.label < 0)
        )

    # ---- rows of ones --------------------------------------------------------------------

    def needs_no_values(self, row_start):
        """Whether a row of ones needs no values: duals are whole, and a weight is a power."""
        return self.integral

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double total, exact = TWO_52 * self.least
        if value == NULL and self.in_weights and self.exact_threshold and self.threshold < exact:
            total = self.sum_of_weights(column, n)
            # All terms are multiples of the least weight: below 2^53 of it no sum has rounded. A
            # sum next to the threshold goes the way that all others go, which counts it: `least`
            # tells of the past, and a count must not depend on how a stream was cut.
            if total <= exact and not self.is_close(total, total, n + 8.0, n):
                return total
        return self.sum_on_its_side(column, value, n)

    cdef void move_ones(self, const int32_t* column, Py_ssize_t n, int32_t y) noexcept nogil:
        """The update for the common case: whole duals, features of 1, no floor.

        Plain integers and a table: 290 ns instead of 470 for a row of 75.
        """
        cdef int32_t* level = &self.level[0]
        cdef double* weight = &self.weight[0]
        cdef const double* table = &self.table[0] + TABLE
        cdef bint silences = self.silences, mirrored = self.mirrored
        cdef int32_t dual
        cdef Py_ssize_t k
        for k in range(n):
            dual = level[column[k]]
            if silences and dual == DEAD:
                continue
            dual += y
            level[column[k]] = dual
            if <uint32_t> (dual + TABLE) <= 2 * TABLE:
                weight[column[k]] = table[dual] - table[-dual] if mirrored else table[dual]
            else:
                weight[column[k]] = self.weight_of(dual)

    # ---- powers of two, which are their own exponents ------------------------------------

    cdef void shift_exponents(self, const int32_t* column, Py_ssize_t n, int y) noexcept nogil:
        """The same where weights are powers of two: one array is touched.

        An update by a row of 75 takes 0.2 us less than with a second one.
        """
        cdef double* weight = &self.weight[0]
        cdef double factor = self.base if y > 0 else 1.0 / self.base
        cdef double new, least = self.least, most = self.most
        cdef Py_ssize_t k
        if y > 0:
            for k in range(n):
                new = weight[column[k]] * factor
                weight[column[k]] = new
                most = new if new > most else most
        else:
            for k in range(n):
                new = weight[column[k]] * factor
                weight[column[k]] = new
                least = new if new < least else least
        self.least, self.most = least, most
        # Far from where a double ends, duals become numbers of their own.
        if not (least > 1e-250 and most < 1e250):
            self.write_levels()

    cdef void write_levels(self) noexcept nogil:
        """From now on keep the duals beside the weights."""
        cdef Py_ssize_t i
        cdef double dual
        for i in range(self.n_weights):
            dual = self.dual_at(i)
            self.level[i] = DEAD if dual == -INFINITY else <int32_t> dual
        self.in_weights = False

    def leave_levels(self):
        """Keep no duals beside the weights, if these are powers of two that show them."""
        cdef Py_ssize_t i
        cdef int32_t low = 0, high = 0
        if not self.integral or self.binary_digits == 0 or self.mirrored:
            return
        for i in range(self.n_weights):
            if self.level[i] != DEAD:
                low, high = min(low, self.level[i]), max(high, self.level[i])
        self.least, self.most = self.power(low), self.power(high)
        self.in_weights = self.binary_digits <= 16 and self.least > 1e-250 and self.most < 1e250

    def set_dual(self, dual):
        """Replace the dual vector."""
        super().set_dual(dual)
        self.leave_levels()


cdef class Winnow1Engine(WinnowEngine):
    """Winnow1 of Littlestone (1988): a demotion silences instead of dividing."""

    def __cinit__(self):
        self.silences = True

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef Py_ssize_t k
        if not round.mistake or round.label > 0:
            return WinnowEngine.update(self, column, value, n, round)
        for k in range(n):
            self.silence(column[k])
        return True
