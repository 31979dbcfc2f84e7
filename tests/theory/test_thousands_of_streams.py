"""Thousands of random and adversarial streams at once, against every kind of mistake bound.

All streams of a test share a comparator, a margin and a radius, so one theorem speaks about all
of them. Half of the streams with noise have labels opposite to the learner's own predictions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.theory.many import (
    STREAMS,
    Link,
    hyperbolic,
    identity,
    power,
    run,
    separated,
    softmax,
)
from thresher.theory import (
    MulticlassNormalizedWinnow,
    MulticlassNovikoff,
    MulticlassPNorm,
    MulticlassSignedWinnow,
    NormalizedWinnowCommittee,
    NormalizedWinnowHinge,
    NormalizedWinnowRate,
    NormalizedWinnowSimple,
    NormalizedWinnowThick,
    NormalizedWinnowTuned,
    Novikoff,
    ParameterMixing,
    PerceptronHinge,
    PerceptronSquaredHinge,
    PerceptronThickMargin,
    PNorm,
    PNormDimension,
    PNormHinge,
    SignedWinnowHinge,
    SignedWinnowRestarts,
    SignedWinnowTuned,
    eta_star,
    phase_budget,
)
from thresher.theory.theorem import MistakeBound


@pytest.mark.parametrize(("u", "gamma"), [([1, -2, 0], 1), ([3, 1, -1, 2], 2), ([1] * 6, 1)])
def test_perceptrons_keep_their_bounds(u: list[int], gamma: int) -> None:
    rng = np.random.default_rng(gamma)
    x, y = separated(rng, u, gamma, 40, largest=2)
    squares = Fraction(4 * len(u)), sum(w * w for w in u), gamma
    assert run(x, y, identity).sum(axis=1).max() <= Novikoff(*squares).max_mistakes()
    thick = run(x, y, identity, thickness=5.0).sum(axis=1).max()
    assert thick <= PerceptronThickMargin(*squares, 5).max_mistakes()


@pytest.mark.parametrize("level", [1, 3, 8])
def test_perceptrons_keep_the_hinge_bounds_whatever_the_labels(level: int) -> None:
    rng = np.random.default_rng(level)
    u = [2, -1, 0, 1]
    x, y = separated(rng, u, 1, 25)
    y *= np.where(rng.random(y.shape) < 0.2, -1, 1)
    updated = run(x, y, identity, opposed=STREAMS // 2)
    losses = np.maximum(0, level - y * (x @ np.array(u)).astype(np.int64)) * updated
    made = updated.sum(axis=1)
    for loss in np.unique(losses.sum(axis=1)):
        theorem = PerceptronHinge(4, 6, level, int(loss))
        assert made[losses.sum(axis=1) == loss].max() <= theorem.max_mistakes()
    squared = (losses**2).sum(axis=1)
    for loss in np.unique(squared):
        bound = PerceptronSquaredHinge(4, 6, level, int(loss))
        assert made[squared == loss].max() <= bound.max_mistakes()


@pytest.mark.parametrize(("u", "gamma"), [([1, 2, 0, 1], 2), ([1, 0, 0, 0, 0, 0, 0, 0], 1)])
def test_exponentiated_learners_keep_their_bounds(u: list[int], gamma: int) -> None:
    x, y = separated(np.random.default_rng(3), u, gamma, 40)
    eta = eta_star(gamma, 1, sum(u))
    made = run(x, y, softmax(eta)).sum(axis=1).max()
    assert made <= NormalizedWinnowTuned(len(u), gamma, 1, sum(u), u_weights(u)).max_mistakes()
    signed = [-w if i % 2 else w for i, w in enumerate(u)]
    x, y = separated(np.random.default_rng(4), signed, gamma, 40)
    made = run(x, y, hyperbolic(eta)).sum(axis=1).max()
    assert made <= SignedWinnowTuned(len(u), gamma, 1, sum(u), u_weights(u)).max_mistakes()


def u_weights(u: list[int]) -> list[int]:
    return [w for w in u if w]


@pytest.mark.parametrize("eta", [0.1, 0.5])
def test_exponentiated_learners_keep_the_hinge_bounds_whatever_the_labels(eta: float) -> None:
    rng = np.random.default_rng(5)
    for link, theorem in (
        (softmax(eta), NormalizedWinnowHinge),
        (hyperbolic(eta), SignedWinnowHinge),
    ):
        x, y = separated(rng, [1, 0, 0, 0, 0], 1, 30)
        y *= np.where(rng.random(y.shape) < 0.2, -1, 1)
        updated = run(x, y, link, opposed=STREAMS // 2)
        losses = ((1 - y * x[:, :, 0]) * updated).sum(axis=1)
        for loss in np.unique(losses):
            bound = theorem(5, 1, 1, eta=eta, loss=int(loss)).max_mistakes()
            assert updated.sum(axis=1)[losses == loss].max() <= bound


@pytest.mark.parametrize("p", [2.0, 3.0, 6.0])
def test_p_norm_learners_keep_their_bounds(p: float) -> None:
    rng = np.random.default_rng(6)
    u = [1, 0, 0, -1, 0]
    x, y = separated(rng, u, 1, 40)
    made = run(x, y, power(p)).sum(axis=1).max()
    size, norm = 5 ** (2 / p), 2 ** (2 * (p - 1) / p)
    assert made <= PNorm(p, size * (1 + 1e-12), norm, 1).max_mistakes()
    assert made <= PNormDimension(p, 5, 1, 2, 1).max_mistakes()
    y *= np.where(rng.random(y.shape) < 0.2, -1, 1)
    updated = run(x, y, power(p), opposed=STREAMS // 2)
    losses = (np.maximum(0, 2 - y * (x @ np.array(u))) * updated).sum(axis=1)
    for loss in np.unique(losses):
        bound = PNormHinge(p, size, norm, 2, int(loss)).max_mistakes()
        assert updated.sum(axis=1)[losses == loss].max() <= bound


@pytest.mark.parametrize(("n", "k"), [(9, 3), (8, 4), (12, 5)])
def test_committees_are_found_within_the_bound(n: int, k: int) -> None:
    rng = np.random.default_rng(k)
    pool = rng.choice([-1, 1], size=(20_000, n))
    pool = pool[pool[:, :k].sum(axis=1) != 0]
    x = pool[rng.integers(0, len(pool), size=(STREAMS, 60))].astype(np.float64)
    y = np.where(x[:, :, :k].sum(axis=2) > 0, 1, -1)
    made = run(x, y, softmax(eta_star(1 if k % 2 else 2, 1, k))).sum(axis=1).max()
    assert made <= NormalizedWinnowCommittee(n, k).max_mistakes()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_several_classes_keep_the_bound(k: int) -> None:
    rng = np.random.default_rng(k)
    d, gamma = 4, 2
    u = rng.integers(-2, 3, size=(k, d))
    pool = rng.integers(-2, 3, size=(20_000, d))
    ranked = np.sort(pool @ u.T, axis=1)
    pool = pool[ranked[:, -1] - ranked[:, -2] >= gamma]
    x = pool[rng.integers(0, len(pool), size=(STREAMS, 60))]
    y = np.argmax(x @ u.T, axis=2)
    W, made = np.zeros((STREAMS, k, d), dtype=np.int64), np.zeros(STREAMS, dtype=np.int64)
    everyone = np.arange(STREAMS)
    for t in range(60):
        guess = np.argmax(np.einsum("skd,sd->sk", W, x[:, t]), axis=1)
        wrong = (guess != y[:, t])[:, None]
        W[everyone, y[:, t]] += x[:, t] * wrong
        W[everyone, guess] -= x[:, t] * wrong
        made += wrong[:, 0]
    theorem = MulticlassNovikoff(4 * d, int((u**2).sum()), gamma)
    assert made.max() <= theorem.max_mistakes()


@pytest.mark.parametrize("shards", [2, 5])
def test_averaged_perceptrons_keep_the_bound(shards: int) -> None:
    rng = np.random.default_rng(shards)
    u = [2, -1, 1]
    x, y = separated(rng, u, 2, 5 * shards)
    x, y = x[:, : 5 * shards], y[:, : 5 * shards]
    state, made = np.zeros((STREAMS, 3)), np.zeros(STREAMS, dtype=np.int64)
    for _ in range(30):
        ends = []
        for i in range(shards):
            w = state.copy()
            for t in range(i, 5 * shards, shards):
                score = (w * x[:, t]).sum(axis=1)
                wrong = np.where(score >= 0, 1, -1) != y[:, t]
                w += np.where(wrong, y[:, t], 0)[:, None] * x[:, t]
                made += wrong
            ends.append(w)
        state = np.mean(ends, axis=0)
    assert made.max() <= ParameterMixing(Novikoff(3, 6, 2), shards).max_mistakes()


@pytest.mark.parametrize("tau", [0.0, 0.1, 0.25])
def test_thick_normalized_winnow_keeps_its_bound(tau: float) -> None:
    u, gamma = [1, 2, 0, 1], 2
    x, y = separated(np.random.default_rng(9), u, gamma, 40)
    eta = gamma / 4 - tau
    made = run(x, y, softmax(eta), thickness=tau).sum(axis=1).max()
    assert made <= NormalizedWinnowThick(4, gamma, 1, 4, eta=eta, thickness=tau).max_mistakes()
    made = run(x, y, softmax(eta)).sum(axis=1).max()
    assert made <= NormalizedWinnowRate(4, gamma, 1, 4, eta=eta).max_mistakes()
    if tau == 0:
        assert made <= NormalizedWinnowSimple(4, gamma, 1, 4).max_mistakes()


@pytest.mark.parametrize(("u", "gamma"), [([3, -5, 4, 1, -2, 6], 1), ([2, 3, -4, 5], 1)])
def test_restarts_keep_the_sum_of_their_budgets(u: list[int], gamma: int) -> None:
    x, y = separated(np.random.default_rng(10), u, gamma, 150)
    d = len(u)
    budgets = np.array([0, *(phase_budget(d, j) for j in range(1, 20))])
    dual, phase = np.zeros((STREAMS, d)), np.ones(STREAMS, dtype=np.int64)
    made, total = np.zeros(STREAMS, dtype=np.int64), np.zeros(STREAMS, dtype=np.int64)
    for t in range(x.shape[1]):
        eta = np.arctanh(2.0**-phase)[:, None]
        score = (np.sinh(eta * dual) * x[:, t]).sum(axis=1)
        wrong = np.where(score >= 0, 1, -1) != y[:, t]
        dual += np.where(wrong, y[:, t], 0)[:, None] * x[:, t]
        made, total = made + wrong, total + wrong
        spent = made > budgets[phase]
        dual[spent], made[spent] = 0, 0
        phase += spent
    theorem = SignedWinnowRestarts(d, gamma, 1, sum(abs(w) for w in u))
    assert total.max() <= theorem.max_mistakes()
    assert 1 < phase.max() <= theorem.last_phase()


@pytest.mark.parametrize("k", [2, 4])
def test_several_exponentiated_and_p_norm_classes_keep_their_bounds(k: int) -> None:
    rng = np.random.default_rng(k)
    d, gamma = 3, 1
    u = rng.integers(0, 3, size=(k, d))
    pool = rng.integers(-1, 2, size=(20_000, d))
    ranked = np.sort(pool @ u.T, axis=1)
    pool = pool[ranked[:, -1] - ranked[:, -2] >= gamma]
    x = pool[rng.integers(0, len(pool), size=(STREAMS, 60))].astype(np.float64)
    y = np.argmax(x @ u.T, axis=2)
    norm = int(u.sum())
    eta = eta_star(gamma, 1, norm)
    whole = d, gamma, 1, norm
    q = 1.5
    bounds: list[tuple[Link, MistakeBound]] = [
        (softmax(eta), MulticlassNormalizedWinnow(*whole, classes=k)),
        (hyperbolic(eta), MulticlassSignedWinnow(*whole, classes=k)),
        (
            power(3.0),
            MulticlassPNorm(3, 3 ** (2 / 3), float((u**q).sum()) ** (2 / q), gamma),
        ),
    ]
    everyone = np.arange(STREAMS)
    for link, theorem in bounds:
        dual, made = np.zeros((STREAMS, k, d)), np.zeros(STREAMS, dtype=np.int64)
        for t in range(60):
            weights = link(dual.reshape(STREAMS, k * d)).reshape(STREAMS, k, d)
            guess = np.argmax(np.einsum("skd,sd->sk", weights, x[:, t]), axis=1)
            wrong = (guess != y[:, t])[:, None]
            dual[everyone, y[:, t]] += x[:, t] * wrong
            dual[everyone, guess] -= x[:, t] * wrong
            made += wrong[:, 0]
        assert made.max() <= theorem.max_mistakes()
