"""The hot loop and the state every linear learner shares."""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t

from thresher.kernels.rows.journal cimport JournalBuffer
from thresher.kernels.rows.named_rows cimport NameTable, PackedRow
from thresher.kernels.engines.row_engine cimport RowEngine


cdef struct Round:
    double score        # of the weights that are to be updated, before the label was used
    int label
    bint mistake
    double importance   # of the example, times the weight of its class


cdef enum:
    # Weights of fewer bytes are in a cache that is close enough: those of 2 MB took a tenth longer
    # to learn when they were asked for ahead.
    NEAR = 1 << 22


cdef enum Scaling:
    PLAIN
    UNIT_LENGTH
    UNIT_SUM
    UNIT_LARGEST
    ONLINE


cdef class Engine(RowEngine):
    # What the dot product reads; the bias, if any, is one more weight at the end.
    cdef double[::1] weight
    # From one weight to the next: 2 where each has a second number beside it, otherwise 1.
    cdef Py_ssize_t spread
    cdef Py_ssize_t n_weights
    cdef Py_ssize_t bias_slot
    cdef readonly double threshold
    cdef readonly int64_t false_negatives
    cdef readonly int64_t false_positives
    cdef readonly int64_t close_calls
    cdef readonly JournalBuffer journal
    # Whether predictions are made by the mean of all weights so far.
    cdef readonly bint averaging
    cdef readonly bint takes_importance
    cdef double negative_weight
    cdef double positive_weight
    # What is done to a row before anything else; room for the row that is being learned.
    cdef readonly int scaling
    cdef double[::1] scratch
    # For each feature its largest absolute value in the rows that changed the learner.
    cdef double[::1] largest_seen

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil
    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil
    cdef int play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        int8_t label,
        double importance,
        double* score,
    ) except -1 nogil
    cdef const double* scaled(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* out
    ) noexcept nogil
    cdef bint far(self) noexcept nogil
    cdef void fetch(self, const int32_t* column, Py_ssize_t n) noexcept nogil
    cdef int make_room(self, Py_ssize_t n_features) except -1
    cdef int take_room(self, Py_ssize_t n_features) except -1
    cdef int prepare(self, Py_ssize_t n_rows, double largest, bint integral) except -1
    cdef int prepare_row(self, PackedRow row, int8_t label, double importance) except -1
    cdef int prepare_weighted(
        self, Py_ssize_t n_rows, double largest, bint integral, double importance, bint whole
    ) except -1

    cdef inline double dot(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* magnitude
    ) noexcept nogil:
        """<w, x>, and the sum of the terms' absolute values, which bounds its rounding.

        A row of ones may come without its values (NULL).
        """
        cdef double total = 0.0, absolute = 0.0, term
        cdef const double* weight = &self.weight[0]
        cdef Py_ssize_t k, spread = self.spread
        for k in range(n):
            term = weight[column[k] * spread] * entry(value, k)
            total += term
            absolute += fabs(term)
        if self.bias_slot >= 0:
            term = weight[self.bias_slot * spread]
            total += term
            absolute += fabs(term)
        magnitude[0] = absolute
        return total

    cdef inline double sum_in_order(
        self, const int32_t* column, Py_ssize_t n
    ) noexcept nogil:
        """<w, x> for a row of ones, rounded as `dot` rounds it."""
        cdef double total = 0.0
        cdef const double* weight = &self.weight[0]
        cdef Py_ssize_t k
        for k in range(n):
            total += weight[column[k]]
        if self.bias_slot >= 0:
            total += weight[self.bias_slot]
        return total

    cdef inline double sum_of_weights(
        self, const int32_t* column, Py_ssize_t n
    ) noexcept nogil:
        """<w, x> for a row of ones whose sum cannot round: four at a time, the same bits."""
        cdef double a = 0.0, b = 0.0, c = 0.0, d = 0.0
        cdef const double* weight = &self.weight[0]
        cdef Py_ssize_t k = 0
        while k + 4 <= n:
            a += weight[column[k]]
            b += weight[column[k + 1]]
            c += weight[column[k + 2]]
            d += weight[column[k + 3]]
            k += 4
        while k < n:
            a += weight[column[k]]
            k += 1
        if self.bias_slot >= 0:
            a += weight[self.bias_slot]
        return (a + b) + (c + d)


cdef inline double entry(const double* value, Py_ssize_t k) noexcept nogil:
    """The value of a feature; a row of ones may come without."""
    return 1.0 if value == NULL else value[k]
