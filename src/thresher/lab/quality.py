"""How good a learner was on a file: calibration, ROC, what weighs most, and why of one row."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.lab.recorded_run import RecordedRun
from thresher.models.explanation import Explainer
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.models.ranking import Ranking

#: Bins of equal counts, points of the curve, weights of either sign, contributions of a row.
BINS, CURVE, TOP, PARTS = 10, 200, 12, 12


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


class Quality(msgspec.Struct):
    """The figures of one learner on one file; every prediction was made before its label."""

    learner: str
    mistakes: int
    rounds: int
    #: Label (first) and prediction, negative before positive.
    confusion: list[list[int]]
    calibration: list[Bin]
    roc: list[tuple[float, float]]
    area: float | None
    against: list[Weighty]
    for_: list[Weighty]
    unit: str
    #: Whether it is known which rows made a weight.
    journal: bool


def quality(run: RecordedRun) -> Quality:
    """The figures of a run, from the scores it gave before it saw labels."""
    positive = run.batch.label > 0
    said = run.scores >= run.learner.threshold
    counts = np.bincount(2 * positive.astype(np.int64) + said, minlength=4).reshape(2, 2)
    ranking = Ranking()
    ranking.add(run.scores, positive)
    area = ranking.area()
    weighty, unit = _weighty(run)
    return Quality(
        learner=run.text,
        mistakes=run.mistakes,
        rounds=len(run),
        confusion=counts.tolist(),
        calibration=_bins(run, positive),
        roc=_roc(run.scores, positive),
        area=None if area is None else sum(area) / 2,
        against=[one for one in weighty if one.adds < 0],
        for_=[one for one in weighty if one.adds > 0],
        unit=unit,
        journal=_has_history(run),
    )


def _bins(run: RecordedRun, positive: NDArray[np.bool_]) -> list[Bin]:
    """Bins of equal counts by the probability that was said, of learners that say one."""
    if not run.learner.gives_probabilities:
        return []
    share = run.learner.probabilities_of(run.scores)[:, 1]
    order = np.argsort(share, kind="stable")
    found = []
    for part in np.array_split(order, min(BINS, len(order))):
        found.append(Bin(len(part), float(share[part].mean()), float(positive[part].mean())))
    return found


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


def _weighty(run: RecordedRun) -> tuple[list[Weighty], str]:
    try:
        lone = run.learner.lone_effects()
    except ExportError:
        return [], ""
    rows = np.bincount(run.batch.column, minlength=run.stream.n_features)
    inside = np.flatnonzero(lone.column < run.stream.n_features)
    column, adds = lone.column[inside], lone.adds[inside]
    # By weights alone the rarest features would come first.
    order = np.argsort(-np.abs(adds) * np.sqrt(rows[column]), kind="stable")
    found = []
    for sign in (-1, 1):
        for k in order[np.sign(adds[order]) == sign][:TOP].tolist():
            at = int(column[k])
            found.append(Weighty(at, run.stream.name_of(at), float(adds[k]), int(rows[at])))
    return found, lone.kind


def _has_history(run: RecordedRun) -> bool:
    """Whether the journal of the learner, and its weights, tell how each came to be."""
    journal = run.learner.journal_as_given
    try:
        form_of(run.learner)
    except ExportError:
        return False
    return journal is not None and not journal.omitted


def explained(run: RecordedRun, t: int) -> dict[str, Any]:
    """Why the learner, before round `t`, said what it said of its row."""
    t = min(max(t, 1), len(run))
    row = run.batch[t - 1 : t]
    named = {int(column): (run.stream.name_of(int(column)),) for column in row.column}
    learner = run.learner_before(t - 1)
    (why,) = Explainer(Model(learner=learner)).explain_rows(row, [named])
    said = why.score >= learner.threshold
    return {
        "t": t,
        "rounds": len(run),
        "label": run.stream.labels[int(row.label[0]) > 0],
        "said": run.stream.labels[bool(said)],
        "probability": why.probability,
        "unit": why.unit,
        "total": why.total,
        "constant": why.constant,
        "parts": [
            {"name": part.names[0], "value": part.value, "adds": part.adds}
            for part in why.contributions[:PARTS]
        ],
        "more": max(0, len(why.contributions) - PARTS),
    }
