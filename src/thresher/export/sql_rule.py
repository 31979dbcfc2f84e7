"""A rule as an SQL query."""

from __future__ import annotations

from thresher.export.feature_names import names_by_column
from thresher.export.rule import Rule
from thresher.export.sql_fields import NUMBERS, TABLES, fields_named
from thresher.export.sql_long import NAMELESS
from thresher.export.sql_terms import chained, fresh, identifier, lost_names, text
from thresher.kernels.scanning.crossing import JOINT
from thresher.models.model import Model

NEVER = "1 = 0"


def rule_to_sql(rule: Rule, model: Model, table: str = "data") -> str:
    """A rule as a query over the tables that `to_sql` knows; a feature is on where it is 1.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.export import rule_of
    >>> model = Model(learner=th.Conjunction(n_features=2))
    >>> print(rule_to_sql(rule_of(model), model), end="")
    SELECT "data".*,
      CASE WHEN "0" = 1
          AND "1" = 1
      THEN '+1' ELSE '-1' END AS predicted
    FROM "data"
    """
    negative, positive = map(text, model.label_names)
    wide = model.recipe.format in (None, *TABLES)
    known = names_by_column(model)
    named = [(_names(model, known, column), must) for column, must in rule.literals]
    terms = [_literal(model, names, must, wide) for names, must in named]
    label = negative if rule.word == "or" else positive
    if terms:
        whole = chained(terms, rule.word.upper())
        label = f"CASE WHEN {whole}\n  THEN {positive} ELSE {negative} END"
    source = identifier(table)
    if not wide:
        return f"SELECT id,\n  {label} AS predicted\nFROM {source} GROUP BY id\n"
    halves = {half for names, _ in named for name in names for half in _halves(model, name)}
    fields = [field for half in halves for field, _ in fields_named(model, half)]
    predicted = fresh("predicted", [*fields, model.recipe.label_field])
    return f"SELECT {source}.*,\n  {label} AS {predicted}\nFROM {source}\n"


def _names(model: Model, known: dict[int, tuple[str, ...]], column: int) -> tuple[str, ...]:
    """What the feature of a column is called in a table; nothing: no row has it."""
    recipe = model.recipe
    if column in known:
        return known[column]
    if recipe.format is None:
        return (str(column),)
    if recipe.format in NAMELESS and not recipe.pairs:
        return (str(column + recipe.one_based),)
    if not model.name_table.hashed:
        return ()
    if recipe.format in TABLES and str(column) in recipe.numeric:
        return (str(column),)
    raise lost_names(1)


def _literal(model: Model, names: tuple[str, ...], must: bool, wide: bool) -> str:
    """One literal; names that share a column stand for it together."""
    on = []
    for name in names:
        both = [_condition(model, half, wide) for half in _halves(model, name)]
        on.append(both[0] if len(both) == 1 else f"({' AND '.join(both)})")
    whole = on[0] if len(on) == 1 else f"({' OR '.join(on) or NEVER})"
    return whole if must else f"NOT COALESCE({whole}, {NEVER})"


def _halves(model: Model, name: str) -> list[str]:
    """The features of a pair, or the one that has the name."""
    return name.split(JOINT) if model.recipe.pairs else [name]


def _condition(model: Model, name: str, wide: bool) -> str:
    """Whether a feature of 0 and 1 is on."""
    if not wide:
        feature = name if model.recipe.format in NAMELESS else text(name)
        return f"MAX(CASE WHEN feature = {feature} AND value = 1 THEN 1 ELSE 0 END) = 1"
    found = [
        f"{identifier(field)} = {text(value) if value else 1}"
        for field, value in fields_named(model, name) or [(name, NUMBERS)]
    ]
    return found[0] if len(found) == 1 else f"({' OR '.join(found)})"
