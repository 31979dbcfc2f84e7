"""AdaGrad: kept on random streams, nearly reached, exact values, and by the learner itself."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import thresher as learners
from tests.theory.gradient_twins import AdaGradRun, adagrad
from tests.theory.streams import noisy, separable
from tests.theory.twins import Labelled
from thresher.errors import HypothesisError, ParameterError
from thresher.theory import AdaGradHinge, AdaGradLogistic

F = Fraction


def theorem_of(run: AdaGradRun, eta: float, logistic: bool) -> AdaGradHinge | AdaGradLogistic:
    kind = AdaGradLogistic if logistic else AdaGradHinge
    return kind(run.comparator_loss, run.distance, run.root_sum, eta)


def price(logistic: bool) -> float:
    return math.log(2) if logistic else 1.0


@pytest.mark.parametrize("logistic", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_mistakes_and_losses_keep_the_bound_whatever_the_labels(logistic: bool, seed: int) -> None:
    rng = Random(seed)
    d, eta = rng.randint(1, 5), rng.choice([0.05, 0.5, 2.0])
    stream, target = separable(rng, d, 40)
    stream = noisy(rng, stream, rng.choice([0.0, 0.1, 0.5]))
    for scale in (0.0, 0.3, 2.0):
        u = [scale * weight for weight in target]
        run = adagrad(stream, u, eta, logistic)
        theorem = theorem_of(run, eta, logistic)
        assert run.mistakes <= theorem.max_mistakes()
        assert run.loss <= float(theorem.bound()) * price(logistic) * (1 + 1e-12)


def contradicted(rounds: int, eta: float, logistic: bool) -> list[Labelled]:
    """One feature that always gets the label that is not predicted."""
    stream: list[Labelled] = []
    weight = squares = 0.0
    for _ in range(rounds):
        y = -1 if weight >= 0 else 1
        stream.append(([1], y))
        slope = 1 / (1 + math.exp(y * weight)) if logistic else 1.0
        squares += slope**2
        weight += eta * slope * y / math.sqrt(squares)
    return stream


@pytest.mark.parametrize(
    ("logistic", "rounds", "least"),
    [(False, 100, 0.89), (False, 10_000, 0.98), (True, 100, 0.9), (True, 10_000, 0.98)],
)
def test_a_contradicted_feature_comes_as_near_as_said(
    logistic: bool, rounds: int, least: float
) -> None:
    stream = contradicted(rounds, 1.0, logistic)
    runs = [adagrad(stream, [u / 10], 1.0, logistic) for u in range(-10, 11, 2)]
    bound = min(float(theorem_of(run, 1.0, logistic).bound()) for run in runs)
    assert runs[0].mistakes == rounds
    assert least * bound <= rounds <= bound


def test_values_by_hand() -> None:
    # One feature, one round, u = -1: no loss of u, distance 1, one gradient of length 1.
    run = adagrad([([1], -1)], [-1], 1.0)
    assert (run.mistakes, run.comparator_loss, run.distance, run.root_sum) == (1, 0, 1, 1)
    assert theorem_of(run, 1.0, logistic=False).bound() == F(3, 2)
    assert AdaGradHinge(4, 3, 2, F(1, 2)).bound() == 4 + (9 + F(1, 2)) * 2
    double = AdaGradLogistic(4, 3, 2, F(1, 2)).bound()
    assert double == pytest.approx(23 / math.log(2), rel=1e-15)
    assert double >= F(23) / F(math.nextafter(math.log(2), 1))


def test_the_best_step_is_the_distance_over_the_root_of_two() -> None:
    best = AdaGradHinge(0, 3, 10, 3 / math.sqrt(2))
    assert best.bound() == pytest.approx(math.sqrt(2) * 3 * 10, rel=1e-12)
    for eta in (1, 2, 3, 4):
        assert float(AdaGradHinge(0, 3, 10, eta).bound()) >= float(best.bound()) * (1 - 1e-12)


def test_lengths_of_rows_and_weights_trade_places() -> None:
    """Rows k times as long, weights and step 1/k of theirs: the same run and the same bound."""
    stream, u = separable(Random(5), 3, 30)
    plain = adagrad(stream, u, 0.5)
    longer: list[Labelled] = [([4 * float(v) for v in x], y) for x, y in stream]
    scaled = adagrad(longer, [v / 4 for v in u], 0.125)
    assert plain.mistakes == scaled.mistakes
    assert theorem_of(plain, 0.5, logistic=False).bound() == pytest.approx(
        float(theorem_of(scaled, 0.125, logistic=False).bound())
    )


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
@pytest.mark.parametrize("bias", [False, True])
def test_the_learner_keeps_the_bound(loss: str, bias: bool) -> None:
    for seed in range(10):
        rng = Random(seed)
        stream, u = separable(rng, 4, 80)
        stream = noisy(rng, stream, 0.1)
        learner = learners.AdaGrad(4, rate=0.5, loss=loss, bias=bias)
        rounds = learner.learn(np.array([x for x, _ in stream], float), [y for _, y in stream])
        seen: list[Labelled] = [([*x, 1], y) if bias else (x, y) for x, y in stream]
        run = adagrad(seen, [*u, 0] if bias else u, 0.5, loss == "logistic")
        assert rounds.mistakes == run.mistakes
        assert rounds.mistakes <= theorem_of(run, 0.5, loss == "logistic").max_mistakes()


def test_a_false_hypothesis_is_refused_by_name() -> None:
    for kind in (AdaGradHinge, AdaGradLogistic):
        with pytest.raises(HypothesisError, match="eta > 0, measured 0"):
            kind(1, 1, 1, 0).max_mistakes()
        with pytest.raises(ParameterError):
            kind(1, -1, 1, 1)
