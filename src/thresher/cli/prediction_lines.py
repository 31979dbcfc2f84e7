"""Predictions as lines of text or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from thresher.cli.json_result import strict_json
from thresher.cli.terminal.speech import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from thresher.models.prediction import Prediction

#: What stands for a line that could not be read, so that output and rows stay side by side.
NO_PREDICTION = "?"


@dataclass(frozen=True, slots=True)
class LineFormat:
    """What stands in a line of predictions."""

    scores: bool = False
    probabilities: bool = False
    #: How many of the best classes; None: the best one, without its rank.
    top: int | None = None
    as_json: bool = False

    @property
    def no_prediction(self) -> str:
        """What stands where there is no prediction."""
        return "null" if self.as_json else NO_PREDICTION


def lines(found: Prediction, format_: LineFormat) -> str:
    r"""A line for each row, and one for each bad line among them.

    >>> from thresher.models.prediction import Prediction
    >>> three = Prediction(
    ...     names=("law", "sport", "science"),
    ...     scores=np.array([[1.5, 0.25, -1.0], [0.0, 0.0, 3.0]]),
    ...     numbers=np.array([0, 2], np.int32),
    ...     bad_after=[1],
    ... )
    >>> lines(three, LineFormat(scores=True)).splitlines()
    ['law\t1.5', '?', 'science\t3.0']
    >>> lines(three, LineFormat(top=2)).splitlines()
    ['law\t1.5\tsport\t0.25', '?', 'science\t3.0\tlaw\t0.0']
    """
    if found.names:
        said = _objects(found, format_) if format_.as_json else _texts(found, format_)
    else:
        said = [format_.no_prediction] * len(found.numbers)
    for place in reversed(found.bad_after):
        said.insert(place, format_.no_prediction)
    return "".join(f"{line}\n" for line in said)


def encoded_lines(found: Prediction, format_: LineFormat) -> bytes:
    """The same as bytes, for whoever writes them: here, or a worker of a cluster."""
    return lines(found, format_).encode()


def _order(found: Prediction, format_: LineFormat) -> NDArray[np.intp]:
    """The classes that are named in each line, in order."""
    if format_.top is not None:
        return found.best(format_.top)
    return found.numbers[:, None].astype(np.intp)


def _scores(found: Prediction, order: NDArray[np.intp]) -> NDArray[np.float64]:
    """The score of each class that is named; that of a row where both classes share one."""
    if found.scores.ndim == 1:
        return found.scores[:, None]
    return np.take_along_axis(found.scores, order, axis=1)


def _texts(found: Prediction, format_: LineFormat) -> list[str]:
    names = [printable(str(name)) for name in found.names]
    order = _order(found, format_)
    cells = [[names[r] for r in order.ravel().tolist()]]
    if format_.scores or (format_.top is not None and found.probabilities is None):
        cells.append([*map(repr, _scores(found, order).ravel().tolist())])
    if found.probabilities is not None:
        sure = np.take_along_axis(found.probabilities, order, axis=1)
        cells.append([*map(repr, sure.ravel().tolist())])
    places = cells[0] if len(cells) == 1 else [*map("\t".join, zip(*cells, strict=True))]
    return places if order.shape[1] == 1 else [*map("\t".join, _rows(places, order.shape[1]))]


def _objects(found: Prediction, format_: LineFormat) -> list[str]:
    names = [json.dumps(str(name)) for name in found.names]
    order = _order(found, format_)
    width = order.shape[1]
    classes = order.ravel().tolist()
    scores = _numbers(_scores(found, order))
    said = [
        f'"label": {names[r]}, "score": {score}' for r, score in zip(classes, scores, strict=True)
    ]
    sure = found.probabilities
    more = [""] * len(order)
    if format_.top is not None:
        places = said
        if sure is not None:
            chosen = _numbers(np.take_along_axis(sure, order, axis=1))
            pairs = zip(said, chosen, strict=True)
            places = [f'{place}, "probability": {number}' for place, number in pairs]
        more = [
            f', "top": [{", ".join(f"{{{place}}}" for place in row)}]'
            for row in _rows(places, width)
        ]
    elif sure is not None:
        fields = ", ".join(f"{name.replace('%', '%%')}: %s" for name in names)
        more = [*map(f', "probabilities": {{{fields}}}'.__mod__, _rows(_numbers(sure), len(names)))]
    return [f"{{{first}{rest}}}" for first, rest in zip(said[::width], more, strict=True)]


def _numbers(values: NDArray[np.float64]) -> list[str]:
    """Numbers as JSON writes them, one after another."""
    flat = values.ravel().tolist()
    return strict_json(flat)[1:-1].split(", ") if flat else []


def _rows(cells: list[str], width: int) -> Iterator[tuple[str, ...]]:
    """Cells that stand one after another, line by line."""
    return zip(*[iter(cells)] * width, strict=True)
