"""What is proven about several classes, on the learners themselves."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.games.multiclass import multiclass_orthonormal
from thresher.theory import (
    MulticlassNormalizedWinnow,
    MulticlassNovikoff,
    MulticlassSignedWinnow,
)

Table = list[list[int]]


def separable(rng: Random, d: int, k: int, low: int) -> tuple[Table, list[int], Table]:
    """Whole rows, the class that a secret table of weights prefers, and the table."""
    u = [[rng.randint(low, 3) for _ in range(d)] for _ in range(k)]
    rows, labels = [], []
    for _ in range(50):
        x = [rng.randint(-2, 2) for _ in range(d)]
        scores = [sum(a * b for a, b in zip(weights, x, strict=True)) for weights in u]
        if sorted(scores)[-1] > sorted(scores)[-2]:
            rows.append(x)
            labels.append(scores.index(max(scores)))
    return rows, labels, u


def smallest_lead(rows: Table, labels: list[int], u: Table) -> Fraction:
    """The margin of the table: by how much the label leads, at least."""
    scores = np.array(rows) @ np.array(u).T
    right = scores[np.arange(len(rows)), labels]
    scores[np.arange(len(rows)), labels] = -(10**6)
    return Fraction(int((right - scores.max(axis=1)).min()))


def novikoff(rows: Table, labels: list[int], u: Table) -> MulticlassNovikoff:
    size = max((sum(v * v for v in x) for x in rows), default=0)
    return MulticlassNovikoff(
        size, sum(v * v for w in u for v in w), smallest_lead(rows, labels, u)
    )


@pytest.mark.parametrize("update", ["max", "uniform"])
def test_updates_of_the_perceptron_never_exceed_the_bound(update: str) -> None:
    for seed in range(150):
        rng = Random(seed)
        d, k = rng.randint(1, 5), rng.randint(2, 4)
        rows, labels, u = separable(rng, d, k, low=-3)
        if not rows:
            continue
        theorem = novikoff(rows, labels, u)
        stated = th.MulticlassPerceptron(d, update=update, classes=range(k))
        opened = th.MulticlassPerceptron(d, update=update)
        for learner in (stated, opened):
            learner.learn(rows * 3, labels * 3)
            assert learner.updates <= theorem.max_mistakes()
        assert stated.mistakes == stated.updates
        assert opened.mistakes <= opened.updates + len(opened.classes)


def test_losses_of_passive_aggressive_never_exceed_the_bound() -> None:
    """Squared losses of PA against u / margin, which leads by 1."""
    for seed in range(60):
        rng = Random(seed)
        d, k = rng.randint(1, 4), rng.randint(2, 4)
        rows, labels, u = separable(rng, d, k, low=-3)
        if not rows:
            continue
        learner = th.MulticlassPassiveAggressive(d, "PA", classes=range(k))
        total = 0.0
        for row, label in zip(rows * 3, labels * 3, strict=True):
            features = {i: float(v) for i, v in enumerate(row) if v}
            scores = learner.scores_one(features)
            rival = max(score for other, score in scores.items() if other != label)
            total += max(0.0, 1.0 - (scores[label] - rival)) ** 2
            learner.learn_one(features, label)
        bound = novikoff(rows, labels, u).bound()
        assert learner.mistakes <= total * (1 + 1e-9)
        assert total <= float(bound) * (1 + 1e-9)


@pytest.mark.parametrize("update", ["max", "uniform"])
@pytest.mark.parametrize("signed", [False, True])
def test_updates_of_the_exponentiated_learners_never_exceed_the_bound(
    signed: bool, update: str
) -> None:
    for seed in range(80):
        rng = Random(seed)
        d, k = rng.randint(1, 4), rng.randint(2, 4)
        rows, labels, u = separable(rng, d, k, low=-3 if signed else 0)
        weights = [abs(v) for w in u for v in w]
        if not rows or not sum(weights):
            continue
        margin, radius = smallest_lead(rows, labels, u), max(abs(v) for x in rows for v in x)
        table = [[v / radius for v in x] for x in rows]
        # The learners take features of at most 1, and the margin shrinks along.
        margin /= radius
        best = margin / sum(weights)
        learner: Any
        if signed:
            theorem: Any = MulticlassSignedWinnow(d, margin, 1, sum(weights), weights, classes=k)
            learner = th.MulticlassSignedWinnow(d, margin=best, update=update, classes=range(k))
        else:
            theorem = MulticlassNormalizedWinnow(d, margin, 1, sum(weights), weights, classes=k)
            learner = th.MulticlassNormalizedWinnow(d, margin=best, update=update, classes=range(k))
        learner.learn(table * 3, labels * 3)
        assert learner.mistakes == learner.updates <= theorem.max_mistakes()


@pytest.mark.parametrize(("k", "n"), [(2, 6), (3, 30), (5, 40)])
def test_the_adversary_makes_the_perceptron_reach_its_bound(k: int, n: int) -> None:
    learner: Any = th.MulticlassPerceptron(n, classes=range(k))
    game = multiclass_orthonormal(learner, n, k)
    assert learner.mistakes == learner.updates == n == game.bound
    assert learner.learn(game.rows, game.label).mistakes == 0


@pytest.mark.parametrize(("kind", "allowed"), [("normalized", 4), ("signed", 5)])
def test_sign_patterns_make_the_exponentiated_learners_reach_their_bound(
    kind: str, allowed: int
) -> None:
    """A feature, or its opposite, names the class: 16 such rules, and each row halves them."""
    patterns = [[1.0 if i >> bit & 1 else -1.0 for i in range(8)] for bit in range(3)]
    patterns.append([1.0] * 8)
    learner: Any
    if kind == "signed":
        learner = th.MulticlassSignedWinnow(8, margin=1, classes=[0, 1])
        theorem: Any = MulticlassSignedWinnow(n_features=8, classes=2, margin=1, radius=1)
    else:
        learner = th.MulticlassNormalizedWinnow(8, margin=1, classes=[0, 1])
        theorem = MulticlassNormalizedWinnow(n_features=8, classes=2, margin=1, radius=1)
    labels = []
    for row in patterns:
        labels.append(1 - int(learner.predict([row])[0]))
        learner.learn([row], labels[-1:])
    assert learner.mistakes == 4
    assert learner.learn(patterns * 3, labels * 3).mistakes == 0
    assert theorem.max_mistakes() == allowed


@given(st.integers(0, 400), st.permutations(range(3)), st.sampled_from(["max", "uniform"]))
def test_what_classes_are_called_changes_nothing(seed: int, names: list[int], update: str) -> None:
    rows, labels, _ = separable(Random(seed), 4, 3, low=-3)
    plain = th.MulticlassPerceptron(4, update=update, classes=range(3))
    renamed = th.MulticlassPerceptron(4, update=update, classes=names)
    first = plain.learn(rows, labels)
    second = renamed.learn(rows, [names[label] for label in labels])
    assert np.array_equal(first.predicted, second.predicted)  # type: ignore[arg-type]
    assert first.scores.tobytes() == second.scores.tobytes()


@given(st.integers(0, 400), st.sampled_from([2.0, 0.25, 1024.0]))
def test_the_scale_of_the_rows_changes_no_prediction(seed: int, scale: float) -> None:
    rows, labels, _ = separable(Random(seed), 4, 3, low=-3)
    plain, scaled = th.MulticlassPerceptron(4), th.MulticlassPerceptron(4)
    first = plain.learn(rows, labels)
    second = scaled.learn([[scale * v for v in row] for row in rows], labels)
    assert np.array_equal(first.predictions, second.predictions)


def test_a_margin_that_is_a_lie_is_found_out() -> None:
    """Twice the margin allows a quarter of the mistakes, and the adversary forces all."""
    learner: Any = th.MulticlassPerceptron(20, classes=range(4))
    game = multiclass_orthonormal(learner, 20, 4)
    norm = sum(w * w for w in game.weights.values())
    honest = MulticlassNovikoff(1, norm, 1)
    lie = MulticlassNovikoff(1, norm, 2)
    assert learner.mistakes <= honest.max_mistakes()
    assert not learner.mistakes <= lie.max_mistakes()


@given(st.integers(0, 300))
def test_two_classes_are_the_two_class_perceptron(seed: int) -> None:
    """The first class is +1, because a score of 0 predicts +1."""
    rng = Random(seed)
    rows = [[rng.randint(-2, 2) for _ in range(4)] for _ in range(40)]
    labels = [rng.choice([-1, 1]) for _ in rows]
    two = th.Perceptron(4, bias=True)
    several = th.MulticlassPerceptron(4, bias=True, classes=[1, -1])
    rounds, others = two.learn(rows, labels), several.learn(rows, labels)
    assert rounds.predictions.tolist() == others.predictions.tolist()
    assert several.weights[0].tolist() == two.weights.tolist()
    assert several.weights[1].tolist() == (-two.weights).tolist()


@given(st.integers(0, 300), st.sampled_from(["PA", "PA-I"]))
def test_two_classes_are_two_class_passive_aggressive(seed: int, variant: str) -> None:
    """The difference of the two lines of weights is the one line, to the bit."""
    rng = Random(seed)
    rows = [[rng.choice([0.0, 0.3, -1.7, 2.0]) for _ in range(4)] for _ in range(30)]
    labels = [rng.choice([-1, 1]) for _ in rows]
    two = th.PassiveAggressive(4, variant, C=0.5)
    several = th.MulticlassPassiveAggressive(4, variant, C=0.25, classes=[1, -1])
    rounds, others = two.learn(rows, labels), several.learn(rows, labels)
    assert rounds.predictions.tolist() == others.predictions.tolist()
    assert (2.0 * several.weights[0]).tolist() == two.weights.tolist()
