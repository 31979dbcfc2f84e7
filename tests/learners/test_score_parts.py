"""Every learner takes its scores apart, and the parts add up to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import MAKERS, SIGNED, Maker, stream
from tests.learners.test_contract import SEVERAL, TWO, trained_several
from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.learners.base.score_parts import ScoreParts
from thresher.learners.registry import LEARNERS
from thresher.streams.rows import Rows

every_two = pytest.mark.parametrize("maker", TWO, ids=str)
every_several = pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)


def trained(maker: Maker) -> tuple[Any, Rows]:
    learner = maker.make()
    learner.learn(*stream(maker))
    table, _ = stream(maker, n_rows=40, seed=9)
    return learner, Rows.of(np.vstack((table, np.zeros(table.shape[1]))))


def all_parts(parts: ScoreParts) -> np.ndarray[Any, Any]:
    return np.asarray(parts.sums() + sum(parts.others.values(), np.zeros(len(parts.total))))


def test_every_learner_of_the_registry_is_asked_here() -> None:
    two = {maker.make().name for maker in TWO}
    several = {make().name for make in SEVERAL.values()}
    assert two | several == set(LEARNERS)


@every_two
def test_the_parts_add_up_to_the_score(maker: Maker) -> None:
    learner, rows = trained(maker)
    parts = learner.score_parts(rows)
    scores = learner.scores(rows)
    assert all_parts(parts) == pytest.approx(parts.total, rel=1e-9, abs=1e-9)
    if parts.log_odds:
        assert np.tanh(parts.total / 2) == pytest.approx(scores, rel=1e-12, abs=1e-15)
    else:
        assert parts.total.tolist() == scores.tolist()
    assert parts.adds == pytest.approx(parts.weight * parts.seen, rel=1e-15)


@every_several
def test_the_parts_of_each_class_add_up_to_its_score(make: Callable[[], Learner]) -> None:
    learner, rows = trained_several(make)
    scores = learner.scores(rows)
    for number, label in enumerate(learner.classes):
        parts = learner.score_parts(rows, label)
        assert all_parts(parts) == pytest.approx(parts.total, rel=1e-9, abs=1e-9)
        said = np.tanh(parts.total / 2) if parts.log_odds else parts.total
        assert said == pytest.approx(scores[:, number], rel=1e-12, abs=1e-15)


@every_two
def test_nothing_changes_by_asking(maker: Maker) -> None:
    learner, rows = trained(maker)
    before = learner.copy()
    learner.score_parts(rows)
    assert learner == before


@pytest.mark.parametrize("scaling", ["l2", "l1", "max", "online"])
def test_scaled_values_are_those_that_the_weights_met(scaling: str) -> None:
    """Told by the scores: of a learner with one weight only one value can be meant."""
    learner = th.Perceptron(4, scaling=scaling).with_dual([1.0, 10.0, 100.0, 1000.0])
    rows = Rows.of([{0: 3.0, 2: -4.0}, {1: 0.5}, {}, {0: 1e-9, 1: 1e90, 3: -7.0}])
    parts = learner.score_parts(rows)
    for k, (t, column) in enumerate(zip(parts.row, parts.column, strict=True)):
        alone = th.Perceptron(4, scaling=scaling).with_dual(np.eye(4)[column])
        assert parts.seen[k] == pytest.approx(alone.scores(rows[int(t) : int(t) + 1])[0], rel=1e-14)
    assert parts.value.tolist() == rows.value.tolist()


def test_a_largest_value_that_was_learned_scales_later_ones() -> None:
    learner = th.Perceptron(1, scaling="online")
    learner.learn([[8.0]], [-1])
    parts = learner.score_parts(Rows.of([[2.0], [16.0]]))
    assert parts.seen.tolist() == [0.25, 1.0]
    lone = learner.lone_effects()
    assert (lone.value.tolist(), lone.adds.tolist()) == ([8.0], [-1.0])


def test_a_conjunction_says_which_literals_failed() -> None:
    learner = th.Conjunction(4)
    learner.learn([[1, 0, 1, 1]], [1])
    parts = learner.score_parts(Rows.of([[1, 1, 0, 0], [1, 0, 1, 1]]))
    assert parts.contrary is not None
    found = list(zip(parts.row, parts.column, parts.contrary, parts.adds, strict=True))
    assert found == [(0, 2, True, -1.0), (0, 3, True, -1.0)]


def test_an_elimination_over_literals_says_which_of_them_are_true() -> None:
    learner = th.Elimination(3, literals=True)
    learner.learn([[1, 1, 0], [0, 1, 1]], [-1, -1])
    assert learner.hypothesis == ("not x1",)
    parts = learner.score_parts(Rows.of([[1, 1, 0], [1, 0, 0]]))
    assert parts.contrary is not None
    found = list(zip(parts.row, parts.column, parts.contrary, parts.adds, strict=True))
    assert found == [(1, 1, True, 1.0)]


def test_votes_are_counted_where_no_feature_has_a_weight() -> None:
    learner = th.Halving(th.concepts.Disjunctions(2))
    parts = learner.score_parts(Rows.of([{0: 1}, {}]))
    assert {name: votes.tolist() for name, votes in parts.others.items()} == {
        "concepts that say +1": [2.0, 0.0],
        "concepts that say -1": [-2.0, -4.0],
    }
    with pytest.raises(ExportError, match="no feature has a weight"):
        learner.lone_effects()


@pytest.mark.parametrize("maker", [m for m in MAKERS if "committee" in m.title], ids=str)
def test_what_is_no_sum_over_features_is_told_apart_in_a_committee(maker: Maker) -> None:
    learner, rows = trained(maker)
    parts = learner.score_parts(rows)
    assert list(parts.others) == ["clipping", "mixing", "rounding"]
    assert np.abs(parts.others["rounding"]).max() < 1e-5
    # The combination is the last of the experts; without clipping its log-odds are a sum.
    assert parts.opinions is not None
    combined = parts.opinions[:, -1]
    sums = parts.sums() + parts.others["clipping"] + parts.others["rounding"]
    assert sums == pytest.approx(combined, abs=1e-12)
    weights = [expert.weight for expert in parts.experts]
    assert sum(weights) == pytest.approx(1.0)
    mixed = np.tanh(parts.opinions / 2) @ weights
    assert mixed == pytest.approx(learner.scores(rows), abs=1e-12)


def test_a_committee_that_is_too_sure_is_clipped_and_that_is_said() -> None:
    learner = th.Committee(2)
    learner.learn([{0: 1.0}, {1: 1.0}] * 400, [1, -1] * 400)
    parts = learner.score_parts(Rows.of([{0: 1.0}, {1: 1.0}]))
    assert parts.opinions is not None
    assert np.abs(parts.opinions[:, -1]).max() == 8.0
    assert np.abs(parts.others["clipping"]).max() > 0.1
    assert all_parts(parts) == pytest.approx(parts.total, abs=1e-9)


@every_two
def test_a_lone_feature_adds_what_its_row_says(maker: Maker) -> None:
    learner, _ = trained(maker)
    if not maker.linear:
        return
    lone = learner.lone_effects()
    rows = Rows.of([{int(c): v} for c, v in zip(lone.column, lone.value, strict=True)] or [{}])
    if maker.values == SIGNED or lone.value.max(initial=0.0) <= 1.0:
        parts = learner.score_parts(rows)
        of_rows = np.bincount(parts.row, parts.adds, len(rows))
        if parts.contrary is None and "random" not in maker.title:
            assert lone.adds == pytest.approx(of_rows[: len(lone.adds)], rel=1e-9, abs=1e-12)


def test_a_committee_has_no_weights_and_says_who_explains() -> None:
    learner = th.Committee(2)
    for ask in ("weights", "bias_weight"):
        with pytest.raises(ExportError, match=r"no list of weights .* `explain` says"):
            getattr(learner, ask)
    each = th.OneVersusRest(learner, classes=["a"])
    with pytest.raises(ExportError, match="no list of weights"):
        _ = each.weights


def test_log_odds_of_a_committee_are_those_of_its_probability() -> None:
    learner = th.Committee()
    learner.learn([{"cash": 1}, {"noon": 1}] * 20, [1, -1] * 20)
    why = learner.explain({"cash": 1})
    probability = learner.probability_one({"cash": 1})
    assert why.total == pytest.approx(math.log(probability / (1 - probability)))
    assert why.probability == pytest.approx(probability)


@pytest.mark.parametrize("scaling", ["l2", "l1", "max", "online"])
def test_a_value_that_scaling_makes_nothing_adds_nothing(scaling: str) -> None:
    learner = th.AROW(n_features=2, scaling=scaling)
    learner.learn([{0: 1e90, 1: 2.0}, {1: 1.0}, {0: 1e80, 1: 1e80}], [1, -1, 1])
    row = {0: 5e-324, 1: 1e80}
    adds = {part.column: part.adds for part in learner.explain(row).contributions}
    assert adds[0] == 0.0
    assert adds[1] == pytest.approx(learner.score_one(row))
    found = th.Model(learner=learner).importances([row, {1: 4.0}]).features
    assert {one.column: one.adds for one in found}[0] == 0.0
