"""A model as a JSON document: everything it takes to compute its scores elsewhere."""

from __future__ import annotations

import json
from typing import Any

from thresher.kernels.rows.named_rows import NameTable
from thresher.models.linear_form import form_of
from thresher.models.model import Model

FORMAT, VERSION = "thresher.weights", 1


def to_json(model: Model, top: int | None = None) -> str:
    """The linear form as one JSON document; numbers are written so that they read back exactly.

    The score of a row is (the sum of weight times value over increasing columns, plus
    `constant`) divided by `divisor`; the label is `positive` exactly when the score is at
    least `threshold`. A column that is not listed weighs `default`.
    """
    form = form_of(model.learner)
    negative, positive = model.label_names
    features = [
        {"column": column, "weight": float(form.weights[column]), "names": model.names_of(column)}
        for column in form.touched()[:top].tolist()
    ]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "learner": model.learner.name,
        "rounds": model.learner.n_rounds,
        "mistakes": model.learner.mistakes,
        "model_sha256": model.digest,
        "negative": negative,
        "positive": positive,
        "names": _hash(model.name_table),
        "n_features": len(form.weights),
        "threshold": form.threshold,
        "constant": form.constant,
        "divisor": form.divisor,
        "default": form.default,
        "features": features,
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _hash(table: NameTable) -> dict[str, Any]:
    collisions = "strongest" if table.strongest else "sum"
    if not table.hashed:
        return {"kind": "vocabulary", "collisions": collisions}
    return {"kind": "murmur3-32", "seed": table.seed, "collisions": collisions}
