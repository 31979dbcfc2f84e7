"""Scores over a table that has a column for each field."""

from __future__ import annotations

import numpy as np

from thresher.errors import ExportError
from thresher.export.scorer import LinearScorer
from thresher.export.sql_fields import NUMBERS, amount, scaled
from thresher.export.sql_pairs import pair_terms
from thresher.export.sql_terms import identifier, number, text, total
from thresher.models.model import Model

#: No database has many more columns.
MOST_COLUMNS = 1600


def wide_scores(
    model: Model,
    scorer: LinearScorer,
    fields: dict[str, dict[str, int]],
    made: dict[str, int],
    table: str,
    called: list[str],
) -> str:
    """The inner query: all columns of the table, and the scores under the names given.

    `made` has the pairs of features, by name, with their columns.
    """
    _check(model, scorer, fields, made)
    source, hashed = identifier(table), model.name_table.hashed
    scores = []
    for r, (form, name) in enumerate(zip(scorer.forms, called, strict=True)):
        # A name that a vocabulary lacks counts for nothing; a hash gives every name a column.
        other = form.default if hashed else 0.0
        terms = [_term(scorer, r, field, values, other) for field, values in fields.items()]
        terms = [term for term in terms if term] + pair_terms(model, scorer, r, made)
        whole = total([*terms, number(form.constant)])
        less = f" - {number(form.minus)}" if form.minus else ""
        over = f" / {number(form.divisor)}" if form.divisor != 1.0 else ""
        scores.append(f"    ({whole}){over}{less} AS {name}")
    joined = ",\n".join([f"  SELECT {source}.*", *scores])
    return f"{joined}\n  FROM {source}"


def _check(
    model: Model, scorer: LinearScorer, fields: dict[str, dict[str, int]], made: dict[str, int]
) -> None:
    """Refuse what a sum over the fields would not be."""
    columns = [column for values in fields.values() for column in values.values()]
    columns += made.values()
    mixed = [field for field, values in fields.items() if NUMBERS in values and len(values) > 1]
    if mixed:
        raise ExportError(
            f"the field {mixed[0]!r} has numbers and texts, and a column of a table has one type.",
            "Export the model as C, JavaScript or JSON.",
            code="export.sql_mixed",
        )
    if len(fields) > MOST_COLUMNS:
        raise ExportError(
            f"the model has {len(fields)} fields, and a table has at most {MOST_COLUMNS} columns.",
            "Keep fewer (top), or export the model as C, JavaScript or JSON.",
            code="export.sql_wide",
        )
    shared = len(columns) > len(set(columns))
    if shared and (model.name_table.strongest or scorer.scaling is not None):
        how = "the stronger of two values counts" if scorer.scaling is None else "values are scaled"
        raise ExportError(
            f"some names share a column, where {how}: no sum does that.",
            "Train with more columns or with a vocabulary, or export C, JavaScript or JSON.",
            code="export.sql_shared",
        )


def _term(scorer: LinearScorer, r: int, field: str, values: dict[str, int], other: float) -> str:
    """What a field adds to a score; an empty text if nothing. `other` is what new values weigh."""
    name, columns = identifier(field), np.array(list(values.values()), np.int64)
    weights, most = scorer.weights(columns)[:, r], scorer.largest(columns)[:, r]
    if NUMBERS in values:
        x = amount(field)
        if scorer.scaling is not None:
            x = scaled(x, float(most[0]))
        return f"{number(float(weights[0]))} * {x}" if weights[0] else ""
    if scorer.scaling is not None:
        weights = weights / np.maximum(most, 1.0)
    cases = [
        f"WHEN {text(value)} THEN {number(weight)}"
        for value, weight in zip(values, weights.tolist(), strict=True)
        if weight != other
    ]
    rest = number(other)
    if other:
        rest = f"CASE WHEN {name} IS NULL OR {name} = '' THEN 0.0e0 ELSE {rest} END"
    if cases:
        return f"CASE {name} {' '.join(cases)} ELSE {rest} END"
    return rest if other else ""
