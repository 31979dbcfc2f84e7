"""Predictions as lines of text or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cli.terminal.speech import printable

#: What stands for a line that could not be read, so that output and rows stay side by side.
NO_PREDICTION = "?"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `predict` was asked to write."""

    scores: bool = False
    probabilities: bool = False
    #: How many of the best classes; None: the best one, without its rank.
    top: int | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """The scores of a chunk, in order, and after how many of them each of its bad lines stood."""

    scores: NDArray[np.float64]
    positive: NDArray[np.bool_]
    bad_after: list[int]
    names: tuple[str, str]
    #: Of -1 and of +1.
    probabilities: NDArray[np.float64] | None = None

    def lines(self, wanted: Wanted) -> str:
        """As text.

        >>> two = Prediction(np.array([1.5, -2.0]), np.array([True, False]), [1], ("ham", "spam"))
        >>> two.lines(Wanted(scores=True)).splitlines()
        ['spam\\t1.5', '?', 'ham\\t-2.0']
        """
        as_json = wanted.as_json
        names = [json.dumps(name) if as_json else printable(name) for name in self.names]
        said = [names[up] for up in self.positive.tolist()]
        if as_json:
            said = [
                f'{{"label": {name}, "score": {score!r}{more}}}'
                for name, score, more in zip(
                    said, self.scores.tolist(), self._more(names), strict=True
                )
            ]
        else:
            columns: list[list[float]] = [self.scores.tolist()] if wanted.scores else []
            if self.probabilities is not None:
                rows = np.arange(len(said))
                columns.append(self.probabilities[rows, self.positive.astype(int)].tolist())
            for column in columns:
                pairs = zip(said, column, strict=True)
                said = [f"{name}\t{number!r}" for name, number in pairs]
        return _with_bad_lines(said, self.bad_after, as_json=as_json)

    def _more(self, names: list[str]) -> list[str]:
        """The probabilities of a row, as a part of its JSON object."""
        if self.probabilities is None:
            return [""] * len(self.scores)
        low, high = names
        return [
            f', "probabilities": {{{low}: {down!r}, {high}: {up!r}}}'
            for down, up in self.probabilities.tolist()
        ]


@dataclass(frozen=True, slots=True)
class ClassPrediction:
    """The scores of a chunk for several classes, and where its bad lines stood."""

    #: A column for each class.
    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64] | None
    bad_after: list[int]
    names: list[str]

    def lines(self, wanted: Wanted) -> str:
        """As text.

        >>> scores = np.array([[1.5, 0.25, -1.0], [0.0, 0.0, 3.0]])
        >>> three = ClassPrediction(scores, None, [], ["law", "sport", "science"])
        >>> three.lines(Wanted(scores=True)).splitlines()
        ['law\\t1.5', 'science\\t3.0']
        >>> three.lines(Wanted(top=2)).splitlines()
        ['law\\t1.5\\tsport\\t0.25', 'science\\t3.0\\tlaw\\t0.0']
        """
        if not self.names:
            said = ["null" if wanted.as_json else NO_PREDICTION] * len(self.scores)
            return _with_bad_lines(said, self.bad_after, as_json=wanted.as_json)
        if wanted.top is None:
            order = np.argmax(self.scores, axis=1)[:, None]
        else:
            order = np.argsort(-self.scores, axis=1, kind="stable")[:, : wanted.top]
        made = self._objects(order, wanted) if wanted.as_json else self._texts(order, wanted)
        return _with_bad_lines(made, self.bad_after, as_json=wanted.as_json)

    def _texts(self, order: NDArray[np.intp], wanted: Wanted) -> list[str]:
        names = [*map(printable, self.names)]
        numbers: list[list[list[float]]] = []
        if wanted.scores or (wanted.top is not None and self.probabilities is None):
            numbers.append(np.take_along_axis(self.scores, order, axis=1).tolist())
        if self.probabilities is not None:
            numbers.append(np.take_along_axis(self.probabilities, order, axis=1).tolist())
        said = []
        for t, classes in enumerate(order.tolist()):
            cells: list[str] = []
            for place, r in enumerate(classes):
                cells += [names[r], *(repr(column[t][place]) for column in numbers)]
            said.append("\t".join(cells))
        return said

    def _objects(self, order: NDArray[np.intp], wanted: Wanted) -> list[str]:
        names = self.names
        scores = np.take_along_axis(self.scores, order, axis=1).tolist()
        sure = None if self.probabilities is None else self.probabilities.tolist()
        said = []
        for t, classes in enumerate(order.tolist()):
            found: dict[str, Any] = {"label": names[classes[0]], "score": scores[t][0]}
            if wanted.top is not None:
                found["top"] = [
                    {"label": names[r], "score": scores[t][place]}
                    | ({} if sure is None else {"probability": sure[t][r]})
                    for place, r in enumerate(classes)
                ]
            elif sure is not None:
                found["probabilities"] = dict(zip(names, sure[t], strict=True))
            said.append(json.dumps(found))
        return said


def _with_bad_lines(said: list[str], bad_after: list[int], *, as_json: bool) -> str:
    """One line for each row, and one for each line that was none."""
    for place in reversed(bad_after):
        said.insert(place, "null" if as_json else NO_PREDICTION)
    return "".join(f"{line}\n" for line in said)
