"""The learners on the streams made against them: exactly as many mistakes as were forced."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import thresher as th
from thresher import games
from thresher.concepts import Disjunctions


@pytest.mark.parametrize("n", [1, 7, 100])
@pytest.mark.parametrize("make", [th.Perceptron, lambda n: th.SignedWinnow(n, eta=0.5)])
def test_unit_vectors_cost_one_mistake_each(make: Any, n: int) -> None:
    assert make(n).learn(games.orthonormal(n).batch).mistakes == n


@pytest.mark.parametrize("b", ["10.5", "100.5", "1000.5"])
def test_the_circle_costs_the_perceptron_its_whole_bound(b: str) -> None:
    stream = games.circle(b)
    assert th.Perceptron(3).learn(stream.batch).mistakes == stream.forced == int(float(b))


@pytest.mark.parametrize(("n", "r", "forced"), [(100, 2, 14), (16, 3, 12)])
def test_singletons_cost_winnow_r_times_k_false_negatives(n: int, r: int, forced: int) -> None:
    rounds = th.Winnow(n).learn(games.singletons(n, r).batch)
    assert (rounds.false_negatives, rounds.false_positives) == (forced, 0)


@pytest.mark.parametrize(
    ("n", "r", "beta", "forced"),
    [
        (4, 1, 1, 4),
        (8, 1, 1, 7),
        (16, 1, 1, 10),
        (32, 1, 1, 13),
        (64, 1, 1, 16),
        (256, 1, 1, 22),
        (1024, 1, 1, 28),
        (100, 2, 1, 35),
        (1024, 4, 1, 108),
        (1024, 8, 1, 216),
        (256, 1, "1/2", 30),
        (256, 1, 2, 19),
        (256, 1, "13/5", 17),
        (256, 1, 3, 18),
    ],
)
def test_the_greedy_adversary_forces_what_it_claims(n: int, r: int, beta: Any, forced: int) -> None:
    stream = games.greedy_winnow(n, r, beta)
    learner = th.Winnow(n, Fraction(beta))
    assert learner.learn(stream.batch).mistakes == len(stream) == stream.forced == forced


@pytest.mark.parametrize(("n", "r", "forced"), [(5, 3, 14), (6, 2, 12), (8, 2, 14)])
def test_the_optimal_adversary_forces_the_worst_case(n: int, r: int, forced: int) -> None:
    stream = games.optimal_winnow(n, r)
    assert th.Winnow(n).learn(stream.batch).mistakes == stream.forced == forced


@pytest.mark.parametrize(("n", "margin"), [(64, "0.5"), (256, "0.2")])
def test_normalised_winnow_errs_in_every_round_of_its_worst_case(n: int, margin: str) -> None:
    stream = games.eg_worst_case(n, margin)
    learner = th.NormalizedWinnow(n, margin=float(margin))
    assert learner.learn(stream.batch).mistakes == len(stream) == stream.forced
    assert stream.bound is not None
    assert stream.forced <= stream.bound


def players(n: int) -> list[Any]:
    return [
        th.Winnow(n),
        th.Perceptron(n),
        th.Perceptron(n, bias=True),
        th.Elimination(n),
        th.BalancedWinnow(n),
        th.SignedWinnow(n, bias=True),
        th.NormalizedWinnow(n),
    ]


@pytest.mark.parametrize(("n", "r", "forced"), [(64, 1, 6), (64, 4, 16)])
def test_binary_search_costs_every_learner_the_same(n: int, r: int, forced: int) -> None:
    for learner in players(n):
        games.binary_search(learner, n, r)
        assert learner.mistakes == forced, learner


def test_binary_search_costs_halving_no_more_than_its_bound() -> None:
    learner = th.Halving(Disjunctions(8, 1))
    games.binary_search(learner, 8, 1)
    assert learner.mistakes == 3


@pytest.mark.parametrize("m", [3, 6])
def test_all_sign_patterns_cost_every_learner_a_mistake_a_round(m: int) -> None:
    learners: list[Any] = [th.WeightedMajority(2**m), th.WeightedMajority(2**m, beta=0)]
    learners += [th.Perceptron(2**m), th.SignedWinnow(2**m, eta=0.5)]
    for learner in learners:
        games.sign_patterns(learner, m)
        assert learner.mistakes == m, learner


@pytest.mark.parametrize(("n", "r"), [(1024, 2), (16, 0), (5, 5)])
def test_elimination_and_conjunction_err_once_per_irrelevant_feature(n: int, r: int) -> None:
    assert th.Elimination(n).learn(games.elimination(n, r).batch).mistakes == n - r
    assert th.Conjunction(n).learn(games.all_but_one(n, r).batch).mistakes == n - r


def test_the_splitter_makes_weighted_majority_wrong_in_every_round() -> None:
    stream = games.splitter(1024, 200)
    learner = th.WeightedMajority(1024)
    assert learner.learn(stream.batch).mistakes == stream.forced == 200
    assert learner.weights.max() == 2.0**-75


@pytest.mark.parametrize(("n", "r", "forced"), [(16, 1, 33), (64, 1, 129), (64, 8, 913)])
def test_dense_disjunctions_cost_the_perceptron_dearly(n: int, r: int, forced: int) -> None:
    stream = games.dense_disjunction(n, r)
    learner = th.Perceptron(stream.n_features, bias=stream.n_features == n)
    assert learner.learn(stream.batch).mistakes == stream.forced == forced


def test_nested_functions_cost_the_perceptron_exponentially_many() -> None:
    stream = games.nested(8)
    learner = th.Perceptron(stream.n_features)
    while learner.learn(stream.batch).mistakes:
        pass
    assert learner.mistakes == stream.forced == 1685


@pytest.mark.parametrize(
    ("build", "learner"),
    [
        (games.winnow_loop, th.Winnow(4)),
        (games.balanced_loop, th.BalancedWinnow(3)),
        (games.committee_ties, th.Perceptron(3)),
    ],
)
def test_loops_never_end(build: Any, learner: Any) -> None:
    stream = build(500)
    assert learner.copy().learn(stream.batch).mistakes == stream.forced >= 1000


def test_a_step_that_is_too_large_errs_for_ever() -> None:
    stream = games.eg_too_fast(2000)
    learner = th.NormalizedWinnow(stream.n_features, eta=1)
    assert learner.learn(stream.batch).mistakes == 2000
