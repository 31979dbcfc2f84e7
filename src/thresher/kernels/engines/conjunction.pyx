"""The conjunction learner: the variables that were on in every positive row so far.

Used by `learners.two_class.conjunction`. The slow twin is `tests/reference/conjunction.py`. The
score is minus the number of variables of the hypothesis that are off: it is a dot product
with 0/1 weights, less the size of the hypothesis, and it is exact.
"""

from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine, Round


cdef class ConjunctionEngine(Engine):
    """Weights are 1 for the variables of the hypothesis; `member` lists them."""

    def start_afresh(self):
        """Every variable is in the hypothesis."""
        self.weight[:] = 1.0
        self.member = np.arange(self.n_weights, dtype=np.int32)
        self.size = self.n_weights

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        cdef double magnitude
        return self.dot(column, value, n, &magnitude) - self.size

    cdef bint update(
        self, const int32_t* column, const double* value, Py_ssize_t n, const Round* round
    ) except -1 nogil:
        """A false negative keeps the members that are on.

        The cost is the row plus the members removed, so a whole run costs the rows plus the
        number of variables. A false positive changes nothing: no conjunction explains it.
        """
        cdef Py_ssize_t k, kept = 0
        if round.mistake and round.label > 0:
            for k in range(n):
                if self.weight[column[k]] == 1.0:
                    self.weight[column[k]] = 2.0
            for k in range(self.size):
                if self.weight[self.member[k]] == 2.0:
                    self.weight[self.member[k]] = 1.0
                    self.member[kept] = self.member[k]
                    kept += 1
                else:
                    self.weight[self.member[k]] = 0.0
            self.size = kept
        return round.mistake

    def dual(self):
        """0 for a member, minus infinity for a variable that was removed."""
        return np.where(np.asarray(self.weight)[:self.n_weights] == 1.0, 0.0, -np.inf)

    def set_dual(self, dual):
        """Replace the hypothesis."""
        dual = np.array(dual, np.float64)
        if dual.shape != (self.n_weights,) or not np.all((dual == 0.0) | (dual == -np.inf)):
            raise StateError(
                f"the dual vector of a conjunction has {self.n_weights} entries, each 0 or "
                f"minus infinity; found shape {dual.shape}."
            )
        member = np.flatnonzero(dual == 0.0).astype(np.int32)
        self.start_afresh()
        np.asarray(self.weight)[:self.n_weights] = np.where(dual == 0.0, 1.0, 0.0)
        self.member = np.concatenate((member, np.zeros(self.n_weights - len(member), np.int32)))
        self.size = len(member)

    def other_state(self):
        """What the state holds beside the dual vector: nothing."""
        return ()

    def set_other_state(self, other):
        """Take over that: nothing."""
