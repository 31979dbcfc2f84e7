"""What the proof behind a learner follows, update by update, inside what the proof allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from thresher.errors import AuditError
from thresher.lab.recorded_run import POINTS, RecordedRun
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.proofs import Audit
from thresher.proofs import potential_of as potential_in
from thresher.reports.lecture_table import trace
from thresher.verifier import Certificate


class Line(msgspec.Struct):
    """A line of the chart, with its name; what the proof follows, or a limit of it."""

    name: str
    values: list[float | None]


class PotentialCurve(msgspec.Struct):
    """The potential after each update, the first entry being the start."""

    title: str
    #: The round of each update; 0 for the start.
    rounds: list[int]
    line: Line
    most: Line | None
    least: Line | None
    #: Further figures that the proof follows, by name: the angle to the comparator.
    others: list[Line]
    statement: str


class _Words(NamedTuple):
    title: str
    line: str
    most: str
    least: str
    #: The statement of the audit that speaks of it.
    check: str


_WORDS: Mapping[str, _Words] = {
    "perceptron": _Words(
        "squared length of w", "‖w‖²", "at most S", "at least (γM/‖u‖)²", "squared norm"
    ),
    "winnow": _Words("total weight", "total weight", "at most", "at least", "U2 promotion"),
    "elimination": _Words(
        "features left", "features left", "at most n − M", "at least the target", "shrinking"
    ),
    "conjunction": _Words(
        "features left", "features left", "at most n − M", "at least the target", "shrinking"
    ),
    "normalized_winnow": _Words("potential", "G", "at most", "", "EG-a potential"),
    "signed_winnow": _Words("potential", "G", "at most", "", "EG-a potential"),
    "weighted_majority": _Words("total weight", "total weight", "at most", "", ""),
    "halving": _Words("concepts left", "concepts left", "at most n/2^M", "", ""),
    "standard_optimal": _Words("dimension left", "dimension left", "at most", "", ""),
}


def audit_of(run: RecordedRun, certificate: Certificate | None) -> Audit | None:
    """The audit of a run, against the comparator of its certificate; None: no proof is known."""
    if not isinstance(run.learner, LinearLearner):
        return None
    witness = None if certificate is None else certificate.witness
    try:
        if witness is None or witness.errors or run.learner.name not in ("perceptron", *_SETS):
            return run.learner.audit()
        u = witness.comparator
        if run.learner.name in _SETS:
            return run.learner.audit(comparator=set(u.columns))
        return run.learner.audit(comparator=dict(zip(u.columns, u.numerators, strict=True)))
    except AuditError:
        return None


_SETS = ("winnow", "elimination", "conjunction")


def potential_of(run: RecordedRun, audit: Audit | None) -> PotentialCurve | None:
    """The potential of a run, at no more than `POINTS` of its updates; None: nobody knows one."""
    name = run.learner.name
    if name not in _WORDS:
        return None
    if isinstance(run.learner, VersionSpaceLearner):
        return _of_concepts(run)
    known = None if audit is None else potential_in(audit)
    if audit is None or known is None:
        return None
    rounds = [int(t) + 1 for t in audit.table["round"]]
    at = _some(len(rounds))
    pairs = [known.after(rounds[k]) for k in at]
    most = [None if bound is None else float(bound) for _, bound in pairs]
    if name in ("elimination", "conjunction"):
        most = [float(run.learner.n_features - k - 1) for k in at]
    words = _WORDS[name]
    start = 0.0 if name not in ("winnow", *_SETS) else float(run.learner.n_features)
    least = _least(name, audit, at)
    has_most = bool(most) and all(bound is not None for bound in most)
    return PotentialCurve(
        title=words.title,
        rounds=[0, *(rounds[k] for k in at)],
        line=Line(words.line, [start, *(float(value or 0) for value, _ in pairs)]),
        most=Line(words.most, [start, *most]) if has_most else None,
        least=None if least is None else Line(words.least, least),
        others=_others(audit, at),
        statement=next((c.statement for c in audit.invariants if c.name == words.check), ""),
    )


def _least(name: str, audit: Audit, at: Sequence[int]) -> list[float | None] | None:
    """What the proof says the potential is at least, from the comparator that was found."""
    if name == "perceptron" and "margin_envelope" in audit.table:
        envelope = audit.table["margin_envelope"]
        length = audit.constants["comparator_norm_squared"]
        assert length
        return [0.0, *(float(envelope[k] ** 2 / length) for k in at)]
    if name in ("elimination", "conjunction") and "target_kept" in audit.table:
        kept = audit.table["target_kept"]
        return [float(kept[0]) if len(kept) else None, *(float(kept[k]) for k in at)]
    return None


def _others(audit: Audit, at: Sequence[int]) -> list[Line]:
    if "angle" not in audit.table:
        return []
    return [Line("angle to u in degrees", [None, *(float(audit.table["angle"][k]) for k in at)])]


def _of_concepts(run: RecordedRun) -> PotentialCurve:
    """The concepts left to a learner over a finite class, which every round may change."""
    fresh = run.learner_before(0)
    value, bound = fresh.potential()  # type: ignore[attr-defined]
    rounds, line, most = [0], [float(value)], [float(bound)]
    for one in trace(fresh, run.batch[:POINTS], run.stream.name_of):
        if one.changes and one.potential is not None and one.bound is not None:
            rounds.append(one.round_number)
            line.append(float(one.potential))
            most.append(float(one.bound))
    words = _WORDS[run.learner.name]
    return PotentialCurve(
        words.title, rounds, Line(words.line, [*line]), Line(words.most, [*most]), None, [], ""
    )


def _some(count: int) -> list[int]:
    """All of so many places, or `POINTS` of them spread evenly, the last among them."""
    if count <= POINTS:
        return [*range(count)]
    places: list[int] = np.unique(np.linspace(0, count - 1, POINTS).astype(np.int64)).tolist()
    return places
