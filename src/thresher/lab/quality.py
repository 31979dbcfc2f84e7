"""How good a learner was on a file: confusion, calibration, ROC, what weighs most, and why."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.lab.recorded_run import RecordedRun
from thresher.learners.base.probability_map import Halves
from thresher.learners.base.score_parts import LoneEffects
from thresher.models.explanation import Explainer
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.models.ranking import Ranking

#: Bins of equal counts, points of the curve, weights of either sign, contributions of a row.
BINS, CURVE, TOP, PARTS = 10, 200, 12, 12
#: Classes that are told apart; the rest are one.
MOST_CLASSES = 12


class Bin(msgspec.Struct):
    """Rows whose predicted probabilities are neighbours: the mean said, and what came true."""

    rows: int
    said: float
    came: float


class Weighty(msgspec.Struct):
    """A feature, what it adds by itself, and how many rows have it."""

    column: int
    name: str
    adds: float
    rows: int


class ClassFigures(msgspec.Struct):
    """How often a class was said, was there, and was found."""

    label: str
    rows: int
    precision: float | None
    recall: float | None


class Speaks(msgspec.Struct):
    """What speaks for a class and against it."""

    label: str
    for_: list[Weighty]
    against: list[Weighty]


class Quality(msgspec.Struct):
    """The figures of one learner on one file; every prediction was made before its label."""

    learner: str
    mistakes: int
    rounds: int
    #: The commonest classes; of two, the negative one first.
    classes: list[str]
    #: How many more there are.
    others: int
    #: Label (first) and prediction, in the order of the classes; then all others, and nothing said.
    confusion: list[list[int]]
    figures: list[ClassFigures]
    calibration: list[Bin]
    #: Of what the probabilities were: of the positive label, or of whatever was said.
    probable: str
    roc: list[tuple[float, float]]
    area: float | None
    #: Of two classes, for the positive one.
    weights: list[Speaks]
    unit: str
    #: Whether it is known which rows made a weight.
    journal: bool


def quality(run: RecordedRun) -> Quality:
    """The figures of a run, from the scores it gave before it saw labels."""
    several = run.stream.several
    count = np.bincount(run.given, minlength=len(run.classes))
    order = np.argsort(-count, kind="stable")[:MOST_CLASSES].tolist() if several else [0, 1]
    weights, unit = _weights(run, order)
    return Quality(
        learner=run.text,
        mistakes=run.mistakes,
        rounds=len(run),
        classes=[run.classes[r] for r in order],
        others=len(run.classes) - len(order),
        confusion=_confusion(run, order),
        figures=_figures(run, order),
        calibration=_bins(*_believed(run)),
        probable="what it said" if several else run.classes[1],
        roc=[] if several else _roc(run.scores, run.given > 0),
        area=None if several else _area(run),
        weights=weights,
        unit=unit,
        journal=_has_history(run),
    )


def _confusion(run: RecordedRun, order: list[int]) -> list[list[int]]:
    """Labels against predictions; what is not in order is one more line, and one more column."""
    place = np.full(len(run.classes) + 1, len(order))
    place[order] = np.arange(len(order))
    wide = len(order) + 1
    table = np.bincount(place[run.given] * wide + place[run.said], minlength=wide * wide)
    table = table.reshape(wide, wide)
    rows = wide if table[-1].any() else wide - 1
    columns = wide if table[:, -1].any() else wide - 1
    found: list[list[int]] = table[:rows, :columns].tolist()
    return found


def _figures(run: RecordedRun, order: list[int]) -> list[ClassFigures]:
    found = []
    for r in order:
        there, said = run.given == r, run.said == r
        both, rows, often = (int(np.count_nonzero(x)) for x in (there & said, there, said))
        found.append(
            ClassFigures(
                label=run.classes[r],
                rows=rows,
                precision=both / often if often else None,
                recall=both / rows if rows else None,
            )
        )
    return found


def _area(run: RecordedRun) -> float | None:
    ranking = Ranking()
    ranking.add(run.scores, run.given > 0)
    area = ranking.area()
    return None if area is None else sum(area) / 2


def _believed(run: RecordedRun) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The probabilities that were said, and whether it came true; of learners that say them.

    Of several classes it is that of the class that was said, against all others.
    """
    if not run.stream.several:
        if not run.learner.gives_probabilities:
            return np.empty(0), np.empty(0, bool)
        return run.learner.probabilities_of(run.scores)[:, 1], run.given > 0
    each, known = run.learner.each_class, run.said >= 0
    halves = None if each is None else each.probability_map()
    if not isinstance(halves, Halves):
        return np.empty(0), np.empty(0, bool)
    return halves.probabilities(run.scores[known]), ~run.mistaken[known]


