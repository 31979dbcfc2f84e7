"""Pairs of features in SQL: products of two columns, or of two lines of a table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.export.scorer import LinearScorer
from thresher.export.sql_fields import NUMBERS, amount, fields_named, scaled
from thresher.export.sql_terms import identifier, number, text
from thresher.kernels.scanning.crossing import JOINT
from thresher.models.model import Model

#: A field, and the value that is meant; NUMBERS: its number.
Side = tuple[str, str]


def require_listed_pairs(model: Model, scorer: LinearScorer, nameless: bool) -> None:
    """Refuse a model whose pairs cannot all be listed with their weights."""
    if not model.recipe.pairs:
        return
    why = "its features have no names" if nameless else None
    if model.name_table.hashed and any(form.default for form in scorer.forms):
        why = f"a pair that no update has touched weighs {scorer.forms[0].default}"
    if why is not None:
        raise ExportError(
            f"the model makes pairs of features ({'; '.join(model.recipe.pairs)}), and {why}: SQL "
            "would have to compute the hash of each pair.",
            "Export it as C, JavaScript or JSON.",
            code="export.sql_pairs",
        )


def split_pairs(named: dict[str, int], model: Model) -> tuple[dict[str, int], dict[str, int]]:
    """Features that are read, and pairs that are made of them, each with its column."""
    made = {name: c for name, c in named.items() if model.recipe.pairs and JOINT in name}
    return {name: c for name, c in named.items() if name not in made}, made


def fields_of_pairs(model: Model, made: Iterable[str]) -> list[str]:
    """The fields from which the pairs are made."""
    halves = {half for name in made for half in name.split(JOINT)}
    return list(dict.fromkeys(f for half in sorted(halves) for f, _ in fields_named(model, half)))


def pair_terms(model: Model, scorer: LinearScorer, r: int, made: dict[str, int]) -> list[str]:
    """What pairs add to a score over a table that has a column for each field."""
    columns = list(made.values())
    weights = scorer.weights(_array(columns))[:, r].tolist()
    largest = scorer.largest(_array(columns))[:, r].tolist()
    cases: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for name, weight, most in zip(made, weights, largest, strict=True):
        one, other = name.split(JOINT)
        for a in fields_named(model, one):
            for b in fields_named(model, other):
                # Texts first: what they are decides which number counts.
                first, second = sorted((a, b), key=lambda side: (side[1] == NUMBERS, side))
                leaf = _leaf(scorer, weight, most, (first, second))
                if weight:
                    own = cases.setdefault((first[0], second[0]), {})
                    own.setdefault(first[1], {})[second[1]] = leaf
    return [
        _chosen(one, {v: _chosen(other, inner) for v, inner in own.items()})
        for (one, other), own in cases.items()
    ]


def _array(columns: list[int]) -> NDArray[np.int64]:
    return np.array(columns, np.int64)


def _leaf(scorer: LinearScorer, weight: float, most: float, sides: tuple[Side, Side]) -> str:
    """What the pair adds where its texts are those."""
    x = " * ".join(amount(field) for field, value in sides if value == NUMBERS)
    if not x:
        return number(weight / max(most, 1.0) if scorer.scaling else weight)
    return f"{number(weight)} * ({scaled(x, most) if scorer.scaling else x})"


def _chosen(field: str, leaves: dict[str, str]) -> str:
    """The leaf of the value that a field has; a field of numbers has one for all."""
    if NUMBERS in leaves:
        return leaves[NUMBERS]
    cases = " ".join(f"WHEN {text(value)} THEN {leaf}" for value, leaf in leaves.items())
    return f"CASE {identifier(field)} {cases} ELSE 0.0e0 END"


def given_with_pairs(table: str, made: Iterable[str]) -> list[str]:
    """Common tables: `pairs`, and `given`, the lines of a table of features with their pairs."""
    lines = []
    for name in made:
        one, other = name.split(JOINT)
        lines.append(f"({text(name)}, {text(one)}, {text(other)})")
    listed = ",\n    ".join(lines or ["(CAST(NULL AS VARCHAR), NULL, NULL)"])
    source = identifier(table)
    return [
        f"pairs(feature, one, other) AS (VALUES\n    {listed}\n  )",
        "given AS (\n    SELECT id, feature, CAST(value AS DOUBLE PRECISION) AS value"
        f"\n    FROM {source}"
        "\n    UNION ALL SELECT a.id, pairs.feature,"
        "\n      CAST(a.value AS DOUBLE PRECISION) * CAST(b.value AS DOUBLE PRECISION)"
        f"\n    FROM pairs JOIN {source} AS a ON a.feature = pairs.one"
        f"\n      JOIN {source} AS b ON b.feature = pairs.other AND b.id = a.id\n  )",
    ]
