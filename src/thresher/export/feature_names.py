"""How the names of features find columns in an export: as they did when the model was trained."""

from __future__ import annotations

from typing import NamedTuple

from thresher.errors import ExportError
from thresher.models.model import Model
from thresher.streams.formats.raw_text import wanted

#: Formats in which a name that writes a whole number is that column, where names are hashed.
#: In a text it is a word; a program says 7 for a column and "7" for a name.
WITHOUT_NUMBERS = {None, "text"}


class FeatureNames(NamedTuple):
    """What a program needs in order to turn names into columns."""

    #: Names and columns of a vocabulary; None where names are hashed.
    vocabulary: dict[str, int] | None
    seed: int
    #: Whether a name that writes a whole number is that column.
    numbers: bool
    #: Of names that share a column the strongest value counts; otherwise they are added up.
    strongest: bool
    #: What is cut out of a text (`wanted`), and whether it is counted; None for other formats.
    text: tuple[int, int, int, int, int] | None
    counts: bool

    @property
    def hashed(self) -> bool:
        """Whether the column of a name is computed from its bytes."""
        return self.vocabulary is None


def require_rows_as_read(model: Model) -> None:
    """Refuse a model that makes pairs of the features it reads, which an export would not do."""
    if model.recipe.pairs:
        raise ExportError(
            f"the model makes pairs of features ({'; '.join(model.recipe.pairs)}) before it scores "
            "a row, and the export would not: its scores would be others.",
            "Text and rules call the pairs by name; or train without pairs.",
            code="export.pairs",
        )


def names_by_column(model: Model) -> dict[int, tuple[str, ...]]:
    """The names that are known for columns; a column without one is not called by its number.

    >>> import thresher as th
    >>> learner = th.Perceptron()
    >>> _ = learner.learn([{"7": 1.0}], [-1])
    >>> names_by_column(Model(learner=learner))
    {0: ('7',)}
    """
    table = model.name_table
    if not table.hashed:
        return {column: (name,) for name, column in table.vocabulary.items()}
    if model.kept is None:
        return {}
    return {column: tuple(names) for column, names in model.kept.columns().items()}


def feature_names(model: Model) -> FeatureNames:
    """How this model reads names.

    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> for format in (None, "text", "csv"):
    ...     model = Model(learner=th.Perceptron(16), recipe=Recipe(format=format))
    ...     feature_names(model).numbers
    False
    False
    True
    """
    table, recipe = model.name_table, model.recipe
    return FeatureNames(
        None if table.hashed else dict(table.vocabulary),
        table.seed,
        table.hashed and recipe.format not in WITHOUT_NUMBERS,
        table.strongest,
        wanted(recipe.text) if recipe.format == "text" else None,
        recipe.text.counts,
    )
