"""Streams without end: learners outside the reach of any theorem, wrong for ever."""

from __future__ import annotations

from thresher.games.assemble import of_dicts, of_sets
from thresher.games.eg_worst_case import eg_worst_case
from thresher.games.numbers import whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import Separator

Row = tuple[list[int], int]


def winnow_loop(repeats: int = 10) -> PlantedStream:
    """Factor-2 Winnow on ``x3 and (x1 or x2)``: five mistakes that lead back to the start.

    One row brings the weights to (1, 1, 2, 2); the five rows after it are all mistakes and
    restore these weights. Winnow with a large factor learns disjunctions, not all monotone
    threshold functions.

    >>> winnow_loop(100).forced
    501
    """
    whole("winnow_loop", "repeats", repeats, 0)
    entry: list[Row] = [([2, 3], 1)]
    loop: list[Row] = [([1, 3], 1), ([3], -1), ([1, 2], -1), ([2, 3], 1), ([3], -1)]
    rows = entry + loop * repeats
    return PlantedStream(
        name="winnow-loop",
        summary="five mistakes that return Winnow to the same weights",
        batch=of_sets(rows),
        victim="Winnow(beta=1, threshold=4)",
        n_features=4,
        target=Separator({1: 1, 2: 1, 3: 2}, threshold=3),
        forced=len(rows),
        bound=None,
    )


def balanced_loop(repeats: int = 10) -> PlantedStream:
    """Balanced Winnow (threshold 3) on ``x2 and (x1 or not x0)``: three mistakes for ever.

    Four rows bring the exponents to (0, 2, 2); the three rows after them are all mistakes and
    restore these exponents.

    >>> balanced_loop(100).forced
    304
    """
    whole("balanced_loop", "repeats", repeats, 0)
    entry: list[Row] = [([2], 1), ([1, 2], 1), ([0, 2], -1), ([0, 1, 2], 1)]
    loop: list[Row] = [([1], -1), ([0, 2], -1), ([0, 1, 2], 1)]
    rows = entry + loop * repeats
    return PlantedStream(
        name="balanced-loop",
        summary="three mistakes that return Balanced Winnow to the same weights",
        batch=of_sets(rows),
        victim="BalancedWinnow(beta=1, threshold=3)",
        n_features=3,
        target=Separator({0: -1, 1: 1, 2: 2}, threshold=2),
        forced=len(rows),
        bound=None,
    )


def committee_ties(repeats: int = 10) -> PlantedStream:
    """The Perceptron on a committee of two whose ties count as +1: wrong for ever.

    The committee (x0 + x1 >= 0) labels every row, but two of them with a tie: the margin is
    0, and the two tied rows are opposite in what they ask of the weights.

    >>> committee_ties(100).forced
    202
    """
    whole("committee_ties", "repeats", repeats, 0)
    signs = [((-1, -1, 1), -1), ((1, -1, 1), 1)] + [((-1, 1, 1), 1), ((1, -1, -1), 1)] * repeats
    rows = [({i: float(v) for i, v in enumerate(x)}, y) for x, y in signs]
    return PlantedStream(
        name="committee-ties",
        summary="two tied committee rows that the Perceptron never gets right",
        batch=of_dicts(rows),
        victim="Perceptron",
        n_features=3,
        target=Separator({0: 1, 1: 1}),
        forced=len(rows),
        bound=None,
    )


def eg_too_fast(rounds: int = 1000) -> PlantedStream:
    """Normalised Winnow with eta = 1 where the margin is 0.1: no bound holds, no end.

    The theorem needs a rate below 0.2013 for this margin.

    >>> eg_too_fast(100).forced
    100
    """
    return eg_worst_case(64, 0.1, eta=1, rounds=whole("eg_too_fast", "rounds", rounds, 1))


def float64_victim(after: int = 1100) -> PlantedStream:
    """A weight driven to zero in float64, and what recovers from it.

    In 1075 turns of ``{0}+, {0,1}-`` feature 1 is halved 1075 times: 2^-1075 is 0 in float64
    and stays 0, however often it is doubled. A learner that keeps exponents is back after
    1076 promotions. The labels change their mind in the second part (no target is claimed).

    >>> float64_victim(after=1076).forced
    3226
    """
    whole("float64_victim", "after", after, 0)
    cycle: list[Row] = [([0], 1), ([0, 1], -1)]
    rest: list[Row] = [([1], 1)] * after
    rows = cycle * 1075 + rest
    return PlantedStream(
        name="float64-victim",
        summary="1075 demotions of one weight, then only positive rows with it",
        batch=of_sets(rows),
        victim="Winnow(beta=1, threshold=2) with exact exponents",
        n_features=2,
        target=None,
        forced=2150 + min(after, 1076),
        bound=None,
    )
