"""Probabilities from scores that were taken before their labels."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import thresher as th
from thresher.errors import FeatureRangeError, ParameterError, StateError
from thresher.learners.calibration.calibrator import (
    N_BINS,
    SIDE,
    Calibrator,
    bin_middles,
    bin_of,
    bin_of_one,
)
from thresher.learners.calibration.isotonic import IsotonicCalibrator, pooled
from thresher.learners.calibration.platt import PlattCalibrator, logistic_fit

METHODS = ["isotonic", "platt"]
KINDS: list[type[Calibrator]] = [IsotonicCalibrator, PlattCalibrator]
counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


def scored(seed: int, n: int, slope: float = 0.8) -> tuple[Any, Any]:
    """Scores, and labels whose probability is a logistic curve of them."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n) * 3
    probability = 1.0 / (1.0 + np.exp(-(slope * scores + 0.3)))
    return scores, np.where(rng.random(n) < probability, 1, -1).astype(np.int8)


# ---- bins --------------------------------------------------------------------------------------


def test_the_middle_of_a_bin_is_in_the_bin() -> None:
    middles = bin_middles()
    assert bin_of(middles).tolist() == list(range(N_BINS))
    assert np.all(np.diff(middles) > 0)
    assert middles[SIDE] == 0.0
    assert middles.tolist() == (-middles[::-1]).tolist()


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_bins_never_fall_as_the_score_rises(scores: list[float]) -> None:
    ordered = np.sort(np.array(scores))
    found = bin_of(ordered)
    assert np.all(np.diff(found) >= 0)
    assert 0 <= found.min() <= found.max() < N_BINS
    assert bin_of(-ordered).tolist() == (N_BINS - 1 - found).tolist()


@given(st.floats(1e-15, 1e15))
def test_scores_of_one_bin_are_a_sixteenth_apart_at_most(score: float) -> None:
    middle = bin_middles()[bin_of(np.array([score]))[0]]
    assert abs(middle - score) <= score / 32 * (1 + 1e-12)


# ---- the two methods ---------------------------------------------------------------------------


@given(counts)
def test_pooling_is_isotonic_regression(table: list[tuple[int, int]]) -> None:
    positive = [a for a, b in table if a + b]
    total = [a + b for a, b in table if a + b]
    if not total:
        return
    shares = np.array(positive) / np.array(total)
    expected = (
        IsotonicRegression()
        .fit(np.arange(len(total)), shares, total)
        .predict(np.arange(len(total)))
    )
    assert pooled(positive, total) == pytest.approx(expected.tolist(), abs=1e-12)


@given(counts)
def test_pooled_shares_rise_and_keep_the_sum(table: list[tuple[int, int]]) -> None:
    positive, total = [a for a, _ in table], [a + b + 1 for a, b in table]
    found = np.array(pooled(positive, total))
    assert np.all(np.diff(found) >= 0)
    assert float(found @ np.array(total)) == pytest.approx(sum(positive))


def test_isotonic_steps_are_those_of_scikit_learn_on_the_same_bins() -> None:
    """With a +1 below all scores and a -1 above them; in bins that have rows."""
    scores, labels = scored(0, 2000)
    calibrator = IsotonicCalibrator(10**6)
    calibrator.learn(scores, labels)
    calibrator.fit()
    bins = np.array([-1, *bin_of(scores), N_BINS])
    outcome = np.array([1, *(labels > 0), 0], np.float64)
    order = np.argsort(bins, kind="stable")
    expected = IsotonicRegression().fit(bins[order], outcome[order])
    used = np.flatnonzero(calibrator.counts.sum(axis=0))
    assert calibrator.steps[used] == pytest.approx(expected.predict(used), abs=1e-12)


@given(counts)
def test_the_gradient_of_the_curve_is_zero_or_its_slope_is(table: list[tuple[int, int]]) -> None:
    x = np.linspace(-3.0, 2.0, len(table))
    negative = np.array([a for a, _ in table])
    positive = np.array([b for _, b in table])
    if not (negative + positive).any():
        return
    a, b = logistic_fit(x, negative, positive)
    n_negative, n_positive = negative.sum(), positive.sum()
    target = positive * (n_positive + 1) / (n_positive + 2) + negative / (n_negative + 2)
    error = (negative + positive) / (1.0 + np.exp(-(a * x + b))) - target
    size = 1e-6 * (n_negative + n_positive)
    assert abs(error.sum()) <= size
    # At slope 0 the loss must not fall as the slope rises.
    assert abs(error @ x) <= size if a > 0.0 else error @ x >= -size


