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

    cdef int check_row(self, PackedRow row, dict features) except -1
    cdef PackedRow row_to_score(self, dict features, Py_ssize_t n_features)
