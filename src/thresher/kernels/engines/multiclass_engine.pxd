"""The loop and the state that learners with several classes share."""

from libc.stdint cimport int32_t, int64_t

from thresher.kernels.rows.named_rows cimport NameTable, PackedRow
from thresher.kernels.engines.row_engine cimport RowEngine


cdef class MulticlassEngine(RowEngine):
    cdef readonly bint has_bias
    cdef readonly Py_ssize_t n_features
    # Classes that have appeared, or were stated.
    cdef readonly Py_ssize_t n_classes
    cdef readonly int64_t mistakes
    cdef readonly int64_t updates
    # The line of each feature; 0 for one that no update has touched. Line 0 is the bias.
    cdef int32_t[::1] line
    # Line after line, the weights of all classes next to one another, `stride` of them.
    cdef double[::1] weight
    # The same for the duals, where they are not the weights themselves; or None.
    cdef double[::1] dual
    cdef Py_ssize_t n_lines
    cdef Py_ssize_t line_room
    cdef Py_ssize_t stride
    cdef double first_dual
    cdef double[::1] score
    # The classes that an update moves, and by how much for each unit of a feature.
    cdef int32_t[::1] moved
    cdef double[::1] step
    cdef Py_ssize_t n_moved

    cdef void score_row(
        self, const int32_t* column, const double* value, Py_ssize_t n, double* score
    ) noexcept nogil
    cdef Py_ssize_t leader(
        self, const double* score, Py_ssize_t n_classes, Py_ssize_t without
    ) noexcept nogil
    cdef bint play(
        self,
        const int32_t* column,
        const double* value,
        Py_ssize_t n,
        Py_ssize_t label,
        int32_t* predicted,
        double* best,
    ) noexcept nogil
    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, Py_ssize_t label
    ) noexcept nogil
    cdef bint blame(self, Py_ssize_t label, bint spread) noexcept nogil
    cdef void move(self, Py_ssize_t r, double step) noexcept nogil
    cdef double weight_of(self, double dual) noexcept nogil
    cdef Py_ssize_t line_of(self, Py_ssize_t column) noexcept nogil
    cdef Py_ssize_t count_new(self, const int32_t* column, Py_ssize_t n) noexcept nogil
    cdef int make_room(
        self, const int32_t* column, Py_ssize_t n, Py_ssize_t n_features, Py_ssize_t n_classes
    ) except -1
