"""Which fields of a table have the features of a model."""

from __future__ import annotations

from thresher.export.sql_terms import identifier, number
from thresher.models.model import Model

#: Formats whose texts became features called field=value.
TABLES = ("csv", "json", "parquet", "arrow")
#: The key of a field whose values are numbers.
NUMBERS = ""


def fields_named(model: Model, name: str) -> list[tuple[str, str]]:
    """The fields that make a feature of this name, each with the value that does.

    Parameters
    ----------
    model
        What a table of CSV has is in its recipe; of other tables, what stands before the first
        = is the field.
    name
        That of a feature that is no pair.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> model = Model(learner=th.Perceptron(8), recipe=Recipe(format="json"))
    >>> fields_named(model, "odor=foul"), fields_named(model, "age")
    ([('odor', 'foul')], [('age', '')])
    """
    recipe = model.recipe
    if recipe.format == "csv" and (recipe.numeric or recipe.categorical):
        found = [(name, NUMBERS)] if name in recipe.numeric else []
        for field in recipe.categorical:
            # The empty text is no feature.
            if name.startswith(f"{field}=") and len(name) > len(field) + 1:
                found.append((field, name[len(field) + 1 :]))
        return found
    field, equals, value = name.partition("=")
    if recipe.format is None or not (equals and field and value):
        return [(name, NUMBERS)]
    return [(field, value)]


def fields_of(model: Model, named: dict[str, int]) -> dict[str, dict[str, int]]:
    """The fields of the table: for each the columns of its values, or the one of its numbers.

    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> model = Model(learner=th.Perceptron(8), recipe=Recipe(format="json"))
    >>> fields_of(model, {"age": 1, "odor=foul": 2, "odor=none": 5})
    {'age': {'': 1}, 'odor': {'foul': 2, 'none': 5}}
    """
    found: dict[str, dict[str, int]] = {}
    if model.recipe.format == "csv":
        # A field of numbers may be called by the number of its column, which no table of names has.
        for name in model.recipe.numeric:
            column = _column_of_field(model, name)
            if column is not None:
                found[name] = {NUMBERS: column}
    for name, column in named.items():
        for field, value in fields_named(model, name):
            found.setdefault(field, {}).setdefault(value, column)
    return found


def amount(field: str) -> str:
    """The number in a field, 0 where there is none."""
    return f"COALESCE(CAST({identifier(field)} AS DOUBLE PRECISION), 0.0e0)"


def scaled(x: str, most: float) -> str:
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