def test_labels_in_the_wrong_order_get_a_flat_curve() -> None:
    a, b = logistic_fit(np.array([-1.0, 1.0]), np.array([0, 5]), np.array([10, 0]))
    assert a == 0.0
    assert b == pytest.approx(np.log((10 * 11 / 12 + 5 / 7) / (15 - 10 * 11 / 12 - 5 / 7)))


def test_the_curve_of_logistic_labels_is_found() -> None:
    scores, labels = scored(1, 40_000)
    calibrator = PlattCalibrator(10**6)
    calibrator.learn(scores, labels)
    assert calibrator.slope == pytest.approx(0.8, abs=0.03)
    assert calibrator.intercept == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.sampled_from([-1, 1])), max_size=60))
@settings(max_examples=40)
def test_probabilities_rise_with_the_score_and_lie_between_0_and_1(
    kind: type[Calibrator], rounds: list[tuple[float, int]]
) -> None:
    calibrator = kind(20)
    given_before = calibrator.learn(
        np.array([s for s, _ in rounds]), np.array([y for _, y in rounds], np.int8)
    )
    grid = np.array([-1e300, -1e7, -30.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 1.5, 30.0, 1e7, 1e300])
    found = calibrator.probabilities(grid)
    assert np.all(np.diff(found) >= 0)
    assert np.all((found > 0) & (found < 1))
    assert np.all((given_before > 0) & (given_before < 1))
    assert given_before[:1].tolist() == [0.5][: len(rounds)]


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 20), st.lists(st.integers(0, 120), max_size=4), st.sampled_from([7, 50, 999]))
@settings(max_examples=15)
def test_how_the_rounds_are_cut_makes_no_difference(
    kind: type[Calibrator], seed: int, cuts: list[int], memory: int
) -> None:
    scores, labels = scored(seed, 120)
    whole, pieces = kind(memory), kind(memory)
    found = whole.learn(scores, labels)
    edges = [0, *sorted(cuts), 120]
    parts = [pieces.learn(scores[a:b], labels[a:b]) for a, b in pairwise(edges)]
    assert np.concatenate(parts).tobytes() == found.tobytes()
    assert all(map(np.array_equal, whole.state(), pieces.state()))


@given(st.floats(allow_nan=False))
def test_a_single_score_has_the_bin_it_has_among_others(score: float) -> None:
    assert bin_of_one(score) == bin_of(np.array([score]))[0]


@pytest.mark.parametrize("kind", [IsotonicCalibrator, PlattCalibrator])
def test_rounds_one_by_one_are_rounds_together(kind: type[Calibrator]) -> None:
    rng = np.random.default_rng(8)
    scores, labels = rng.normal(size=150), rng.choice([-1, 1], 150).astype(np.int8)
    together, alone = kind(40), kind(40)
    together.learn(scores, labels)
    for score, label in zip(scores.tolist(), labels.tolist(), strict=True):
        alone.learn_one(score, label)
    assert alone.n_rounds == together.n_rounds
    assert alone.next_fit == together.next_fit
    assert alone.counts.tolist() == together.counts.tolist()
    assert alone.probabilities(scores).tolist() == together.probabilities(scores).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_old_rounds_fade(kind: type[Calibrator]) -> None:
    """The labels turn round; what remembers 100 rounds follows, what remembers all does not."""
    scores, labels = scored(2, 3000)
    turned = np.concatenate((np.ones(3000, np.int8) * -labels, labels))
    short, long = kind(100), kind(10**6)
    for calibrator in (short, long):
        calibrator.learn(np.concatenate((scores, scores)), turned)
    assert short.counts.sum() <= 200
    assert long.counts.sum() == 6000
    high = np.array([6.0])
    assert short.probabilities(high)[0] > 0.8
    assert long.probabilities(high)[0] < 0.7


