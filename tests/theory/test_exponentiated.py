"""The theorems of normalised and signed Winnow: kept, nearly reached, and not fooled."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest

from tests.theory.adversaries import worst_for_normalized_winnow
from tests.theory.streams import hinge, largest_value, margin, noisy, orthonormal, separable
from tests.theory.twins import Labelled, normalized_winnow, signed_winnow
from thresher.errors import HypothesisError, ParameterError
from thresher.theory import (
    NormalizedWinnowCommittee,
    NormalizedWinnowHinge,
    NormalizedWinnowRate,
    NormalizedWinnowSimple,
    NormalizedWinnowThick,
    NormalizedWinnowTuned,
    SignedWinnowHinge,
    SignedWinnowRate,
    SignedWinnowRestarts,
    SignedWinnowTuned,
    coin_relative_entropy,
    eta_max,
    eta_star,
    phase_budget,
)
from thresher.theory.enclosure import float_above
from thresher.theory.exponentiated.divergence import lncosh
from thresher.theory.exponentiated.rate import entropy
from thresher.theory.theorem import MistakeBound

F = Fraction


def signs_only(updates: list[Labelled], d: int) -> list[Labelled]:
    """Updates of the doubled stream, back in d features."""
    return [(x[:d], y) for x, y in updates]


@pytest.mark.parametrize("signed", [False, True])
def test_mistakes_never_exceed_the_bounds_on_separable_streams(signed: bool) -> None:
    learner, rate, tuned = (
        (signed_winnow, SignedWinnowRate, SignedWinnowTuned)
        if signed
        else (normalized_winnow, NormalizedWinnowRate, NormalizedWinnowTuned)
    )
    for seed in range(150):
        rng = Random(seed)
        d = rng.randint(1, 7)
        stream, u = separable(rng, d, rng.randint(1, 50), signed=signed)
        weights = [abs(w) for w in u]
        norm, X, gamma = sum(weights), largest_value(stream), margin(stream, u)
        eta = eta_star(gamma, X, norm) * rng.choice([0.5, 1.0, 1.5])
        run = learner(stream * 4, d, eta)
        plain = rate(d, gamma, X, norm, eta=eta)
        sharp = rate(d, gamma, X, norm, weights, eta=eta)
        if not plain.applies():
            assert eta >= eta_max(gamma, X, norm)
            continue
        assert run.mistakes <= sharp.max_mistakes() <= plain.max_mistakes()
        best = tuned(d, gamma, X, norm)
        assert float(best.bound()) <= float(plain.bound()) * (1 + 1e-12)


@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_mistakes_never_exceed_the_hinge_bounds_on_any_stream(rate: float) -> None:
    for seed in range(150):
        rng = Random(seed)
        d = rng.randint(1, 7)
        signed = seed % 2 == 0
        stream, u = separable(rng, d, rng.randint(1, 50), signed=signed)
        stream = noisy(rng, stream, rate)
        weights = [abs(w) for w in u]
        norm, X = sum(weights), largest_value(stream)
        level = X * norm * F(rng.randint(1, 9), 10)
        eta = eta_star(level, X, norm)
        learner, theorem = (
            (signed_winnow, SignedWinnowHinge)
            if signed
            else (normalized_winnow, NormalizedWinnowHinge)
        )
        run = learner(stream, d, eta)
        loss = sum(hinge(signs_only(run.updates, d), u, level))
        measured = theorem(d, level, X, norm, weights, eta=eta, loss=loss)
        assert run.mistakes <= measured.max_mistakes()


def test_updates_of_the_thick_learner_never_exceed_the_bound() -> None:
    for seed in range(150):
        rng = Random(seed)
        d = rng.randint(1, 6)
        stream, u = separable(rng, d, rng.randint(1, 30), signed=False)
        norm, X, gamma = sum(u), largest_value(stream), margin(stream, u)
        tau = gamma / norm * F(rng.randint(0, 9), 10)
        eta = float((gamma / norm - tau) / X**2)
        run = normalized_winnow(stream * 3, d, eta, thickness=float(tau))
        theorem = NormalizedWinnowThick(d, gamma, X, norm, eta=eta, thickness=tau)
        assert len(run.updates) <= theorem.max_mistakes()
        simple = 2 * X**2 * math.log(d) / (gamma / norm - tau) ** 2
        assert float(theorem.bound()) == pytest.approx(float(simple), rel=1e-9)


def restarting(stream: list[Labelled], d: int, X: float) -> tuple[int, int]:
    """Mistakes in all, and the last phase, of the learner the theorem describes."""
    phase, mistakes, made = 1, 0, 0
    dual = [0.0] * d
    for x, y in stream:
        eta = math.atanh(2.0**-phase) / X
        score = sum(float(v) * math.sinh(eta * w) for v, w in zip(x, dual, strict=True))
        if (1 if score >= 0 else -1) == y:
            continue
        mistakes += 1
        made += 1
        dual = [w + y * float(v) for v, w in zip(x, dual, strict=True)]
        if made > phase_budget(d, phase):
            phase, made, dual = phase + 1, 0, [0.0] * d
    return mistakes, phase


def test_restarts_find_an_unknown_margin_within_their_budget() -> None:
    phases = set()
    for seed in range(60):
        rng = Random(seed)
        d = rng.randint(1, 6)
        stream, u = separable(rng, d, 60, large=2)
        stream = stream * 6
        norm, X = sum(abs(w) for w in u), largest_value(stream)
        theorem = SignedWinnowRestarts(d, margin(stream, u), X, norm)
        mistakes, phase = restarting(stream, d, float(X))
        assert phase <= theorem.last_phase() == len(theorem.budgets())
        assert mistakes <= theorem.max_mistakes()
        phases.add(phase)
    assert phases >= {1, 2}  # some runs really restart


def test_restart_budgets_add_up() -> None:
    theorem = SignedWinnowRestarts(n_features=100, margin=F(1, 5), radius=1)
    assert theorem.last_phase() == 3
    assert theorem.budgets() == (40, 167, 676)
    assert theorem.bound() == 40 + 1 + 167 + 1 + 676
    assert SignedWinnowRestarts(100, F(1, 4), 1).last_phase() == 2
    assert SignedWinnowRestarts(100, 1, 1).last_phase() == 1
    assert SignedWinnowRestarts(100, 3, 2, 4).last_phase() == 2
    tuned = float(SignedWinnowTuned(100, F(1, 8), 1).bound())
    restarts = SignedWinnowRestarts(100, F(1, 8), 1).max_mistakes()
    assert restarts <= 16 / 3 * tuned + 3


def test_committees_never_exceed_the_bound() -> None:
    for seed in range(100):
        rng = Random(seed)
        n = rng.randint(3, 9)
        k = rng.randint(3, n)
        rows = [[rng.choice([-1, 1]) for _ in range(n)] for _ in range(40)]
        stream: list[Labelled] = [(x, 1 if sum(x[:k]) > 0 else -1) for x in rows if sum(x[:k])]
        run = normalized_winnow(stream * 3, n, eta_star(1 if k % 2 else 2, 1, k))
        assert run.mistakes <= NormalizedWinnowCommittee(n, k).max_mistakes()


def test_committee_values() -> None:
    assert NormalizedWinnowCommittee(1024, 1).bound() == 10
    assert NormalizedWinnowCommittee(1024, 2).bound() == 10
    odd, even = NormalizedWinnowCommittee(1000, 5), NormalizedWinnowCommittee(1000, 10)
    assert odd.bound() == even.bound() < 2 * 25 * math.log(1000)
    assert NormalizedWinnowTuned(1000, 1, 1, 5).bound() == odd.bound()
    with pytest.raises(HypothesisError, match="no round in which the committee ties, measured 1"):
        NormalizedWinnowCommittee(3, 2, ties=1).max_mistakes()


@pytest.mark.parametrize("n", [2, 4, 8])
def test_orthonormal_rows_force_one_mistake_each(n: int) -> None:
    """u = -y/n has norm 1 and margin 1/n."""
    gamma = F(1, n)
    run = signed_winnow(orthonormal(n), n, eta_star(gamma))
    assert run.mistakes == n <= SignedWinnowTuned(n, gamma, 1).max_mistakes()


@pytest.mark.parametrize(("d", "gamma"), [(64, 0.5), (512, 0.5), (512, 0.3)])
def test_a_worst_case_stream_comes_near_the_bound(d: int, gamma: float) -> None:
    eta = eta_star(gamma)
    stream = worst_for_normalized_winnow(d, gamma, eta)
    assert all(x[0] == gamma for x, _ in stream)
    assert largest_value(stream) <= 1
    run = normalized_winnow(stream, d, eta)
    theorem = NormalizedWinnowRate(d, gamma, 1, eta=eta)
    assert run.mistakes == len(stream) <= theorem.max_mistakes()
    assert run.mistakes >= 0.8 * float(theorem.bound())


def test_a_perfect_expert_is_found_like_by_halving() -> None:
    """All sign patterns as experts, the label opposite: m mistakes, log2 N allowed."""
    m = 5
    experts = [[1 if (e >> t) & 1 else -1 for e in range(2**m)] for t in range(m)]
    stream: list[Labelled] = []
    for votes in experts:
        guess = normalized_winnow([*stream, (votes, -1)], 2**m, 20.0).mistakes > len(stream)
        stream.append((votes, -1 if guess else 1))
    run = normalized_winnow(stream, 2**m, 20.0)
    assert run.mistakes == m == NormalizedWinnowTuned(2**m, 1, 1).max_mistakes()
    assert NormalizedWinnowRate(2**m, 1, 1, eta=20).max_mistakes() == m


def test_a_step_that_is_too_large_is_refused_and_really_errs_on_and_on() -> None:
    d, gamma, eta = 16, 0.1, 1.0
    assert eta > eta_max(gamma)
    with pytest.raises(HypothesisError, match="measured eta = 1"):
        NormalizedWinnowRate(d, gamma, 1, eta=eta).max_mistakes()
    tuned = NormalizedWinnowTuned(d, gamma, 1).max_mistakes()
    stream = worst_for_normalized_winnow(d, gamma, eta, most=3 * tuned)
    assert normalized_winnow(stream, d, eta).mistakes == 3 * tuned


@pytest.mark.parametrize(("gamma", "largest"), [(0.1, 0.2013), (0.3, 0.6393), (0.5, 1.2188)])
def test_the_largest_step_is_the_published_one_and_proven(gamma: float, largest: float) -> None:
    eta = eta_max(gamma)
    assert eta == pytest.approx(largest, abs=1e-4)
    assert NormalizedWinnowRate(8, gamma, 1, eta=eta).applies()
    assert not NormalizedWinnowRate(8, gamma, 1, eta=eta * (1 + 1e-9)).applies()
    assert eta_max(3 * gamma, 3) == pytest.approx(eta / 3, rel=1e-14)
    assert eta_max(2 * gamma, 1, 2) == pytest.approx(eta, rel=1e-14)


def test_the_best_step_is_the_best() -> None:
    for gamma in (F(1, 10), F(1, 2), F(9, 10)):
        best = eta_star(gamma)
        at_best = float(NormalizedWinnowRate(100, gamma, 1, eta=best).bound())
        assert at_best == pytest.approx(float(NormalizedWinnowTuned(100, gamma, 1).bound()))
        for other in (0.9 * best, 1.1 * best):
            assert float(NormalizedWinnowRate(100, gamma, 1, eta=other).bound()) > at_best
    assert eta_star(1) == 20
    assert eta_star(2, radius=2) == 10
    assert eta_star(1 - 1e-17) == 20


@pytest.mark.parametrize("call", [eta_star, eta_max])
@pytest.mark.parametrize(
    ("gamma", "X", "U"), [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1)]
)
def test_no_step_suits_an_impossible_margin(call: object, gamma: int, X: int, U: int) -> None:
    with pytest.raises(ParameterError):
        call(gamma, X, U)  # type: ignore[operator]


def test_the_functions_behind_the_bounds() -> None:
    assert float_above(coin_relative_entropy(1)) == pytest.approx(math.log(2))
    assert float_above(coin_relative_entropy(0)) == 0
    for e in (0.01, 0.3, 0.99):
        assert e * e / 2 < float_above(coin_relative_entropy(e)) < math.log(2)
        z = math.atanh(e)
        assert float_above(coin_relative_entropy(e)) == pytest.approx(
            e * z - math.log(math.cosh(z)), rel=1e-12
        )
        assert float_above(lncosh(F(z))) == pytest.approx(math.log(math.cosh(z)), rel=1e-12)
    assert float_above(lncosh(F(-2000))) == pytest.approx(2000 - math.log(2))
    with pytest.raises(ParameterError, match="bias must be from 0 to 1"):
        coin_relative_entropy(1.5)


def test_entropy_turns_ln_d_into_ln_d_over_r() -> None:
    assert float_above(entropy((F(1, 2),) * 2)) == pytest.approx(math.log(2))
    assert float_above(entropy(())) == 0
    assert float_above(entropy((F(3), F(1)))) == pytest.approx(math.log(4) - 0.75 * math.log(3))
    sharp = NormalizedWinnowTuned(1000, F(1, 10), 1, 1, [F(1, 4)] * 4)
    plain = NormalizedWinnowTuned(250, F(1, 10), 1)
    assert sharp.bound() == pytest.approx(float(plain.bound()), rel=1e-14)


@pytest.mark.parametrize("scale", [2, F(1, 3)])
def test_scales_that_do_not_matter(scale: Fraction) -> None:
    s, gamma, X, U, eta, L = F(scale), F(1, 5), F(3, 2), F(2), F(1, 20), F(4)
    base = NormalizedWinnowHinge(50, gamma, X, U, eta=eta, loss=L).bound()
    by_u = NormalizedWinnowHinge(50, gamma * s, X, U * s, eta=eta, loss=L * s).bound()
    by_x = NormalizedWinnowHinge(50, gamma * s, X * s, U, eta=eta / s, loss=L * s).bound()
    assert by_u == base == by_x
    rate = NormalizedWinnowRate(50, gamma, X, U, eta=eta).bound()
    assert NormalizedWinnowRate(50, gamma * s, X * s, U, eta=eta / s).bound() == rate
    assert NormalizedWinnowHinge(50, gamma, X, U, eta=eta, loss=0).bound() == rate
    thick = NormalizedWinnowThick(50, gamma, X, U, eta=eta, thickness=F(1, 100)).bound()
    scaled = NormalizedWinnowThick(50, gamma * s, X * s, U, eta=eta / s, thickness=s / 100)
    assert scaled.bound() == thick


def test_signed_is_unsigned_with_twice_the_features() -> None:
    args = F(1, 5), F(1), F(2)
    assert SignedWinnowTuned(8, *args).bound() == NormalizedWinnowTuned(16, *args).bound()
    rate = SignedWinnowRate(8, *args, eta=F(1, 10)).bound()
    assert rate == NormalizedWinnowRate(16, *args, eta=F(1, 10)).bound()
    hinge_bound = SignedWinnowHinge(8, *args, eta=F(1, 10), loss=3).bound()
    assert hinge_bound == NormalizedWinnowHinge(16, *args, eta=F(1, 10), loss=3).bound()


def test_the_loss_costs_eta_over_the_drop() -> None:
    eta, gamma = F(1, 2), F(1, 2)
    free, paid = (
        NormalizedWinnowHinge(16, gamma, 1, eta=eta, loss=loss).bound() for loss in (0, 1)
    )
    drop = 0.25 - math.log(math.cosh(0.5))
    assert float(paid) - float(free) == pytest.approx(0.5 / drop, rel=1e-12)
    half = NormalizedWinnowHinge(16, 2 * gamma, 1, 2, eta=eta, loss=1).bound()
    assert float(half) - float(free) == pytest.approx(0.25 / drop, rel=1e-12)


def test_the_simple_form_is_never_sharper() -> None:
    for gamma in (F(1, 10), F(1, 2), F(1)):
        tuned, simple = (t(64, gamma, 1) for t in (NormalizedWinnowTuned, NormalizedWinnowSimple))
        assert float(tuned.bound()) < float(simple.bound())
        assert float(simple.bound()) == pytest.approx(2 * math.log(64) / float(gamma) ** 2)
    assert NormalizedWinnowSimple(64, 3, 2, 5).bound() == pytest.approx(200 * math.log(64) / 9)


REFUSED: list[tuple[MistakeBound, str]] = [
    (NormalizedWinnowTuned(0, 1, 1), "n_features >= 1"),
    (NormalizedWinnowTuned(4, 0, 1), "margin > 0"),
    (NormalizedWinnowTuned(4, 2, 1), "margin <= radius * comparator_norm"),
    (NormalizedWinnowTuned(4, 1, 1, 0), "comparator_norm > 0"),
    (NormalizedWinnowTuned(4, 1, 1, 1, [1, 1]), "weights that sum to comparator_norm"),
    (NormalizedWinnowTuned(1, 1, 1, 2, [1, 1]), "a comparator within n_features"),
    (
        NormalizedWinnowRate(4, F(1, 10), 1, eta=0),
        "eta * margin / comparator_norm > ln cosh(eta * radius)",
    ),
    (
        SignedWinnowHinge(4, F(1, 10), 1, eta=1, loss=0),
        "eta * margin / comparator_norm > ln cosh(eta * radius)",
    ),
    (NormalizedWinnowThick(4, F(1, 2), 1, eta=F(1, 4), thickness=-1), "thickness >= 0"),
    (
        NormalizedWinnowThick(4, F(1, 2), 1, eta=F(1, 4), thickness=F(1, 2)),
        "eta * (margin/comparator_norm - thickness) > (eta * radius)^2 / 2",
    ),
    (SignedWinnowRestarts(0, 1, 1), "n_features >= 1"),
    (SignedWinnowRestarts(4, 0, 1), "margin > 0"),
    (SignedWinnowRestarts(4, 2, 1), "margin <= radius * comparator_norm"),
    (NormalizedWinnowCommittee(3, 0), "members >= 1"),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: MistakeBound, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_mistakes()
    assert caught.value.hypothesis == hypothesis


def test_wrong_formulas_are_caught_by_a_concrete_stream() -> None:
    """What a misprint would allow, against what really happens."""
    d, gamma = 512, 0.3
    eta = eta_star(gamma)
    forced = len(worst_for_normalized_winnow(d, gamma, eta))
    for lie in (
        math.log(d) / gamma**2,  # the 2 forgotten
        math.log(d) / 2 / float_above(coin_relative_entropy(gamma)),  # half the entropy
        math.log2(d) / gamma**2 / 2,  # the wrong logarithm and a lost 2
        math.log(d) / (eta * gamma),  # the normaliser forgotten
    ):
        assert forced > lie
