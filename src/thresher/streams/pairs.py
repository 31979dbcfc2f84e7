"""Pairs: products of two features of a row, as further features of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from thresher.errors import ParameterError, UnsoundBatchError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.crossing import MOST_GROUPS, Crossing
from thresher.kernels.scanning.fields import Fields
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.row_sink import cross_rows, words_for
from thresher.streams.arrays import as_rows
from thresher.streams.rows import Rows

#: Every feature with every other.
ALL = "all"


class Pairs:
    """Which features of a row make pairs; a pair has the product of their values.

    A pair is named after its features, such as ``colour=red ∧ size``. Where names are hashed, its
    column follows from the columns of the two, in either order; a vocabulary keeps its name. No
    feature is paired with itself, and no pair occurs twice. A row with more than 262,144 pairs is
    refused, and so is one with a feature whose name has `` ∧ `` in it.

    Parameters
    ----------
    pairs
        Two groups with a comma between them, each the name of a column of a table, of a namespace,
        or of a feature; several of these; or ``"all"``: every two features of a row.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron(names=th.Vocabulary())
    >>> rows = Pairs("colour,size").rows([{"colour=red": 1, "size": 3, "age": 7}], learner)
    >>> list(rows), list(learner.name_table.vocabulary)
    ([{0: 1.0, 1: 3.0, 2: 7.0, 3: 3.0}], ['colour=red', 'size', 'age', 'colour=red ∧ size'])
    """

    def __init__(self, *pairs: str) -> None:
        #: As they were given.
        self.pairs = pairs
        self.crossing = _crossing(pairs)

    @classmethod
    def of(cls, pairs: Iterable[str]) -> Crossing | None:
        """What makes the pairs of a recipe; None: it has none."""
        given = tuple(pairs)
        return cls(*given).crossing if given else None

    def rows(self, X: Any, learner: Any, *, add: bool = True) -> Rows:
        """The rows with their pairs, in columns of a learner.

        Parameters
        ----------
        X
            Dicts by names; or anything that `learn` takes, where all pairs are wanted.
        learner
            The learner that is to learn from the rows or predict them.
        add
            Whether a vocabulary may take new names; otherwise these are left out.
        """
        return self.crossed(X, learner.name_table, add=add)

    def crossed(self, X: Any, names: NameTable, *, add: bool = True) -> Rows:
        """The same for a table of names."""
        lexicon = Lexicon(names, add, False, self.crossing)
        if not isinstance(X, Rows) and _has_names(X := _listed(X)):
            return _of_names(X, names, lexicon)
        rows = as_rows(X, names=names, add=add)
        if not self.crossing.everything or not names.hashed:
            raise ParameterError(
                "Pairs",
                "rows",
                "dicts by names, where groups are named or a vocabulary keeps names",
                type(X).__name__,
                "Columns alone have all pairs, in hashed columns.",
            )
        sink = cross_rows(rows.row_start, rows.column, rows.value, lexicon)
        if sink.n_faults:
            row, _, _, code, found, _ = sink.faults()[0].tolist()
            raise _refused(row, *words_for(code, found))
        return Rows(*sink.arrays()[:3])


def _crossing(pairs: tuple[Any, ...]) -> Crossing:
    must = f"{ALL!r}, or two names with a comma between them, at most {MOST_GROUPS} times"
    if pairs == (ALL,):
        return Crossing([])
    groups: list[tuple[bytes, bytes]] = []
    for pair in pairs:
        names = [name.strip().encode() for name in pair.split(",")] if isinstance(pair, str) else []
        if len(names) != 2 or not all(names):
            raise ParameterError("Pairs", "pairs", must, pair)
        groups.append((names[0], names[1]))
    if not 1 <= len(groups) <= MOST_GROUPS:
        raise ParameterError("Pairs", "pairs", must, pairs)
    return Crossing(groups)


def _listed(X: Any) -> Any:
    """What may be gone through twice."""
    plain = isinstance(X, Iterable) and not hasattr(X, "shape") and not isinstance(X, Mapping | str)
    return list(X) if plain else X


def _has_names(X: Any) -> bool:
    return isinstance(X, list) and any(
        isinstance(row, Mapping) and any(isinstance(name, str) for name in row) for row in X
    )


def _of_names(X: list[Mapping[Any, Any]], names: NameTable, lexicon: Lexicon) -> Rows:
    """Rows by names with their pairs."""
    # What makes a row unsound is found as for every other, in a table that is thrown away.
    as_rows(X, names=NameTable(None, False))
    known = len(names.vocabulary)
    plain = [{name: float(value) for name, value in row.items()} for row in X]
    for t, row in enumerate(plain):
        for name in row:
            if not isinstance(name, str):
                raise _refused(t, f"the feature {name!r}", "names, where others have some")
    row_start, column, value, faults = Fields(lexicon).pack(plain)
    if faults:
        names.forget(known)
        t, _, found, expected, *_ = faults[0]
        raise _refused(t, found, expected)
    return Rows(row_start, column, value)


def _refused(row: int, found: str, expected: str) -> UnsoundBatchError:
    return UnsoundBatchError(f"row {row}: found {found}, expected {expected}.")
