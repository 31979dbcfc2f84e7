"""How much each feature matters to a model: what it adds, measured over rows or by itself."""

from __future__ import annotations

from math import frexp
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.models.input_data import InputData
from thresher.models.one_class import class_called
from thresher.models.opening import open_for_model
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.models.model import Model
    from thresher.streams.labels import Label

#: Rows taken apart at a time.
AT_ONCE = 1024


class Importance(NamedTuple):
    """How much one feature matters.

    ``importance`` is the standard deviation, over all rows, of what it adds, and ``adds`` the mean:
    a feature that adds the same to every row tells no row from another. Without rows, it is what it
    adds to a row that has nothing else, and the size of that.
    """

    column: int
    names: tuple[str, ...]
    importance: float
    adds: float
    #: Rows that have it; None where no rows were given.
    rows: int | None


class Importances(NamedTuple):
    """How much the features of a model matter, the most important first."""

    #: What features add to: "score" or "log-odds".
    unit: str
    #: Rows that were looked at; None where there were none.
    rows: int | None
    features: tuple[Importance, ...]


def importances(
    model: Model,
    data: Any = None,
    *,
    top: int | None = None,
    label: Label | None = None,
    **reading: Any,
) -> Importances:
    """How much each feature matters to a model.

    Parameters
    ----------
    model
        Any that scores feature by feature.
    data
        A file, several of them, an `InputData`, or rows: the importance of a feature is the
        standard deviation of what it adds over all of these rows, 0 to those that lack it. Where
        each feature has a weight, that is its size times the standard deviation of the value.
        None: the size of what it would add to a row that has nothing else, with the value 1, or
        the largest so far where the learner keeps it.
    top
        How many features at most; None: all.
    label
        Of several classes, the only one to look at. Otherwise the mean over all of them.
    reading
        How to read files, where it is not as in training; see `InputData.described`.

    Examples
    --------
    >>> import thresher as th
    >>> model = th.Model(learner=th.Perceptron(2).with_dual([0.5, -2.0]))
    >>> [(one.column, one.importance) for one in model.importances().features]
    [(1, 2.0), (0, 0.5)]
    >>> found = model.importances([[4.0, 1.0], [-4.0, 1.0], [4.0, 1.0], [-4.0, 1.0]])
    >>> [(one.column, one.importance, one.adds, one.rows) for one in found.features]
    [(0, 2.0, 0.0, 4), (1, 0.0, -2.0, 4)]
    """
    learner = model.learner
    if label is None and not learner.several:
        labels: tuple[Label | None, ...] = (None,)
    else:
        labels = learner.classes if label is None else (class_called(learner, label),)
    if not labels:
        raise ExportError("the model has not seen a class yet, so no feature matters.")
    each = {name: _Sums() for name in labels}
    n_rows = None if data is None else 0
    for name, sums in each.items() if data is None else ():
        lone = learner.lone_effects(name)
        sums.add(lone.column, lone.adds)
    for rows in () if data is None else _rows(model, data, reading):
        n_rows = (n_rows or 0) + len(rows)
        for name, sums in each.items():
            parts = learner.score_parts(rows, name)
            sums.add(parts.column, parts.adds)
    log_odds = learner.score_parts(Rows.of([{}]), labels[0]).log_odds
    found = _listed(model, list(each.values()), n_rows, top)
    return Importances("log-odds" if log_odds else "score", n_rows, found)


def _rows(model: Model, data: Any, reading: dict[str, Any]) -> Iterator[Rows]:
    """The rows of files or of a program, some at a time."""
    files = InputData.of_paths(data, **reading)
    if files is None:
        yield from _pieces(model.rows(data))
        return
    with open_for_model(model, files, labels=False) as stream:
        for chunk in stream.chunks():
            yield from _pieces(chunk.rows)


def _pieces(rows: Rows) -> Iterator[Rows]:
    return (rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE))


class _Sums:
    """What features add to the scores of a class: by column, sums, of squares too, and counts.

    All is counted in units of a power of two near the first sizes, so that no square is too large.
    """

    def __init__(self) -> None:
        self.lines = np.zeros((3, 0))
        self._unit = 0.0

    def add(self, column: NDArray[Any], adds: NDArray[np.float64]) -> None:
        """Count what features add, and how often they are there."""
        self.widen(int(column.max(initial=-1)) + 1)
        if not self._unit and adds.any():
            self._unit = 2.0 ** (frexp(np.abs(adds).max())[1] - 1)
        units = adds / (self._unit or 1.0)
        for line, weight in zip(self.lines, (units, units * units, None), strict=True):
            line += np.bincount(column, weight, len(line))

    def widen(self, n_columns: int) -> None:
        """Have so many columns at least."""
        more = max(0, n_columns - self.lines.shape[1])
        self.lines = np.pad(self.lines, ((0, 0), (0, more)))

    def mean(self, n_rows: int | None) -> NDArray[np.float64]:
        """What features add on average over rows; in all where there are none."""
        return np.asarray(self.lines[0] / max(1, n_rows or 1) * self._unit)

    def spread(self, n_rows: int | None) -> NDArray[np.float64]:
        """How far what features add spreads over rows; its size where there are none."""
        if n_rows is None:
            return np.abs(self.mean(None))
        sums, squares, _ = self.lines / max(1, n_rows)
        return np.asarray(self._unit * np.sqrt(np.maximum(0.0, squares - sums * sums)))


def _listed(
    model: Model, each: list[_Sums], n_rows: int | None, top: int | None
) -> tuple[Importance, ...]:
    """The means over all classes, the most important first."""
    width = max(sums.lines.shape[1] for sums in each)
    for sums in each:
        sums.widen(width)
    size = np.mean([sums.spread(n_rows) for sums in each], axis=0)
    adds = np.mean([sums.mean(n_rows) for sums in each], axis=0)
    # A row has the same features for every class.
    counts = np.max([sums.lines[2] for sums in each], axis=0)
    columns = np.flatnonzero(counts)
    columns = columns[np.argsort(-size[columns], kind="stable")][:top]
    return tuple(
        Importance(
            column,
            model.names_of(column),
            float(size[column]),
            float(adds[column]),
            None if n_rows is None else int(counts[column]),
        )
        for column in columns.tolist()
    )
