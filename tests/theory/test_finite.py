"""Eliminators, Halving, experts, and what no learner can beat."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from tests.theory.streams import disjunction, unit
from tests.theory.twins import (
    Active,
    Labelled,
    conjunction,
    elimination,
    expected_majority,
    halving,
    perceptron,
    signed_winnow,
    weighted_majority,
    winnow,
)
from thresher.errors import HypothesisError
from thresher.theory import (
    ConjunctionTarget,
    DisjunctionLower,
    EliminationDisjunction,
    ExpertsLower,
    HalvingClass,
    LittlestoneLower,
    MarginLower,
    Novikoff,
    OptimalLearner,
    RandomizedMajorityBest,
    WeightedMajorityBest,
    WinnowDisjunction,
)
from thresher.theory.theorem import Theorem

F = Fraction
Votes = tuple[list[int], int]


def test_elimination_and_conjunction_never_exceed_their_bounds() -> None:
    for seed in range(1000):
        rng = Random(seed)
        d = rng.randint(1, 15)
        r = rng.randint(0, d)
        stream = disjunction(rng, d, r, 60, rng.uniform(0.05, 0.9))
        run = elimination(stream, d)
        assert run.mistakes <= EliminationDisjunction(d, r).max_mistakes()
        assert run.false_negatives == 0
        needed = frozenset(range(r))
        other: list[Active] = [(active, 1 if needed <= active else -1) for active, _ in stream]
        met = conjunction(other, d)
        assert met.mistakes <= ConjunctionTarget(d, r).max_mistakes()
        assert met.false_positives == 0


@pytest.mark.parametrize(("d", "r"), [(1024, 2), (10, 3), (7, 0), (4, 4)])
def test_elimination_and_conjunction_reach_their_bounds(d: int, r: int) -> None:
    singles: list[Active] = [(frozenset({i}), -1) for i in range(r, d)]
    assert elimination(singles, d).mistakes == d - r == EliminationDisjunction(d, r).max_mistakes()
    everything = frozenset(range(d))
    missing: list[Active] = [(everything - {i}, 1) for i in range(r, d)]
    assert conjunction(missing, d).mistakes == d - r == ConjunctionTarget(d, r).max_mistakes()


def worst_of_halving(concepts: list[tuple[int, ...]]) -> int:
    """The most mistakes any order of the points can cause Halving."""

    @cache
    def longest(left: frozenset[tuple[int, ...]]) -> int:
        best = 0
        for point in range(len(concepts[0])):
            yes = frozenset(c for c in left if c[point] == 1)
            no = left - yes
            if yes and no:
                wrong, right = (no, yes) if len(yes) >= len(no) else (yes, no)
                best = max(best, 1 + longest(wrong), longest(right))
        return best

    return longest(frozenset(concepts))


def tables(n: int, k: int, negations: bool) -> list[tuple[int, ...]]:
    points = list(itertools.product((0, 1), repeat=n))
    wanted = itertools.product((0, 1), repeat=k) if negations else [(1,) * k]
    return [
        tuple(
            1 if any(p[i] == b for i, b in zip(chosen, bits, strict=True)) else -1 for p in points
        )
        for bits in wanted
        for chosen in itertools.combinations(range(n), k)
    ]


@pytest.mark.parametrize(
    ("n", "k", "negations", "allowed"),
    [
        (3, 1, False, 1),
        (3, 1, True, 2),
        (4, 1, False, 2),
        (4, 1, True, 3),
        (4, 2, False, 2),
        (4, 2, True, 4),
    ],
)
def test_halving_on_disjunctions(n: int, k: int, negations: bool, allowed: int) -> None:
    theorem = HalvingClass.disjunctions(n, k, negations)
    concepts = tables(n, k, negations)
    assert theorem.n_concepts == len(set(concepts))
    assert worst_of_halving(concepts) <= theorem.max_mistakes() == allowed
    if k == 1:
        assert worst_of_halving(concepts) == allowed
    if (n, k, negations) == (4, 1, True):
        assert allowed > k * math.log2(n)


def test_halving_never_exceeds_its_bound_and_patterns_reach_it() -> None:
    for seed in range(200):
        rng = Random(seed)
        n = rng.randint(1, 40)
        rounds = [[rng.choice([-1, 1]) for _ in range(n)] for _ in range(20)]
        stream: list[Votes] = [(answers, answers[0]) for answers in rounds]
        assert halving(stream, n) <= HalvingClass(n).max_mistakes()
    for m in range(7):
        patterns = [[1 if (c >> t) & 1 else -1 for c in range(2**m)] for t in range(m)]
        stream = [(answers, -1) for answers in patterns]
        assert halving(stream, 2**m) == m == HalvingClass(2**m).max_mistakes()
        assert HalvingClass(2**m).max_mistakes() == ExpertsLower(2**m).min_mistakes()
    assert HalvingClass(2**5000 - 1).max_mistakes() == 4999


def random_experts(rng: Random, n: int, rounds: int, noise: float) -> list[Votes]:
    stream = []
    for _ in range(rounds):
        votes = [rng.choice([-1, 1]) for _ in range(n)]
        stream.append((votes, votes[0] if rng.random() > noise else -votes[0]))
    return stream


def test_weighted_majority_never_exceeds_its_bounds() -> None:
    for seed in range(200):
        rng = Random(seed)
        n = rng.randint(1, 25)
        beta = rng.choice([F(0), F(1, 10), F(1, 2), F(9, 10)])
        noise = 0.0 if beta == 0 else rng.choice([0.0, 0.1, 0.5])
        stream = random_experts(rng, n, 60, noise)
        mistakes, best = weighted_majority(stream, n, beta)
        assert mistakes <= WeightedMajorityBest(n, best, beta).max_mistakes()
        expected, best = expected_majority(stream, n, float(beta))
        assert expected <= float(RandomizedMajorityBest(n, best, beta).bound()) + 1e-9


def split_evenly(n: int, beta: Fraction, rounds: int) -> list[Votes]:
    """Experts that split the weight, and a label that makes the heavier side wrong."""
    weights = [F(1)] * n
    stream: list[Votes] = []
    for _ in range(rounds):
        votes, balance = [0] * n, F(0)
        for i in sorted(range(n), key=lambda i: -weights[i]):
            votes[i] = 1 if balance <= 0 else -1
            balance += votes[i] * weights[i]
        y = -1 if balance >= 0 else 1
        stream.append((votes, y))
        weights = [w if v == y else w * beta for w, v in zip(weights, votes, strict=True)]
    return stream


def test_an_even_split_comes_near_the_majority_bound() -> None:
    n, beta, rounds = 64, F(1, 2), 80
    mistakes, best = weighted_majority(split_evenly(n, beta, rounds), n, beta)
    theorem = WeightedMajorityBest(n, best, beta)
    assert mistakes == rounds <= theorem.max_mistakes()
    assert mistakes > 0.9 * float(theorem.bound())
    assert mistakes > math.log2(n) + 2 * best  # a bound without the factor would be too little
    assert mistakes > float(RandomizedMajorityBest(n, best, beta).bound())


def test_majority_values() -> None:
    assert WeightedMajorityBest(8, 0, 0).bound() == 3
    assert WeightedMajorityBest(1, 0, F(1, 2)).max_mistakes() == 0
    half = float(WeightedMajorityBest(8, 4).bound())
    assert half == pytest.approx((3 + 4) * math.log(2) / math.log(4 / 3), rel=1e-14)
    randomised = float(RandomizedMajorityBest(8, 4, F(1, 4)).bound())
    assert randomised == pytest.approx((math.log(8) + 4 * math.log(4)) / 0.75, rel=1e-14)
    assert not hasattr(RandomizedMajorityBest(8), "max_mistakes")


def littlestone_dimension(concepts: frozenset[tuple[int, ...]]) -> int:
    @cache
    def depth(left: frozenset[tuple[int, ...]]) -> int:
        if not left:
            return -1
        best = 0
        for point in range(len(next(iter(left)))):
            yes = frozenset(c for c in left if c[point] == 1)
            if yes and yes != left:
                best = max(best, 1 + min(depth(yes), depth(left - yes)))
        return best

    return depth(concepts)


def standard_optimal(concepts: frozenset[tuple[int, ...]], forced: bool) -> int:
    """The most mistakes of the optimal learner over all orders of points and all targets."""

    @cache
    def longest(left: frozenset[tuple[int, ...]]) -> int:
        best = 0
        for point in range(len(next(iter(left)))):
            yes = frozenset(c for c in left if c[point] == 1)
            no = left - yes
            if yes and no:
                guess_yes = littlestone_dimension(yes) >= littlestone_dimension(no)
                wrong, right = (no, yes) if guess_yes else (yes, no)
                best = max(best, 1 + longest(wrong), 0 if forced else longest(right))
        return best

    return longest(concepts)


def test_the_littlestone_dimension_is_what_the_best_learner_needs_and_no_one_beats() -> None:
    rng = Random(5)
    families = [frozenset(tables(3, 1, False)), frozenset(tables(3, 1, True))]
    families += [
        frozenset(tuple(rng.choice([-1, 1]) for _ in range(4)) for _ in range(rng.randint(1, 9)))
        for _ in range(25)
    ]
    for concepts in families:
        dimension = littlestone_dimension(concepts)
        assert standard_optimal(concepts, forced=False) == dimension
        assert dimension == OptimalLearner(dimension).max_mistakes()
        assert dimension == LittlestoneLower(dimension).min_mistakes()
        assert dimension <= HalvingClass(len(concepts)).max_mistakes()


@pytest.mark.parametrize("n", [1, 4, 10])
def test_the_margin_adversary_forces_what_the_theorem_says(n: int) -> None:
    lower = MarginLower(F(1, n), n_features=n)
    learners: list[Callable[[list[Labelled]], int]] = [
        lambda s: perceptron(s, n).mistakes,
        lambda s: signed_winnow(s, n, 0.3).mistakes,
    ]
    for learner in learners:
        stream: list[Labelled] = []
        for i in range(n):
            erred = learner([*stream, (unit(i, n), -1)]) > len(stream)
            stream.append((unit(i, n), -1 if erred else 1))
        assert learner(stream) == n == lower.min_mistakes()
    assert Novikoff(1, 1, F(1, n)).bound() == n**2
    assert Novikoff(1, n, 1).max_mistakes() == lower.min_mistakes()
    assert MarginLower(F(2, 21), 64).min_mistakes() == 10


@pytest.mark.parametrize(("d", "r", "forced"), [(64, 1, 6), (64, 4, 16), (1024, 8, 56), (5, 5, 0)])
def test_bisection_forces_what_the_theorem_says(d: int, r: int, forced: int) -> None:
    size = 2 ** int(math.log2(d // r))
    stream: list[Active] = []
    target = set()
    for block in range(r):
        left = list(range(block * size, (block + 1) * size))
        while len(left) > 1:
            half = frozenset(left[: len(left) // 2])
            erred = winnow([*stream, (half, -1)], d, 2, d).mistakes > len(stream)
            y = -1 if erred else 1
            stream.append((half, y))
            left = [i for i in left if (i in half) == (y == 1)]
        target.add(left[0])
    assert all(y == (1 if active & target else -1) for active, y in stream)
    assert winnow(stream, d, 2, d).mistakes == forced == DisjunctionLower(d, r).min_mistakes()
    assert forced <= WinnowDisjunction(d, r).max_mistakes()


def test_lower_bounds_never_exceed_upper_ones() -> None:
    for d in range(1, 60):
        for r in range(1, d + 1):
            lower = DisjunctionLower(d, r).min_mistakes()
            assert lower == r * math.floor(math.log2(d / r) + 1e-12)
            assert lower <= EliminationDisjunction(d, r).max_mistakes()
            assert lower <= HalvingClass.disjunctions(d, r).max_mistakes()
            assert lower <= WinnowDisjunction(d, r).max_mistakes()
    for n in range(1, 300):
        assert ExpertsLower(n).min_mistakes() == math.floor(math.log2(n))


REFUSED: list[tuple[Theorem, str]] = [
    (EliminationDisjunction(3, 4), "relevant <= n_features"),
    (ConjunctionTarget(3, 4), "relevant <= n_features"),
    (HalvingClass(0), "n_concepts >= 1"),
    (WeightedMajorityBest(0), "n_experts >= 1"),
    (WeightedMajorityBest(4, 0, 1), "0 <= beta < 1"),
    (WeightedMajorityBest(4, 1, 0), "beta > 0, unless the best expert is perfect"),
    (RandomizedMajorityBest(4, 1, 0), "beta > 0, unless the best expert is perfect"),
    (RandomizedMajorityBest(4, 0, -1), "0 <= beta < 1"),
    (MarginLower(0, 4), "0 < margin^2 <= 1"),
    (MarginLower(2, 4), "0 < margin^2 <= 1"),
    (MarginLower(F(1, 5), 4), "floor(1/margin^2) <= n_features"),
    (ExpertsLower(0), "n_experts >= 1"),
    (DisjunctionLower(4, 0), "relevant >= 1"),
    (DisjunctionLower(4, 5), "relevant <= n_features"),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: Theorem, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.bound()
    assert caught.value.hypothesis == hypothesis


def test_the_theorems_without_conditions_always_apply() -> None:
    assert OptimalLearner(0).applies()
    assert LittlestoneLower(0).min_mistakes() == 0
