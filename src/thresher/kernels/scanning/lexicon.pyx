"""Which column a name in a file has, found without the GIL.

Used by the kernels that scan files. Hashed names need nothing but the name, so that any
number of threads may ask at once. A vocabulary is a `NameTable`'s dict; here is a copy of it
that is searched without the GIL, and new names are handed over at the end of a block, by one
thread at a time. The slow twin is `tests/reference/lexicon.py`.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from itertools import islice

from thresher.errors import DimensionError, NameTableFullError, ParameterError
from thresher.kernels.scanning.byte_table cimport ByteTable
from thresher.kernels.scanning.crossing cimport JOINT_SIZE, Crossing, hash_of_pair, place_of_joint
from thresher.kernels.rows.murmur3 cimport murmur3_32
from thresher.kernels.rows.named_rows cimport NameTable

from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX


@cython.final
cdef class Lexicon:
    """The columns of a `NameTable` for the names in files.

    With `add`, names new to a vocabulary get the next column. With `numbers`, a name that is a
    whole number is that column, unless names are kept in a vocabulary; and with a backslash before
    it, a number is a name. A table that keeps names as they are written knows neither. With a
    `crossing`, rows get pairs of their features.
    """

    def __init__(
        self, NameTable names, bint add=True, bint numbers=True, Crossing crossing=None
    ):
        if names.hashed and names.n_features < 1:
            raise ParameterError(
                "reading", "n_features", "stated where names are hashed", None,
                "Give a number of columns (n_features=2**18), or keep names in a vocabulary.",
            )
        self.names = names
        self.hashed = names.hashed
        self.strongest = names.strongest
        self.add = add
        self.numbers = numbers and not names.as_written
        self.seed = names.seed
        self.n_features = LARGEST_GROWN_INDEX + 1 if names.growing else names.n_features
        if self.n_features & (self.n_features - 1) == 0:
            self.mask = <uint32_t> (self.n_features - 1)
        self.known = ByteTable()
        self.crossing = crossing

    cdef int begin(self) except -1:
        """Bring the copy of the vocabulary up to date."""
        cdef Py_ssize_t n = len(self.names.vocabulary)
        if self.hashed:
            return 0
        if self.n_forgotten != self.names.n_forgotten or self.known.n > n:
            self.known.forget(0)
            self.n_forgotten = self.names.n_forgotten
        if self.known.n < n:
            # A name from a dict may have no UTF-8 form; no file has such a name.
            new = islice(self.names.vocabulary, self.known.n, None)
            self.known.add([name.encode("utf-8", "surrogatepass") for name in new])
        return 0

    cdef int publish(self) except -1:
        """Hand new names over to the vocabulary."""
        if not self.hashed:
            for number in range(len(self.names.vocabulary), self.known.n):
                self.names.vocabulary[self.known.string(number).decode("utf-8")] = number
        return 0

    cdef int64_t known_column(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        """The column of a name in the vocabulary."""
        cdef uint32_t hashed = murmur3_32(name, size, 0)
        cdef int64_t number = self.known.find(name, size, hashed)
        if number >= 0:
            return number
        if not self.add:
            return UNKNOWN
        if self.known.n >= self.n_features:
            return FULL
        number = self.known.take(name, size, hashed)
        return number if number >= 0 else NO_MEMORY

    def columns_of(self, list names):
        """The columns of some names; None where an unknown name may not be added."""
        cdef bytes name
        cdef int64_t column
        cdef Py_ssize_t joint
        self.begin()
        columns = []
        for name in names:
            joint = -1
            if self.hashed and self.crossing is not None:
                joint = place_of_joint(name, len(name))
            if joint >= 0:
                # The column of a pair follows from those of its features.
                one, other = self.columns_of([name[:joint], name[joint + JOINT_SIZE:]])
                columns.append(self.bucket(hash_of_pair(one, other)))
                continue
            column = self.column(name, len(name))
            if column == FULL:
                raise NameTableFullError(name.decode("utf-8"), self.n_features)
            if column == OUTSIDE:
                raise DimensionError(len(columns), int(name), self.n_features)
            if column == NO_MEMORY:
                raise MemoryError
            columns.append(None if column == UNKNOWN else column)
        self.publish()
        return columns

    def with_pairs(self, list names):
        """The names of some features, and those of the pairs that they make."""
        return names if self.crossing is None else names + self.crossing.joined(names)