@pytest.mark.parametrize("kind", KINDS)
def test_on_scores_that_mean_something_the_log_loss_is_near_the_best_possible(
    kind: type[Calibrator],
) -> None:
    """The entropy of the labels is a bound for any method; a coin gets ln 2."""
    scores, labels = scored(3, 20_000)
    found = kind(10**6).learn(scores, labels)
    truth = 1.0 / (1.0 + np.exp(-(0.8 * scores + 0.3)))

    def loss(probability: Any) -> float:
        return float(-np.mean(np.log(np.where(labels > 0, probability, 1 - probability))))

    assert loss(truth) < loss(found) < loss(truth) + 0.01 < np.log(2) - 0.1


# ---- the learner -------------------------------------------------------------------------------


def stream(seed: int, n: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 2, (n, 5)).astype(np.float64)
    return table, np.where(table @ [2, 1, -1, -2, 0] + rng.normal(size=n) > 0, 1, -1)


LEARNERS = [
    lambda: th.Perceptron(5, bias=True),
    lambda: th.Winnow(5, threshold=2),
    lambda: th.SignedWinnow(5, eta=0.3),
    lambda: th.AROW(5),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", LEARNERS)
def test_a_calibrated_learner_predicts_as_ever_and_says_before_each_round_what_it_gave(
    make: Any, method: str
) -> None:
    table, labels = stream(0)
    plain, learner, single = make(), th.Calibrated(make(), method), th.Calibrated(make(), method)
    rounds, expected = learner.learn(table, labels), plain.learn(table, labels)
    assert rounds.scores.tobytes() == expected.scores.tobytes()
    assert rounds.mistakes == expected.mistakes == learner.mistakes
    for t, (row, label) in enumerate(zip(table, labels.tolist(), strict=True)):
        features = {i: v for i, v in enumerate(row) if v}
        before = single.probability_one(features)
        assert before == single.predict_proba(row.reshape(1, -1))[0, 1] == rounds.probabilities[t]
        assert single.learn_one(features, label) == expected.predictions[t]
    assert single == learner
    assert learner.learner == plain
    assert learner.scores(table).tobytes() == plain.scores(table).tobytes()
    assert learner.predict(table).tolist() == plain.predict(table).tolist()
    assert learner.score_one({0: 1.0}) == plain.score_one({0: 1.0})
    assert learner.predict_one({0: 1.0}) == plain.predict_one({0: 1.0})
    both = learner.predict_proba(table)
    assert both.sum(axis=1) == pytest.approx(np.ones(len(table)))


def test_the_log_loss_is_the_mean_of_what_the_labels_cost() -> None:
    learner = th.Calibrated(th.Perceptron(1), "platt")
    rounds = learner.learn([[1.0], [1.0]], [1, 1])
    second = rounds.probabilities[1]
    assert rounds.probabilities[0] == 0.5
    assert rounds.log_loss == pytest.approx(-(np.log(0.5) + np.log(second)) / 2)
    assert learner.learn(np.zeros((0, 1)), []).log_loss == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_copied_pickled_or_saved_it_goes_on_as_before(method: str, tmp_path: Path) -> None:
    learner = th.Calibrated(th.Perceptron(5), method, memory=50)
    learner.learn(*stream(1))
    learner.save(tmp_path / "model.thr")
    twins = [learner.copy(), pickle.loads(pickle.dumps(learner)), th.load(tmp_path / "model.thr")]
    assert all(twin == learner for twin in twins)
    rounds = learner.learn(*stream(2))
    for twin in twins:
        assert twin != learner
        assert twin.learn(*stream(2)).probabilities.tobytes() == rounds.probabilities.tobytes()
        assert twin == learner
    assert learner.started_anew() == th.Calibrated(th.Perceptron(5), method, memory=50)


def test_what_cannot_be_calibrated_is_refused() -> None:
    started = th.Perceptron(2)
    started.learn([[1, 0]], [1])
    for learner, message in (
        (started, "one that has seen nothing"),
        (th.MulticlassPerceptron(2), "a two-class learner"),
        (th.Calibrated(th.Perceptron(2)), "a two-class learner"),
    ):
        with pytest.raises(ParameterError, match=message):
            th.Calibrated(learner)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'isotonic' or 'platt'"):
        th.Calibrated(th.Perceptron(2), "sigmoid")
    with pytest.raises(ParameterError, match="memory"):
        th.Calibrated(th.Perceptron(2), memory=0)


def test_a_refused_batch_leaves_the_calibration_as_it_was() -> None:
    learner = th.Calibrated(th.Winnow(5))
    learner.learn(*stream(3))
    before = learner.copy()
    with pytest.raises(FeatureRangeError):
        learner.learn([[1, 0, 0, 0, 0], [2, 0, 0, 0, 0]], [1, 1])
    assert learner == before


STATES = [
    (lambda c, n, f, s: (c - 1, n, f, s), "bins"),
    (lambda c, n, f, s: (c[:, 1:], n, f, s), "bins"),
    (lambda c, n, f, s: (c + 1, n, f, s), "rounds"),
    (lambda c, n, f, s: (c, n, n, s), "rounds"),
    (lambda c, n, f, s: (c, float(n), f, s), "rounds"),
    (lambda c, n, f, s: (c, n, f, s[::-1] + 0.0), "steps"),
    (lambda c, n, f, s: (c, n, f, s * 2), "steps"),
]


@pytest.mark.parametrize(("damage", "message"), STATES)
def test_a_state_that_cannot_be_is_refused(damage: Any, message: str) -> None:
    learner = th.Calibrated(th.Perceptron(5))
    learner.learn(*stream(4))
    saved = learner.__getstate__()
    inner, state = saved["state"]
    with pytest.raises(StateError, match=message):
        learner.copy().__setstate__({**saved, "state": (inner, damage(*state))})
    with pytest.raises(StateError, match="member"):
        learner.copy().__setstate__({**saved, "state": (th.Perceptron(4), state)})
    curve = th.Calibrated(th.Perceptron(5), "platt")
    saved = curve.__getstate__()
    inner, state = saved["state"]
    with pytest.raises(StateError, match="curve"):
        curve.__setstate__({**saved, "state": (inner, (*state[:3], -1.0, 0.0))})


# ---- one versus rest ---------------------------------------------------------------------------


@pytest.mark.parametrize("make", LEARNERS)
def test_one_versus_rest_is_its_learners_run_by_hand(make: Any) -> None:
    table, _ = stream(5)
    labels = np.array(["a", "b", "c"])[np.random.default_rng(5).integers(0, 3, len(table))]
    several = th.OneVersusRest(make())
    rounds = several.learn(table, labels)
    first = {label: int(np.argmax(labels == label)) for label in several.classes}
    assert list(first.values()) == sorted(first.values())
    members = {label: make() for label in several.classes}
    for member in members.values():
        member.wait_for_class()
    for t, row in enumerate(table):
        margins = {
            label: float(members[label].scores([row])[0]) - members[label].threshold
            for label in several.classes
            if first[label] < t
        }
        expected = max(margins, key=margins.__getitem__) if margins else None
        assert rounds.predictions[t] == expected
        assert rounds.scores[t] == (margins[expected] if expected else 0.0)
        for label, member in members.items():
            member.learn([row], [1 if labels[t] == label else -1])
    for label, member in members.items():
        assert several.learner_of(label) == member


@pytest.mark.parametrize("wrap", [lambda learner: learner, th.Calibrated])
def test_what_rows_weigh_reaches_every_class(wrap: Any) -> None:
    table, _ = stream(7)
    labels, weight = ["x", "y", "z"] * 20, np.tile([1.0, 0.5, 2.0, 0.25], 15)
    several = th.OneVersusRest(wrap(th.AROW(5)))
    several.learn(table, labels, importance=weight)
    late = wrap(th.AROW(5))
    late.learn(table, [1 if c == "z" else -1 for c in labels], importance=weight)
    assert several.learner_of("z") == late


def test_probabilities_of_several_classes_sum_to_one() -> None:
    table, _ = stream(6)
    labels = ["x", "y", "z"] * 20
    several = th.OneVersusRest(th.Calibrated(th.Perceptron(5), "platt"))
    assert several.predict_proba(table).shape == (60, 0)
    several.learn(table, labels)
    found = several.predict_proba(table)
    each = [several.learner_of(c).predict_proba(table)[:, 1] for c in several.classes]
    assert found.sum(axis=1) == pytest.approx(np.ones(60))
    assert found * np.sum(each, axis=0)[:, None] == pytest.approx(np.stack(each, axis=1))
