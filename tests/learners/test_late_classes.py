"""A class that comes late has learned from every row before, as one that was stated has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.certifier import journal_explains
from thresher.errors import FeatureRangeError, RowError

RNG = np.random.default_rng(11)
X = RNG.integers(0, 2, (120, 9)).astype(float)
#: A new class every twenty rows or so.
Y = np.array([f"c{RNG.integers(0, 1 + t // 20)}" for t in range(120)])
LEARNERS: dict[str, Callable[[], Any]] = {
    "perceptron": lambda: th.Perceptron(9, bias=True),
    "growing": lambda: th.Perceptron(),
    "averaged": lambda: th.Perceptron(9, average=True),
    "winnow": lambda: th.Winnow(9),
    "balanced": lambda: th.BalancedWinnow(9),
    "conjunction": lambda: th.Conjunction(9),
    "elimination": lambda: th.Elimination(9),
    "arow": lambda: th.AROW(9, scaling="online"),
    "committee": lambda: th.Committee(9),
    "growing committee": lambda: th.Committee(),
    "calibrated": lambda: th.Calibrated(th.AROW(9)),
    "drawn": lambda: th.RandomizedWeightedMajority(9, seed=3),
}


def rows_for(name: str) -> Any:
    return np.where(X > 0, 1.0, -1.0) if name == "drawn" else X


@pytest.mark.parametrize("name", LEARNERS)
def test_a_late_class_is_what_it_would_be_had_it_been_stated(name: str) -> None:
    rows = rows_for(name)
    late = th.OneVersusRest(LEARNERS[name]())
    late.learn(rows, Y)
    stated = th.OneVersusRest(LEARNERS[name](), classes=late.classes)
    stated.learn(rows, Y)
    assert len(late.classes) == 6
    for label in late.classes:
        assert late.learner_of(label) == stated.learner_of(label)
        assert late.learner_of(label).n_rounds == len(Y)
        alone = LEARNERS[name]()
        alone.wait_for_class()
        alone.learn(rows, np.where(label == Y, 1, -1))
        assert late.learner_of(label) == alone


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_how_the_stream_is_cut_changes_nothing(name: str, size: int) -> None:
    rows = rows_for(name)
    whole, pieces = th.OneVersusRest(LEARNERS[name]()), th.OneVersusRest(LEARNERS[name]())
    expected = whole.learn(rows, Y)
    found: list[Any] = []
    for start in range(0, len(Y), size):
        found += pieces.learn(
            rows[start : start + size], Y[start : start + size]
        ).predictions.tolist()
    assert found == expected.predictions.tolist()
    assert pieces == whole


@pytest.mark.parametrize("name", LEARNERS)
def test_rows_as_dicts_are_the_same(name: str) -> None:
    rows = rows_for(name)
    whole, alone = th.OneVersusRest(LEARNERS[name]()), th.OneVersusRest(LEARNERS[name]())
    expected = whole.learn(rows, Y).predictions.tolist()
    dicts = [{i: float(v) for i, v in enumerate(row) if v} for row in rows]
    assert [alone.learn_one(d, str(y)) for d, y in zip(dicts, Y, strict=True)] == expected
    assert alone == whole


@pytest.mark.parametrize("name", LEARNERS)
def test_a_saved_arrangement_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    rows = rows_for(name)
    whole, first = th.OneVersusRest(LEARNERS[name]()), th.OneVersusRest(LEARNERS[name]())
    whole.learn(rows, Y)
    first.learn(rows[:50], Y[:50])
    first.save(tmp_path / "m.thr")
    again = th.load(tmp_path / "m.thr")
    again.learn(rows[50:], Y[50:])
    assert again == whole
    assert len(again.classes) > len(first.classes)


@pytest.mark.parametrize(("scaling", "expected"), [(None, 82), ("online", 77)])
def test_arow_is_not_sure_of_a_dense_table_before_a_class_comes(
    scaling: Any, expected: int
) -> None:
    """Exact copies of the background would make 355 and 543 mistakes here."""
    rng = np.random.default_rng(0)
    mean = 2.0 * rng.normal(size=(10, 10)) / np.sqrt(10)
    label = np.repeat(np.arange(10), 200)
    rows = mean[label] + 0.6 * rng.normal(size=(2000, 10))
    learner = th.OneVersusRest(th.AROW(10, bias=True, scaling=scaling))
    assert learner.learn(rows, label).mistakes == expected
    assert all(journal_explains(learner.learner_of(name)) for name in learner.classes)


def test_the_background_has_a_weight_of_its_own_in_the_state() -> None:
    learner = th.OneVersusRest(th.Perceptron(9, bias=True))
    learner.learn(X, Y)
    alone = th.Perceptron(9, bias=True)
    alone.learn(X, np.full(len(Y), -1))
    state = learner.learned_state()
    assert state["background.weight"].tolist() == alone.learned_state()["weight"].tolist()


def test_a_refused_row_leaves_the_background_as_it_was() -> None:
    learner = th.OneVersusRest(th.Winnow(9))
    learner.learn(X[:30], Y[:30])
    before = learner.copy()
    with pytest.raises(FeatureRangeError):
        learner.learn([[0.5] * 9, [7.0] * 9], ["new", "newer"])
    assert learner == before
    with pytest.raises(RowError):
        learner.learn_one({0: float("nan")}, "new")
    assert learner == before


def test_an_arrangement_without_background_starts_new_classes_from_nothing() -> None:
    """As release 0.2.0 did, whose models have none."""
    learner = th.OneVersusRest(th.AROW(9))
    saved = learner.__getstate__()
    saved["state"] = saved["state"][:4]
    learner.__setstate__(saved)
    learner.learn(X[:90], Y[:90])
    learner.learn(X[90:], Y[90:])
    for label in learner.classes:
        first = int(np.argmax(label == Y))
        alone = th.AROW(9)
        alone.learn(X[first:], np.where(label == Y, 1, -1)[first:])
        assert learner.learner_of(label) == alone
    assert learner.copy() == learner
