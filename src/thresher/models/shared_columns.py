"""Features of a model that share a column, because names are hashed."""

from __future__ import annotations

import numpy as np

from thresher.errors import ExportError
from thresher.models.model import Model
from thresher.models.one_class import model_of_class
from thresher.names.collisions import Collisions, collisions
from thresher.streams.labels import Label


def collisions_of(model: Model, worst: int = 10, label: Label | None = None) -> Collisions:
    """How many of the names that were kept share a column, and the weight there.

    Parameters
    ----------
    model
        A model that hashes names and has kept them.
    worst
        How many shared columns to list, those of the largest weights.
    label
        Of several classes, the one whose weights are meant; it has a learner of its own.
    """
    model = model if label is None else model_of_class(model, label)
    if not model.name_table.hashed:
        raise ExportError("the model has a vocabulary: every name has a column of its own.")
    if model.kept is None:
        raise ExportError(
            "the model has kept no names, so nobody can tell which of them share a column.",
            "Training from files of a format with names keeps them.",
            code="export.no_names",
        )
    if model.learner.several:
        raise ExportError(
            "the model has several classes, each with weights of its own. Say which is meant "
            "(label=)."
        )
    lone = model.learner.lone_effects()
    weights = np.zeros(model.name_table.n_features)
    weights[lone.column] = lone.adds
    return collisions(model.kept, weights, worst)
