"""How the names of features find columns in an export: as they did when the model was trained."""

from __future__ import annotations

from typing import NamedTuple

from thresher.kernels.scanning.crossing import JOINT
from thresher.models.model import Model
from thresher.streams.formats.raw_text import wanted
from thresher.streams.pairs import ALL

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
    #: Two groups for each pair of them whose features make pairs; none at all: every two features
    #: do. None: no pairs are made.
    groups: tuple[tuple[str, str], ...] | None

    @property
    def hashed(self) -> bool:
        """Whether the column of a name is computed from its bytes."""
        return self.vocabulary is None


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
        groups_of(recipe.pairs),
    )


def pairs_by_columns(vocabulary: dict[str, int]) -> dict[tuple[int, int], int]:
    """The columns of the pairs in a vocabulary, by those of their two features, increasing.

    >>> pairs_by_columns({"b": 0, "a": 1, "a ∧ b": 2})
    {(0, 1): 2}
    """
    found = {}
    for name, column in vocabulary.items():
        one, joint, other = name.partition(JOINT)
        if joint:
            first, second = sorted((vocabulary[one], vocabulary[other]))
            found[first, second] = column
    return found


def groups_of(pairs: tuple[str, ...]) -> tuple[tuple[str, str], ...] | None:
    """The groups whose features make pairs.

    >>> groups_of(()), groups_of(("all",)), groups_of(("user, item",))
    (None, (), (('user', 'item'),))
    """
    if not pairs:
        return None
    listed = [pair.split(",") for pair in pairs if pair != ALL]
    return tuple((one.strip(), other.strip()) for one, other in listed)
