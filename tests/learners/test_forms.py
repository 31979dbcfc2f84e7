"""The numbers behind scores: what a learner says of itself, computed with plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.streams import Rows, load_mushrooms

SIZES = [1.0, -1.0, 0.3, -2.5, 1e-9, 7e12, -5e-324, 1e-310, 1e90, -0.0, 1 / 3]
MEMBERS = [
    None,
    [("arow", 0.1, "unit")],
    [("means", 1, "presence"), ("adagrad", 0.5, "root"), ("arow", 3, "scaled")],
]


def odd_rows(n: int, n_features: int, seed: int) -> list[dict[int, float]]:
    """Rows of any length, with values of every size, zeros of both signs and empty ones."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        columns = random.choice(n_features, random.integers(0, n_features), replace=False)
        values = random.choice(SIZES, len(columns))
        found.append(dict(zip(columns.tolist(), values.tolist(), strict=True)))
    return found


@pytest.mark.parametrize("members", MEMBERS, ids=["default", "one", "three"])
@pytest.mark.parametrize("n_features", [12, None])
def test_the_form_of_a_committee_scores_as_it_does_to_the_bit(
    members: Any, n_features: int | None
) -> None:
    learner = th.Committee(n_features, members)
    asked = odd_rows(60, 12, 1)
    for part in range(3):
        form = learner.mixture_form()
        assert form.scores(Rows.of(asked)).tolist() == learner.scores(asked).tolist()
        rows = odd_rows(40, 9, 10 + part)
        learner.learn(rows, [1 if sum(row.values()) > 0.2 else -1 for row in rows])
    assert set(learner.mixture_form().columns.tolist()) <= set(range(9))


def test_the_form_of_a_committee_knows_the_mushrooms() -> None:
    mushrooms, names = load_mushrooms(order=1)
    learner = th.Committee(len(names))
    learner.learn(mushrooms[:2000])
    form = learner.mixture_form()
    rows = mushrooms[2000:2300]
    assert form.scores(rows).tolist() == learner.scores(rows).tolist()


def test_each_class_has_the_form_of_its_committee() -> None:
    learner = th.OneVersusRest(th.Committee(6))
    rows = odd_rows(50, 6, 3)
    learner.learn(rows, [f"class {len(row) % 3}" for row in rows])
    asked = Rows.of(odd_rows(30, 6, 4))
    for label, scores in zip(learner.classes, learner.scores(asked).T, strict=True):
        form = learner.mixture_form(label)
        assert form is not None
        assert form.scores(asked).tolist() == scores.tolist()
    assert th.OneVersusRest(th.AROW(3), classes=["a"]).mixture_form("a") is None
    calibrated = th.Calibrated(th.Committee(2)).mixture_form()
    assert calibrated is not None


@pytest.mark.parametrize("scaling", ["l2", "l1", "max", "online"])
@pytest.mark.parametrize("n_features", [12, None])
def test_a_linear_form_scales_rows_as_the_learner_does(
    scaling: str, n_features: int | None
) -> None:
    learner = th.AROW(n_features, bias=True, scaling=scaling)
    rows = odd_rows(60, 9, 5)
    learner.learn(rows, [1 if sum(row.values()) > 0.2 else -1 for row in rows])
    asked = Rows.of(odd_rows(60, 12, 6))
    assert learner.linear_form().scores(asked).tolist() == learner.scores(asked).tolist()


def test_the_form_of_a_class_has_its_threshold_taken_off() -> None:
    learner = th.OneVersusRest(th.Winnow(4, threshold=1.7))
    learner.learn([{0: 1}, {1: 1}, {2: 1, 3: 1}] * 5, ["a", "b", "c"] * 5)
    asked = Rows.of([{0: 1.0, 1: 1.0}, {3: 0.3}, {}])
    for label, scores in zip(learner.classes, learner.scores(asked).T, strict=True):
        assert learner.linear_form(label).scores(asked).tolist() == scores.tolist()
