"""Scores over a table that has a line for each feature of a row: id, feature, value."""

from __future__ import annotations

import numpy as np

from thresher.errors import ExportError
from thresher.export.scorer import LinearScorer
from thresher.export.sql_pairs import given_with_pairs, split_pairs
from thresher.export.sql_terms import identifier, number, text
from thresher.models.model import Model

#: Formats whose features have no names: a feature is then the number that it has in the file.
NAMELESS = ("svmlight", "binary")


def long_scores(
    model: Model, scorer: LinearScorer, named: dict[str, int], table: str, called: list[str]
) -> str:
    """The inner query: the ids, and the scores under the names given."""
    if scorer.scaling is not None:
        raise ExportError(
            f"the model scales its rows (scaling={scorer.scaling!r}), and that of a table with a "
            "line for each feature is not written as SQL.",
            "Export it as C, JavaScript, ONNX or JSON; or train without scaling.",
            code="export.sql_scaling",
        )
    nameless = model.recipe.format in NAMELESS
    weights = [f"weight_{r}" for r in range(len(called))]
    listed, sums = ", ".join(weights), []
    for form, name, weight in zip(scorer.forms, called, weights, strict=True):
        # A name that a vocabulary lacks counts for nothing; any other has a column.
        other = form.default if nameless or model.name_table.hashed else 0.0
        sums.append(
            f"    (SUM(COALESCE(CAST({weight} AS DOUBLE PRECISION), {number(other)})"
            f" * CAST(value AS DOUBLE PRECISION)) + {number(form.constant)})"
            f" / {number(form.divisor)} - {number(form.minus)} AS {name}"
        )
    source = f"{identifier(table)} AS given"
    tables: list[str] = []
    if model.recipe.pairs:
        _, made = split_pairs(named, model)
        source, tables = "given", given_with_pairs(table, made)
    source += " LEFT JOIN weights ON weights.feature = given.feature"
    rows = f"SELECT id, {listed}, value FROM {source}"
    if model.name_table.strongest and not nameless:
        rows = (
            f"SELECT id, {listed}, {_STRONGEST} AS value FROM {source}\n"
            f"    GROUP BY id, COALESCE(weights.slot, given.feature), {listed}"
        )
    lines = ",\n    ".join(_lines(model, scorer, named, nameless))
    columns = f"feature, {listed}" if nameless else f"feature, slot, {listed}"
    every = ",\n".join(sums)
    known = ",\n  ".join([f"weights({columns}) AS (VALUES\n    {lines}\n  )", *tables])
    return (
        f"  WITH {known}\n  SELECT id,\n{every}\n  FROM (\n    {rows}\n  ) AS features GROUP BY id"
    )


#: Of names that share a column the strongest counts, the positive one of equals.
_STRONGEST = "CASE WHEN MAX(value) >= -MIN(value) THEN MAX(value) ELSE MIN(value) END"


def _lines(model: Model, scorer: LinearScorer, named: dict[str, int], nameless: bool) -> list[str]:
    """Features and their weights; names of one column have the first of them for a slot."""
    if nameless:
        columns = scorer.columns
        keys = [str(column + model.recipe.one_based) for column in columns.tolist()] or ["-1"]
    else:
        columns = np.array(list(named.values()), np.int64)
        first: dict[int, str] = {}
        for name, column in named.items():
            first.setdefault(column, name)
        keys = [f"{text(name)}, {text(first[c])}" for name, c in named.items()]
        keys = keys or ["CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR)"]
    table = scorer.weights(columns).tolist() or [[0.0] * len(scorer.forms)]
    return [
        f"({key}, {', '.join(map(number, weights))})"
        for key, weights in zip(keys, table, strict=True)
    ]