def _bins(share: NDArray[np.float64], came: NDArray[np.bool_]) -> list[Bin]:
    """Bins of equal counts by the probability that was said."""
    if not len(share):
        return []
    order = np.argsort(share, kind="stable")
    return [
        Bin(len(part), float(share[part].mean()), float(came[part].mean()))
        for part in np.array_split(order, min(BINS, len(order)))
    ]


def _roc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Shares of false and true alarms at each threshold; equal scores are one step."""
    if positive.all() or not positive.any():
        return []
    order = np.argsort(-scores, kind="stable")
    hits, alarms = np.cumsum(positive[order]), np.cumsum(~positive[order])
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    if len(last) > CURVE:
        last = last[np.unique(np.linspace(0, len(last) - 1, CURVE).astype(np.int64))]
    x, y = alarms[last] / alarms[-1], hits[last] / hits[-1]
    return [(0.0, 0.0), *zip(x.tolist(), y.tolist(), strict=True)]


def _weights(run: RecordedRun, order: list[int]) -> tuple[list[Speaks], str]:
    """What speaks for and against each class; of two, for the positive one."""
    labels = [run.learner.classes[r] for r in order] if run.stream.several else [None]
    rows = np.bincount(run.batch.column, minlength=run.stream.n_features)
    found, unit = [], ""
    for r, label in zip(order if run.stream.several else [1], labels, strict=True):
        try:
            lone = run.learner.lone_effects(label)
        except ExportError:
            return [], ""
        unit = lone.kind
        for_, against = (_weighty(run, lone, rows, sign) for sign in (1, -1))
        found.append(Speaks(run.classes[r], for_, against))
    return found, unit


def _weighty(
    run: RecordedRun, lone: LoneEffects, rows: NDArray[np.int64], sign: int
) -> list[Weighty]:
    """The heaviest features of one sign."""
    inside = (lone.column < run.stream.n_features) & (np.sign(lone.adds) == sign)
    column, adds = lone.column[inside], lone.adds[inside]
    # By weights alone the rarest features would come first.
    order = np.argsort(-np.abs(adds) * np.sqrt(rows[column]), kind="stable")[:TOP].tolist()
    return [
        Weighty(at, run.stream.name_of(at), float(adds[k]), int(rows[at]))
        for k, at in zip(order, column[order].tolist(), strict=True)
    ]


def _has_history(run: RecordedRun) -> bool:
    """Whether the journal of the learner, and its weights, tell how each came to be."""
    learner = run.learner
    if learner.several:
        if learner.each_class is None or not learner.classes:
            return False
        learner = learner.learner_of(learner.classes[0])
    journal = learner.journal_as_given
    try:
        form_of(learner)
    except ExportError:
        return False
    return journal is not None and not journal.omitted


def explained(run: RecordedRun, t: int) -> dict[str, Any]:
    """Why the learner, before round `t`, said what it said of its row."""
    t = min(max(t, 1), len(run))
    row = run.batch[t - 1 : t]
    said = int(run.said[t - 1])
    about = {
        "t": t,
        "rounds": len(run),
        "label": run.classes[int(run.given[t - 1])],
        "said": run.classes[said] if said >= 0 else "nothing",
    }
    if said < 0:
        # The first row of all: there was no class to say.
        return {**about, "probability": None, "unit": "score", "total": 0.0, "constant": 0.0,
                "parts": [], "more": 0}  # fmt: skip
    named = {int(column): (run.stream.name_of(int(column)),) for column in row.column}
    learner = run.learner_before(t - 1)
    (why,) = Explainer(Model(learner=learner)).explain_rows(row, [named])
    return {
        **about,
        "probability": why.probability,
        "of": run.classes[said if run.stream.several else 1],
        "unit": why.unit,
        "total": why.total,
        "constant": why.constant,
        "parts": [
            {"name": part.names[0], "value": part.value, "adds": part.adds}
            for part in why.contributions[:PARTS]
        ],
        "more": max(0, len(why.contributions) - PARTS),
    }
