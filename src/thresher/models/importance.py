"""How much each feature matters to a model: what it adds, measured over rows or by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.models.input_data import InputData
from thresher.models.one_class import class_called
from thresher.models.opening import open_for_model
from thresher.streams.arrays import as_rows
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.models.model import Model
    from thresher.streams.labels import Label

#: Rows taken apart at a time.
AT_ONCE = 1024


class Importance(NamedTuple):
    """How much one feature matters.

    ``importance`` is the mean size of what it adds, over all rows, and ``adds`` the mean of what it
    adds, sign and all: a feature that speaks for either side has a large importance and adds little
    on the whole. Without rows, both are of a row that has nothing else.
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
        A file, several of them, an `InputData`, or rows: the importance of a feature is the mean of
        the absolute value of what it adds, over all of these rows. None: what it would add to a row
        that has nothing else, with the value 1, or the largest so far where the learner keeps it.
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
    >>> found = model.importances([[8.0, 0.0], [-8.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    >>> [(one.column, one.importance, one.adds, one.rows) for one in found.features]
    [(0, 2.0, 0.0, 2), (1, 0.5, -0.5, 1)]
    """
    learner = model.learner
    if label is None and not learner.several:
        labels: tuple[Label | None, ...] = (None,)
    else:
        labels = learner.classes if label is None else (class_called(learner, label),)
    if not labels:
        raise ExportError("the model has not seen a class yet, so no feature matters.")
    sums, n_rows = _Sums(), 0
    if data is None:
        for each in labels:
            lone = learner.lone_effects(each)
            sums.add(lone.column, lone.adds)
    else:
        for rows in _rows(model, data, reading):
            n_rows += len(rows)
            for each in labels:
                parts = learner.score_parts(rows, each)
                sums.add(parts.column, parts.adds)
    log_odds = learner.score_parts(Rows.of([{}]), labels[0]).log_odds
    return Importances(
        "log-odds" if log_odds else "score",
        None if data is None else n_rows,
        sums.found(model, len(labels), None if data is None else n_rows, top),
    )


def _rows(model: Model, data: Any, reading: dict[str, Any]) -> Iterator[Rows]:
    """The rows of files or of a program, some at a time."""
    files = InputData.of_paths(data, **reading)
    if files is None:
        yield from _pieces(as_rows(data, names=model.learner.name_table, add=False))
        return
    with open_for_model(model, files, labels=False) as stream:
        for chunk in stream.chunks():
            yield from _pieces(chunk.rows)


def _pieces(rows: Rows) -> Iterator[Rows]:
    return (rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE))


class _Sums:
    """What features add, summed over rows and classes."""

    def __init__(self) -> None:
        #: By column: sums of absolute values, sums, and how many there were.
        self._sums = np.zeros((3, 0))

    def add(self, column: NDArray[Any], adds: NDArray[np.float64]) -> None:
        """Count what features add, and how often they are there."""
        width = max(self._sums.shape[1], int(column.max(initial=-1)) + 1)
        self._sums = np.pad(self._sums, ((0, 0), (0, width - self._sums.shape[1])))
        for line, weight in zip(self._sums, (np.abs(adds), adds, None), strict=True):
            line += np.bincount(column, weight, width)

    def found(
        self, model: Model, n_classes: int, n_rows: int | None, top: int | None
    ) -> tuple[Importance, ...]:
        """The means, the largest first."""
        sizes, sums, counts = self._sums
        columns = np.flatnonzero(counts)
        columns = columns[np.argsort(-sizes[columns], kind="stable")][:top]
        whole = n_classes if n_rows is None else n_classes * max(1, n_rows)
        numbers = (line[columns].tolist() for line in (sizes / whole, sums / whole, counts))
        return tuple(
            Importance(
                column,
                model.names_of(column),
                size,
                adds,
                None if n_rows is None else round(count / n_classes),
            )
            for column, size, adds, count in zip(columns.tolist(), *numbers, strict=True)
        )
