"""What forgetting gains on streams whose target moves, and what it costs on others."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher.games import RandomStream, Separators, disjunctions

ROUNDS = 6000
OFTEN = tuple(range(200, ROUNDS, 200))
every_seed = pytest.mark.parametrize("seed", range(3))


@every_seed
def test_a_floor_lets_winnow_follow_a_disjunction_that_moves(seed: int) -> None:
    concepts = disjunctions(200, r=4, active=20)
    moving = RandomStream(concepts, ROUNDS, seed=seed, drift=OFTEN).batch()
    plain, tracking = th.Winnow(200, threshold=20), th.Winnow(200, threshold=20, floor=0.25)
    assert tracking.learn(moving).mistakes < 0.85 * plain.learn(moving).mistakes
    assert tracking.dual.min() == -2.0
    assert plain.dual.min() < -6.0


@every_seed
def test_on_a_target_that_stays_a_floor_costs_winnow_little(seed: int) -> None:
    concepts = disjunctions(200, r=4, active=20)
    resting = RandomStream(concepts, ROUNDS, seed=seed).batch()
    plain, tracking = th.Winnow(200, threshold=20), th.Winnow(200, threshold=20, floor=0.25)
    assert tracking.learn(resting).mistakes <= 1.25 * plain.learn(resting).mistakes


@every_seed
def test_decay_lets_a_perceptron_follow_a_separator_that_moves(seed: int) -> None:
    moving = RandomStream(Separators(20, 0.1), ROUNDS, seed=seed, drift=OFTEN).batch()
    plain, forgetful = th.Perceptron(20, margin=1), th.Perceptron(20, margin=1, decay=0.02)
    assert forgetful.learn(moving).mistakes < 0.75 * plain.learn(moving).mistakes
    # What is left of k updates of length 1 is less than a geometric series.
    assert np.linalg.norm(forgetful.weights) <= 1 / 0.02
