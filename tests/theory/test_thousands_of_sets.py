"""Thousands of streams of binary examples and of votes, against the bounds that speak of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.theory.many import (
    STREAMS,
    identity,
    run,
    sets,
    winnow,
)
from thresher.theory import (
    ConjunctionTarget,
    EliminationDisjunction,
    HalvingClass,
    PerceptronDisjunction,
    RandomizedMajorityBest,
    WeightedMajorityBest,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowFalsePositives,
    WinnowThickThresholds,
    WinnowZeroing,
)


@pytest.mark.parametrize(("d", "r"), [(4, 1), (10, 2), (20, 3)])
@pytest.mark.parametrize("factor", [2, 4])
def test_winnow_keeps_its_bounds(d: int, r: int, factor: int) -> None:
    rng = np.random.default_rng(d)
    active = sets(rng, d, 50)
    y = np.where(active[:, :, :r].any(axis=2), 1, -1)
    for theta in (d / 2, float(d), 2.0 * d):
        up, down = winnow(active, y, theta, theta, factor)
        theorem = WinnowAnyThreshold(d, r, factor - 1, theta)
        assert (up + down).sum(axis=1).max() <= theorem.max_mistakes()
        assert up.sum(axis=1).max() <= theorem.max_false_negatives()
        assert down.sum(axis=1).max() <= theorem.max_false_positives()
        up, down = winnow(active, y, theta, theta, factor, zeroing=True)
        zero = (up + down).sum(axis=1).max()
        assert zero <= WinnowZeroing(d, r, factor - 1, theta).max_mistakes()
        up, down = winnow(active, y, theta / 2, 2 * theta, factor)
        thick = (up + down).sum(axis=1).max()
        band = WinnowThickThresholds(d, r, factor - 1, theta / 2, 2 * theta)
        assert thick <= band.max_mistakes()
    active = np.concatenate([active, np.ones((STREAMS, 50, 1), dtype=bool)], axis=2)
    dense = run(active.astype(np.float64), y.copy(), identity).sum(axis=1).max()
    assert dense <= PerceptronDisjunction(r, d).max_mistakes()


@pytest.mark.parametrize(("d", "r"), [(5, 1), (12, 2)])
def test_winnow_pays_for_errors_and_false_positives_whatever_the_labels(d: int, r: int) -> None:
    rng = np.random.default_rng(d)
    active = sets(rng, d, 60)
    y = np.where(active[:, :, :r].any(axis=2), 1, -1)
    y *= np.where(rng.random(y.shape) < rng.choice([0.02, 0.2, 0.5], size=(STREAMS, 1)), -1, 1)
    up, down = winnow(active, y, d, d)
    relevant = active[:, :, :r].sum(axis=2)
    errors = (up * (relevant == 0) + down * relevant).sum(axis=1)
    made, missed = (up + down).sum(axis=1), up.sum(axis=1)
    for A in np.unique(errors):
        theorem = WinnowAttributeErrors(d, r, int(A), 1, d)
        assert made[errors == A].max() <= theorem.max_mistakes()
    for m in np.unique(missed):
        paid = WinnowFalsePositives(d, int(m), 1, d).max_false_positives()
        assert down.sum(axis=1)[missed == m].max() <= paid


def test_eliminators_halving_and_experts_keep_their_bounds() -> None:
    rng = np.random.default_rng(8)
    d, r = 12, 3
    active = sets(rng, d, 50)
    kept, named = (np.ones((STREAMS, d), dtype=bool) for _ in range(2))
    dropped, missing = np.zeros(STREAMS, dtype=np.int64), np.zeros(STREAMS, dtype=np.int64)
    left, votes_made = np.ones((STREAMS, d), dtype=bool), np.zeros(STREAMS, dtype=np.int64)
    weight, wrong = np.ones((STREAMS, d)), np.zeros((STREAMS, d), dtype=np.int64)
    majority = np.zeros(STREAMS, dtype=np.int64)
    for t in range(50):
        on = active[:, t]
        erred = (on & kept).any(axis=1) & ~on[:, :r].any(axis=1)
        kept &= ~(on & np.expand_dims(erred, 1))
        dropped += erred
        erred = ~(on | ~named).all(axis=1) & on[:, :r].all(axis=1)
        named &= on | ~np.expand_dims(erred, 1)
        missing += erred
        votes = np.where(on, 1, -1)
        y = votes[:, 0] * np.where(rng.random(STREAMS) < 0.1, -1, 1)
        votes_made += np.where((votes * left).sum(axis=1) >= 0, 1, -1) != votes[:, 0]
        left &= votes == votes[:, :1]
        majority += np.where((votes * weight).sum(axis=1) >= 0, 1, -1) != y
        wrong += votes != y[:, None]
        weight = np.where(votes != y[:, None], weight / 2, weight)
    assert dropped.max() <= EliminationDisjunction(d, r).max_mistakes()
    assert missing.max() <= ConjunctionTarget(d, r).max_mistakes()
    assert votes_made.max() <= HalvingClass(d).max_mistakes()
    best = wrong.min(axis=1)
    for m in np.unique(best):
        assert majority[best == m].max() <= WeightedMajorityBest(d, int(m)).max_mistakes()


@pytest.mark.parametrize(("k", "r", "d"), [(1, 2, 6), (2, 3, 8), (3, 5, 9)])
def test_winnow_learns_k_of_r_within_the_comparator_bound(k: int, r: int, d: int) -> None:
    active = sets(np.random.default_rng(k), d, 80)
    y = np.where(active[:, :, :r].sum(axis=2) >= k, 1, -1)
    up, down = winnow(active, y, d, d, 1 + 1 / (2 * k))
    assert (up + down).sum(axis=1).max() <= WinnowComparator.k_of_r(d, k, r).max_mistakes()


@pytest.mark.parametrize("beta", [0.25, 0.5, 0.9])
def test_randomized_majorities_keep_their_expectation(beta: float) -> None:
    rng = np.random.default_rng(11)
    n = 10
    weight, wrong = np.ones((STREAMS, n)), np.zeros((STREAMS, n), dtype=np.int64)
    expected = np.zeros(STREAMS)
    for _ in range(60):
        votes = rng.choice([-1, 1], size=(STREAMS, n))
        # Half of the labels go against the heavier side, the others with expert 0.
        heavier = np.where((votes * weight).sum(axis=1) >= 0, 1, -1)
        y = np.where(np.arange(STREAMS) % 2, -heavier, votes[:, 0])
        missed = votes != y[:, None]
        expected += (weight * missed).sum(axis=1) / weight.sum(axis=1)
        weight, wrong = np.where(missed, weight * beta, weight), wrong + missed
    best = wrong.min(axis=1)
    for m in np.unique(best):
        bound = float(RandomizedMajorityBest(n, int(m), beta).bound())
        assert expected[best == m].max() <= bound * (1 + 1e-12)
