"""What engines of both families, two classes and several, do with a row given as a dict.

Used by `engine` and `multiclass_engine`. Their slow twins, `tests/reference/engine.py` and
`tests/reference/multiclass_engine.py`, are only given rows that pass.
"""

from libc.stdint cimport int64_t

from thresher.errors import FeatureRangeError

# Features that a row rarely has.
cdef Py_ssize_t LONG = 4096


cdef class RowEngine(ReadWriteLock):
    """The names of the features, and the values they may have."""

    def __init__(self, str owner, NameTable names, tuple domain):
        self.owner = owner
        self.names = names
        self.lowest, self.highest, self.whole = domain

    cdef int check_row(self, PackedRow row, dict features) except -1:
        """Refuse a value outside the range that the learner's theory needs."""
        cdef Py_ssize_t k
        cdef double value
        if row.ones and self.lowest <= 1.0 <= self.highest:
            return 0
        for k in range(row.n):
            value = row.value[k]
            if not self.lowest <= value <= self.highest or (
                self.whole and value != <int64_t> value
            ):
                column = row.column[k]
                named = [key for key in features if self.names.column_of(key) == column]
                raise FeatureRangeError(
                    self.owner, self.n_rounds, named[0] if named else column, value, self.domain()
                )
        return 0

    cdef PackedRow row_to_learn(self):
        """Where to pack a row while it is our turn to learn; the memory of a long one is let go."""
        if self.packed is None or self.packed.room > LONG:
            self.packed = PackedRow()
        return self.packed

    cdef PackedRow packed_to_score(self, dict features):
        """The row, checked. Before a turn is taken: a value may run what it likes."""
        cdef PackedRow row = PackedRow()
        row.fill(features, self.names, 0, False)
        self.check_row(row, features)
        return row

    cdef int keep_known(self, PackedRow row, Py_ssize_t n_features) except -1:
        """Leave the features out that have no weight yet; from here on it is our turn."""
        while self.names.growing and row.n and row.column[row.n - 1] >= n_features:
            row.n -= 1
        return 0

    def domain(self):
        """The range of feature values, in words."""
        if self.whole:
            return "{0, 1}" if self.lowest == 0.0 else "{-1, 0, 1}"
        return f"[{self.lowest:g}, {self.highest:g}]"
