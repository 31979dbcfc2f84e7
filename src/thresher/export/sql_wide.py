"""Scores over a table that has a column for each field."""

from __future__ import annotations

import numpy as np

from thresher.errors import ExportError
from thresher.export.scorer import LinearScorer
from thresher.export.sql_terms import identifier, number, text, total
from thresher.models.model import Model

#: Formats whose texts became features called field=value.
TABLES = ("csv", "json", "parquet", "arrow")
#: The key of a field whose values are numbers.
NUMBERS = ""
#: No database has many more columns.
MOST_COLUMNS = 1600


def fields_of(model: Model, named: dict[str, int]) -> dict[str, dict[str, int]]:
    """The fields of the table: for each the columns of its values, or the one of its numbers.

    Parameters
    ----------
    model
        What a table of CSV has is in its recipe; of other tables, what stands before the first
        = is the field.
    named
        The names of features, as far as they are known, with their columns.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> model = Model(learner=th.Perceptron(8), recipe=Recipe(format="json"))
    >>> fields_of(model, {"age": 1, "odor=foul": 2, "odor=none": 5})
    {'age': {'': 1}, 'odor': {'foul': 2, 'none': 5}}
    """
    found: dict[str, dict[str, int]] = {}
    recipe = model.recipe
    if recipe.format == "csv" and (recipe.numeric or recipe.categorical):
        for name in recipe.numeric:
            column = _column_of_field(model, name)
            if column is not None:
                found[name] = {NUMBERS: column}
        for name, column in named.items():
            for field in recipe.categorical:
                if name.startswith(f"{field}="):
                    found.setdefault(field, {})[name[len(field) + 1 :]] = column
        return found
    for name, column in named.items():
        field, equals, value = name.partition("=")
        if recipe.format is None or not (equals and field and value):
            field, value = name, NUMBERS
        found.setdefault(field, {})[value] = column
    return found


def condition(model: Model, name: str) -> str:
    """Whether a feature of 0 and 1 is on."""
    ((field, values),) = fields_of(model, {name: 0}).items() or [(name, {NUMBERS: 0})]
    ((value, _),) = values.items()
    return f"{identifier(field)} = {text(value) if value else 1}"


def wide_scores(
    model: Model,
    scorer: LinearScorer,
    fields: dict[str, dict[str, int]],
    table: str,
    called: list[str],
) -> str:
    """The inner query: all columns of the table, and the scores under the names given."""
    _check(model, fields)
    source, hashed = identifier(table), model.name_table.hashed
    scores = []
    for r, (form, name) in enumerate(zip(scorer.forms, called, strict=True)):
        # A name that a vocabulary lacks counts for nothing; a hash gives every name a column.
        other = form.default if hashed else 0.0
        terms = [_term(scorer, r, field, values, other) for field, values in fields.items()]
        terms = [term for term in terms if term]
        whole = total([*terms, number(form.constant)])
        less = f" - {number(form.minus)}" if form.minus else ""
        over = f" / {number(form.divisor)}" if form.divisor != 1.0 else ""
        scores.append(f"    ({whole}){over}{less} AS {name}")
    joined = ",\n".join([f"  SELECT {source}.*", *scores])
    return f"{joined}\n  FROM {source}"


def _check(model: Model, fields: dict[str, dict[str, int]]) -> None:
    """Refuse what a sum over the fields would not be."""
    columns = [column for values in fields.values() for column in values.values()]
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
    if model.name_table.strongest and len(columns) > len(set(columns)):
        raise ExportError(
            "some names share a column, where the stronger of two values counts: no sum does that.",
            "Train with more columns or with a vocabulary, or export C, JavaScript or JSON.",
            code="export.sql_shared",
        )


def _term(scorer: LinearScorer, r: int, field: str, values: dict[str, int], other: float) -> str:
    """What a field adds to a score; an empty text if nothing. `other` is what new values weigh."""
    name, columns = identifier(field), np.array(list(values.values()), np.int64)
    weights, most = scorer.weights(columns)[:, r], scorer.largest(columns)[:, r]
    if NUMBERS in values:
        x = f"COALESCE(CAST({name} AS DOUBLE PRECISION), 0.0e0)"
        if scorer.scaling is not None:
            x = _scaled(x, float(most[0]))
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


def _scaled(x: str, most: float) -> str:
    """A value over the largest of its feature, itself included."""
    if not most:
        return f"CASE WHEN {x} > 0 THEN 1.0e0 WHEN {x} < 0 THEN -1.0e0 ELSE 0.0e0 END"
    size = number(most)
    return f"CASE WHEN {x} > {size} THEN 1.0e0 WHEN {x} < -{size} THEN -1.0e0 ELSE {x} / {size} END"


def _column_of_field(model: Model, name: str) -> int | None:
    """The column of a field of numbers: the number that its name writes, or that of its name."""
    table = model.name_table
    plain = name.isascii() and name.isdigit() and (name == "0" or name[0] != "0")
    if table.hashed and plain and int(name) < 2**31:
        return int(name)
    return table.column_of(name)
