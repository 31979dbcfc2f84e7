"""TruthTable: a class given as a matrix of bits, one row per concept, one column per point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thresher.concepts.concept_class import Code, ConceptClass
from thresher.errors import ConceptError, TableTooLargeError, UnknownPointError
from thresher.streams import Rows

#: Cells of the largest table built from another class: 2^28 bits are 32 MiB.
CELL_LIMIT = 2**28


class TruthTable(ConceptClass):
    """A class given by what each concept says at each point.

    Parameters
    ----------
    table
        ``table[f][p]`` is what concept `f` says at point `p`: 1 (or True) for the label +1,
        0 (or False, or -1) for -1.
    points
        ``points[p]`` is the p-th point, a row of 0s and 1s. None: the table has
        :math:`2^n` columns, one for each row of n features, where column `p` is the row whose
        feature `i` is bit `i` of `p` (so column 5 is the row ``{0: 1, 2: 1}``).
    names
        One name per concept; None: ``concept 0``, ``concept 1``, ...

    Equal rows of the table are the same function and are counted once, under the first
    name. The bits are kept packed, eight concepts to a byte.

    Examples
    --------
    >>> xor_or_and = TruthTable([[0, 1, 1, 0], [0, 0, 0, 1]], names=["xor", "and"])
    >>> xor_or_and.n_variables, len(xor_or_and)
    (2, 2)
    >>> [concept([1, 1]) for concept in xor_or_and]
    [False, True]
    """

    def __init__(
        self,
        table: ArrayLike,
        points: ArrayLike | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        cells = _bits(np.asarray(table), "table")
        self._place: dict[bytes, int] | None
        if points is None:
            self.n_variables = cells.shape[1].bit_length() - 1
            if cells.shape[1] != 2**self.n_variables or not self.n_variables:
                raise ConceptError(
                    f"TruthTable: a table of {cells.shape[1]} columns does not list all rows of n "
                    "features, which takes 2, 4, 8, ... columns. Say which rows the columns are "
                    "with points= (for as many features as columns: np.eye)."
                )
            self._place = None
        else:
            where = _bits(np.asarray(points), "points")
            self.n_variables = where.shape[1]
            self._place = _places(where, cells.shape[1])
        if names is not None and len(names) != len(cells):
            raise ConceptError(
                f"TruthTable: found {len(names)} names for {len(cells)} concepts; give one each."
            )
        _, kept = np.unique(np.packbits(cells, axis=1), axis=0, return_index=True)
        kept.sort()
        self._names = tuple(
            f"concept {f}" if names is None else str(names[f]) for f in kept.tolist()
        )
        self._bits = np.packbits(cells[kept].T, axis=1)
        self._bits.setflags(write=False)

    @classmethod
    def of(cls, concepts: ConceptClass, points: ArrayLike | None = None) -> TruthTable:
        """Any class as a table, on the given points or on all rows.

        Functions that agree on all the points become one.

        >>> from thresher.concepts import Disjunctions
        >>> len(TruthTable.of(Disjunctions(3)))
        8
        >>> len(TruthTable.of(Disjunctions(3), points=[[1, 0, 0], [1, 1, 0]]))
        3
        """
        if isinstance(concepts, TruthTable) and points is None:
            return concepts
        n = concepts.n_variables
        n_points = 2**n if points is None else len(np.asarray(points))
        if concepts.size * n_points > CELL_LIMIT:
            raise TableTooLargeError(repr(concepts), concepts.size, n_points, CELL_LIMIT)
        if points is None:
            rows = (np.arange(n_points)[:, None] >> np.arange(n) & 1).astype(bool)
        else:
            rows = _bits(np.asarray(points), "points")
        codes = concepts.codes()
        table = np.empty((concepts.size, n_points), bool)
        for p, row in enumerate(rows):
            table[:, p] = concepts.votes(codes, np.flatnonzero(row).astype(np.int32))
        return cls(table, points=points, names=[concept.name for concept in concepts])

    @property
    def size(self) -> int:
        """Number of different rows of the table."""
        return len(self._names)

    @property
    def n_points(self) -> int:
        """Number of columns of the table."""
        return len(self._bits)

    @property
    def lists_all_rows(self) -> bool:
        """Whether the columns are all rows of n features, in order; otherwise points were given."""
        return self._place is None

    def point(self, p: int) -> list[int]:
        """The features that are 1 at point `p`."""
        if self._place is None:
            return [i for i in range(self.n_variables) if p >> i & 1]
        on = list(self._place)[p]
        return [int(i) for i in np.frombuffer(on, np.int32)]

    def table(self) -> NDArray[np.bool_]:
        """The bits, unpacked: one row per concept, one column per point."""
        return np.unpackbits(self._bits, axis=1, count=self.size).T.astype(bool)

    @property
    def _width(self) -> int:
        return 1

    @property
    def _largest(self) -> int:
        return max(0, self.size - 1)

    def _stream(self) -> Iterator[Code]:
        return ((f,) for f in range(self.size))

    def name_of(self, code: Code) -> str:
        """The name given to the concept."""
        return self._names[code[0]]

    def _point_of(self, on: NDArray[np.int32]) -> int | None:
        if self._place is None:
            return sum(1 << int(i) for i in on)
        return self._place.get(on.tobytes())

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """One column of the table, for the concepts asked about."""
        p = self._point_of(on)
        if p is None:
            raise UnknownPointError("TruthTable", 0, on.tolist(), self.n_points)
        column = np.unpackbits(self._bits[p], count=self.size).view(bool)
        return column if codes.shape[1] == self.size else column[codes[0]]

    def check(self, learner: str, rows: Rows) -> None:
        """Refuse rows that are not among the points."""
        super().check(learner, rows)
        for t in range(len(rows) if self._place is not None else 0):
            on = rows.column[rows.row_start[t] : rows.row_start[t + 1]]
            if self._point_of(on) is None:
                raise UnknownPointError(learner, t, on.tolist(), self.n_points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TruthTable):
            return NotImplemented
        same_points = (self.n_variables, self._place) == (other.n_variables, other._place)
        same_names = self._names == other._names
        return same_points and same_names and np.array_equal(self._bits, other._bits)

    def __hash__(self) -> int:
        return hash((self.n_variables, self._names, self._bits.tobytes()))

    def __repr__(self) -> str:
        return f"TruthTable({self.size} concepts on {self.n_points} points)"


def _bits(array: NDArray[Any], name: str) -> NDArray[np.bool_]:
    if array.ndim != 2 or not array.size:
        raise ConceptError(
            f"TruthTable: {name} must be a matrix with at least one row and one column, found the "
            f"shape {array.shape}."
        )
    lowest = -1 if name == "table" else 0
    odd = np.argwhere(~((array == 0) | (array == 1) | (array == lowest)))
    if len(odd):
        row, column = odd[0].tolist()
        allowed = "0 or 1 (or -1 for 0)" if name == "table" else "0 or 1"
        raise ConceptError(
            f"TruthTable: {name}[{row}][{column}] is {array[row, column]!r}, but must be {allowed}."
        )
    return np.asarray(array == 1)


def _places(points: NDArray[np.bool_], n_columns: int) -> dict[bytes, int]:
    """Which column speaks about the row with these features on."""
    if len(points) != n_columns:
        raise ConceptError(
            f"TruthTable: found {len(points)} points for a table of {n_columns} columns; give one "
            "point per column."
        )
    places: dict[bytes, int] = {}
    for p, point in enumerate(points):
        key = np.flatnonzero(point).astype(np.int32).tobytes()
        if key in places:
            raise ConceptError(f"TruthTable: points {places[key]} and {p} are the same row.")
        places[key] = p
    return places
