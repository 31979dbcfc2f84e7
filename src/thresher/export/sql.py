"""A model as an SQL query: the scores of the rows of a table, and the label they mean.

The same text runs in SQLite, PostgreSQL and DuckDB. Two shapes of tables are known:

* wide: a row of the model is a row of the table. A feature called ``field=value``, as the readers
  of CSV, JSON and Parquet name categories, is a comparison of the field with the value; any other
  is a column of numbers, or of truth values. NULL is off.
* long, for texts and other sparse data: a row of the table is one feature of a row: ``id``,
  ``feature``, ``value``.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from thresher.errors import ExportError
from thresher.export.probabilities import maps_of
from thresher.export.scorer import LinearScorer, linear_scorer
from thresher.export.sql_fields import TABLES, fields_of
from thresher.export.sql_long import NAMELESS, long_scores
from thresher.export.sql_pairs import fields_of_pairs, require_listed_pairs, split_pairs
from thresher.export.sql_probabilities import share
from thresher.export.sql_terms import fresh, in_comment, lost_names, number, text, total
from thresher.export.sql_wide import wide_scores
from thresher.models.model import Model


def to_sql(model: Model, table: str = "data", top: int | None = None) -> str:
    """The scores and the label as a query.

    Parameters
    ----------
    model
        A model that is linear in its features; of two classes or of several.
    table
        Where the rows are taken from.
    top
        Keep only so many weights, the heaviest.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron(names=th.Vocabulary(), bias=True)
    >>> _ = learner.learn([{"age": 2, "height": 1}], [-1])
    >>> print(to_sql(Model(learner=learner)), end="")
    -- perceptron: 1 mistakes in 1 rounds; score: the label +1
    SELECT scored.*,
      CASE WHEN score >= 0.0e0 THEN '+1' ELSE '-1' END AS predicted
    FROM (
      SELECT "data".*,
        (-2.0e0 * COALESCE(CAST("age" AS DOUBLE PRECISION), 0.0e0)
          + -1.0e0 * COALESCE(CAST("height" AS DOUBLE PRECISION), 0.0e0)
          + -1.0e0) AS score
      FROM "data"
    ) AS scored
    """
    scorer = linear_scorer(model, top)
    if scorer.scaling not in (None, "online"):
        raise ExportError(
            f"the model divides each row by a length of its own (scaling={scorer.scaling!r}), "
            "which takes more than a sum.",
            "Export it as C, JavaScript, ONNX or JSON; or train without scaling.",
            code="export.sql_scaling",
        )
    learner = model.learner
    wide = model.recipe.format in (None, *TABLES)
    require_listed_pairs(model, scorer, model.recipe.format in NAMELESS)
    named = names_of_columns(model, scorer)
    read, made = split_pairs(named, model)
    fields = fields_of(model, read)
    halves = fields_of_pairs(model, made)
    taken = [*fields, *halves, model.recipe.label_field] if wide else ["id"]
    columns = [
        fresh(f"score_{r}" if scorer.several else "score", taken) for r in range(len(scorer.forms))
    ]
    predicted = fresh("predicted", taken)
    scored = scorer.labels if scorer.several else scorer.labels[1:]
    meaning = ", ".join(
        f"{column}: the label {in_comment(label)}"
        for column, label in zip(columns, scored, strict=True)
    )
    label = _largest(scorer, columns) if scorer.several else _reached(scorer, columns[0])
    if wide:
        source = wide_scores(model, scorer, fields, made, table, columns)
    else:
        source = long_scores(model, scorer, named, table, columns)
    likely = _probabilities(model, scorer, columns, taken)
    added = "".join(f",\n  {one}" for one in [f"{label} AS {predicted}", *likely.answers])
    if likely.between:
        between = "".join(f",\n  {one}" for one in likely.between)
        source = f"SELECT scored.*{between}\nFROM (\n{source}\n) AS scored"
    return (
        f"-- {learner.plain_name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds; "
        f"{meaning}\n"
        f"SELECT scored.*{added}\nFROM (\n{source}\n) AS scored\n"
    )


class _Likely(NamedTuple):
    """Columns for probabilities, and those that come before them."""

    answers: list[str]
    between: list[str]


def _probabilities(
    model: Model, scorer: LinearScorer, columns: list[str], taken: list[str]
) -> _Likely:
    """The probability of the second label of two; of several, of each against the rest first."""
    maps = maps_of(model)
    if not maps:
        return _Likely([], [])
    if not scorer.several:
        margin = columns[0]
        if scorer.threshold:
            margin = f"({margin} - {number(scorer.threshold)})"
        return _Likely([f"{share(maps[0], margin)} AS {fresh('probability', taken)}"], [])
    alone = [fresh(f"share_{r}", taken) for r in range(len(maps))]
    between = [
        f"{share(known, column)} AS {name}"
        for known, column, name in zip(maps, columns, alone, strict=True)
    ]
    whole = total(alone)
    answers = [
        f"{name} / ({whole}) AS {fresh(f'probability_{r}', taken)}" for r, name in enumerate(alone)
    ]
    return _Likely(answers, between)


def names_of_columns(model: Model, scorer: LinearScorer) -> dict[str, int]:
    """The names of features, as far as they are known; in a program's model, else the number."""
    table, named = model.name_table, {}
    touched = set(scorer.columns.tolist())
    if not table.hashed:
        named = dict(table.vocabulary)
    elif model.kept is not None:
        named = {name: c for c, names in model.kept.columns().items() for name in names}
        named = {name: c for name, c in named.items() if c in touched}
    nameless = touched - set(named.values())
    if model.recipe.format is None and any(form.default for form in scorer.forms):
        # What no update has touched has a weight, too.
        nameless = set(range(max(scorer.sizes))) - set(named.values())
    if not nameless or model.recipe.format in NAMELESS:
        return named
    numbered = {str(column): column for column in sorted(nameless)}
    if numbered.keys() & named.keys() or not _are_numbers(model, nameless):
        raise lost_names(len(nameless))
    return named | numbered


def _are_numbers(model: Model, columns: set[int]) -> bool:
    """Whether columns without a name are called by their numbers, and did not lose their names."""
    if model.recipe.format is None or not model.name_table.hashed:
        return True
    if {str(column) for column in columns} <= {*model.recipe.numeric}:
        return True
    # Who has dropped no name has the names of all columns that have one.
    kept = model.kept is not None and not model.kept.dropped
    return kept and model.recipe.format != "text"


def _reached(scorer: LinearScorer, column: str) -> str:
    negative, positive = map(text, scorer.labels)
    return f"CASE WHEN {column} >= {number(scorer.threshold)} THEN {positive} ELSE {negative} END"


def _largest(scorer: LinearScorer, columns: list[str]) -> str:
    """The first of the largest: a class that no later one exceeds, unless one before it was."""
    beats: dict[str, list[str]] = {column: [] for column in columns}
    for one, other in combinations(columns, 2):
        beats[one].append(f"{one} >= {other}")
    *before, last = zip(columns, map(text, scorer.labels), strict=True)
    if not before:
        return last[1]
    cases = [f"WHEN {' AND '.join(beats[column])} THEN {label}" for column, label in before]
    return "CASE " + "\n    ".join([*cases, f"ELSE {last[1]} END"])
