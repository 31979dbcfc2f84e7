"""Why a row has the score it has: what each of its features adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thresher.errors import ExportError
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.learners.base.learner import Features
from thresher.learners.base.linear_form import LinearForm
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.models.one_class import class_called
from thresher.streams.labels import Label
from thresher.streams.pairs import Pairs
from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature of a row: what it is called, its value, its weight, and what the two make."""

    column: int
    names: tuple[str, ...]
    value: float
    weight: float
    adds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score taken apart; the constant and the contributions add up to it, but for rounding."""

    #: The label that is predicted.
    predicted: str
    #: The label whose score this is; of two, the positive one.
    label: str
    score: float
    #: Of two labels, the score from which on the positive one is predicted. None where each of
    #: several has a score, and the highest wins.
    threshold: float | None
    #: The best of the other labels and its score, if it has one; None if there is no other.
    rival: str | None
    rival_score: float | None
    #: What every row has to begin with: a bias, for instance.
    constant: float
    #: Largest first, whatever the sign.
    contributions: tuple[Contribution, ...]


def explain(model: Model, row: Features, label: Label | None = None) -> Explanation:
    """Take the score of a row apart.

    Parameters
    ----------
    model
        A model that scores rows by weights.
    row
        A dict from names of features, or from columns, to values. Names that a vocabulary does
        not have are left out.
    label
        Of several classes, the one whose score is meant; the one that is predicted unless given.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron(3).with_dual([0.5, -2.0, 0.0])
    >>> why = explain(Model(learner=learner), {0: 1.0, 1: 3.0})
    >>> why.score, why.predicted, [(c.names, c.adds) for c in why.contributions]
    (-5.5, '-1', [(('1',), -6.0), (('0',), 0.5)])
    >>> news = th.MulticlassPerceptron()
    >>> _ = news.learn([{"vote": 1}, {"goal": 1}, {"vote": 1, "law": 1}], ["law", "art", "law"])
    >>> why = explain(Model(learner=news), {"vote": 2.0, "goal": 1.0}, label="law")
    >>> why.predicted, why.score, why.rival, [(c.names, c.adds) for c in why.contributions]
    ('art', -1.0, 'art', [(('goal',), -1.0), (('vote',), 0.0)])
    """
    return Explainer(model, label).explain(row)


class Explainer:
    """Takes scores apart, row after row; weights are looked up once, and must not change.

    Parameters
    ----------
    model, label
        As for `explain`.
    """

    def __init__(self, model: Model, label: Label | None = None) -> None:
        learner = model.learner
        self._model = model
        self._forms: dict[int, LinearForm] = {}
        #: The number of the class whose score is meant, if that does not depend on the row.
        self._own: int | None = None
        if label is not None:
            self._own = learner.classes.index(class_called(learner, label))
        elif not learner.several:
            self._own = 1
        if self._own is not None:
            self._form(self._own)

    def explain(self, row: Features) -> Explanation:
        """Take the score of a row apart; it is a dict by names or by columns."""
        model = self._model
        lexicon = Lexicon(model.name_table, False, False, Pairs.of(model.recipe.pairs))
        names = lexicon.with_pairs([name.encode() for name in row if isinstance(name, str)])
        named: dict[int, tuple[str, ...]] = {}
        for column, name in zip(lexicon.columns_of(names), names, strict=True):
            if column is not None:
                named[column] = (*named.get(column, ()), name.decode())
        return self.explain_columns(next(iter(model.rows([row]))), named)

    def explain_columns(
        self, row: Mapping[int, float], named: Mapping[int, tuple[str, ...]]
    ) -> Explanation:
        """The same of a row by columns; what is not `named` is called as the model calls it."""
        model, learner = self._model, self._model.learner
        if not learner.classes:
            raise ExportError("the model has not seen a class yet, so there is no score.")
        scores = learner.scores(Rows.of([dict(row)]))
        predicted = int(learner.predicted_numbers(scores)[0])
        several = learner.several
        names = tuple(map(str, learner.classes)) if several else model.label_names
        # Of two labels the negative one has no score of its own.
        each: list[float] = scores[0].tolist() if several else [0.0, *scores.tolist()]
        own = predicted if self._own is None else self._own
        others = [number for number in range(len(names)) if number != own]
        rival = max(others, key=each.__getitem__, default=None)
        form = self._form(own)
        return Explanation(
            predicted=names[predicted],
            label=names[own],
            score=each[own],
            threshold=None if several else form.threshold,
            rival=None if rival is None else names[rival],
            rival_score=each[rival] if several and rival is not None else None,
            constant=form.constant / form.divisor,
            contributions=_contributions(model, form, row, named),
        )

    def _form(self, number: int) -> LinearForm:
        """The weights of a class, compared with its scores once."""
        if number not in self._forms:
            learner = self._model.learner
            label = learner.classes[number] if learner.several else None
            self._forms[number] = form_of(learner, label)
        return self._forms[number]


def _contributions(
    model: Model,
    form: LinearForm,
    row: Mapping[int, float],
    named: Mapping[int, tuple[str, ...]],
) -> tuple[Contribution, ...]:
    """What the features of a row add to its score, the largest first."""
    parts = [
        Contribution(
            column,
            named.get(column) or model.names_of(column),
            value,
            float(form.weights[column]) / form.divisor,
            float(form.weights[column]) * value / form.divisor,
        )
        for column, value in row.items()
        if column < len(form.weights)
    ]
    return tuple(sorted(parts, key=lambda part: (-abs(part.adds), part.column)))
