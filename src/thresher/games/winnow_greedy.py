"""Streams of disjunctions on which threshold Winnow errs (almost) as often as it can."""

from __future__ import annotations

from math import floor

from thresher.games.assemble import of_sets
from thresher.games.numbers import Number, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import disjunction
from thresher.games.winnow_powers import Powers, WinnowRule

Round = tuple[list[int], int]


def singletons(
    n_features: int, r: int, beta: Number = 1, threshold: Number | None = None
) -> PlantedStream:
    """Each relevant feature alone, K times: r K false negatives, the most there can be.

    A weight starts at 1 and needs K promotions to reach the threshold; a singleton row is
    wrong until then, and no row promotes two relevant features.

    >>> singletons(n_features=100, r=2).forced
    14
    """
    whole("singletons", "r", r, 0, n_features)
    rule = WinnowRule.of("singletons", n_features, beta, threshold)
    rows = [([i], 1) for i in range(r) for _ in range(rule.promotions)]
    return PlantedStream(
        name="singletons",
        summary="one relevant feature at a time, until its weight reaches the threshold",
        batch=of_sets(rows),
        victim=str(rule),
        n_features=n_features,
        target=disjunction(range(r)),
        forced=len(rows),
        bound=r * rule.promotions,
    )


def greedy_winnow(
    n_features: int,
    r: int,
    beta: Number = 1,
    threshold: Number | None = None,
    interleave: bool | None = None,
) -> PlantedStream:
    """Promote irrelevant features with every positive row, then demote them as often as possible.

    The proof of Winnow's bound adds up the total weight: a false negative raises it by less
    than ``beta * threshold``, a false positive lowers it by at least
    ``(1 - 1/(1+beta)) * threshold``. To meet both with near equality a positive row is one
    relevant feature together with the heaviest irrelevant ones that keep the score below the
    threshold, and a negative row is a set of irrelevant features whose weight is at least
    the threshold and exceeds it by little.

    Parameters
    ----------
    interleave
        Whether the relevant features take turns or come one after the other; None keeps
        the longer of the two streams.

    >>> [greedy_winnow(d, 1).forced for d in (4, 8, 16, 32)]
    [4, 7, 10, 13]
    """
    whole("greedy_winnow", "r", r, 0, n_features)
    rule = WinnowRule.of("greedy_winnow", n_features, beta, threshold)
    orders = (False, True) if interleave is None else (interleave,)
    rows = max((_Greedy(rule, n_features, r).rounds(turns) for turns in orders), key=len)
    return PlantedStream(
        name="greedy-winnow",
        summary="positive rows that raise irrelevant weights, negative rows that drain them",
        batch=of_sets(rows),
        victim=str(rule),
        n_features=n_features,
        target=disjunction(range(r)),
        forced=len(rows),
        bound=rule.bound(n_features, r),
    )


class _Greedy:
    """The state of the construction: every feature's exponent, exactly as Winnow has it."""

    def __init__(self, rule: WinnowRule, n_features: int, r: int) -> None:
        K = rule.promotions
        start = (rule.factor * n_features / rule.threshold - 1) / (rule.factor - 1)
        demotions = max(0, floor(start + rule.factor * r * K)) + 1
        self.power = Powers(rule, -demotions, K + 1)
        self.exponent = [0] * n_features
        self.irrelevant = list(range(r, n_features))
        self.relevant, self.K = range(r), K
        self.rows: list[Round] = []

    def rounds(self, turns: bool) -> list[Round]:
        """The whole stream."""
        self._drain()
        order = [i for i in self.relevant for _ in range(self.K)]
        if turns:
            order = [i for _ in range(self.K) for i in self.relevant]
        for i in order:
            self._play([*self._just_below(self.power.threshold - self._weight(i)), i], 1)
            self._drain()
        return self.rows

    def _weight(self, i: int) -> int:
        return self.power[self.exponent[i]]

    def _play(self, active: list[int], label: int) -> None:
        for i in active:
            self.exponent[i] += label
        self.rows.append((sorted(active), label))

    def _drain(self) -> None:
        while active := self._just_above():
            self._play(active, -1)

    def _just_below(self, limit: int) -> list[int]:
        """The heaviest irrelevant features, in turn, while the total stays below `limit`."""
        self.irrelevant.sort(key=lambda j: -self.exponent[j])
        chosen, total = [], 0
        for j in self.irrelevant:
            if total + self._weight(j) < limit:
                total += self._weight(j)
                chosen.append(j)
        return chosen

    def _just_above(self) -> list[int]:
        """The heaviest irrelevant features that together reach the threshold, if they do.

        None of them is superfluous: without the lightest the total is below the threshold.
        """
        self.irrelevant.sort(key=lambda j: -self.exponent[j])
        chosen, total = [], 0
        for j in self.irrelevant:
            if total >= self.power.threshold:
                break
            chosen.append(j)
            total += self._weight(j)
        return chosen if total >= self.power.threshold else []
