"""The elimination algorithm for disjunctions: features of negative rows are out.

Used by `learners.two_class.elimination`. The slow twin is `tests/reference/elimination.py`. A
feature of the hypothesis has dual 0 and weighs 1; one that was removed has dual minus infinity and
weighs 0. The score counts the features of the row that are left.
"""

from libc.stdint cimport int32_t

from thresher.kernels.engines.engine cimport Round
from thresher.kernels.engines.winnow cimport WinnowEngine


cdef class EliminationEngine(WinnowEngine):
    """Winnow1 without promotions: a false negative changes nothing."""

    def __cinit__(self):
        self.silences = True

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        cdef Py_ssize_t k
        if round.mistake and round.label < 0:
            for k in range(n):
                self.silence(column[k])
        return round.mistake
