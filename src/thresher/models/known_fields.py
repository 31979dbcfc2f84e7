"""The fields of objects and the columns of tables that a model has learned from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.models.model import Model

#: Formats whose rows are objects with named fields. A table in CSV has its columns in the recipe.
OBJECTS = ("json", "parquet", "arrow")
#: With more names than this the data are no table: words, say, of which new ones keep coming.
MOST_NAMES = 2**16


def known_fields(model: Model) -> tuple[str, ...] | None:
    """The fields to read for a model that minds others; None: all of them.

    The values of a column that the model never saw, a number of an order, say, would make the rows
    longer for it, and its scores other ones. The names that it has kept tell what it saw, if none
    was dropped.
    """
    recipe, kept = model.recipe, model.kept
    if recipe.format == "csv" and model.learner.minds_new_features:
        return (*recipe.numeric, *recipe.categorical) or None
    if not needs_names(model) or kept is None or not kept.table.hashed:
        return None
    if kept.dropped or not 0 < len(kept) <= MOST_NAMES:
        return None
    return tuple(dict.fromkeys(field for name in kept.updates() for field in fields_of(name)))


def needs_names(model: Model) -> bool:
    """Whether names that were kept tell which fields to read."""
    return model.learner.minds_new_features and model.recipe.format in OBJECTS


def fields_of(name: str) -> Iterator[str]:
    """The fields that may have a feature of this name.

    >>> list(fields_of("size")), list(fields_of("place.city=Bonn"))
    (['size'], ['place.city=Bonn', 'place', 'place.city'])
    """
    yield name
    for k, mark in enumerate(name):
        if mark in "=.":
            yield name[:k]
