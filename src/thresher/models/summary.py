"""What a model is, in a few plain values: who learned what from which data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.certifier import journal_explains
from thresher.errors import ExportError
from thresher.learners.base.linear_form import LinearForm
from thresher.models.history import data_digest
from thresher.models.linear_form import form_of
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
        form = form_of(learner)
        sizes = {"n_features": len(form.weights), "threshold": form.threshold}
        return found | sizes | _weights(model, form, form.touched(), top)
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
    model: Model, form: LinearForm, columns: NDArray[np.int64], top: int
) -> dict[str, Any]:
    """The numbers of a linear form, with the first of the columns."""
    return {
        "constant": form.constant / form.divisor - form.minus,
        "default": form.default / form.divisor,
        "touched": len(columns),
        "features": [
            {
                "column": column,
                "names": list(model.names_of(column)),
                "weight": float(form.weights[column]) / form.divisor,
            }
            for column in columns[:top].tolist()
        ],
    }


def _classes(model: Model, top: int, called: Label | None) -> list[dict[str, Any]]:
    """The features of every class, or of one."""
    learner, found = model.learner, []
    often = _rows_with(model) if called is None else None
    for label in learner.classes if called is None else (called,):
        # Not compared with the scores: of thousands of classes that would take long.
        form = learner.linear_form(label)
        columns = form.touched()
        if often is not None:
            speaks = form.weights[columns].copy()
            if len(often) >= len(form.weights):
                speaks *= np.sqrt(1.0 + often[columns])
            columns = columns[np.argsort(-speaks, kind="stable")]
        found.append({"label": str(label)} | _weights(model, form, columns, top))
    return found


def _rows_with(model: Model) -> NDArray[np.float64]:
    """In how many updates the commonest name of each column was; empty where none was kept."""
    kept = model.kept
    if kept is None or not kept.table.hashed:
        return np.zeros(0)
    updates = kept.updates()
    rows = np.zeros(kept.table.n_features)
    for column, names in kept.columns().items():
        rows[column] = max(updates[name] for name in names)
    return rows
