"""Every multiplicative learner with its slow twin in the same state, and how to compare them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import thresher as th
from tests.reference.balanced_winnow import BalancedWinnow
from tests.reference.elimination import Elimination
from tests.reference.exponentiated import NormalizedWinnow, SignedWinnow
from tests.reference.multiplicative import Multiplicative, Step
from tests.reference.normalized import Normalized
from tests.reference.weighted_majority import WeightedMajority
from tests.reference.winnow import Winnow
from tests.reference.winnow1 import Winnow1
from thresher.learners.base.power_link import MultiplicativeLearner

Exact = int | float | Fraction
Example = tuple[dict[int, float], int]
Pair = tuple[MultiplicativeLearner, Multiplicative]
AnyTwin = Multiplicative | Elimination
Dual = list[float] | None
TWINS = {th.NormalizedWinnow: NormalizedWinnow, th.SignedWinnow: SignedWinnow}


def started(learner: MultiplicativeLearner, dual: Dual) -> MultiplicativeLearner:
    return learner if dual is None else learner.with_dual(dual)


def winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    theta = Fraction(n if threshold is None else threshold)
    learner = started(th.Winnow(n, beta, threshold), dual)
    return learner, Winnow(n, Fraction(beta), theta, dual)


def thick_winnow(n: int, *, mirrored: bool, margin: float, floor: Exact | None) -> Pair:
    """Winnow or Balanced Winnow with theta = 3, beta = 1, a margin and a floor."""
    lowest = -math.inf if floor is None else float(math.ceil(math.log2(floor)))
    twin = (BalancedWinnow if mirrored else Winnow)(
        n, Fraction(1), Fraction(3), margin=margin, floor=lowest
    )
    kind = th.BalancedWinnow if mirrored else th.Winnow
    return kind(n, 1, 3, margin=margin, floor=floor), twin


def zeroing_winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    theta = Fraction(n if threshold is None else threshold)
    learner = started(th.Winnow(n, beta, threshold, zeroing=True), dual)
    return learner, Winnow1(n, Fraction(beta), theta, dual)


def balanced_winnow(n: int, beta: Exact, threshold: Exact | None, dual: Dual = None) -> Pair:
    theta = Fraction(n if threshold is None else threshold)
    learner = started(th.BalancedWinnow(n, beta, threshold), dual)
    return learner, BalancedWinnow(n, Fraction(beta), theta, dual)


def best_step(margin: Fraction, rate: float, radius: Fraction = Fraction(1)) -> Step:
    """The step that is best for a margin: a power of a rational number."""
    return Step((radius + margin) / (radius - margin), rate, 1 / (2 * radius))


def exponentiated(
    kind: type[th.NormalizedWinnow] | type[th.SignedWinnow],
    n: int,
    eta: Exact | None,
    margin: Exact | None,
    bias: bool,
    dual: Dual = None,
) -> Pair:
    learner = kind(n, eta=eta, margin=margin, bias=bias)
    step = (
        best_step(Fraction(margin or 0), learner.eta)
        if eta is None
        else Step(None, learner.eta, Fraction(eta))
    )
    return started(learner, dual), TWINS[kind](n, step, dual, bias=bias)


def weighted_majority(n: int, beta: Exact, dual: Dual = None) -> Pair:
    learner = started(th.WeightedMajority(n, beta), dual)
    return learner, WeightedMajority(n, Fraction(beta), dual)


def elimination(n: int) -> tuple[th.Elimination, Elimination]:
    return th.Elimination(n), Elimination(n)


def play(learner: Any, examples: Sequence[Example]) -> list[float]:
    """The scores of a run, whole batches being what learners see most."""
    rounds = learner.learn([x for x, _ in examples], [y for _, y in examples])
    scores: list[float] = rounds.scores.tolist()
    return scores


def check_same(
    pair: tuple[MultiplicativeLearner, AnyTwin],
    examples: Sequence[Example],
    run: Callable[..., list[float]] = play,
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


def same(found: float, expected: float, twin: AnyTwin) -> bool:
    """Equal bit for bit; up to the last digit of the normaliser, which is kept, not summed up."""
    if not twin.normalized:
        return found.hex() == expected.hex()
    return abs(found - expected) <= abs(expected) * 2.0**-51 and (found < 0) == (expected < 0)


def check_same_state(learner: MultiplicativeLearner, twin: AnyTwin) -> None:
    assert learner.dual.tolist() == twin.duals
    assert learner.false_negatives == twin.false_negatives
    assert learner.false_positives == twin.false_positives
    kept = learner.journal
    assert list(kept.examples()) == [(row, label) for _, row, label in twin.journal]
    assert kept.round_number.tolist() == [t for t, _, _ in twin.journal]
    if not isinstance(twin, WeightedMajority):
        weights = np.array([twin.weight(i) for i in range(twin.n_features)])
        if isinstance(twin, Normalized):
            weights /= twin.total_mass()
        largest = np.finfo(np.float64).max
        pairs = zip(learner.weights, np.clip(weights, -largest, largest), strict=True)
        assert all(same(float(found), float(expected), twin) for found, expected in pairs)
    assert np.all(np.isfinite(learner.weights))
