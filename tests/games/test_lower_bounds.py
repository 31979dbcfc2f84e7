"""Adversaries that no deterministic learner escapes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from river import linear_model as river_linear
from river import naive_bayes as river_bayes
from river import tree as river_tree
from sklearn.linear_model import PassiveAggressiveClassifier, SGDClassifier
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.naive_bayes import BernoulliNB

from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import (
    BooleanPlayer,
    LowerBoundAdversary,
    PartialFitPlayer,
    Separator,
    binary_search,
    identical_shards,
    multiclass_orthonormal,
    orthonormal,
    play,
    sign_patterns,
    thick,
)
from thresher.games.assemble import of_sets

N = 9  # floor(1/margin^2) for the margin 1/3

SKLEARN: dict[str, Callable[[], Any]] = {
    "Perceptron": lambda: SklearnPerceptron(),
    "PassiveAggressive": lambda: PassiveAggressiveClassifier(random_state=0),
    "SGD hinge": lambda: SGDClassifier(random_state=0),
    "SGD logistic": lambda: SGDClassifier(loss="log_loss", random_state=0),
    "BernoulliNB": lambda: BernoulliNB(),
}
RIVER: dict[str, Callable[[], Any]] = {
    "Perceptron": lambda: river_linear.Perceptron(),
    "PA": lambda: river_linear.PAClassifier(),
    "ALMA": lambda: river_linear.ALMAClassifier(),
    "logistic": lambda: river_linear.LogisticRegression(),
    "BernoulliNB": lambda: river_bayes.BernoulliNB(),
    "HoeffdingTree": lambda: river_tree.HoeffdingTreeClassifier(),
}
REFERENCE: dict[str, Callable[[int], slow.Slow]] = {
    "Perceptron": lambda d: slow.Perceptron(),
    "Winnow": lambda d: slow.Winnow(d),
    "BalancedWinnow": lambda d: slow.BalancedWinnow(d),
    "Elimination": lambda d: slow.Elimination(d),
    "Conjunction": lambda d: slow.Conjunction(d),
    "WeightedMajority": lambda d: slow.WeightedMajority(d),
    "EG": lambda d: slow.ExponentiatedGradient(d, 0.5),
}
every_reference = pytest.mark.parametrize("make", REFERENCE.values(), ids=REFERENCE)


@given(st.fractions(min_value=Fraction(1, 20), max_value=1))
def test_the_number_of_rounds_is_the_largest_that_the_margin_allows(margin: Fraction) -> None:
    n = LowerBoundAdversary(margin).rounds
    assert n * margin**2 <= 1 < (n + 1) * margin**2


@pytest.mark.parametrize(
    ("margin", "rounds"),
    [(1, 1), (Fraction(1, 10), 100), ("0.1", 100), ("1/3", 9), (0.5, 4), (0.1, 99), (0.3, 11)],
)
def test_a_margin_means_exactly_what_was_written(margin: Any, rounds: int) -> None:
    assert LowerBoundAdversary(margin).rounds == rounds


@pytest.mark.parametrize("margin", [0, -1, "2", 1.5, float("nan"), float("inf"), "tiny", None])
def test_a_margin_outside_0_to_1_is_refused(margin: Any) -> None:
    with pytest.raises(ParameterError, match="LowerBoundAdversary: margin must be"):
        LowerBoundAdversary(margin)


@every_reference
@given(st.integers(1, 60).map(lambda b: Fraction(b, 61)))
def test_every_deterministic_learner_errs_in_every_round(
    make: Callable[[int], slow.Slow], margin: Fraction
) -> None:
    adversary = LowerBoundAdversary(max(margin, Fraction(1, 7)))
    stream = adversary.play(make(adversary.rounds))
    assert len(stream) == stream.forced == adversary.rounds
    assert play(make(adversary.rounds), stream) == adversary.rounds
    assert stream.consistent
    target = stream.target
    assert isinstance(target, Separator)
    assert target.norm_squared <= 1
    assert target.margin_of(stream.batch) == target.margin == adversary.margin


# The Passive-Aggressive class is on its way out of scikit-learn and says so.
@pytest.mark.filterwarnings("ignore:.*PassiveAggressive.*:FutureWarning")
@pytest.mark.parametrize("make", SKLEARN.values(), ids=SKLEARN)
def test_scikit_learns_classifiers_err_in_every_round(make: Callable[[], Any]) -> None:
    stream = LowerBoundAdversary("1/3").play(PartialFitPlayer(make(), N))
    assert stream.consistent
    assert play(PartialFitPlayer(make(), N), stream) == N == stream.forced


@pytest.mark.parametrize("make", RIVER.values(), ids=RIVER)
def test_rivers_classifiers_err_in_every_round(make: Callable[[], Any]) -> None:
    stream = LowerBoundAdversary("1/3").play(BooleanPlayer(make()))
    assert stream.consistent
    assert play(BooleanPlayer(make()), stream) == N == stream.forced


def test_an_adapted_player_learns() -> None:
    rows = of_sets([([0], 1), ([1], -1)] * 10)
    for player in (
        PartialFitPlayer(SklearnPerceptron(), 2),
        BooleanPlayer(river_linear.Perceptron()),
    ):
        assert play(player, rows) < 5
        assert player.predict_one({0: 1.0}) == 1
        assert player.predict_one({1: 1.0}) == -1


@pytest.mark.parametrize(
    ("answer", "prediction"), [(None, 1), (True, 1), (False, -1), (1, 1), (0, -1), (-1, -1)]
)
def test_a_boolean_players_answer_is_a_sign(answer: Any, prediction: int) -> None:
    class Model:
        """Says one thing only."""

        def predict_one(self, features: dict[int, float]) -> Any:
            return answer

    assert BooleanPlayer(Model()).predict_one({}) == prediction


def test_one_flipped_label_is_noticed() -> None:
    stream = LowerBoundAdversary("1/3").play(slow.Perceptron())
    target = stream.target
    assert isinstance(target, Separator)
    for i in range(N):
        lie = Separator(dict(target.weights) | {i: -target.weights[i]}, margin=target.margin)
        assert lie.contradictions(stream.batch).tolist() == [i]
    greedy = Separator(target.weights, margin=target.margin + Fraction(1, 10**30))
    assert len(greedy.contradictions(stream.batch)) == N


@pytest.mark.parametrize("n", [1, 5, 50])
def test_the_fixed_orthonormal_stream_fools_learners_that_start_with_plus_one(n: int) -> None:
    stream = orthonormal(n)
    assert stream.consistent
    assert play(slow.Perceptron(), stream) == play(slow.BalancedWinnow(n, theta=0), stream) == n
    fixed = LowerBoundAdversary(Fraction(1, isqrt(n - 1) + 1)).stream()
    assert play(slow.Perceptron(), fixed) == fixed.forced == len(fixed)
    assert fixed.consistent


def test_identical_shards_make_as_many_mistakes_as_there_are_copies() -> None:
    stream = identical_shards(40, 4)
    pieces = stream.pieces()
    workers = [slow.Perceptron() for _ in pieces]
    total = sum(play(worker, piece) for worker, piece in zip(workers, pieces, strict=True))
    assert total == stream.forced == stream.bound == 160
    keys = {worker.state_key() for worker in workers}
    assert keys == {frozenset((i, -1.0) for i in range(40))}
    assert play(workers[0], pieces[1]) == 0
    assert stream.consistent


@pytest.mark.parametrize(("n", "tau"), [(1, 0), (7, 3), (10, Fraction(5, 2)), (4, "0.1")])
def test_a_thick_perceptron_updates_floor_tau_plus_one_times_a_row(n: int, tau: Any) -> None:
    stream = thick(n, tau)
    player = slow.Perceptron(thick=Fraction(tau))
    before = -1
    while player.updates != before:
        before = player.updates
        play(player, stream)
    assert player.updates == stream.forced == n * (int(Fraction(tau)) + 1)
    assert stream.bound is not None
    assert stream.forced <= stream.bound
    assert stream.consistent


@every_reference
@pytest.mark.parametrize("m", [1, 3, 6])
def test_all_sign_patterns_fool_everyone_but_one_expert(
    make: Callable[[int], slow.Slow], m: int
) -> None:
    stream = sign_patterns(make(2**m), m)
    assert len(stream) == stream.forced == m
    assert play(make(2**m), stream) == m
    assert stream.consistent


@every_reference
@pytest.mark.parametrize(("d", "r", "forced"), [(64, 1, 6), (64, 4, 16), (1024, 8, 56), (7, 7, 0)])
def test_binary_search_forces_r_times_the_bits_of_a_block(
    make: Callable[[int], slow.Slow], d: int, r: int, forced: int
) -> None:
    stream = binary_search(make(d), d, r)
    assert len(stream) == stream.forced == forced
    assert play(make(d), stream) == forced
    assert stream.consistent


@pytest.mark.parametrize(("k", "n"), [(2, 20), (3, 30), (5, 40), (10, 50)])
def test_the_multiclass_perceptron_errs_in_every_round(k: int, n: int) -> None:
    stream = multiclass_orthonormal(slow.MulticlassPerceptron(k), n, k)
    assert slow.mistakes(slow.MulticlassPerceptron(k), stream.examples()) == n
    assert stream.forced == stream.bound == n == len(stream)
    assert stream.consistent


def test_a_wrong_class_is_noticed() -> None:
    stream = multiclass_orthonormal(slow.MulticlassPerceptron(3), 5, 3)
    del stream.weights[stream.label[2], 2]
    assert not stream.consistent


def test_a_player_of_too_many_classes_is_refused() -> None:
    player = slow.MulticlassPerceptron(3)
    player.W[2][0] = 1.0
    with pytest.raises(ParameterError, match="a prediction must be between 0 and 1, found 2"):
        multiclass_orthonormal(player, 4, 2)
