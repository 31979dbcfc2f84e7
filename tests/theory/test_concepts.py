"""Declared targets: what each learner promises on them, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from tests.theory.streams import disjunction
from tests.theory.twins import Labelled, elimination, perceptron, real_winnow, signed_winnow, winnow
from thresher.theory import (
    Committee,
    Concept,
    Conjunction,
    Disjunction,
    Experts,
    HalvingClass,
    KOfR,
    MarginLower,
    NormalizedWinnowCommittee,
    NormalizedWinnowRate,
    NormalizedWinnowTuned,
    Novikoff,
    PerceptronCommittee,
    PerceptronDisjunction,
    PerceptronHinge,
    PNormDimension,
    RandomizedMajorityBest,
    Separator,
    SignedWinnowRate,
    SignedWinnowRestarts,
    SignedWinnowTuned,
    WeightedMajorityBest,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowDisjunction,
    WinnowZeroing,
    eta_star,
)
from thresher.theory.concepts import Parameter, Parameters
from thresher.theory.theorem import Theorem

F = Fraction
HALF = F(1, 2)

PROMISES: list[tuple[Concept, str, dict[str, Parameter], Theorem]] = [
    (Disjunction(2, 100), "Winnow", {}, WinnowDisjunction(100, 2)),
    (Disjunction(2, 100), "Winnow", {"beta": 1.0, "threshold": None}, WinnowDisjunction(100, 2)),
    (Disjunction(2, 100), "Winnow", {"n_features": 128}, WinnowDisjunction(128, 2)),
    (
        Disjunction(2, 100),
        "Winnow",
        {"beta": 0.5, "threshold": 64},
        WinnowAnyThreshold(100, 2, HALF, 64),
    ),
    (Disjunction(2, 100), "Winnow", {"threshold": 50}, WinnowAnyThreshold(100, 2, 1, 50)),
    (Disjunction(2, 100), "Winnow", {"zeroing": True}, WinnowZeroing(100, 2, 1, 100)),
    (Disjunction(2, 100, errors=3), "Winnow", {}, WinnowAttributeErrors(100, 2, 3, 1, 100)),
    (Disjunction(2, 100), "Perceptron", {"bias": True}, PerceptronDisjunction(2, 100)),
    (
        Disjunction(2, 100),
        "Perceptron",
        {"bias": True, "active": 5},
        PerceptronDisjunction(2, 5),
    ),
    (
        Disjunction(2, 100, errors=4),
        "Perceptron",
        {"bias": True, "active": 5},
        PerceptronHinge(6, F(9, 4), HALF, 4),
    ),
    (Disjunction(2, 100), "Halving", {}, HalvingClass(4950)),
    (
        Disjunction(2, 100),
        "SignedWinnow",
        {"bias": True},
        SignedWinnowTuned(101, HALF, 1, F(5, 2)),
    ),
    (
        Disjunction(2, 100),
        "SignedWinnow",
        {"bias": True, "eta": 0.125},
        SignedWinnowRate(101, HALF, 1, F(5, 2), eta=F(1, 8)),
    ),
    (Conjunction(3, 20), "Perceptron", {"bias": True}, Novikoff(21, 3 + F(25, 4), HALF)),
    (Conjunction(2, 20), "Winnow", {"beta": 0.25}, WinnowComparator.k_of_r(20, 2, 2)),
    (Conjunction(2, 20), "Halving", {}, HalvingClass(190)),
    (
        KOfR(2, 3, 50),
        "PNormPerceptron",
        {"bias": True, "p": 4},
        PNormDimension(4, 51, 1, 3 + F(3, 2), HALF),
    ),
    (Separator(F(1, 10)), "Perceptron", {}, Novikoff(1, 1, F(1, 10))),
    (Separator(F(1, 10), radius=2), "Perceptron", {}, Novikoff(4, 1, F(1, 10))),
    (Separator(F(1, 10), 1, 2), "Perceptron", {"active": 5}, Novikoff(20, 1, F(1, 10))),
    (
        Separator(F(1, 10), 1, 2),
        "SignedWinnow",
        {"n_features": 50},
        SignedWinnowTuned(50, F(1, 10), 2),
    ),
    (
        Separator(F(1, 10), 1, signed=0),
        "NormalizedWinnow",
        {"n_features": 50},
        NormalizedWinnowTuned(50, F(1, 10), 1),
    ),
    (
        Separator(F(1, 4), 1, signed=0),
        "NormalizedWinnow",
        {"n_features": 50, "margin": 0.25, "radius": 1},
        NormalizedWinnowRate(50, F(1, 4), 1, eta=eta_star(0.25)),
    ),
    (
        Separator(F(1, 4), 1, signed=0),
        "NormalizedWinnow",
        {"n_features": 50, "margin": 0.25, "radius": 2},
        NormalizedWinnowRate(50, F(1, 4), 1, eta=eta_star(0.25, 2)),
    ),
    (
        Separator(F(1, 10), 1),
        "RestartingSignedWinnow",
        {"n_features": 50},
        SignedWinnowRestarts(50, F(1, 10), 1),
    ),
    (Experts(16, 3), "WeightedMajority", {"beta": 0.25}, WeightedMajorityBest(16, 3, F(1, 4))),
    (Experts(16, 3), "WeightedMajority", {}, WeightedMajorityBest(16, 3, HALF)),
    (Experts(16), "Halving", {}, HalvingClass(16)),
    (Experts(16), "NormalizedWinnow", {}, NormalizedWinnowCommittee(16, 1)),
    (Experts(16), "NormalizedWinnow", {"eta": 2}, NormalizedWinnowRate(16, 1, 1, eta=2)),
    (Committee(3, 16), "Perceptron", {}, PerceptronCommittee(16, 3)),
    (
        Committee(4, 16),
        "NormalizedWinnow",
        {"eta": 0.5},
        NormalizedWinnowRate(16, 2, 1, 4, eta=HALF),
    ),
    (Committee(4, 16), "SignedWinnow", {}, SignedWinnowTuned(16, 2, 1, 4)),
]


@pytest.mark.parametrize(("claim", "learner", "parameters", "theorem"), PROMISES)
def test_a_claim_and_a_learner_name_the_theorem(
    claim: Concept, learner: str, parameters: dict[str, Parameter], theorem: Theorem
) -> None:
    assert claim.theorems_for(learner, **parameters) == [theorem]
    assert claim.allowance(learner, **parameters) == theorem


SILENCE: list[tuple[Concept, str, dict[str, Parameter]]] = [
    (Disjunction(2, 100), "Perceptron", {}),
    (Disjunction(2, 100), "SignedWinnow", {}),
    (Disjunction(2, 100), "NormalizedWinnow", {"bias": True}),
    (Disjunction(2, 100), "BalancedWinnow", {}),
    (Disjunction(2, 100), "SignedWinnow", {"bias": True, "eta": 3.0}),
    (Disjunction(2, 100, errors=1), "Elimination", {}),
    (Disjunction(2, 100, errors=1), "Winnow", {"zeroing": True}),
    (Disjunction(5, 3), "Winnow", {}),
    (Conjunction(3, 20), "Winnow", {}),
    (Conjunction(3, 20), "Elimination", {}),
    (Conjunction(0, 20), "Perceptron", {"bias": True}),
    (KOfR(2, 3, 9), "Winnow", {"zeroing": True}),
    (Separator(F(1, 10)), "NormalizedWinnow", {"n_features": 50}),
    (Separator(F(1, 10), 1), "NormalizedWinnow", {"n_features": 50}),
    (Separator(F(1, 10), 1), "SignedWinnow", {}),
    (Separator(F(1, 10), 1), "Perceptron", {}),
    (Separator(0), "Perceptron", {}),
    (Experts(16, 3), "Halving", {}),
    (Experts(16, 3), "NormalizedWinnow", {}),
    (Experts(16, 3), "WeightedMajority", {"beta": 0}),
    (Experts(16), "Winnow", {}),
]


@pytest.mark.parametrize(("claim", "learner", "parameters"), SILENCE)
def test_no_promise_is_made_where_no_theorem_speaks(
    claim: Concept, learner: str, parameters: dict[str, Parameter]
) -> None:
    assert claim.theorems_for(learner, **parameters) == []
    assert claim.allowance(learner, **parameters) is None


def test_an_expectation_is_quoted_but_is_no_allowance() -> None:
    claim = Experts(16, 3)
    assert claim.theorems_for("RandomizedWeightedMajority") == [RandomizedMajorityBest(16, 3)]
    assert claim.allowance("RandomizedWeightedMajority") is None


class Separable(Concept):
    """A claim about which two theorems speak, one of them sharper."""

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        yield Novikoff(9, 5, 1)
        yield Novikoff(9, 5, 3)
        yield Novikoff(1, 1, 0)
        yield RandomizedMajorityBest(1)


def test_the_allowance_is_the_applying_bound_that_allows_least() -> None:
    assert len(Separable().theorems_for("Perceptron")) == 3
    assert Separable().allowance("Perceptron") == Novikoff(9, 5, 3)


def test_what_can_be_forced_is_known_for_some_claims() -> None:
    forced = [claim.forced() for claim in (Disjunction(4, 64), Experts(1000), Disjunction(0, 3))]
    assert [lower and lower.min_mistakes() for lower in forced] == [16, 9, None]
    assert Separator(1).forced() is None
    assert MarginLower(F(1, 9), 9).min_mistakes() == 9


def test_the_learners_keep_what_was_promised_on_disjunctions() -> None:
    for seed in range(60):
        rng = Random(seed)
        n = rng.randint(2, 10)
        k = rng.randint(0, n)
        stream = disjunction(rng, n, k, 60, 0.4) * 2
        claim = Disjunction(k, n)
        dense: list[Labelled] = [
            ([*(int(i in active) for i in range(n)), 1], y) for active, y in stream
        ]
        tuned = claim.allowance("SignedWinnow", bias=True)
        assert isinstance(tuned, SignedWinnowTuned)
        eta = eta_star(tuned.margin, tuned.radius, tuned.comparator_norm)
        made = {
            "Winnow": winnow(stream, n, 2, n).mistakes,
            "Elimination": elimination(stream, n).mistakes,
            "Perceptron": perceptron(dense, n + 1).mistakes,
            "SignedWinnow": signed_winnow(dense, n + 1, eta).mistakes,
        }
        for learner, mistakes in made.items():
            theorem = claim.allowance(learner, bias=True)
            assert theorem is not None
            assert mistakes <= theorem.max_mistakes(), learner


def test_the_learners_keep_what_was_promised_on_conjunctions() -> None:
    for seed in range(60):
        rng = Random(seed)
        n = rng.randint(1, 7)
        k = rng.randint(1, n)
        rows = [[int(rng.random() < 0.7) for _ in range(n)] for _ in range(60)]
        once: list[Labelled] = [(x, 1 if all(x[:k]) else -1) for x in rows]
        plain = once * 2
        claim = Conjunction(k, n)
        with_constant: list[Labelled] = [([*x, 1], y) for x, y in plain]
        additive = claim.allowance("Perceptron", bias=True)
        step = F(1, 2 * k)
        multiplicative = claim.allowance("Winnow", beta=step)
        assert additive is not None
        assert multiplicative is not None
        assert perceptron(with_constant, n + 1).mistakes <= additive.max_mistakes()
        run = real_winnow(plain, n, float(1 + step), n)
        assert run.mistakes <= multiplicative.max_mistakes()
