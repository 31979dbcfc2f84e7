"""A model as a JSON document: everything it takes to compute its scores elsewhere."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.export.feature_names import FeatureNames, feature_names, names_by_column
from thresher.export.probabilities import as_document, maps_of
from thresher.export.scorer import CommitteeScorer, LinearScorer, scorer_of
from thresher.export.templates import singles
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.kernels.scanning.crossing import JOINT
from thresher.models.model import Model

FORMAT, VERSION = "thresher.weights", 3


def to_json(model: Model, top: int | None = None) -> str:
    """The numbers behind the scores; they are written so that they read back exactly.

    `docs/exports.md` says how a row is scored with them.
    """
    scorer, names = scorer_of(model, top), feature_names(model)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "learner": model.learner.plain_name,
        "rounds": model.learner.n_rounds,
        "mistakes": model.learner.mistakes,
        "model_sha256": model.digest,
        "kind": "committee" if isinstance(scorer, CommitteeScorer) else "linear",
        "several": scorer.several,
        "labels": list(scorer.labels),
        "names": _names(names, model),
        "text": _text(names),
        "pairs": None if names.groups is None else {"groups": names.groups, "joint": JOINT},
    }
    if isinstance(scorer, CommitteeScorer):
        document |= _committee(scorer, model)
    else:
        document |= _linear(scorer, model)
    for score, known in zip(document["scores"], maps_of(model), strict=False):
        score["probability"] = as_document(known)
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _names(names: FeatureNames, model: Model) -> dict[str, Any]:
    shared = {"collisions": "strongest" if names.strongest else "sum"}
    if not names.hashed:
        return {"kind": "vocabulary", **shared}
    return {
        "kind": "murmur3-32",
        "seed": names.seed,
        "columns": model.name_table.n_features,
        "numbers_are_columns": names.numbers,
        **shared,
    }


def _text(names: FeatureNames) -> dict[str, Any] | None:
    if names.text is None:
        return None
    shortest, longest, first, last, window = names.text
    return {
        "words": [shortest, longest] if longest else None,
        "characters": [first, last] if last else None,
        "sparse_bigrams": window or None,
        "counts": names.counts,
    }


def _linear(scorer: LinearScorer, model: Model) -> dict[str, Any]:
    scores = [
        {
            "label": label,
            "n_features": len(form.weights),
            "constant": form.constant,
            "divisor": form.divisor,
            "minus": form.minus,
            "default": form.default,
        }
        for label, form in zip(_scored(scorer), scorer.forms, strict=True)
    ]
    columns, names = scorer.columns, names_by_column(model)
    features: list[dict[str, Any]] = [
        {"column": column, "names": names.get(column, ()), "weights": weights}
        for column, weights in zip(columns.tolist(), scorer.weights(columns).tolist(), strict=True)
    ]
    if scorer.scaling == "online":
        for feature, largest in zip(features, scorer.largest(columns).tolist(), strict=True):
            feature["largest"] = largest
    threshold = None if scorer.several else scorer.threshold
    return {
        "scaling": scorer.scaling,
        "threshold": threshold,
        "scores": scores,
        "features": features,
    }


def _committee(scorer: CommitteeScorer, model: Model) -> dict[str, Any]:
    scores = [
        {
            "label": label,
            "n_features": form.n_features,
            "rounds": form.rounds,
            "bias": _short(form.bias),
            "standard": {
                "columns": form.standard.columns.tolist(),
                "mean": form.standard.mean.tolist(),
                "squares": form.standard.squares.tolist(),
                "rows": form.standard.rows,
            },
            "seats": [seat.tolist() for seat in form.seats],
            **{
                name: getattr(form, name).tolist()
                for name in ("square", "slope", "share", "prior", "belief")
            },
        }
        for label, form in zip(_scored(scorer), scorer.forms, strict=True)
    ]
    numbers = zip(
        scorer.columns.tolist(),
        scorer.lines("shrink", UNSEEN).tolist(),
        scorer.lines("weights", 0.0),
        strict=True,
    )
    names = names_by_column(model)
    return {
        "members": [member._asdict() for member in scorer.forms[0].members],
        "threshold": None if scorer.several else 0.0,
        "scores": scores,
        "features": [
            {
                "column": column,
                "names": names.get(column, ()),
                "shrink": shrink,
                "weights": [_short(own) for own in weights],
            }
            for column, shrink, weights in numbers
        ],
    }


def _scored(scorer: LinearScorer | CommitteeScorer) -> tuple[str, ...]:
    """The labels that have a score: of two, the second."""
    return scorer.labels if scorer.several else scorer.labels[1:]


def _short(values: NDArray[np.float32]) -> list[float]:
    """Numbers in single precision by few digits."""
    return [float(digits) for digits in singles(values)]
