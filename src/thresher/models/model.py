"""Model: a learner, and what it takes to read new data as its training data was read."""

from __future__ import annotations

from dataclasses import dataclass, field

from thresher.errors import ModelError
from thresher.kernels.rows.named_rows import NameTable
from thresher.learners.base.learner import Learner
from thresher.models.history import Training
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe


@dataclass(slots=True, kw_only=True)
class Model:
    """What a model file holds.

    Examples
    --------
    >>> import thresher as th
    >>> model = Model(learner=th.Winnow(n_features=4))
    >>> model.recipe.format is None, model.history
    (True, ())
    """

    learner: Learner
    #: How the lines of a file become rows.
    recipe: Recipe = field(default_factory=Recipe)
    #: What the labels in the data mean; undecided for a learner trained in a program.
    labels: LabelScheme = field(default_factory=LabelScheme)
    #: Names of features that survived hashing; None if nobody kept any.
    kept: KeptNames | None = None
    #: What was learned from, run after run.
    history: tuple[Training, ...] = ()
    #: SHA-256 of the file it was loaded from.
    digest: str | None = None
    _named: dict[int, str] | None = field(default=None, repr=False, compare=False)

    @property
    def name_table(self) -> NameTable:
        """How the names of features find their columns."""
        table = self.learner.name_table
        if table is None:
            raise ModelError(f"{type(self.learner).__name__} takes no names of features.")
        return table

    @property
    def label_names(self) -> tuple[str, str]:
        """What the labels -1 and +1 are called in the data."""
        positive, negative = self.labels.positive, self.labels.negative
        if positive is None:
            return "-1", "+1"
        return negative or (f"not {positive}" if self.labels.rest else "-1"), positive

    def names_of(self, column: int) -> tuple[str, ...]:
        """The names known for a column; its number where there is none."""
        if self.name_table.hashed:
            return tuple(self.kept.name_of(column) if self.kept else ()) or (str(column),)
        if self._named is None or len(self._named) != len(self.name_table.vocabulary):
            self._named = {c: name for name, c in self.name_table.vocabulary.items()}
        return (self._named.get(column, str(column)),)
