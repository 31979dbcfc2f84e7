"""One two-class learner for each class, replayed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_order import ClassOrder
from thresher.verifier.replays.nested import Inner
from thresher.verifier.replays.playing import EXACT, ONE_OF_SEVERAL, Parameters, Replay
from thresher.verifier.state import State

BACKGROUND = "background"
#: Rounds of all classes together; to begin the run of one takes as long as some rounds.
MOST_ROUNDS, PER_CLASS = 2**30, 2**15


def replay_one_versus_rest(
    stream: LabelledRows, parameters: Parameters, *, inner: Inner, start: State | None = None
) -> Replay:
    """The run of all classes, one after another, and what they predict together.

    The learner of every class sees all rows, and so does the background, for which all are -1.
    A class that was not stated can be predicted from the round after the one in which it
    appears. The largest margin wins, among equals that of the class that appeared first. The
    state has the arrays of each class under its number, ``0.weight``, and ``background.weight``.
    The facts are ``mistakes_by_class`` and ``own_mistakes``, those of each class in telling its
    rows from the others. With a `start`, classes go on from there; those that are new in the stream
    go on from the background.
    """
    order = ClassOrder.of(stream, parameters, start)
    learners = 1 + len(order.classes)
    if learners * (len(stream) + PER_CLASS) > MOST_ROUNDS:
        raise CertificateError(
            f"{learners} learners on {len(stream)} rounds each are more than a replay has time for."
        )
    best = np.full(len(stream), -np.inf)
    predicted = np.full(len(stream), -1, np.int32)
    changed = np.zeros(len(stream), bool)
    state: dict[str, NDArray[Any]] = {"classes": order.names()}
    own_mistakes, arithmetic, runs = [], EXACT, []
    for r, run in enumerate(_runs(stream, order, parameters, inner, start)):
        known = 0 if r < order.n_stated else int(np.argmax(order.label == r)) + 1
        margins = _margins(run)[known:]
        ahead = margins > best[known:]
        best[known:][ahead] = margins[ahead]
        predicted[known:][ahead] = r
        changed[run.updates] = True
        changed[max(known - 1, 0) : known] = True
        state |= {f"{r}.{name}": array for name, array in run.state.items()}
        own_mistakes.append(len(run.mistaken))
        runs.append(run)
        arithmetic = run.arithmetic if run.arithmetic != EXACT else arithmetic
    rest = _background(stream, parameters, inner, start)
    changed[rest.updates] = True
    state |= {f"{BACKGROUND}.{name}": array for name, array in rest.state.items()}
    mistaken = np.flatnonzero(predicted != order.label)
    return Replay(
        mistaken,
        np.flatnonzero(changed),
        arithmetic,
        state=state,
        facts={
            "mistakes_by_class": order.mistakes_by_class(mistaken),
            "own_mistakes": tuple(own_mistakes),
        },
        names=lambda rows: _names(rows, order, runs),
    )


def _names(rows: LabelledRows, order: ClassOrder, runs: list[Replay]) -> list[str | None]:
    """The class of the largest margin for each of further rows; None if there are no classes."""
    best = np.full(len(rows), -np.inf)
    found = np.full(len(rows), -1)
    plain = LabelledRows(rows.row_start, rows.column, rows.value, np.ones(len(rows), np.int8))
    for r, run in enumerate(runs):
        margins = _finite(None if run.leans is None else run.leans(plain))
        ahead = margins > best
        best[ahead] = margins[ahead]
        found[ahead] = r
    return [order.classes[r] if r >= 0 else None for r in found.tolist()]


def _runs(
    stream: LabelledRows,
    order: ClassOrder,
    parameters: Parameters,
    inner: Inner,
    start: State | None,
) -> Iterator[Replay]:
    """The run of the learner of each class."""
    record, own = _one_of_several(parameters, inner)
    weights = {item["class"]: item["weight"] for item in parameters["class_weight"] or ()}
    for r, name in enumerate(order.classes):
        rows = rows_against_rest(stream, order.label == r)
        begins = _from(start, r if r < order.n_stated else BACKGROUND)
        yield record.replay(rows, weighted(record, own, weights.get(name)), **begins)


def _background(
    stream: LabelledRows, parameters: Parameters, inner: Inner, start: State | None
) -> Replay:
    """The run of the learner for which every row is -1."""
    record, own = _one_of_several(parameters, inner)
    rows = rows_against_rest(stream, np.zeros(len(stream), bool))
    return record.replay(rows, own, **_from(start, BACKGROUND))


def _from(start: State | None, whose: int | str) -> dict[str, State]:
    """What a replay is told of where it begins; not all replays can begin anywhere."""
    return {} if start is None else {"start": inner_state(start, whose)}


def inner_state(state: State, whose: int | str) -> dict[str, NDArray[Any]]:
    """Of the state of all classes that of one, by its number, or of the background.

    >>> inner_state({"0.weight": np.ones(1), "10.weight": np.zeros(1)}, 0)
    {'weight': array([1.])}
    """
    before = f"{whose}."
    return {name[len(before) :]: state[name] for name in state if name.startswith(before)}


def _one_of_several(parameters: Parameters, inner: Inner) -> tuple[Algorithm, dict[str, Any]]:
    """The learner that each class has, told that it is one of several."""
    record, own = inner.of(parameters)
    return record, own | {ONE_OF_SEVERAL: True}


def rows_against_rest(stream: LabelledRows, of_class: NDArray[np.bool_]) -> LabelledRows:
    """The rows, +1 for those of one class and -1 for all others."""
    label = np.where(of_class, 1, -1).astype(np.int8)
    return LabelledRows(stream.row_start, stream.column, stream.value, label)


def weighted(record: Algorithm, own: dict[str, Any], weight: Any) -> dict[str, Any]:
    """The parameters of a learner whose positive rows count more or less than the others."""
    if weight is None or weight == 1:
        return own
    if "class_weight" not in record.parameters:
        raise CertificateError(f"the rows of {record.title} all count alike: it takes no weights.")
    given = own["class_weight"] or {"negative": Fraction(1), "positive": Fraction(1)}
    product = Fraction(float(weight) * float(given["positive"]))
    return own | {"class_weight": {"negative": given["negative"], "positive": product}}


def _margins(run: Replay) -> NDArray[np.float64]:
    return _finite(run.margins)


def _finite(margins: NDArray[np.float64] | None) -> NDArray[np.float64]:
    if margins is None or not np.all(np.isfinite(margins)):
        raise CertificateError(
            "the replay of this learner does not follow its scores, which several classes are "
            "compared by."
        )
    return margins
