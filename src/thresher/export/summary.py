"""What a model is, in a few plain values: who learned what from which data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from thresher.errors import ExportError
from thresher.export.form import form_of
from thresher.learners.two_class.committee import Committee
from thresher.models.history import data_digest
from thresher.models.model import Model
from thresher.models.plain_parameters import plain_parameters
from thresher.names.collisions import Collisions, collisions


def summary(model: Model, top: int = 20) -> dict[str, Any]:
    """The model as JSON-ready values, with its `top` heaviest features.

    >>> from fractions import Fraction
    >>> import thresher as th
    >>> found = summary(Model(learner=th.Winnow(n_features=4, beta=Fraction(1, 2))))
    >>> found["learner"], found["parameters"]["beta"], found["features"]
    ('winnow', '1/2', [])
    """
    learner = model.learner
    journal = learner.journal
    negative, positive = model.label_names
    found = facts_of(model) | {
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "positive": positive,
        "negative": negative,
        "journal": {"updates": len(journal) + journal.omitted, "kept": len(journal)},
    }
    if isinstance(learner, Committee):
        found["members"] = [member._asdict() for member in learner.members]
    try:
        return found | _weights(model, top)
    except ExportError as error:
        return found | {"features": None, "why_no_features": str(error)}


def facts_of(model: Model) -> dict[str, Any]:
    """What is known of any model, however many classes it has."""
    learner = model.learner
    return {
        "sha256": model.digest,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "names": _names(model),
        "recipe": model.recipe.to_dict(),
        "history": [asdict(training) for training in model.history],
        "data_sha256": data_digest(model.history),
    }


def collisions_of(model: Model, worst: int = 10) -> Collisions:
    """How many of the names that were kept share a column, and the weight there."""
    if not model.name_table.hashed:
        raise ExportError("the model has a vocabulary: every name has a column of its own.")
    if model.kept is None:
        raise ExportError(
            "the model has kept no names, so nobody can tell which of them share a column.",
            "A model keeps them if it has a KeptNames while it is trained.",
            code="export.no_names",
        )
    return collisions(model.kept, form_of(model.learner).weights, worst)


def _weights(model: Model, top: int) -> dict[str, Any]:
    form = form_of(model.learner)
    touched = form.touched()
    return {
        "n_features": len(form.weights),
        "threshold": form.threshold,
        "constant": form.constant / form.divisor,
        "default": form.default / form.divisor,
        "touched": len(touched),
        "features": [
            {
                "column": column,
                "names": list(model.names_of(column)),
                "weight": float(form.weights[column]) / form.divisor,
            }
            for column in touched[:top].tolist()
        ],
    }


def _names(model: Model) -> dict[str, Any] | None:
    engine = getattr(model.learner, "_engine", None)
    if not hasattr(engine, "names") and not hasattr(model.learner, "_variables"):
        return None
    table = model.name_table
    if not table.hashed:
        return {"kind": "vocabulary", "known": len(table.vocabulary)}
    kept = 0 if model.kept is None else len(model.kept)
    return {"kind": "murmur3-32", "seed": table.seed, "kept": kept}
