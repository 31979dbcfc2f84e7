"""Slightly wrong versions of every theorem, each with what really happens.

A lie is a formula with one thing changed: a term forgotten, a logarithm of the wrong base, a
bound taken one too low. ``happened`` is what a concrete stream, an exhaustive search or an exact
probability shows; ``truth`` is what the theorem itself says about the same case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.theory.adversaries import AgainstWinnow, dense_against_perceptron
from tests.theory.exact_failures import (
    anytime_risks,
    at_most,
    failure_at_some_time,
    failure_of_prior,
    failure_of_streaks,
)
from tests.theory.exhaustive import most_mistakes
from tests.theory.k_dnf_streams import hard_stream
from tests.theory.lie import Lie
from tests.theory.more_lies import gradient_lies, loss_lies, new_risk_lies, suffix_lies
from tests.theory.streams import hinge, orthonormal
from tests.theory.test_finite import (
    littlestone_dimension,
    split_evenly,
    standard_optimal,
    tables,
    worst_of_halving,
)
from tests.theory.test_mixture import mixture
from tests.theory.test_nearly_reached import classes, growing, hadamard, hyperbolic
from tests.theory.test_parameter_mixing import mixed
from tests.theory.tight import (
    AgainstBand,
    AgainstNoisyWinnow,
    against,
    hyperbolic_weights,
    narrow,
    p_norm_weights,
    patterns,
    shown,
    softmax_weights,
)
from tests.theory.twins import (
    Active,
    Labelled,
    conjunction,
    elimination,
    expected_majority,
    halving,
    identity,
    multiclass,
    norm,
    normalized_winnow,
    p_norm,
    perceptron,
    signed_winnow,
    softmax,
    weighted_majority,
    winnow,
)
from thresher import theory as th

F = Fraction


def perceptron_lies() -> Iterator[Lie]:
    n = 9
    made = perceptron(orthonormal(n), n).mistakes
    yield Lie(th.Novikoff, "M <= R^2 ||u||^2/gamma^2 - 1", n - 1, made, n)
    yield Lie(th.Novikoff, "M <= R ||u||/gamma", math.sqrt(n), made, n)
    truth = float(th.NovikoffBySum(n, n, 1).bound())
    yield Lie(th.NovikoffBySum, "S without the last mistake", math.sqrt(n * (n - 1)), made, truth)
    losses = hinge(orthonormal(n), [-1] * n, F(2))
    plain = th.PerceptronHinge(1, n, 2, sum(losses))
    yield Lie(th.PerceptronHinge, "M <= L/gamma + A^2", n / 2 + n / 4, made, float(plain.bound()))
    squared = th.PerceptronSquaredHinge(1, n, 2, sum(loss**2 for loss in losses))
    yield Lie(
        th.PerceptronSquaredHinge,
        "M <= (R^2 ||u||^2 + D^2)/gamma^2",
        (n + n) / 4,
        made,
        float(squared.bound()),
    )
    half = perceptron(orthonormal(8)[:4], 8).dual
    further = perceptron(orthonormal(8)[4:], 8, half).mistakes
    # K + 4 <= sqrt(8 K) has no solution, so the lie allows nothing.
    warm = float(th.PerceptronWarmStart(4, 4, 1, 8, 1).bound())
    yield Lie(th.PerceptronWarmStart, "||w0||^2 forgotten under the root", 0, further, warm)
    rows: list[Labelled] = [([-v for v in row], -1) for row in hadamard(4)]
    voted = perceptron(rows, 16).mistakes
    yield Lie(th.PerceptronCommittee, "M <= k (N - 1)", 15, voted, 16)
    empty = perceptron([([0, 1], -1)] * 3, 2).mistakes
    truth = float(th.PerceptronDisjunction(0, 0).bound())
    yield Lie(th.PerceptronDisjunction, "M <= 4r (s + 1)", 0, empty, truth)
    yield Lie(th.PerceptronDisjunction, "M <= (4r + 1) s", 0, empty, truth)
    dense = dense_against_perceptron(64, 8)
    active = int(max(sum(x) for x, _ in dense)) - 1
    truth = float(th.PerceptronDisjunction(8, active).bound())
    claim = (8 + 4) * (active + 1)
    yield Lie(th.PerceptronDisjunction, "M <= (r + 4)(s + 1)", claim, len(dense), truth)
    stream = narrow(0.1, 3.0)
    updates = len(perceptron(stream, 3, thickness=3.0).updates)
    truth = float(th.PerceptronThickMargin(1, 1, F(1, 10), 3).bound())
    yield Lie(th.PerceptronThickMargin, "U <= (R^2 + tau) .../gamma^2", 4 * 100, updates, truth)


def winnow_lies() -> Iterator[Lie]:
    worst = most_mistakes(5, 1, F(2), F(5))
    floored = math.ceil(1 + (3 * 2 - F(2**3, 5))) - 1
    truth = th.WinnowDisjunction(5, 1).max_mistakes()
    yield Lie(th.WinnowDisjunction, "K = floor(log2 d)", floored, worst, truth)
    forced = winnow(AgainstWinnow(16, 1, F(2), F(16)).play(), 16, 2, 16).mistakes
    truth = th.WinnowDisjunctionClean(16, 1).max_mistakes()
    yield Lie(th.WinnowDisjunctionClean, "M <= r (3K - 3)", 3 * 4 - 3, forced, truth)
    # d = 2, r = 1, factor 11/10, threshold 2: K = 8, and V is below r K.
    factor, K = F(11, 10), 8
    A = (factor * 2 / 2 - 1) / (factor - 1)
    V = A + (1 + factor) * K - factor ** (K + 1) / ((factor - 1) * 2)
    truth = th.WinnowAnyThreshold(2, 1, factor - 1, 2).max_mistakes()
    worst = most_mistakes(2, 1, factor, F(2))
    claim = math.ceil(V) - 1
    yield Lie(th.WinnowAnyThreshold, "M <= ceil(V) - 1 without r K", claim, worst, truth)
    run = winnow(
        [
            (frozenset(range(7)), 1),
            (frozenset(range(4)), -1),
            (frozenset({0, 1, 4, 5, 6}), -1),
        ],
        8,
        2,
        8,
    )
    allowed = th.WinnowFalsePositives(8, run.false_negatives, 1, 8).max_false_positives()
    claim = 2 * run.false_negatives - 1
    yield Lie(
        th.WinnowFalsePositives, "m- < alpha m+ (A forgotten)", claim, run.false_positives, allowed
    )
    band = AgainstBand(64, 1, F(2), F(32), F(64)).play_band()
    made = winnow(band, 64, 2, 64, band=(F(32), F(64))).mistakes
    truth = th.WinnowThickThresholds(64, 1, 1, 32, 64).max_mistakes()
    claim = 6 + (2 * 64 // 32 - 1) + 2 * 6
    yield Lie(th.WinnowThickThresholds, "theta_hi/theta_lo forgotten", claim, made, truth)
    made = winnow(hard_stream(5, 2, frozenset({14})), 15, 2, 15).mistakes
    claim, truth = th.WinnowDisjunction(5, 1).max_mistakes(), th.WinnowKDNF(5, 2, 1).max_mistakes()
    yield Lie(th.WinnowKDNF, "d = n, as if there were no conjunctions", claim, made, truth)
    zeroed = most_mistakes(4, 0, F(2), F(2), zeroing=True)
    truth = th.WinnowZeroing(4, 0, 1, 2).max_mistakes()
    yield Lie(th.WinnowZeroing, "M <= 1 + alpha r K", 1, zeroed, truth)
    errors = 60
    noisy = AgainstNoisyWinnow(16, 1, F(2), F(16)).play_errors(errors)
    made = winnow(noisy, 16, 2, 16).mistakes
    whole = float(th.WinnowAttributeErrors(16, 1, errors, 1, 16).bound())
    yield Lie(th.WinnowAttributeErrors, "M <= alpha A + ...", whole - errors, made, whole)
    free = float(th.WinnowComparator(16, [1], 0, 1, 16).bound())
    lost = free + math.log(2) * errors / (16 / 2)
    yield Lie(th.WinnowComparator, "D0(c u) + ln(alpha) L, c forgotten", lost, made, whole)
    yield Lie(th.WinnowComparator, "half of the loss", free + (whole - free) / 2, made, whole)


def exponentiated_lies() -> Iterator[Lie]:
    d, gamma = 512, 0.25
    eta, size = th.eta_star(gamma), math.log(d)
    made = len(against(d, softmax_weights(eta), gamma))
    truth = float(th.NormalizedWinnowRate(d, gamma, 1, eta=eta).bound())
    claim = size / (eta * gamma)
    yield Lie(th.NormalizedWinnowRate, "ln cosh(eta X) forgotten", claim, made, truth)
    smaller = eta * gamma - math.log(math.cosh(eta)) * 0.85
    yield Lie(th.NormalizedWinnowRate, "0.85 ln cosh(eta X)", size / smaller, made, truth)
    tuned = float(th.NormalizedWinnowTuned(d, gamma, 1).bound())
    yield Lie(th.NormalizedWinnowTuned, "g(e) = e^2", size / gamma**2, made, tuned)
    simple = float(th.NormalizedWinnowSimple(d, gamma, 1).bound())
    yield Lie(th.NormalizedWinnowSimple, "the 2 forgotten", size / gamma**2, made, simple)
    m = 5
    experts: list[Labelled] = [
        ([1 if (e >> t) & 1 else -1 for e in range(2**m)], -1) for t in range(m)
    ]
    found = normalized_winnow(experts, 2**m, 20.0).mistakes
    truth = float(th.NormalizedWinnowTuned(2**m, 1, 1).bound())
    yield Lie(th.NormalizedWinnowTuned, "ln d at full margin", math.log(2**m), found, truth)
    truth = float(th.NormalizedWinnowCommittee(2**m, 1).bound())
    yield Lie(th.NormalizedWinnowCommittee, "ln N for k = 1", math.log(2**m), found, truth)
    tau = 0.125
    step = gamma - tau
    updates = len(against(d, softmax_weights(step), gamma, thickness=tau))
    truth = float(th.NormalizedWinnowThick(d, gamma, 1, eta=step, thickness=tau).bound())
    yield Lie(th.NormalizedWinnowThick, "tau not subtracted", 2 * size / gamma**2, updates, truth)
    yield Lie(th.NormalizedWinnowThick, "eta^2 X^2/2 forgotten", size / step**2, updates, truth)
    yield from hinge_lies()
    few = 2 ** (m - 1)
    signed = signed_winnow(patterns(m), few, 20.0).mistakes
    truth = float(th.SignedWinnowTuned(few, 1, 1).bound())
    yield Lie(th.SignedWinnowTuned, "ln d for ln(2d)", math.log2(few), signed, truth)
    truth = float(th.SignedWinnowRate(few, 1, 1, eta=20).bound())
    unsigned = float(th.NormalizedWinnowRate(few, 1, 1, eta=20).bound())
    yield Lie(th.SignedWinnowRate, "ln d for ln(2d)", unsigned, signed, truth)
    restarts = th.SignedWinnowRestarts(64, F(1, 4), 1)
    total = 0
    for phase, budget in enumerate(restarts.budgets(), start=1):
        link = hyperbolic_weights(math.atanh(2.0**-phase))
        total += len(against(64, link, 0.25, most=budget + 1))
    last = restarts.budgets()[-1]
    yield Lie(th.SignedWinnowRestarts, "only the last budget", last, total, restarts.max_mistakes())


def hinge_lies() -> Iterator[Lie]:
    d, eta, rounds = 16, 0.5, 200
    for weights, theorem in (
        (softmax_weights(eta), th.NormalizedWinnowHinge),
        (hyperbolic_weights(eta), th.SignedWinnowHinge),
    ):
        rows = against(d, weights, most=rounds)
        errs = shown(rows)
        lead = max(sum(float(row[i]) for row in rows) for i in range(d))
        u = [float(sum(float(row[i]) for row in rows) == lead) for i in range(d)]
        loss = sum(hinge(errs, u, F(1)))
        free, whole = (float(theorem(d, 1, 1, eta=eta, loss=paid).bound()) for paid in (0, loss))
        yield Lie(theorem, "0.9 eta L", free + 0.9 * (whole - free), rounds, whole)


def quasi_additive_lies() -> Iterator[Lie]:
    d, gamma = 512, 0.3
    p = th.winnow_like_p(d)
    made = len(against(d, p_norm_weights(p), gamma))
    truth = float(th.PNorm(p, float(d) ** (2 / p), 1, gamma).bound())
    yield Lie(th.PNorm, "p - 1 forgotten", truth / (p - 1), made, truth)
    n = len(hadamard(5))
    matrix: list[Labelled] = [([-v for v in row], -1) for row in hadamard(5)]
    dimension = perceptron(matrix, n).mistakes
    truth = float(th.PNormDimension(2, n, 1, 1, 1).bound())
    yield Lie(th.PNormDimension, "d^(1/p) for d^(2/p)", math.sqrt(n), dimension, truth)
    rows = growing(32, 3.0, 200)
    stream = shown(rows)
    grown = p_norm(stream, 32, 3.0).mistakes
    dual = [sum(float(row[i]) for row in rows) for i in range(32)]
    u = [math.copysign(v * v, v) for v in dual]
    level = max(-sum(a * float(b) for a, b in zip(u, x, strict=True)) for x, _ in stream)
    loss = sum(hinge(stream, u, F(level)))
    size = max(norm(row.tolist(), 3.0) ** 2 for row in rows)
    truth = float(th.PNormHinge(3, size, norm(u, 1.5) ** 2, level, loss).bound())
    claim = float(th.PNormHinge(2, size, norm(u, 1.5) ** 2, level, loss).bound())
    yield Lie(th.PNormHinge, "A without p - 1", claim, grown, truth)
    forced = perceptron(orthonormal(9), 9).mistakes
    claim = float(th.QuasiAdditive(1, 1, F(1, 4), F(9, 2)).bound())
    truth = float(th.QuasiAdditive(1, 1, F(1, 2), F(9, 2)).bound())
    yield Lie(th.QuasiAdditive, "half the smoothness", claim, forced, truth)


def finite_lies() -> Iterator[Lie]:
    d, r = 10, 3
    singles: list[Active] = [(frozenset({i}), -1) for i in range(r, d)]
    dropped = elimination(singles, d).mistakes
    yield Lie(th.EliminationDisjunction, "M <= d - r - 1", d - r - 1, dropped, d - r)
    missing: list[Active] = [(frozenset(range(d)) - {i}, 1) for i in range(r, d)]
    kept = conjunction(missing, d).mistakes
    yield Lie(th.ConjunctionTarget, "M <= d - k - 1", d - r - 1, kept, d - r)
    m = 5
    votes = [([1 if (c >> t) & 1 else -1 for c in range(2**m)], -1) for t in range(m)]
    halved = halving(votes, 2**m)
    yield Lie(th.HalvingClass, "M <= ln |C|", math.log(2**m), halved, m)
    concepts = frozenset(tables(3, 1, negations=True))
    D = littlestone_dimension(concepts)
    best = standard_optimal(concepts, forced=False)
    yield Lie(th.OptimalLearner, "M <= D - 1", D - 1, best, D)
    yield Lie(th.LittlestoneLower, "M >= D + 1", D + 1, best, D)
    n, beta = 64, F(1, 2)
    stream = split_evenly(n, beta, 80)
    wrong, least = weighted_majority(stream, n, beta)
    truth = float(th.WeightedMajorityBest(n, least, beta).bound())
    claim = math.log2(n) + 2 * least
    yield Lie(th.WeightedMajorityBest, "M <= log2 N + 2 m*", claim, wrong, truth)
    expected, least = expected_majority(stream, n, 0.5)
    truth = float(th.RandomizedMajorityBest(n, least, beta).bound())
    yield Lie(th.RandomizedMajorityBest, "1 - b forgotten", truth / 2, expected, truth)
    # Two experts, each sure of another label: a tie, and the label is -1.
    said = mixture([([F(1), F(0)], -1)], [F(1, 2), F(1, 2)])
    truth = float(th.MixtureOfExperts(expert_loss=0, prior=F(1, 2), rounds=1).bound())
    yield Lie(th.MixtureOfExperts, "the prior forgotten", 0, said.mistakes, truth)


def multiclass_lies() -> Iterator[Lie]:
    n, m = 6, 4
    rows = classes(orthonormal(n))
    made = len(multiclass(rows, n, 3, identity))
    truth = float(th.MulticlassNovikoff(1, 2 * n, 2).bound())
    yield Lie(th.MulticlassNovikoff, "M <= R^2 ||u||^2/gamma^2", n / 2, made, truth)
    truth = float(th.MulticlassPNorm(2, 1, 2 * n, 2).bound())
    yield Lie(th.MulticlassPNorm, "2^(2/p) forgotten", n / 2, made, truth)
    d = 2 ** (m - 1)
    stream = classes(patterns(m))
    full = {"n_features": d, "margin": 1, "radius": 1, "classes": 2}
    found = len(multiclass(stream, d, 2, softmax(20.0)))
    truth = float(th.MulticlassNormalizedWinnow(**full).bound())
    yield Lie(th.MulticlassNormalizedWinnow, "ln d for ln(k d)", math.log2(d), found, truth)
    signed = len(multiclass(stream, d, 2, hyperbolic(20.0)))
    truth = float(th.MulticlassSignedWinnow(**full).bound())
    yield Lie(th.MulticlassSignedWinnow, "ln d for ln(2 k d)", math.log2(d), signed, truth)
    truth = float(th.MulticlassHinge(1, 2 * n, 2, 0, 0).bound())
    yield Lie(th.MulticlassHinge, "the 2 of A^2 forgotten", n / 2, made, truth)
    # With the step 20 a mistake takes ln 2 from the entropy, but for 14 digits.
    wide: dict[str, Any] = full | {"eta": 20, "loss": 0, "idle": 0}
    truth = float(th.MulticlassNormalizedWinnowHinge(**wide).bound())
    yield Lie(th.MulticlassNormalizedWinnowHinge, "ln d for ln(k d)", math.log2(d), found, truth)
    truth = float(th.MulticlassSignedWinnowHinge(**wide).bound())
    yield Lie(th.MulticlassSignedWinnowHinge, "ln d for ln(2 k d)", math.log2(d), signed, truth)


def lower_lies() -> Iterator[Lie]:
    # Unit vectors within 35 degrees of the axis: margin^2 is above 2/3, 1/margin^2 below 3/2.
    turns = [math.radians(a) for a in range(-35, 36, 5)]
    vectors = [(math.cos(a), math.sin(a)) for a in turns]
    worst = max(
        perceptron([([-v for v in x], -1) for x in chosen], 2).mistakes
        for chosen in product(vectors, repeat=3)
    )
    truth = th.MarginLower(F(2, 3), 2).min_mistakes()
    yield Lie(th.MarginLower, "M >= ceil(1/gamma^2)", math.ceil(F(3, 2)), worst, truth)
    answers = list(product((-1, 1), repeat=3))
    worst = max(
        halving([(list(votes), votes[0]) for votes in rounds], 3)
        for rounds in product(answers, repeat=3)
    )
    truth = th.ExpertsLower(3).min_mistakes()
    yield Lie(th.ExpertsLower, "M >= ceil(log2 N)", 2, worst, truth)
    worst = worst_of_halving(tables(3, 1, negations=False))
    truth = th.DisjunctionLower(3, 1).min_mistakes()
    yield Lie(th.DisjunctionLower, "M >= r ceil(log2(d/r))", 2, worst, truth)


def risk_lies() -> Iterator[Lie]:
    """The claim is delta; what happens is how often the wrong bound fails; truth is certain."""
    delta = 0.5
    # One round, no mistake: the risk 1 - p must not survive with probability above delta.
    fails = 1 - math.sqrt(math.log(1 / delta) / 4)
    yield Lie(th.MeanRiskHoeffding, "sqrt(ln(1/delta)/(4T))", delta, fails, 1)
    delta, T = 0.2, 12
    risk = 1 - (2 * delta) ** (1 / T)  # T kl(0||p) = ln(1/(2 delta))
    fails = at_most(0, T, risk)
    yield Lie(th.MeanRiskKl, "T kl <= ln(1/(2 delta))", delta, fails, 1)
    short = float(th.MeanRiskKlPrior(5, 40, math.sqrt(delta)).bound())
    fails = failure_of_prior(0.8 * short, 5, 40)
    yield Lie(th.MeanRiskKlPrior, "0.8 of the bound at sqrt(delta)", delta, fails, 1)
    budget = math.log(1 / delta)
    fails = failure_at_some_time(lambda t: anytime_risks(t, budget), 0.5, 600)
    yield Lie(th.MeanRiskAnytime, "delta not shared by the 12 rates", delta, fails, 1)
    fails = failure_of_streaks(lambda s: delta, 0.01, 2)
    yield Lie(th.StreakRisk, "delta not shared by the versions", delta, fails, 1)


def mixing_lies() -> Iterator[Lie]:
    n, shards = 10, 4
    total = mixed([orthonormal(n)] * shards, n, identity, 5)
    truth = th.ParameterMixing(th.Novikoff(1, n, 1), shards).max_mistakes()
    yield Lie(th.ParameterMixing, "M <= B without N", n, total, truth)
    yield Lie(th.ParameterMixing, "M <= (N - 1) B", (shards - 1) * n, total, truth)
    # Each shard holds one vector, so alone it errs once; together they pull apart.
    a, b = [F(1), F(0)], [F(-2, 5), F(1, 10)]
    together = mixed([[([-v for v in a], -1)], [([-v for v in b], -1)]], 2, identity, 100)
    u = [F(1), F(14)]  # u.a = u.b = 1
    union = th.Novikoff(1, 1 + 14**2, 1)
    assert sum(p * q for p, q in zip(u, b, strict=True)) == 1
    truth = th.ParameterMixing(union, 2).max_mistakes()
    yield Lie(th.ParameterMixing, "the margin of each shard for that of all", 2, together, truth)


def all_lies() -> Iterator[Lie]:
    yield from perceptron_lies()
    yield from winnow_lies()
    yield from exponentiated_lies()
    yield from quasi_additive_lies()
    yield from finite_lies()
    yield from multiclass_lies()
    yield from lower_lies()
    yield from risk_lies()
    yield from mixing_lies()
    yield from gradient_lies()
    yield from loss_lies()
    yield from suffix_lies()
    yield from new_risk_lies()
