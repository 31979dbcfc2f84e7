"""A rule as an SQL expression over a table with one column per field.

A feature called ``field=value`` becomes a comparison of the field with the value, as the
readers of CSV, JSON and Parquet made it; any other name is a column that is 1 where the
feature is on. A missing value (NULL) counts as off.
"""

from __future__ import annotations

from thresher.export.rule import Rule
from thresher.models.model import Model

#: Formats whose texts became features called field=value.
TABLES = {"csv", "tsv", "jsonl", "parquet", "arrow"}


def to_sql(rule: Rule, model: Model) -> str:
    """The rule as a CASE expression that gives the label; standard SQL.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.export import rule_of
    >>> model = Model(learner=th.Conjunction(n_features=2))
    >>> print(to_sql(rule_of(model), model), end="")
    CASE WHEN "0" = 1
      AND "1" = 1
    THEN '+1' ELSE '-1' END
    """
    fields = model.recipe.format in TABLES
    negative, positive = (_quoted(label, "'") for label in model.label_names)
    terms = [_term(model.names_of(column), must, fields) for column, must in rule.literals]
    if not terms:
        return f"{negative if rule.word == 'or' else positive}\n"
    condition = f"\n  {rule.word.upper()} ".join(terms)
    return f"CASE WHEN {condition}\nTHEN {positive} ELSE {negative} END\n"


def _term(names: tuple[str, ...], must: bool, fields: bool) -> str:
    """One literal; names that share a column stand for it together."""
    conditions = [_condition(name, fields) for name in names]
    condition = conditions[0] if len(conditions) == 1 else f"({' OR '.join(conditions)})"
    return condition if must else f"NOT COALESCE({condition}, 1 = 0)"


def _condition(name: str, fields: bool) -> str:
    field, equals, value = name.partition("=")
    if fields and equals:
        return f"{_quoted(field)} = {_quoted(value, chr(39))}"
    return f"{_quoted(name)} = 1"


def _quoted(name: str, mark: str = '"') -> str:
    return mark + name.replace(mark, mark + mark) + mark
