"""Universal invariants hold on every stream: random labels, noise, and labels chosen to hurt."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.proofs.runs import KINDS
from thresher.games import float64_victim, greedy_winnow


@pytest.mark.parametrize("kind", KINDS)
def test_they_hold_under_labels_drawn_by_lot(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(20)
    updates = 0
    for _ in range(50):
        d, rounds = int(rng.integers(1, 9)), int(rng.integers(1, 60))
        X = generate(rng, rounds, d)
        audit = make(d).audit(X, rng.choice([-1, 1], rounds))
        assert audit.sound, audit.first_failure
        updates += len(audit)
    assert updates > 50


@pytest.mark.parametrize("kind", KINDS)
def test_they_hold_when_every_label_contradicts_the_prediction(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(21)
    for _ in range(30):
        d, rounds = int(rng.integers(1, 9)), int(rng.integers(1, 60))
        learner: Any = make(d)
        for row in generate(rng, rounds, d):
            x = {i: v for i, v in enumerate(row.tolist()) if v}
            learner.learn_one(x, -learner.predict_one(x))
        audit = learner.audit()
        assert audit.sound, audit.first_failure


def test_every_learner_checks_its_journal_and_its_potential() -> None:
    rng = np.random.default_rng(22)
    for kind, (make, generate) in KINDS.items():
        audit = make(6).audit(generate(rng, 40, 6), rng.choice([-1, 1], 40))
        names = {check.name for check in audit.universal if check.places}
        assert "order of rounds" in names, kind
        assert len(names) >= 5 or kind in {"halving", "majority, by lot"}, (kind, names)
        assert all(check.kind == "universal invariant" for check in audit.universal)


def test_weights_too_small_for_a_double_are_audited_exactly() -> None:
    stream = float64_victim(after=1100)
    learner = th.Winnow(stream.n_features)
    learner.learn(stream.batch)
    audit = learner.audit()
    assert audit.sound
    assert audit["U1 total weight"].arithmetic == "exact"
    assert min(audit.weight_of(1)) == Fraction(1, 2**1075)
    assert float(min(audit.weight_of(1))) == 0.0


def test_powers_too_far_apart_for_whole_numbers_are_audited_in_floating_point() -> None:
    learner = th.Winnow(2, beta=2.0**-30, threshold=1.5)
    audit = learner.audit(np.ones((3000, 2)), -np.ones(3000))
    assert len(audit) == 3000
    assert audit.sound
    assert "floating point" in audit["U6 false positives"].arithmetic


def test_they_hold_on_the_worst_streams_for_winnow() -> None:
    for n, r in ((16, 1), (100, 2), (64, 8)):
        stream = greedy_winnow(n_features=n, r=r)
        audit = th.Winnow(n).audit(stream.batch, comparator=set(range(r)))
        assert audit.holds, audit.first_failure
        assert len(audit) == stream.forced


@pytest.mark.parametrize("eta", [1e-6, 0.5, 40, 900])
def test_they_hold_for_steps_of_any_size(eta: float) -> None:
    """Weights then differ by more than doubles can, and a sum can fall by e^-900 at once."""
    rng = np.random.default_rng(23)
    for make, X in (
        (th.NormalizedWinnow, rng.choice([-1, 1], (400, 5))),
        (th.SignedWinnow, rng.uniform(-1, 1, (400, 5))),
    ):
        audit = make(5, eta=eta).audit(X, rng.choice([-1, 1], 400), comparator=[1, 0, 0, 0, 1])
        assert audit.sound, audit.first_failure
        assert audit["EG-c divergence"].holds
        assert np.all(np.isfinite(audit.table["potential"]))


def test_a_step_too_small_to_count_promotions_is_audited_without_them() -> None:
    rng = np.random.default_rng(24)
    X = rng.integers(0, 2, (50, 5))
    audit = th.Winnow(5, beta=2.0**-39).audit(X, np.where(X[:, 0], 1, -1), comparator={0})
    assert audit.holds
    assert "promotions" not in {check.name for check in audit.invariants}


def test_a_long_run_with_a_falling_sum_of_weights_keeps_its_digits() -> None:
    """The sum of all weights goes up and down by a factor of e^40, again and again."""
    x = np.array([[1.0, 1.0, 1.0, -1.0]])
    learner = th.NormalizedWinnow(4, eta=10)
    for k in range(200):
        for _ in range(4):
            learner.learn(x, [1 if k % 2 else -1])
    u = [0.25, 0.25, 0.25, 0.25]
    audit = learner.audit(comparator=u)
    assert audit.sound
    theta = np.array([audit.table["label"][: k + 1].sum() for k in range(len(audit))])
    exact = [np.log((3 * np.exp(10.0 * z) + np.exp(-10.0 * z)) / 4) for z in theta]
    assert np.allclose(audit.table["potential"], exact, atol=1e-8)
