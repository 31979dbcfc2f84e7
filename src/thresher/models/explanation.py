"""Why a row has the score it has: what each of its features adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from thresher.errors import ExportError
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.learners.base.explanation import Contribution, Explanation, Opinion, OtherPart
from thresher.learners.base.learner import Features
from thresher.learners.base.score_parts import ScoreParts
from thresher.models.model import Model
from thresher.models.one_class import class_called
from thresher.streams.labels import Label
from thresher.streams.pairs import Pairs
from thresher.streams.rows import Rows

#: What the features of a row are called where it stands, by column.
Named = Mapping[int, tuple[str, ...]]


def explain(model: Model, row: Features, label: Label | None = None) -> Explanation:
    """Take the score of a row apart.

    Parameters
    ----------
    model
        Any. Learners that count votes instead of weighing features say how many there were.
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

    Of several classes, a feature may speak for the predicted one and for its rival:

    >>> news = th.MulticlassPerceptron()
    >>> _ = news.learn([{"vote": 1}, {"goal": 1}, {"vote": 1, "law": 1}], ["law", "art", "law"])
    >>> why = explain(Model(learner=news), {"vote": 2.0, "goal": 1.0}, label="law")
    >>> why.predicted, why.score, why.rival
    ('art', -1.0, 'art')
    >>> [(c.names, c.adds, c.rival_adds) for c in why.contributions]
    [(('goal',), -1.0, 1.0), (('vote',), 0.0, 0.0)]

    A committee's score stands for log-odds; its features add to those of the fitted combination
    of its members, and what is no sum over features has names of its own.

    >>> mail = th.Committee()
    >>> _ = mail.learn([{"cash": 1}, {"noon": 1}, {"cash": 1, "now": 1}] * 9, [1, -1, 1] * 9)
    >>> why = explain(Model(learner=mail), {"cash": 1, "noon": 1})
    >>> why.unit, [c.names for c in why.contributions], [other.name for other in why.others]
    ('log-odds', [('noon',), ('cash',)], ['clipping', 'mixing', 'rounding'])
    >>> parts = [why.constant] + [c.adds for c in (*why.contributions, *why.others)]
    >>> abs(sum(parts) - why.total) < 1e-9
    True
    """
    return Explainer(model, label).explain(row)


class Explainer:
    """Takes scores apart, some rows at a time.

    Parameters
    ----------
    model, label
        As for `explain`.
    """

    def __init__(self, model: Model, label: Label | None = None) -> None:
        learner = model.learner
        self._model = model
        #: The number of the class whose score is meant, if that does not depend on the row.
        self._own: int | None = None
        if label is not None:
            self._own = learner.classes.index(class_called(learner, label))
        elif not learner.several:
            self._own = 1

    def explain(self, row: Features) -> Explanation:
        """Take the score of a row apart; it is a dict by names or by columns."""
        model, table = self._model, self._model.learner.name_table
        columns: list[tuple[int | None, str]] = []
        if table is not None:
            lexicon = Lexicon(table, False, False, Pairs.of(model.recipe.pairs))
            names = lexicon.with_pairs([name.encode() for name in row if isinstance(name, str)])
            texts = [name.decode() for name in names]
            columns = list(zip(lexicon.columns_of(names), texts, strict=True))
        named = by_column((column, name) for column, name in columns if column is not None)
        return self.explain_rows(model.rows([row]), [named])[0]

    def explain_rows(self, rows: Rows, named: Sequence[Named]) -> list[Explanation]:
        """The same of rows by columns; what is not `named` is called as the model calls it."""
        learner = self._model.learner
        if not learner.classes:
            raise ExportError("the model has not seen a class yet, so there is no score.")
        scores = learner.scores(rows)
        predicted = learner.predicted_numbers(scores).tolist()
        proba = learner.probabilities_of(scores) if learner.gives_probabilities else None
        # Of two labels the negative one has no score of its own.
        each = scores if learner.several else np.stack((np.zeros(len(rows)), scores), axis=1)
        parts: dict[int, ScoreParts] = {}
        found = []
        for t, said in enumerate(predicted):
            own = said if self._own is None else self._own
            others = [number for number in range(each.shape[1]) if number != own]
            rival = max(others, key=each[t].__getitem__, default=None)
            for number in (own, rival) if learner.several else (own,):
                if number is not None and number not in parts:
                    label = learner.classes[number] if learner.several else None
                    parts[number] = learner.score_parts(rows, label)
            told = _Told(t, said, own, rival, each[t].tolist())
            probability = None if proba is None else float(proba[t, own])
            found.append(self._told(told, parts, named[t], probability))
        return found

    def _told(
        self, row: _Told, parts: Mapping[int, ScoreParts], named: Named, probability: float | None
    ) -> Explanation:
        model, learner = self._model, self._model.learner
        several, t, rival = learner.several, row.t, row.rival
        names = tuple(map(str, learner.classes)) if several else model.label_names
        own = parts[row.own]
        against = parts[rival] if several and rival is not None else None
        return Explanation(
            predicted=names[row.predicted],
            label=names[row.own],
            score=row.scores[row.own],
            probability=probability,
            unit="log-odds" if own.log_odds else "score",
            total=float(own.total[t]),
            threshold=None if several else learner.threshold,
            rival=None if rival is None else names[rival],
            rival_score=row.scores[rival] if several and rival is not None else None,
            rival_total=None if against is None else float(against.total[t]),
            constant=float(own.constant[t]),
            rival_constant=None if against is None else float(against.constant[t]),
            contributions=_contributions(model, own, against, t, named),
            others=tuple(
                OtherPart(
                    name,
                    float(adds[t]),
                    None if against is None else float(against.others[name][t]),
                )
                for name, adds in own.others.items()
            ),
            opinions=_opinions(own, t),
        )


def by_column(named: Iterable[tuple[int, str]]) -> dict[int, tuple[str, ...]]:
    """What the features of a row are called, from columns and names as a reader gives them."""
    found: dict[int, tuple[str, ...]] = {}
    for column, name in named:
        found[column] = (*found.get(column, ()), name)
    return found


@dataclass(frozen=True, slots=True)
class _Told:
    """One row: where it stands, what is predicted, whose score is meant, and against whom."""

    t: int
    predicted: int
    own: int
    rival: int | None
    scores: list[float]


def _contributions(
    model: Model, own: ScoreParts, against: ScoreParts | None, t: int, named: Named
) -> tuple[Contribution, ...]:
    """What the features of a row add to its score, the largest first."""
    inside = slice(int(own.row_start[t]), int(own.row_start[t + 1]))
    rival = {}
    if against is not None:
        there = slice(int(against.row_start[t]), int(against.row_start[t + 1]))
        rival = dict(zip(against.column[there].tolist(), against.adds[there].tolist(), strict=True))
    found = []
    for k, column in enumerate(own.column[inside].tolist(), inside.start):
        known = model.names_of(column)
        names = named.get(column) or known
        shares = tuple(name for name in known if name not in names and name != str(column))
        if own.contrary is not None and own.contrary[k]:
            names = tuple(f"{own.contrary_word} {name}" for name in names)
        value, adds = float(own.value[k]), float(own.adds[k])
        found.append(
            Contribution(
                column=column,
                names=names,
                shares=shares,
                value=value,
                weight=_finite(adds / value),
                adds=adds,
                seen=float(own.seen[k]),
                weight_of_seen=_finite(float(own.weight[k])),
                rival_adds=None if against is None else rival.get(column, 0.0),
            )
        )
    return tuple(sorted(found, key=lambda part: (-abs(part.adds), part.column)))


def _finite(number: float) -> float | None:
    """The number, unless it is beyond all doubles."""
    return number if isfinite(number) else None


def _opinions(own: ScoreParts, t: int) -> tuple[Opinion, ...]:
    """What the members of a committee say of a row, the weightiest first."""
    said = [] if own.opinions is None else own.opinions[t].tolist()
    each = (
        Opinion(expert.name, log_odds, expert.weight, expert.left)
        for expert, log_odds in zip(own.experts, said, strict=True)
    )
    return tuple(sorted(each, key=lambda opinion: -opinion.weight))
