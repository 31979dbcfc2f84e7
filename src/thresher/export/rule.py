"""A model as a rule: the features that decide alone.

A Winnow model predicts +1 when the weights of the active features reach its threshold; with a
bias, what is left of it. A feature whose weight does so alone decides: the rule is the
disjunction of these features.
Where weights are not negative it never says +1 when the model does not, on 0/1 rows; it
says the same on all of them when the other weights together stay below the threshold.
Elimination and Conjunction are such rules, and theirs are exact.

Features often come together, so that none of them needs the whole threshold. A rule of
features that reach a share of it (`reach`) is then nearer to the model; how near, the data say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError, ParameterError
from thresher.export.text import escaped
from thresher.learners.base.learner import Learner
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.streams.rows import Rows

#: Features asked about at a time.
AT_ONCE = 2**20


@dataclass(frozen=True, slots=True)
class Rule:
    """A disjunction ("or") or a conjunction ("and") of features, some of them negated."""

    word: str
    #: Columns and whether they must be on (True) or off (False), heaviest first.
    literals: tuple[tuple[int, bool], ...]
    #: Whether it agrees with the model on every row of 0s and 1s; None where nobody has proved it.
    exact: bool | None
    #: The largest share of the threshold that one feature reaches.
    highest: float = 1.0

    def holds(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether the rule says +1, for each row."""
        return self.predicts(rows) > 0

    def predicts(self, rows: Rows) -> NDArray[np.int32]:
        """The number of the label of each row: 1 where the rule says +1."""
        met = np.zeros(len(rows), np.int64)
        at = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
        active = rows.value == 1.0
        on = np.array([column for column, must in self.literals if must], np.int64)
        off = np.array([column for column, must in self.literals if not must], np.int64)
        np.add.at(met, at[active & np.isin(rows.column, on)], 1)
        met += len(off)
        np.subtract.at(met, at[active & np.isin(rows.column, off)], 1)
        needed = 1 if self.word == "or" else len(self.literals)
        return (met >= needed).astype(np.int32)

    def text(self, model: Model) -> str:
        """The rule in words, one feature a line."""
        negative, positive = model.label_names
        if not self.literals:
            always = negative if self.word == "or" else positive
            return f"{always}, always\n"
        some = "any of these is" if self.word == "or" else "all of these are"
        lines = [f"{positive} if {some} true:"]
        for column, must in self.literals:
            names = " or ".join(escaped(name) for name in model.names_of(column))
            lines.append(f"  {names}" if must else f"  not {names}")
        return "\n".join([*lines, f"otherwise {negative}"]) + "\n"


def rule_of(model: Model, top: int | None = None, reach: float = 1.0) -> Rule:
    """The rule that a model amounts to, or an error where features do not decide alone.

    Parameters
    ----------
    model
        Of the Winnow family with a threshold above 0, Elimination or Conjunction.
    top
        Keep only so many features, the heaviest.
    reach
        The share of the threshold that a feature must reach alone, above 0 and at most 1.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Winnow(n_features=4, threshold=2)
    >>> _ = learner.learn([{0: 1}, {1: 1}], [+1, -1])
    >>> print(rule_of(Model(learner=learner)).text(Model(learner=learner)), end="")
    +1 if any of these is true:
      0
    otherwise -1
    """
    learner = model.learner.uncalibrated
    if learner.formula is not None:
        word, literals = learner.formula
        cut = top is not None and top < len(literals)
        return Rule(word, literals[:top], exact=not cut)
    form = form_of(learner)
    if form.scaling is not None:
        raise ExportError(
            f"{type(learner).__name__} scales its rows (scaling={form.scaling!r}), so that what a "
            "feature adds depends on the others. Rules are for learners without scaling."
        )
    # What a feature must add to a row that has nothing else.
    needed = form.threshold * form.divisor - form.constant
    if float(learner.scores([{}])[0]) >= form.threshold or needed <= 0.0:
        raise ExportError(
            f"{type(learner).__name__} predicts +1 for a row without features, so no feature "
            "decides alone. Rules are for winnow, balanced_winnow, elimination and conjunction."
        )
    if not 0.0 < reach <= 1.0:
        raise ParameterError("rule_of", "reach", "above 0 and at most 1", reach)
    highest = float(np.max(form.weights, initial=0.0)) / needed
    if reach == 1.0:
        deciding = _deciding(learner, len(form.weights))
    else:
        deciding = np.flatnonzero(form.weights >= reach * needed)
    order = np.argsort(-form.weights[deciding], kind="stable")
    kept = deciding[order][:top]
    rest = np.delete(form.weights, kept)
    sides = reach == 1.0 and bool(np.all(form.weights >= 0.0))
    exact = sides and _surely_below(rest, needed)
    return Rule("or", tuple((column, True) for column in kept.tolist()), exact or None, highest)


def _deciding(learner: Learner, n: int) -> NDArray[np.int64]:
    """The columns that alone make the learner say +1; it settles close cases exactly."""
    found = [np.zeros(0, np.int32)]
    for first in range(0, n, AT_ONCE):
        column = np.arange(first, min(first + AT_ONCE, n), dtype=np.int32)
        single = Rows(np.arange(len(column) + 1, dtype=np.int64), column, np.ones(len(column)))
        found.append(column[learner.scores(single) >= learner.threshold])
    return np.concatenate(found).astype(np.int64)


def _surely_below(weights: NDArray[np.float64], needed: float) -> bool:
    """Whether the weights sum to less than is needed, rounding included."""
    return bool(weights.sum() * (1.0 + 1e-9) < needed)
