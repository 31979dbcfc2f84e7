"""What a model has learned, for its report: weights of both signs, experts, proof and blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.errors import ExportError
from thresher.models.blame import blame
from thresher.models.one_class import model_of_class
from thresher.models.summary import rows_with
from thresher.pictures import thinned
from thresher.proofs import potential_of
from thresher.proofs.report import short

if TYPE_CHECKING:
    from thresher.learners.base.score_parts import LoneEffects
    from thresher.models.account import Account
    from thresher.models.blame import Blame
    from thresher.models.model import Model
    from thresher.streams.batch import Batch
    from thresher.verifier import Certificate

#: Features of each sign; classes, and features that speak for each of them.
MOST_FEATURES, MOST_CLASSES, MOST_OF_A_CLASS = 10, 12, 6
#: Rows over which importances are measured, and how many are told.
IMPORTANCE_ROWS, MOST_IMPORTANT = 2000, 14
#: Values in a journal that is audited, and updates in one that is played again for blame.
MOST_AUDITED, MOST_BLAMED = 2_000_000, 20_000
#: Rows of the table of an audit at either end; weights that are blamed on rounds; rounds of each.
MOST_ROWS, MOST_WEIGHTS, MOST_MOVES = 6, 3, 4


def weights(model: Model, account: Account | None) -> dict[str, Any]:
    """The heaviest features of both signs; of several classes, what speaks for each."""
    learner = model.learner
    try:
        if learner.several:
            return _of_classes(model)
        lone = learner.lone_effects()
    except ExportError as error:
        return {"why_not": str(error)}
    if learner.members:
        return {"importances": _measured(model, None if account is None else account.record.batch)}
    return {
        "kind": lone.kind,
        "touched": len(lone.column),
        "default": lone.default,
        "constant": lone.constant,
        "threshold": learner.threshold,
        "for": _listed(model, lone, lone.adds > 0),
        "against": _listed(model, lone, lone.adds < 0),
    }


def _measured(model: Model, batch: Batch | None) -> dict[str, Any]:
    """How much the features of a committee matter, over rows where there are some."""
    rows = None if batch is None else batch[:IMPORTANCE_ROWS]
    found = model.importances(rows, top=MOST_IMPORTANT)
    return {
        "unit": found.unit,
        "rows": found.rows,
        "features": [
            {"names": list(one.names)[:4], "importance": one.importance, "adds": one.adds}
            for one in found.features
        ],
    }


def _listed(model: Model, lone: LoneEffects, chosen: Any) -> list[dict[str, Any]]:
    return [
        {
            "column": int(lone.column[place]),
            "names": list(model.names_of(int(lone.column[place])))[:4],
            "weight": float(lone.adds[place]),
        }
        for place in np.flatnonzero(chosen)[:MOST_FEATURES].tolist()
    ]


def _of_classes(model: Model) -> dict[str, Any]:
    often = rows_with(model)
    listed = []
    classes = model.learner.classes
    for label in classes[:MOST_CLASSES]:
        lone = model.learner.lone_effects(label)
        speaks = lone.adds * (np.sqrt(1.0 + often[lone.column]) if len(often) else 1.0)
        order = np.argsort(-speaks, kind="stable")[:MOST_OF_A_CLASS]
        features = [
            {
                "column": int(lone.column[place]),
                "names": list(model.names_of(int(lone.column[place])))[:4],
                "weight": float(lone.adds[place]),
            }
            for place in order.tolist()
            if lone.adds[place] > 0
        ]
        listed.append({"label": str(label), "features": features})
    return {"classes": listed, "more_classes": max(0, len(classes) - MOST_CLASSES)}


def members(model: Model) -> list[dict[str, Any]]:
    """Who sits in a committee, the weightiest first."""
    found = sorted(model.learner.members, key=lambda one: -one.weight)
    return [member._asdict() for member in found]


def audited(model: Model, certificate: Certificate | None) -> dict[str, Any]:
    """The potential with what limits it, and what an audit of the journal has checked.

    A separator that a certificate names shows from below how far a Perceptron must come.
    """
    learner, nothing = model.learner, {"potential": None, "audit": None}
    journal = None if learner.several else learner.uncalibrated.journal
    if journal is None or len(journal.column) > MOST_AUDITED:
        return nothing
    if (audit := learner.own_audit(_separator(model, certificate))) is None:
        return nothing
    potential = potential_of(audit)
    shown = list(range(len(audit)))
    if len(shown) > 2 * MOST_ROWS:
        shown = shown[:MOST_ROWS] + shown[-MOST_ROWS:]
    return {
        "potential": None
        if potential is None
        else {
            "name": potential.name,
            "limit": potential.limit,
            "values": _curve(potential.values),
            "most": None if potential.most is None else _curve(potential.most),
            "least": None if potential.least is None else _curve(potential.least),
            "updates": len(potential.values),
        },
        "audit": {
            "updates": len(audit),
            "omitted": audit.omitted,
            "holds": audit.holds,
            "checks": [
                {
                    "name": check.name,
                    "statement": check.statement,
                    "kind": check.kind,
                    "places": check.places,
                    "holds": check.holds,
                    "failure": None if check.failure is None else str(check.failure),
                    "arithmetic": check.arithmetic,
                }
                for check in audit.invariants
            ],
            "columns": list(audit.table),
            "rows": [[short(column[k]) for column in audit.table.values()] for k in shown],
            "gap": len(audit) - len(shown),
        },
    }


def _separator(model: Model, certificate: Certificate | None) -> dict[int, int] | None:
    """The comparator of a certificate, if it is one of a Perceptron and makes no mistake."""
    learner = model.learner.uncalibrated
    found = None if certificate is None else certificate.witness
    if learner.name != "perceptron" or found is None or found.errors != 0:
        return None
    weights = dict(zip(found.comparator.columns, found.comparator.numerators, strict=True))
    bias = found.comparator.bias
    return weights | ({learner.n_features: bias} if bias else {})


def _curve(values: Any) -> list[list[float]]:
    """Numbers after each update, in few points."""
    return [list(point) for point in thinned([(k, float(v)) for k, v in enumerate(values, 1)])]


def blamed(model: Model) -> list[dict[str, Any]]:
    """The heaviest weights, and the updates that moved each of them most.

    Of several classes with a learner each, the heaviest of some of them.
    """
    if not model.learner.several:
        return [_told(history) for history in _histories(model, MOST_WEIGHTS)]
    if model.learner.each_class is None:
        return []
    found = []
    for label in model.learner.classes[:MOST_WEIGHTS]:
        histories = _histories(model_of_class(model, label), 1)
        found += [{"of": str(label), **_told(history)} for history in histories]
    return found


def _histories(model: Model, most: int) -> list[Blame]:
    """How so many of the heaviest weights came to be, where the journal tells."""
    journal = model.learner.uncalibrated.journal
    if journal is None or model.learner.warm_start or not 0 < len(journal) <= MOST_BLAMED:
        return []
    try:
        columns = model.learner.lone_effects().column[:most].tolist()
        found = [blame(model, model.names_of(column)[0]) for column in columns]
    except ExportError:
        return []
    return [history for history in found if history.column in columns]


def _told(history: Blame) -> dict[str, Any]:
    before = history.start
    moves = []
    for entry in history.entries:
        moves.append((abs(entry.weight - before), entry, entry.weight - before))
        before = entry.weight
    largest = sorted(moves, key=lambda move: (-move[0], move[1].round_number))[:MOST_MOVES]
    steps = [(0.0, history.start), *((e.round_number + 1, e.weight) for e in history.entries)]
    return {
        "names": list(history.names)[:4],
        "start": history.start,
        "weight": history.weight,
        "updates": len(history.entries),
        "matches": history.matches,
        "curve": [list(point) for point in thinned(steps, 200, steps=True)],
        "moves": [
            {"round": entry.round_number + 1, "label": entry.label, "by": by}
            for _, entry, by in sorted(largest, key=lambda move: move[1].round_number)
        ],
    }
