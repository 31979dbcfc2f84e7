"""Every multiplicative learner with its slow twin in the same state, and how to compare them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import thresher as th
from tests.reference.multiplicative import Multiplicative, Shape
from thresher.learners.base.power_link import MultiplicativeLearner

Exact = int | float | Fraction
Example = tuple[dict[int, float], int]
Pair = tuple[MultiplicativeLearner, Multiplicative]
Dual = list[float] | None


def _paired(learner: MultiplicativeLearner, shape: Shape, dual: Dual) -> Pair:
    return (learner if dual is None else learner.with_dual(dual)), Multiplicative(shape, dual)


def winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    at = Fraction(n if threshold is None else threshold)
    shape = Shape(n, 1 + Fraction(beta), math.log1p(beta), threshold=at)
    return _paired(th.Winnow(n, beta, threshold), shape, dual)


def thick_winnow(
    n: int, *, mirrored: bool, margin: float, floor: Exact | None, dual: Dual = None
) -> Pair:
    """Winnow or Balanced Winnow with theta = 3, beta = 1, a margin and a floor."""
    kind = th.BalancedWinnow if mirrored else th.Winnow
    learner = kind(n, 1, 3, margin=margin, floor=floor)
    lowest = -math.inf if floor is None else float(math.ceil(math.log2(floor)))
    shape = Shape(
        n,
        Fraction(2),
        math.log1p(1),
        threshold=Fraction(3),
        mirrored=mirrored,
        margin=margin,
        floor=lowest,
    )
    return _paired(learner, shape, dual)


def zeroing_winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    at = Fraction(n if threshold is None else threshold)
    shape = Shape(n, 1 + Fraction(beta), math.log1p(beta), threshold=at, zeroing=True)
    return _paired(th.Winnow(n, beta, threshold, zeroing=True), shape, dual)


def balanced_winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    at = Fraction(n if threshold is None else threshold)
    shape = Shape(n, 1 + Fraction(beta), math.log1p(beta), threshold=at, mirrored=True)
    return _paired(th.BalancedWinnow(n, beta, threshold), shape, dual)


def exponentiated(
    kind: type[th.NormalizedWinnow] | type[th.SignedWinnow],
    n: int,
    eta: Exact | None,
    margin: Exact | None,
    bias: bool,
    dual: Dual = None,
) -> Pair:
    learner = kind(n, eta=eta, margin=margin, bias=bias)
    base, per = (
        (None, Fraction(eta))
        if eta is not None
        else ((1 + Fraction(margin or 0)) / (1 - Fraction(margin or 0)), Fraction(1, 2))
    )
    mirrored = kind is th.SignedWinnow
    # Powers of a base with a root in it are taken as exp(rate * z), never by pow.
    shape = Shape(n, base, learner.eta, per, mirrored=mirrored, normalized=True, bias=bias)
    return _paired(learner, shape, dual)


def weighted_majority(n: int, beta: Exact, dual: Dual = None) -> Pair:
    base = 1 / Fraction(beta) if beta else Fraction(2)
    shape = Shape(n, base, math.log1p(base - 1), normalized=True, voting=True, zeroing=beta == 0)
    return _paired(th.WeightedMajority(n, beta), shape, dual)


def elimination(n: int, dual: Dual = None) -> Pair:
    shape = Shape(n, Fraction(2), math.log(2), threshold=Fraction(1), promotes=False, zeroing=True)
    return _paired(th.Elimination(n), shape, dual)


def play(learner: Any, examples: Sequence[Example]) -> list[float]:
    """The scores of a run, whole batches being what learners see most."""
    rounds = learner.learn([x for x, _ in examples], [y for _, y in examples])
    scores: list[float] = rounds.scores.tolist()
    return scores


def check_same(
    pair: Pair, examples: Sequence[Example], run: Callable[..., list[float]] = play
) -> None:
    """Play both and compare: scores bit for bit, then all that is left behind."""
    learner, twin = pair
    scores = run(learner, examples)
    for (row, label), score in zip(examples, scores, strict=True):
        plain = twin.plain_sum(row)
        expected = twin.play(row, label)
        # Where the sum of doubles is the threshold itself, or no number, only its side is defined.
        if plain == twin.threshold or not math.isfinite(plain):
            assert math.isfinite(score)
            assert (score >= twin.threshold) == (expected >= twin.threshold)
        else:
            assert same(score, expected, twin), (row, label)
    check_same_state(learner, twin)


def same(found: float, expected: float, twin: Multiplicative) -> bool:
    """Equal bit for bit; up to the last digit of the normaliser, which is kept, not summed up."""
    if not twin.shape.normalized:
        return found.hex() == expected.hex()
    return abs(found - expected) <= abs(expected) * 2.0**-51 and (found < 0) == (expected < 0)


def check_same_state(learner: MultiplicativeLearner, twin: Multiplicative) -> None:
    assert learner.dual.tolist() == twin.duals
    assert learner.false_negatives == twin.false_negatives
    assert learner.false_positives == twin.false_positives
    kept = learner.journal
    assert list(kept.examples()) == [(row, label) for _, row, label in twin.journal]
    assert kept.round_number.tolist() == [t for t, _, _ in twin.journal]
    if not twin.shape.voting:
        weights = np.array([twin.weight(i) for i in range(twin.shape.n_features)])
        if twin.shape.normalized:
            weights /= twin.total_mass()
        largest = np.finfo(np.float64).max
        pairs = zip(learner.weights, np.clip(weights, -largest, largest), strict=True)
        assert all(same(float(found), float(expected), twin) for found, expected in pairs)
    assert np.all(np.isfinite(learner.weights))
