"""When a run in double precision is said to be the run on paper, it is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.replay_cases import WIDTH, streams_of
from thresher.certifier import identity
from thresher.verifier import ALGORITHMS, read_rows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays import paper
from thresher.verifier.replays.exponentiated import base_of
from thresher.verifier.replays.weight_base import WeightBase

TENTHS = (0.0, 0.1, 0.2, 0.3, -0.1, -0.3, 0.7, 1.0, 5e-324, -1e-200)
HUGE = (*TENTHS, 1e100, -3e99, 2.0**-1000)


def run_of(learner: Any, X: Any, y: Any) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    stream = read_rows(np.array(X, float).reshape(-1, WIDTH), y)
    return ReplayedRun.of(algorithm, parameters, stream)


def is_same(run: ReplayedRun) -> bool:
    assert run.algorithm.same_on_paper is not None
    return run.algorithm.same_on_paper(run)


def exact_perceptron(
    X: list[list[float]], y: list[int], bias: bool, margin: Fraction
) -> tuple[list[int], list[int]]:
    """Mistakes and updates in fractions."""
    w, mistaken, updates = [Fraction(0)] * (WIDTH + 1), [], []
    for t, (values, label) in enumerate(zip(X, y, strict=True)):
        row = [*map(Fraction, values), Fraction(bias)]
        score = sum((a * b for a, b in zip(w, row, strict=True)), Fraction(0))
        wrong = (score >= 0) != (label > 0)
        if wrong:
            mistaken.append(t)
        if wrong or (margin and label * score <= margin):
            updates.append(t)
            w = [a + label * b for a, b in zip(w, row, strict=True)]
    return mistaken, updates


@settings(max_examples=300, deadline=None)
@given(streams_of(HUGE), st.booleans(), st.sampled_from([0.0, 0.3, 1e-200]))
def test_the_perceptron_is_the_same_on_paper_where_it_is_said_to_be(
    rows: tuple[list[list[float]], list[int]], bias: bool, margin: float
) -> None:
    run = run_of(th.Perceptron(bias=bias, margin=margin), *rows)
    exact = exact_perceptron(*rows, bias, Fraction(margin))
    played = run.replay.mistaken.tolist(), run.replay.updates.tolist()
    # Streams this small are always within the budget, so that the answer is yes or no.
    assert is_same(run) == (played == exact)


def exact_powers(
    X: list[list[float]], y: list[int], base: WeightBase, theta: Fraction, mirrored: bool
) -> list[int]:
    """The mistakes of a multiplicative learner with exact duals."""
    dual, mistaken = [Fraction(0)] * WIDTH, []
    for t, (values, label) in enumerate(zip(X, y, strict=True)):
        row = list(map(Fraction, values))
        terms = list(zip(row, dual, strict=True))
        if mirrored:
            terms += [(-x, -z) for x, z in terms]
        if (base.sign([*terms, (-theta, Fraction(0))]) >= 0) != (label > 0):
            mistaken.append(t)
            dual = [z + label * x for z, x in zip(dual, row, strict=True)]
    return mistaken


@pytest.mark.parametrize("name", ["winnow", "balanced", "normalized", "signed"])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_multiplicative_learner_is_the_same_on_paper_where_it_is_said_to_be(
    name: str, data: st.DataObject
) -> None:
    signs = name != "winnow"
    values = tuple(v for v in TENTHS if abs(v) <= 1 and (signs or v >= 0) and abs(v) > 1e-300)
    X, y = data.draw(streams_of(values))
    theta = data.draw(st.sampled_from([0.1, 0.3, 1.0]))
    makers: dict[str, Callable[[], Any]] = {
        "winnow": lambda: th.Winnow(WIDTH, 0.5, theta),
        "balanced": lambda: th.BalancedWinnow(WIDTH, 0.5, theta),
        "normalized": lambda: th.NormalizedWinnow(WIDTH, eta=1),
        "signed": lambda: th.SignedWinnow(WIDTH, margin=0.5),
    }
    run = run_of(makers[name](), X, y)
    if "beta" in run.parameters:
        base, threshold = WeightBase(1 + run.exact("beta")), run.exact("threshold")
    else:
        base, threshold = base_of(run.parameters), Fraction(0)
    exact = exact_powers(X, y, base, threshold, name in ("balanced", "signed"))
    assert is_same(run) == (run.replay.mistaken.tolist() == exact)


def test_rounding_that_changes_a_prediction_is_admitted() -> None:
    pairs = [(0.7, -0.3), (0.7, 0.2), (-0.1, 0.7), (-0.3, -0.1), (0.1, -0.1), (0.3, -0.1)]
    X = [[a, b, 0.0, 0.0, 0.0] for a, b in (*pairs, (0.7, -0.1), (0.1, 0.3))]
    y = [-1, -1, -1, -1, -1, 1, -1, -1]
    run = run_of(th.Perceptron(), X, y)
    assert run.replay.mistaken.tolist() != exact_perceptron(X, y, False, Fraction(0))[0]
    assert not is_same(run)


def test_what_rounding_took_from_a_large_weight_is_remembered_when_it_is_small_again() -> None:
    # Exactly the weight becomes 10^16 - 1 and then -1; rounded, 10^16 and then 0.
    X = [[x, 0.0, 0.0, 0.0, 0.0] for x in (-1e16, 1.0, 1e16, 1.0)]
    run = run_of(th.Perceptron(), X, [-1, -1, -1, 1])
    assert run.replay.mistaken.tolist() == [0, 1, 2]
    assert run.replay.arithmetic == "float64"
    assert not is_same(run)


def test_rounding_that_only_makes_another_update_is_admitted_too() -> None:
    pairs = [(0.1, 0.3), (0.1, 0.7), (0.2, 0.7), (0.7, -0.1), (0.3, 0.3)]
    X, y = [[a, b, 0.0, 0.0, 0.0] for a, b in pairs], [1, 1, -1, -1, -1]
    run = run_of(th.Perceptron(margin=0.03), X, y)
    mistaken, updates = exact_perceptron(X, y, False, Fraction(0.03))
    assert run.replay.mistaken.tolist() == mistaken
    assert run.replay.updates.tolist() != updates
    assert not is_same(run)


def test_a_long_run_on_real_values_is_proven_and_beyond_the_budget_nothing_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(2000, WIDTH)), rng.choice([-1, 1], 2000)
    run = run_of(th.Perceptron(bias=True), X, y)
    assert run.replay.arithmetic == "float64"
    assert is_same(run)
    ties = run_of(th.Perceptron(), [[0.1, 0.2, 0, 0, 0], [0.2, -0.1, 0, 0, 0]], [-1, 1])
    assert is_same(ties)
    monkeypatch.setattr(paper, "MOST_ROUNDS", 0)
    assert not is_same(ties)
    assert is_same(run)


def test_nothing_is_said_of_options_that_round() -> None:
    X, y = [[0.1, 0.2, 0, 0, 0]] * 3, [1, -1, 1]
    assert is_same(run_of(th.Perceptron(), X, y))
    for option in ({"scaling": "l2"}, {"average": True}, {"decay": 0.1}, {"class_weight": (2, 1)}):
        assert not is_same(run_of(th.Perceptron(**option), X, y))
    assert not is_same(run_of(th.Winnow(WIDTH, margin=0.5), X, y))
    assert ALGORITHMS["arow"].same_on_paper is None
