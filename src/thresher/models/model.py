"""Model: a learner, and what it takes to read new data as its training data was read."""

from __future__ import annotations

import os
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from thresher.errors import ModelError
from thresher.kernels.rows.named_rows import NameTable
from thresher.learners.base.learner import Learner
from thresher.models.history import Training
from thresher.models.holdout import HoldoutState
from thresher.models.tables import by_name
from thresher.names.kept import KeptNames
from thresher.records import record
from thresher.streams.arrays import as_rows
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thresher.learners.base.explanation import Explanation
    from thresher.learners.base.learner import Features
    from thresher.models.importance import Importances
    from thresher.models.scorecard import Scorecard
    from thresher.pictures import Svg
    from thresher.streams.labels import Label


@record(frozen=False, kw_only=True)
class Model:
    """A learner with everything needed to use it on files: names, labels, recipe, and its history.

    :func:`thresher.train` makes one; a model file holds one. Its methods do what the commands of
    the same names do, and none of them learns.

    Examples
    --------
    >>> import pathlib, tempfile, thresher as th
    >>> mail = pathlib.Path(tempfile.mkdtemp()) / "mail.tsv"
    >>> _ = mail.write_text("spam\\tfree cash now\\nham\\tlunch at noon\\n" * 20)
    >>> model = th.train(mail, positive="spam", format="text")
    >>> model.learner.mistakes, model.test(mail).error
    (1, 0.0)
    >>> model.predict(mail)[:2].tolist()
    ['spam', 'ham']
    >>> why = model.explain({"cash": 1, "noon": 1})
    >>> why.predicted, [(part.names, round(part.adds, 2)) for part in why.contributions]
    ('spam', [(('noon',), -1.17), (('cash',), 1.08)])
    >>> model.save(mail.with_suffix(".thr"))
    >>> th.Model.load(mail.with_suffix(".thr")).learner == model.learner
    True
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
    #: What a run that was interrupted knows of the rows held out.
    holdout: HoldoutState | None = None
    _named: dict[int, str] | None = field(default=None, repr=False, compare=False)

    @property
    def name_table(self) -> NameTable:
        """How feature names are mapped to columns."""
        table = self.learner.name_table
        if table is None:
            raise ModelError(f"{type(self.learner).__name__} takes no names of features.")
        return table

    @property
    def label_names(self) -> tuple[str, str]:
        """What the labels -1 and +1 are called in the data."""
        return self.labels.sign_names

    def names_of(self, column: int) -> tuple[str, ...]:
        """The names known for a column; its number where there is none."""
        if self.learner.name_table is None:
            return (str(column),)
        if self.name_table.hashed:
            return tuple(self.kept.name_of(column) if self.kept else ()) or (str(column),)
        if self._named is None or len(self._named) != len(self.name_table.vocabulary):
            self._named = {c: name for name, c in self.name_table.vocabulary.items()}
        return (self._named.get(column, str(column)),)

    def rows(self, X: Any) -> Rows:
        """Rows in memory, in columns of the learner, with the pairs that the recipe asks for."""
        names, X = self.learner.name_table, by_name(self, X)
        if self.recipe.pairs and names is not None:
            return Pairs(*self.recipe.pairs).crossed(X, names, add=False)
        return as_rows(X, names=names, add=False)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = None if self.kept is None else self.kept.to_arrays()
        parts = (self.learner, self.recipe, self.labels, self.history, self.digest)
        return _restored, (parts, kept)

    # ---- what it can do ------------------------------------------------------------------
    # By name: whoever wants to predict does not wait for explanations, and the other way round.

    def predict(self, data: Any, **reading: Any) -> NDArray[Any]:
        """The label of each row of files or of rows; see `models.prediction.predict`."""
        found: NDArray[Any] = _of("prediction").predict(self, data, **reading)
        return found

    def predict_proba(self, data: Any, **reading: Any) -> NDArray[np.float64]:
        """The probability of each class; see `models.prediction.predict_probabilities`."""
        found: NDArray[np.float64] = _of("prediction").predict_probabilities(self, data, **reading)
        return found

    def test(self, data: Any, y: Any = None, **reading: Any) -> Scorecard:
        """Predictions compared with labels; see `models.evaluation.evaluate`."""
        card: Scorecard = _of("evaluation").evaluate(self, data, y, **reading)
        return card

    def explain(self, row: Features, label: Label | None = None) -> Explanation:
        """Why a row, by names or by columns, has its score; see `models.explanation.explain`."""
        why: Explanation = _of("explanation").explain(self, row, label)
        return why

    def importances(
        self,
        data: Any = None,
        *,
        top: int | None = None,
        label: Label | None = None,
        **reading: Any,
    ) -> Importances:
        """How much each feature matters; see `models.importance.importances`."""
        found: Importances = _of("importance").importances(
            self, data, top=top, label=label, **reading
        )
        return found

    def summary(self, top: int = 20, label: Label | None = None) -> dict[str, Any]:
        """What it is and what weighs most, as JSON-ready values; see `models.summary.summary`."""
        facts: dict[str, Any] = _of("summary").summary(self, top, label)
        return facts

    def plot(self, top: int = 12) -> Svg:
        """The heaviest features with their names, as a picture; see `models.picture`."""
        picture: Svg = _of("picture").model_chart(self, top)
        return picture

    def _repr_html_(self) -> str:
        shown: str = _of("picture").model_html(self)
        return shown

    def save(self, path: str | os.PathLike[str], *, journal: bool = True) -> None:
        """Write it to a model file, durably and atomically; see `models.file.save_model`."""
        _of("file").save_model(self, path, journal=journal)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """The model in a file, checked; :func:`thresher.load` returns only its learner."""
        model: Model = _of("file").load_model(path)
        return model


def _of(module: str) -> Any:
    return import_module(f"thresher.models.{module}")


def _restored(parts: tuple[Any, ...], kept: dict[str, Any] | None) -> Model:
    """The model that was pickled or copied; names are kept for the learner's own table."""
    learner, recipe, labels, history, digest = parts
    model = Model(learner=learner, recipe=recipe, labels=labels, history=history, digest=digest)
    if kept is not None:
        model.kept = KeptNames.from_arrays(model.name_table, kept, recipe)
    return model
