"""Which way shards of a learner are combined: its record says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from thresher.verifier.algorithm import Algorithm
from thresher.verifier.mixed_runs.classes import LearnerForEach, Tables
from thresher.verifier.mixed_runs.combining import changed, combined
from thresher.verifier.mixed_runs.committees import Committees
from thresher.verifier.mixed_runs.way import Way
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.state import State

#: Rules that are about more than the numbers of features.
OF_WHOLE_STATES: dict[str, Callable[[Parameters], Way]] = {"committee": Committees.of}


@dataclass(frozen=True)
class NumbersOfFeatures:
    """One or two numbers for each feature, by a rule of `combining`."""

    rule: str
    one_of_several: bool

    def changed(self, before: State, after: State) -> State:
        """The features that differ."""
        return changed(before, after)

    def combined(self, before: State, after: Sequence[State]) -> State:
        """What the rule makes of them."""
        return combined(before, after, self.rule, one_of_several=self.one_of_several)


def way_of(algorithm: Algorithm, parameters: Parameters, *, one_of_several: bool = False) -> Way:
    """How shards of a learner are combined that has a rule for it."""
    rule = algorithm.mixing_rule(parameters)
    assert rule is not None
    if algorithm.inner_of is not None:
        inner, own = algorithm.inner_of(parameters)
        return LearnerForEach(way_of(inner, own, one_of_several=True))
    if algorithm.several:
        return Tables()
    if rule in OF_WHOLE_STATES:
        return OF_WHOLE_STATES[rule](parameters)
    return NumbersOfFeatures(rule, one_of_several)
