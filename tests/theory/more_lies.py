"""Lies about gradient learners, about losses that recur, and about forecasts and held-out rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from tests.theory.exact_failures import at_most
from tests.theory.gradient_twins import adagrad, passive_aggressive
from tests.theory.lie import Lie
from tests.theory.streams import orthonormal, unit
from tests.theory.test_adagrad import contradicted as contradicted_adagrad
from tests.theory.test_adagrad import price, theorem_of
from tests.theory.test_parameter_mixing import mixed, mixed_winnow
from tests.theory.test_passive_aggressive import contradicted, with_losses
from tests.theory.test_shattering import shattered
from tests.theory.test_warm_starts import favourite_suffix, noisy_suffix
from tests.theory.twins import identity
from thresher import theory as th

F = Fraction


def gradient_lies() -> Iterator[Lie]:
    n = 9
    made = passive_aggressive(orthonormal(n), n, "PA").mistakes
    yield Lie(th.PassiveAggressiveSeparable, "M <= R ||u||/gamma", math.sqrt(n), made, n)
    yield Lie(th.PassiveAggressiveSeparable, "M <= R^2 ||u||^2/gamma^2 - 1", n - 1, made, n)
    run = passive_aggressive(contradicted("PA", F(1), 60), 1, "PA")
    truth = float(with_losses("PA", run, [0], F(1), F(1), F(1)).bound())
    squares = float(run.squared_losses)
    yield Lie(th.PassiveAggressiveSquaredHinge, "D for 2 D", truth / 4, squares, truth)
    yield Lie(th.PassiveAggressiveSquaredHinge, "l^2 <= 0.95 of it", 0.95 * truth, squares, truth)
    cap = F(1, 10)
    run = passive_aggressive(contradicted("PA-I", cap, 60), 1, "PA-I", cap)
    truth = float(with_losses("PA-I", run, [0], F(1), cap, F(1)).bound())
    claim = 2 * float(cap) * 60
    yield Lie(th.PassiveAggressiveCapped, "R^2 for max(R^2, 1/C)", claim, run.mistakes, truth)
    made = passive_aggressive(orthonormal(n), n, "PA-I", 1).mistakes
    yield Lie(th.PassiveAggressiveCapped, "||u|| for ||u||^2", math.sqrt(n), made, n)
    soft = F(1, 10)
    run = passive_aggressive(contradicted("PA-II", soft, 60), 1, "PA-II", soft)
    truth = float(with_losses("PA-II", run, [0], F(1), soft, F(1)).bound())
    claim = 2 * float(soft) * 60
    yield Lie(th.PassiveAggressiveSoftened, "1/(2C) forgotten", claim, run.mistakes, truth)
    squares = float(run.squared_losses)
    yield Lie(th.PassiveAggressiveSoftened, "C for 2C", truth / 2, squares, truth)
    for logistic, theorem in ((False, th.AdaGradHinge), (True, th.AdaGradLogistic)):
        stream = contradicted_adagrad(100, 1.0, logistic)
        measured = [adagrad(stream, [u / 10], 1.0, logistic) for u in range(-10, 11, 2)]
        best = min(measured, key=lambda run: float(theorem_of(run, 1.0, logistic).bound()))
        truth = float(theorem_of(best, 1.0, logistic).bound())
        claim = best.comparator_loss / price(logistic)
        bits = best.loss / price(logistic)
        yield Lie(theorem, "no regret", claim, bits, truth)
        without = (best.comparator_loss + best.distance**2 / 2 * best.root_sum) / price(logistic)
        yield Lie(theorem, "eta S forgotten", without, bits, truth)


def loss_lies() -> Iterator[Lie]:
    # Each shard holds ({0}, +1) and ({0}, -1); the target is {0}, every -1 an attribute error.
    shard = [(frozenset({0}), 1), (frozenset({0}), -1)]
    shards, epochs = 2, 6
    total = mixed_winnow([shard] * shards, 2, 2.0, epochs)
    once = th.WinnowComparator(2, [1], 0, 1, 2, loss=shards)
    every = th.WinnowComparator(2, [1], 0, 1, 2, loss=shards * epochs)
    truth = float(th.MixingWithLosses(every, shards).bound())
    says = "N B(L) with the losses of one epoch"
    yield Lie(th.MixingWithLosses, says, shards * float(once.bound()), total, truth)
    n, level = 9, 2
    noise = n * shards  # orthonormal examples at level 2 lose 1 each
    made = mixed([orthonormal(n)] * shards, n, identity, 1)
    sequential = th.PerceptronHinge(1, n, level, noise)
    truth = float(th.MixingWithLosses(sequential, shards).bound())
    alone = float(sequential.bound())
    yield Lie(th.MixingWithLosses, "B(L) without N", alone, made, truth)
    # Sure of nothing and always wrong: ln 2 a round.
    yield Lie(th.LogarithmicLoss, "M <= L", 20 * math.log(2), 20, 20)


def suffix_lies() -> Iterator[Lie]:
    entropy, eta, gamma, made = favourite_suffix(4096, 0.2)
    truth = float(th.NormalizedWinnowWarmStart(entropy, gamma, 1, eta).bound())
    claim = entropy / (eta * gamma)
    yield Lie(th.NormalizedWinnowWarmStart, "ln cosh(eta X) forgotten", claim, made, truth)
    divergence, loss, made = noisy_suffix(60)
    truth = float(th.WinnowWarmStart(divergence, 0, 1, 16, loss).bound())
    claim = float(th.WinnowWarmStart(0, 0, 1, 16, loss).bound())
    yield Lie(th.WinnowWarmStart, "D(c u||w0) forgotten", claim, made, truth)
    n = 9
    assert shattered([unit(i, n) for i in range(n)], [-1, 1])
    truth = th.MarginShattering(1, n, 1, n_features=n).max_points()
    yield Lie(th.MarginShattering, "n <= R U/gamma", 3, n, truth)
    yield Lie(th.MarginShattering, "n <= d - 1", n - 1, n, truth)


def new_risk_lies() -> Iterator[Lie]:
    """The claim is delta; what happens is how often the wrong bound fails; truth is certain."""
    delta, T, m = 0.2, 12, 3
    risk = float(th.HoldoutRisk(m, T, 2 * delta).bound()) * (1 + 1e-9)
    yield Lie(th.HoldoutRisk, "delta for both sides", delta, at_most(m, T, risk), 1)
    # The learner is right where the expert is wrong, with probability (1 - difference)/2.
    delta = 0.5
    fails = 1 - math.sqrt(math.log(1 / delta) / 2) / 2
    yield Lie(th.RiskDifference, "sqrt(ln(1/delta)/(2T))", delta, fails, 1)
    # Right with probability 1 - p and a loss of 0 then: b p exceeds half of the deviation.
    fails = 1 - math.sqrt(math.log(1 / delta) / 2) / 2
    yield Lie(th.AverageForecastRisk, "b/2 for b", delta, fails, 1)
