"""What a model is, in a few plain values: who learned what from which data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.certifier import journal_explains
from thresher.errors import ExportError
from thresher.learners.base.score_parts import LoneEffects
from thresher.models.history import data_digest
from thresher.models.model import Model
from thresher.models.one_class import class_called
from thresher.models.plain_parameters import plain_parameters
from thresher.streams.labels import Label


def summary(model: Model, top: int = 20, label: Label | None = None) -> dict[str, Any]:
    """The model as JSON-ready values, with the features that matter most.

    Parameters
    ----------
    model
        Any; one that does not score by weights says in ``"why_no_features"`` why it has none.
    top
        How many features.
    label
        Of several classes, the only one to show.

    Returns
    -------
    dict
        Of two classes the heaviest features, in ``"features"``. Of several, ``"classes"`` has the
        features of each: of one that was asked for the heaviest, whatever their sign; of all,
        those that speak for the class, by their weight times the root of the rows that had them,
        where names were kept (by weights alone the rarest words would come first).

    Examples
    --------
    >>> from fractions import Fraction
    >>> import thresher as th
    >>> found = summary(Model(learner=th.Winnow(n_features=4, beta=Fraction(1, 2))))
    >>> found["learner"], found["parameters"]["beta"], found["features"]
    ('winnow', '1/2', [])
    >>> learner = th.MulticlassPerceptron()
    >>> _ = learner.learn([{"vote": 1}, {"goal": 1}, {"vote": 1, "law": 1}], ["law", "art", "law"])
    >>> found = summary(Model(learner=learner), top=1)
    >>> [(one["label"], one["features"]) for one in found["classes"]]
    [('law', [{'column': 1, 'names': ['goal'], 'weight': -1.0}]), \
('art', [{'column': 1, 'names': ['goal'], 'weight': 1.0}])]
    """
    learner = model.learner
    called = None if label is None else class_called(learner, label)
    found, shown = _facts(model), "classes" if learner.several else "features"
    try:
        if learner.several:
            return found | {"classes": _classes(model, top, called)}
        lone = learner.lone_effects()
        sizes = {"n_features": lone.n_features, "threshold": learner.threshold}
        return found | sizes | _weights(model, lone, np.arange(len(lone.column)), top)
    except ExportError as error:
        return found | {shown: None, "why_no_features": str(error)}


def _facts(model: Model) -> dict[str, Any]:
    """What is known of any model, whatever it has learned."""
    learner = model.learner
    found = {
        "sha256": model.digest,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "names": _names(model),
        "recipe": model.recipe.to_dict(),
        "history": [training.document() for training in model.history],
        "data_sha256": data_digest(model.history),
    }
    if learner.several:
        return found | {"n_classes": len(learner.classes)}
    negative, positive = model.label_names
    journal = learner.journal
    found |= {
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "positive": positive,
        "negative": negative,
        "journal": None
        if journal is None
        else {
            "updates": len(journal) + journal.omitted,
            "kept": len(journal),
            "explains_the_weights": journal_explains(learner),
        },
    }
    if learner.members:
        found["members"] = [member._asdict() for member in learner.members]
    return found


def _names(model: Model) -> dict[str, Any] | None:
    table = model.learner.name_table
    if table is None:
        return None
    if not table.hashed:
        return {"kind": "vocabulary", "known": len(table.vocabulary)}
    kept = 0 if model.kept is None else len(model.kept)
    return {"kind": "murmur3-32", "seed": table.seed, "kept": kept}


def _weights(
    model: Model, lone: LoneEffects, places: NDArray[np.int64], top: int
) -> dict[str, Any]:
    """What features add alone, with the first of the places."""
    return {
        "weights": lone.kind,
        "constant": lone.constant,
        "default": lone.default,
        "touched": len(places),
        "features": [_feature(model, lone, place) for place in places[:top].tolist()],
    }


def _feature(model: Model, lone: LoneEffects, place: int) -> dict[str, Any]:
    """One feature: its weight, or what it adds alone, and to which value that belongs."""
    column, value = int(lone.column[place]), float(lone.value[place])
    adds = float(lone.adds[place])
    named = {"column": column, "names": list(model.names_of(column))}
    if lone.kind == "plain":
        return named | {"weight": adds}
    if lone.kind == "alone":
        return named | {"value": value, "adds": adds}
    return named | {"weight": adds, "largest": value, "weight_of_unscaled": adds / value}


def _classes(model: Model, top: int, called: Label | None) -> list[dict[str, Any]]:
    """The features of every class, or of one."""
    learner, found = model.learner, []
    often = rows_with(model) if called is None else None
    for label in learner.classes if called is None else (called,):
        lone = learner.lone_effects(label)
        places = np.arange(len(lone.column))
        if often is not None:
            speaks = lone.adds.copy()
            if len(often):
                speaks *= np.sqrt(1.0 + often[lone.column])
            places = np.argsort(-speaks, kind="stable")
        found.append({"label": str(label)} | _weights(model, lone, places, top))
    return found


def rows_with(model: Model) -> NDArray[np.float64]:
    """In how many updates the commonest name of each column was; empty where none was kept."""
    kept = model.kept
    if kept is None or not kept.table.hashed:
        return np.zeros(0)
    updates = kept.updates()
    rows = np.zeros(kept.table.n_features)
    for column, names in kept.columns().items():
        rows[column] = max(updates[name] for name in names)
    return rows
