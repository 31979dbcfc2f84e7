"""Learners that keep their weights as they are, next to their slow twins."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference.adagrad import AdaGrad
from tests.reference.arow import Arow
from tests.reference.passive_aggressive import PassiveAggressive
from tests.reference.perceptron import ForgetfulPerceptron, Perceptron, Weights

Example = tuple[dict[int, float], int, float]
Pair = tuple[Callable[..., Any], Callable[..., Weights]]

values = st.sampled_from([1.0, -1.0, 0.5, 0.1, 1 / 3, 1e-200, 5e-324, 1e100, -1e100, 1e16])
rows = st.dictionaries(st.integers(0, 6), values | st.floats(-9, 9).filter(bool), max_size=5)
labels = st.sampled_from([-1, 1])
streams = st.lists(st.tuples(rows, labels, st.just(1.0)), max_size=25)
weighted = st.lists(st.tuples(rows, labels, st.sampled_from([1.0, 0.0, 3.0, 0.3])), max_size=25)

#: Each learner and its twin, made from whether there is a bias and whether to average.
PAIRS: dict[str, Pair] = {
    "perceptron": (
        lambda n, bias, **k: th.Perceptron(n, bias, **k),
        lambda bias, average: Perceptron(bias, 0.0, average),
    ),
    "margin": (
        lambda n, bias, **k: th.Perceptron(n, bias, margin=0.7, **k),
        lambda bias, average: Perceptron(bias, 0.7, average),
    ),
    "pa1": (
        lambda n, bias, **k: th.PassiveAggressive(n, "PA-I", 0.3, bias, **k),
        lambda bias, average: PassiveAggressive("PA-I", 0.3, bias, average),
    ),
    "pa2": (
        lambda n, bias, **k: th.PassiveAggressive(n, "PA-II", 0.3, bias, **k),
        lambda bias, average: PassiveAggressive("PA-II", 0.3, bias, average),
    ),
    "arow": (
        lambda n, bias, **k: th.AROW(n, 0.7, bias, **k),
        lambda bias, average: Arow(0.7, bias, average),
    ),
    "adagrad": (
        lambda n, bias, **k: th.AdaGrad(n, 0.3, "hinge", bias, **k),
        lambda bias, average: AdaGrad(0.3, "hinge", bias, average),
    ),
    "logistic": (
        lambda n, bias, **k: th.AdaGrad(n, 0.3, "logistic", bias, **k),
        lambda bias, average: AdaGrad(0.3, "logistic", bias, average),
    ),
}
#: Those without an average, or without importance.
OTHERS: dict[str, Pair] = {
    "pa": (
        lambda n, bias, **k: th.PassiveAggressive(n, "PA", bias=bias, **k),
        lambda bias, average: PassiveAggressive("PA", 1.0, bias, average),
    ),
    "decay": (
        lambda n, bias, **k: th.Perceptron(n, bias, decay=0.25, **k),
        lambda bias, average: ForgetfulPerceptron(0.25, bias),
    ),
    "decay and margin": (
        lambda n, bias, **k: th.Perceptron(n, bias, margin=0.7, decay=0.5, **k),
        lambda bias, average: ForgetfulPerceptron(0.5, bias, margin=0.7),
    ),
}
every_pair = pytest.mark.parametrize("pair", (PAIRS | OTHERS).values(), ids=PAIRS | OTHERS)
full_pair = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


def learned(learner: Any, stream: list[Example]) -> list[float]:
    columns = [[e[k] for e in stream] for k in range(3)]
    scores: list[float] = learner.learn(columns[0], columns[1], importance=columns[2]).scores
    return [float(score) for score in scores]


def check_same(learner: Any, twin: Weights, stream: list[Example]) -> None:
    """Play both and compare all that can be seen, bit for bit."""
    scores = learned(learner, stream)
    assert [s.hex() for s in scores] == [twin.play(*example).hex() for example in stream]
    assert learner.dual.tolist() == twin.dual(learner.n_features)
    assert (learner.false_negatives, learner.false_positives) == (
        twin.false_negatives,
        twin.false_positives,
    )
    journal, weights = learner.journal, learner.journal.importance
    kept = [
        (t, row, label)
        for t, (row, label) in zip(journal.round_number.tolist(), journal.examples(), strict=True)
    ]
    assert kept == [(t, dict(sorted(row.items())), label) for t, row, label in twin.journal]
    expected = [stream[t][2] for t, _, _ in twin.journal]
    assert (weights is None) == (set(expected) <= {1.0})
    assert weights is None or weights.tolist() == expected


@given(weighted, st.booleans(), st.sampled_from([None, 7]), st.integers(0, 25))
def test_an_arow_that_waits_for_its_class_is_its_slow_twin(
    stream: list[Example], bias: bool, n_features: int | None, first: int
) -> None:
    # Rows of the class come from some round on; between two pieces the learner is restored.
    stream = [(row, y if t >= first else -1, h) for t, (row, y, h) in enumerate(stream)]
    twin = Arow(0.2, bias, waits=True)
    learner = th.AROW(n_features, 0.2, bias)
    for piece in (stream[:9], stream[9:]):
        learner = learner.copy()
        learner.wait_for_class()
        assert learned(learner, piece) == [twin.play(*example) for example in piece]
    assert learner.dual.tolist() == twin.dual(learner.n_features)
    expected = [1.0 / twin.precision.get(i, 1.0) for i in range(learner.n_features)]
    assert learner.variances.tolist() == expected


@every_pair
@given(streams, st.booleans(), st.sampled_from([None, 7]))
@settings(max_examples=30)
def test_a_learner_is_its_slow_twin(
    pair: Pair, stream: list[Example], bias: bool, n_features: int | None
) -> None:
    check_same(pair[0](n_features, bias), pair[1](bias, False), stream)


@full_pair
@given(weighted, st.booleans(), st.booleans())
@settings(max_examples=30)
def test_so_it_is_with_weights_and_means(
    pair: Pair, stream: list[Example], bias: bool, average: bool
) -> None:
    learner = pair[0](None, bias, average=average, class_weight={-1: 0.5, 1: 2})
    twin = pair[1](bias, average)
    twin.class_weight = (0.5, 2.0)
    check_same(learner, twin, stream)


@full_pair
@pytest.mark.parametrize("scaling", ["l2", "l1", "max", "online"])
@given(streams, st.booleans())
@settings(max_examples=30)
def test_so_it_is_with_scaled_rows(
    pair: Pair, scaling: str, stream: list[Example], bias: bool
) -> None:
    learner, twin = pair[0](None, bias, scaling=scaling), pair[1](bias, False)
    twin.scaling = scaling
    check_same(learner, twin, stream)


@every_pair
@given(streams, st.booleans())
@settings(max_examples=30)
def test_growing_row_by_row_is_the_slow_twin_too(
    pair: Pair, stream: list[Example], bias: bool
) -> None:
    learner, twin = pair[0](None, bias), pair[1](bias, False)
    for row, label, importance in stream:
        assert learner.score_one(row).hex() == twin.play(row, label).hex()
        learner.learn_one(row, label, importance)
    assert learner.dual.tolist() == twin.dual(learner.n_features)


@every_pair
@given(streams)
@settings(max_examples=30)
def test_weights_and_scores_stay_finite(pair: Pair, stream: list[Example]) -> None:
    learner = pair[0](7, True)
    for _ in range(3):
        assert np.all(np.isfinite(learned(learner, stream)))
        assert np.all(np.isfinite(learner.dual))


def test_second_numbers_start_anew_with_a_given_dual_vector() -> None:
    learner = th.AROW(2)
    learner.learn([[1, 1], [2, 0]], [1, -1])
    assert learner.variances.tolist() != [1.0, 1.0]
    assert learner.with_dual(learner.dual).variances.tolist() == [1.0, 1.0]
    assert learner.copy().variances.tolist() == learner.variances.tolist()


def test_the_variances_of_arow_are_those_of_the_formula() -> None:
    learner = th.AROW(2, r=0.5)
    learner.learn([[1, 0], [1, 2]], [1, -1])
    assert learner.variances.tolist() == [1 / 5, 1 / 9]
    # The second row: margin 2/3, variance 1/3 + 4, loss 5/3, step 5/3 / (13/3 + 1/2) = 10/29.
    assert learner.weights.tolist() == pytest.approx([2 / 3 - 10 / 87, -20 / 29], rel=1e-15)


def test_what_was_forgotten_is_forgotten_at_any_depth() -> None:
    learner = th.Perceptron(2, decay=0.5)
    # 700 halvings: the factor is folded into the weights on the way.
    for _ in range(350):
        learner.learn([[1, 0], [1, 0]], [-1, 1])
    assert len(learner.journal) == 700
    # w <- w/2 - 1, then w/2 + 1: the fixed point of the pair is 2/3.
    assert learner.weights.tolist() == pytest.approx([2 / 3, 0.0], rel=1e-12)


def test_the_mean_is_the_mean_of_the_weights_of_all_rounds() -> None:
    generator = np.random.default_rng(3)
    X = generator.integers(-2, 3, (40, 5)).astype(float)
    y = np.where(generator.random(40) < 0.5, 1, -1)
    plain, mean = th.Perceptron(5, bias=True), th.Perceptron(5, bias=True, average=True)
    seen = [plain.dual]
    for x, label in zip(X, y, strict=True):
        total = np.mean(seen, axis=0)
        assert mean.weights == pytest.approx(total[:5], abs=1e-12)
        assert mean.bias_weight == pytest.approx(total[5], abs=1e-12)
        plain.learn([x], [label])
        mean.learn([x], [label])
        seen.append(plain.dual)
        assert mean.dual.tolist() == plain.dual.tolist()
    assert mean.journal == plain.journal
    assert mean.mistakes != plain.mistakes


def test_a_margin_of_exactly_1_has_no_hinge_loss() -> None:
    for fresh in (th.AdaGrad(1), th.AROW(1), th.PassiveAggressive(1)):
        learner = fresh.started_anew([1.0])
        assert learner.learn([[1.0], [-1.0]], [1, -1]).scores.tolist() == [1.0, -1.0]
        assert learner.weights.tolist() == [1.0]
        assert len(learner.journal) == 0


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_memory_that_ends_while_arrays_grow_leaves_the_learner_as_it_was(
    fails_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = th.AROW(bias=True, average=True, scaling="online")
    learner.learn([{0: 1.0, 1: -2.0}, {1: 3.0}], [1, -1])
    before, full, calls = learner.copy(), np.full, itertools.count(1)

    def short_of_memory(*given: Any, **named: Any) -> Any:
        if next(calls) == fails_at:
            raise MemoryError
        return full(*given, **named)

    monkeypatch.setattr(np, "full", short_of_memory)
    with pytest.raises(MemoryError):
        learner.learn_one({9_000: 1.0}, 1)
    monkeypatch.undo()
    assert learner == before
    assert learner.scores([{0: 1.0, 1: 1.0}]) == before.scores([{0: 1.0, 1: 1.0}])


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("make", [th.Perceptron, th.AROW, th.PassiveAggressive, th.AdaGrad])
def test_weights_stay_where_they_are_while_there_is_room(
    make: Callable[..., Any], bias: bool
) -> None:
    learner = make(bias=bias)
    learner.learn_one({0: 1.0, 40: 1.0}, -1)
    learner.learn_one({41: 1.0}, -1)
    where, weights = learner._engine.numbers(), learner.weights.tolist()
    learner.learn_one({50: 0.0, 44: 1.0}, -1)
    assert np.shares_memory(learner._engine.numbers(), where)
    assert learner.weights.tolist()[:42] == weights[:42]
    assert len(learner.weights) == 45
