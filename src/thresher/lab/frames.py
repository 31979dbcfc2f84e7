"""Frames: what the page shows of one round, from the score before it to the weights after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from thresher.errors import RequestError
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.sentences import sentence
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.reports.lecture_table import (
    Board,
    State,
    TracedRound,
    number_text,
    short_number,
    trace,
)

#: Rounds that are told at a time.
MOST_ROUNDS = 64
#: Contributions and weights that are named.
SHOWN_PARTS, SHOWN_WEIGHTS = 7, 10


class Part(msgspec.Struct):
    """What one feature of a row adds to the score."""

    name: str
    adds: float
    text: str


class ShownWeight(msgspec.Struct):
    """One of the largest weights after a round."""

    column: int
    name: str
    value: float
    text: str
    #: Whether its feature is in the row; whether it went up (1) or down (-1) in this round.
    active: bool
    moved: int


class Frame(msgspec.Struct):
    """One round."""

    t: int
    label: str
    said: str
    wrong: bool
    mistakes: int
    sentence: str
    score: float
    #: The score exactly, and in few digits.
    exact: str
    text: str
    threshold: float
    parts: list[Part]
    #: How many features are not among the parts, and what they add together.
    more: int
    more_adds: float
    weights: list[ShownWeight]
    n_weights: int


def frames(run: RecordedRun, first: int, count: int) -> list[Frame]:
    """The rounds from `first` on, counted from 1."""
    first = min(max(first, 1), len(run))
    if run.stream.several:
        raise RequestError("rounds are shown one by one where there are two classes.")
    last = min(first + min(max(count, 1), MOST_ROUNDS), len(run) + 1)
    learner = run.learner_before(first - 1)
    batch = run.batch[first - 1 : last - 1]
    if isinstance(learner, VersionSpaceLearner):
        played = trace(learner, batch, run.stream.name_of)
        return [_frame(run, one, [], 0.0, ([], run.stream.n_features)) for one in played]
    return [*_linear(run, learner, batch)]


def _linear(run: RecordedRun, learner: Any, batch: Any) -> Iterator[Frame]:
    """The rounds of a learner with weights, which are read before and after each."""
    board = Board(learner, run.stream.name_of)
    played = trace(learner, batch, run.stream.name_of)
    before = board.state()
    for t in range(len(batch)):
        row = batch[t : t + 1]
        parts = learner.score_parts(row)
        names = [board.feature(column) for column in parts.column.tolist()]
        adds = [
            Part(name, float(add), short_number(before.weight(column).value))
            for name, add, column in zip(names, parts.adds, parts.column.tolist(), strict=True)
        ]
        if parts.constant[0]:
            constant = float(parts.constant[0])
            adds.append(Part("constant", constant, short_number(constant)))
        adds.sort(key=lambda part: -abs(part.adds))
        traced = next(played)
        after = board.state()
        on = set(row.column.tolist())
        yield _frame(
            run, traced, adds, float(learner.threshold), _largest(board, before, after, on)
        )
        before = after


def _largest(board: Board, before: State, after: State, on: set[int]) -> tuple[list[Any], int]:
    """The largest weights after a round, and how many there are."""
    size = np.abs(after.weights)
    place = np.argsort(-size, kind="stable")[:SHOWN_WEIGHTS].tolist()
    shown = []
    for column in place:
        value = float(after.weights[column])
        old = float(before.weights[column]) if column < len(before.weights) else 0.0
        weight = after.weight(column)
        shown.append(
            ShownWeight(
                column=column,
                name=board.feature(column),
                value=value,
                text=short_number(weight.value) if len(str(weight)) > 12 else str(weight),
                active=column in on,
                moved=int(np.sign(value - old)),
            )
        )
    return shown, len(after.weights)


def _frame(
    run: RecordedRun,
    traced: TracedRound,
    parts: list[Part],
    threshold: float,
    weights: tuple[list[ShownWeight], int],
) -> Frame:
    t = traced.round_number
    names = run.stream.labels
    rest = parts[SHOWN_PARTS:]
    return Frame(
        t=t,
        label=names[traced.label > 0],
        said=names[traced.prediction > 0],
        wrong=traced.mistaken,
        mistakes=int(np.searchsorted(run.mistaken_rounds, t, side="right")),
        sentence=sentence(run.learner, traced),
        score=float(traced.score),
        exact=number_text(traced.score),
        text=short_number(traced.score)
        if isinstance(traced.score, float)
        else _decimal(traced.score),
        threshold=threshold,
        parts=parts[:SHOWN_PARTS],
        more=len(rest),
        more_adds=sum(part.adds for part in rest),
        weights=weights[0],
        n_weights=weights[1],
    )


def _decimal(score: Any) -> str:
    """A fraction as people compare it: whole, or with a few decimals."""
    return str(score) if score.denominator == 1 else f"{float(score):.6g}"


def weight_history(run: RecordedRun, column: int, label: str | None = None) -> dict[str, Any]:
    """How a weight came to be: the updates that moved it, with the weight after each.

    Of several classes, `label` says whose weight it is.
    """
    from thresher.models.blame import blame  # noqa: PLC0415  (one click in a hundred asks)
    from thresher.models.model import Model  # noqa: PLC0415
    from thresher.models.one_class import model_of_class  # noqa: PLC0415

    model = Model(learner=run.learner)
    if run.stream.several:
        model = model_of_class(model, label or "")
    board = Board(model.learner, run.stream.name_of)
    most = len(board.state().weights)
    if not 0 <= column < most:
        raise RequestError(f"there is no weight {column}: they have the numbers 0 to {most - 1}.")
    told = blame(model, str(column))
    shown = told.entries[-MOST_ROUNDS:]
    names = model.label_names if run.stream.several else run.stream.labels
    return {
        "name": board.feature(column),
        "start": told.start,
        "weight": told.weight,
        "matches": told.matches,
        "updates": len(told.entries),
        "entries": [
            {
                "t": entry.round_number + 1,
                "label": names[entry.label == model.label_names[1]],
                "value": entry.value,
                "weight": entry.weight,
            }
            for entry in shown
        ],
    }
