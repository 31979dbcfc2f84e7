"""What engines of both families, two classes and several, do with a row given as a dict."""

from libc.stdint cimport int64_t

from thresher.kernels.engines.read_write_lock cimport ReadWriteLock
from thresher.kernels.rows.named_rows cimport NameTable, PackedRow


cdef class RowEngine(ReadWriteLock):
    cdef readonly str owner
    cdef readonly NameTable names
    # What a feature value may be.
    cdef readonly double lowest
    cdef readonly double highest
    cdef readonly bint whole
    cdef readonly int64_t n_rounds
    # Where rows to learn are packed, one after another; None before the first.
    cdef PackedRow packed

    cdef int check_row(self, PackedRow row, dict features) except -1
    cdef PackedRow row_to_learn(self)
    cdef PackedRow packed_to_score(self, dict features)
    cdef int keep_known(self, PackedRow row, Py_ssize_t n_features) except -1
