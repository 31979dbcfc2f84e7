"""Dicts of features as sorted rows, for other kernels."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from thresher.kernels.rows.name_slots cimport Slots


@cython.final
cdef class NameTable:
    cdef readonly bint hashed
    cdef readonly bint growing
    cdef readonly Py_ssize_t n_features
    cdef readonly uint32_t seed
    cdef readonly dict vocabulary
    cdef readonly bint strongest
    cdef readonly bint as_written
    # By this, a copy of the vocabulary is known to be out of date.
    cdef int64_t n_forgotten
    # The vocabulary again, for rows of plain strings; see `in_slots`.
    cdef Slots slots
    cdef bint odd
    cdef bint in_slots(self) except -1
    cdef Py_ssize_t take(self, object name) except -1
    cdef int64_t index_of(self, object key, bint add) except -2
    cdef uint32_t bucket(self, uint32_t hashed) noexcept nogil


@cython.final
cdef class PackedRow:
    cdef int32_t* column
    cdef double* value
    cdef Py_ssize_t n
    # Whether every value is 1.
    cdef bint ones
    cdef Py_ssize_t room
    cdef void* scratch
    cdef Py_ssize_t gather_plain(self, dict features, NameTable names, bint add) except -2
    cdef Py_ssize_t gather(
        self, dict features, NameTable names, Py_ssize_t row, bint add
    ) except -1
    cdef int fill(self, dict features, NameTable names, Py_ssize_t row, bint add) except -1
