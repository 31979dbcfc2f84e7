"""The exact worst case of threshold Winnow on disjunctions, by exploring all reachable states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import floor

from thresher.games.assemble import of_sets
from thresher.games.numbers import Number, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import disjunction
from thresher.games.winnow_powers import Powers, WinnowRule

Exponents = tuple[int, ...]
#: Exponents of the relevant and of the irrelevant features, each sorted downwards.
State = tuple[Exponents, Exponents]
#: How many features to take of each exponent.
Choice = tuple[tuple[int, int], ...]
#: Label, relevant choice, irrelevant choice, next state.
Move = tuple[int, Choice, Choice, State]


class WinnowWorstCase:
    """The longest sequence of mistakes on any stream labelled by a disjunction of r features.

    Winnow moves only on mistakes, so a stream is a path of mistakes through its states; no
    realisable stream makes it return to a state, so the longest path is found by recursion
    with a memo. Features with equal weights are interchangeable: a state is two multisets of
    exponents, and a row is how many features to take of each exponent. All in integers.

    >>> [WinnowWorstCase(4, r).mistakes for r in range(5)]
    [1, 4, 7, 8, 8]
    """

    def __init__(
        self, n_features: int, r: int, beta: Number = 1, threshold: Number | None = None
    ) -> None:
        whole("WinnowWorstCase", "n_features", n_features, 1)
        whole("WinnowWorstCase", "r", r, 0, n_features)
        self.n_features, self.r = n_features, r
        self.rule = WinnowRule.of("WinnowWorstCase", n_features, beta, threshold)
        K = self.rule.promotions
        start = (self.rule.factor * n_features / self.rule.threshold - 1) / (self.rule.factor - 1)
        demotions = max(0, floor(start + self.rule.factor * r * K)) + 1
        self._power = Powers(self.rule, -demotions, K + 1)
        self._memo: dict[State, tuple[int, Move | None]] = {}
        self._start: State = ((0,) * r, (0,) * (n_features - r))

    @property
    def mistakes(self) -> int:
        """The most mistakes any stream of the class can force."""
        return self._solve(self._start)[0]

    @property
    def states(self) -> int:
        """How many states were explored so far."""
        return len(self._memo)

    def sequence(self) -> list[tuple[list[int], int]]:
        """A stream that forces them, as active features and label; relevant are 0 to r-1."""
        exponent = [0] * self.n_features
        groups = (range(self.r), range(self.r, self.n_features))
        rows = []
        state = self._start
        while (move := self._solve(state)[1]) is not None:
            label, relevant, irrelevant, state = move
            active: list[int] = []
            for features, choice in zip(groups, (relevant, irrelevant), strict=True):
                for c, count in choice:
                    active.extend([i for i in features if exponent[i] == c][:count])
            for i in active:
                exponent[i] += label
            rows.append((sorted(active), label))
        return rows

    def _solve(self, start: State) -> tuple[int, Move | None]:
        """The longest path from a state, and its first move; mistakes end, so no path is deep."""
        known = self._memo.get(start)
        if known is not None:
            return known
        best: tuple[int, Move | None] = (0, None)
        for move in self._moves(start):
            length = 1 + self._solve(move[3])[0]
            if length > best[0]:
                best = (length, move)
        self._memo[start] = best
        return best

    def _moves(self, state: State) -> Iterator[Move]:
        relevant, irrelevant = state
        limit = self._power.threshold
        for weight, chosen in self._choices(relevant, limit):
            if chosen:
                promoted = _moved(relevant, chosen, 1)
                for _, extra in self._choices(irrelevant, limit - weight):
                    yield 1, chosen, extra, (promoted, _moved(irrelevant, extra, 1))
        for weight, chosen in self._choices(irrelevant, None):
            if weight >= limit:
                yield -1, (), chosen, (relevant, _moved(irrelevant, chosen, -1))

    def _choices(self, exponents: Exponents, limit: int | None) -> list[tuple[int, Choice]]:
        """All ways to take some of the features, with their weight, below `limit` if given."""
        ways: list[tuple[int, Choice]] = [(0, ())]
        for c, available in Counter(exponents).items():
            unit = self._power[c]
            ways = [
                (weight + count * unit, (*chosen, (c, count)) if count else chosen)
                for weight, chosen in ways
                for count in range(available + 1)
                if limit is None or weight + count * unit < limit
            ]
        return ways


def _moved(exponents: Exponents, chosen: Choice, step: int) -> Exponents:
    """The sorted exponents after the chosen features moved by `step`."""
    if not chosen:
        return exponents
    counts = Counter(exponents)
    for c, count in chosen:
        counts[c] -= count
    for c, count in chosen:
        counts[c + step] += count
    return tuple(sorted(counts.elements(), reverse=True))


def optimal_winnow(
    n_features: int, r: int, beta: Number = 1, threshold: Number | None = None
) -> PlantedStream:
    """A longest possible sequence of Winnow mistakes, for few features.

    >>> optimal_winnow(5, 3).forced
    14
    """
    search = WinnowWorstCase(n_features, r, beta, threshold)
    rows = search.sequence()
    return PlantedStream(
        name="optimal-winnow",
        summary="a longest path through Winnow's states, found by exhaustive search",
        batch=of_sets(rows),
        victim=str(search.rule),
        n_features=n_features,
        target=disjunction(range(r)),
        forced=search.mistakes,
        bound=search.rule.bound(n_features, r),
    )
