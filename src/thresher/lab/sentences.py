"""What an update does, in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from thresher.learners.base.learner import Learner
from thresher.reports.lecture_table import TracedRound

#: What a factor is called where there is a word for it.
_FACTORS = {Fraction(2): "doubled", Fraction(1, 2): "halved"}


def sentence(learner: Learner, traced: TracedRound) -> str:
    """What the round changed.

    >>> import thresher as th
    >>> from thresher.reports.lecture_table import trace
    >>> winnow, rows = th.Winnow(4), th.Batch.of([[1, 0, 1, 0], [0, 1, 0, 0]], [1, -1])
    >>> [sentence(winnow, one) for one in trace(winnow, rows)]
    ['The 2 weights of this row are doubled.', 'Nothing changes.']
    """
    if not traced.changes:
        if traced.mistaken:
            return "It cannot learn from this mistake: nothing changes."
        return "Nothing changes."
    said = _SENTENCES.get(learner.name, _changed)(learner, traced)
    return said if traced.mistaken else f"It was right, and learns all the same. {said}"


def _additive(learner: Learner, traced: TracedRound) -> str:
    way = "added to" if traced.label > 0 else "subtracted from"
    return f"The row is {way} the weights."


def _multiplied(learner: Learner, traced: TracedRound) -> str:
    first = traced.changes[0]
    before, after = Fraction(first.before.value), Fraction(first.after.value)
    if not before or any(value != 1.0 for _, value in traced.features):
        return _changed(learner, traced)
    factor = after / before
    much = _FACTORS.get(factor, f"multiplied by {factor}") if after else "set to 0"
    count = len(traced.changes)
    if count == 1:
        return f"The one weight of this row is {much}."
    return f"The {count} weights of this row are {much}."


def _eliminated(learner: Learner, traced: TracedRound) -> str:
    count = len(traced.changes)
    which = "One of its features" if count == 1 else f"{count} of its features"
    return f"{which} cannot be in the rule, and leave{'s' if count == 1 else ''} it."


def _conjoined(learner: Learner, traced: TracedRound) -> str:
    count = len(traced.changes)
    what = "feature that is" if count == 1 else "features that are"
    return f"{count} {what} not in this row leave{'s' if count == 1 else ''} the rule."


def _concepts(learner: Learner, traced: TracedRound) -> str:
    (change,) = traced.changes
    return f"Of {change.before} concepts {change.after} agree with the label, and stay."


def _normalised(learner: Learner, traced: TracedRound) -> str:
    way = "towards" if traced.label > 0 else "away from"
    return f"Weight moves {way} the features of this row; the total stays the same."


def _changed(learner: Learner, traced: TracedRound) -> str:
    count = len(traced.changes)
    return "One weight changes." if count == 1 else f"{count} weights change."


_SENTENCES: dict[str, Callable[[Learner, TracedRound], str]] = {
    "perceptron": _additive,
    "winnow": _multiplied,
    "elimination": _eliminated,
    "conjunction": _conjoined,
    "halving": _concepts,
    "standard_optimal": _concepts,
    "normalized_winnow": _normalised,
    "signed_winnow": _normalised,
}
