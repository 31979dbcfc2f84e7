from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.reference import mixing as twin
from thresher.cluster import mixing
from thresher.cluster.averages import average
from thresher.cluster.mixing import Change, mixed
from thresher.errors import RequestError
from thresher.learners.base.shared_numbers import MixingRule, SharedNumbers

COUNTS = (0, 0, 0, 0)
number = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([0.1, 1 / 3, 1e16, -1e16, 2.0**-60, -0.0]),
)


def shared(rule: MixingRule, counts: Any = COUNTS, **n: Any) -> SharedNumbers:
    numbers = {name: np.array(values, np.float64) for name, values in n.items()}
    return SharedNumbers(rule=rule, numbers=numbers, counts=counts)


@st.composite
def tables(draw: Any) -> tuple[list[float], list[list[float]]]:
    """Numbers before, and those of some shards, which have changed some of them."""
    n = draw(st.integers(1, 6))
    before = draw(st.lists(number, min_size=n, max_size=n))
    n_shards = draw(st.integers(2, 5))
    lines = [
        [draw(number) if draw(st.booleans()) else old for old in before] for _ in range(n_shards)
    ]
    return before, lines


@given(tables())
def test_averages_are_those_of_the_twin_to_the_bit(
    table: tuple[list[float], list[list[float]]],
) -> None:
    before, lines = table
    base = shared("average", dual=before)
    changes = [Change.between(base, shared("average", dual=line)) for line in lines]
    found = mixed(base, changes).numbers["dual"]
    assert [x.hex() for x in found.tolist()] == [x.hex() for x in twin.average(lines, before)]


@given(tables(), tables(), st.sampled_from(["precision", "squares"]))
def test_the_other_rules_are_those_of_the_twin_to_the_bit(
    first: tuple[list[float], list[list[float]]],
    second: tuple[list[float], list[list[float]]],
    rule: MixingRule,
) -> None:
    n = min(len(first[0]), len(second[0]))
    n_shards = min(len(first[1]), len(second[1]))
    weight, sure = first[0][:n], [1.0 + abs(x) for x in second[0][:n]]
    weights = [line[:n] for line in first[1][:n_shards]]
    # What is summed up never becomes less.
    others = [
        [old + abs(x - y) for old, x, y in zip(sure, line[:n], second[0][:n], strict=True)]
        for line in second[1][:n_shards]
    ]
    base = shared(rule, dual=weight, **{str(rule): sure})
    after = [shared(rule, dual=w, **{str(rule): o}) for w, o in zip(weights, others, strict=True)]
    found = mixed(base, [Change.between(base, one) for one in after]).numbers
    slow = twin.by_precision if rule == "precision" else twin.by_squares
    new_weight, new_other = slow(weights, others, weight, sure)
    if rule == "squares":
        # A weight that moved without a gradient cannot be: there the twin and the rule may differ.
        moved = np.any(np.array(others) != np.array(sure), axis=0)
        assert found["dual"][moved].tolist() == np.array(new_weight)[moved].tolist()
    else:
        assert found["dual"].tolist() == new_weight
    assert found[rule].tolist() == new_other


@given(tables(), st.integers(1, 3))
def test_features_are_mixed_alike_however_many_are_looked_at_together(
    table: tuple[list[float], list[list[float]]], together: int
) -> None:
    before, lines = table
    base = shared("average", dual=before)
    changes = [Change.between(base, shared("average", dual=line)) for line in lines]
    at_once = mixed(base, changes).numbers["dual"].tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mixing, "TOGETHER", together)
        assert mixed(base, changes).numbers["dual"].tolist() == at_once


def test_many_shards_take_no_more_room_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def noted(table: Any) -> Any:
        sizes.append(table.size)
        return honest(table)

    honest = average
    monkeypatch.setattr(mixing, "average", noted)
    monkeypatch.setattr(mixing, "TOGETHER", 100)
    base = shared("average", dual=[0.0] * 60)
    lines = [[float(k)] * 60 for k in range(1, 21)]
    found = mixed(base, [Change.between(base, shared("average", dual=line)) for line in lines])
    assert found.numbers["dual"].tolist() == [10.5] * 60
    assert sum(sizes) == 1200
    assert max(sizes) == 100


def test_whole_duals_are_summed_exactly_and_divided_once() -> None:
    base = shared("average", dual=[0.0, 5.0, 7.0])
    lines = [[1.0, 5.0, 2.0**53], [2.0, 6.0, 1.0], [2.0, 5.0, 1.0]]
    changes = [Change.between(base, shared("average", dual=line)) for line in lines]
    assert mixed(base, changes).numbers["dual"].tolist() == [5 / 3, 16 / 3, (2.0**53 + 2) / 3]


def test_the_largest_scale_is_that_of_all_and_the_constant_has_none() -> None:
    base = shared("precision", dual=[0, 0, 0], precision=[1, 1, 1], scale=[1, 0])
    after = [
        shared("precision", dual=[1, 0, 2], precision=[2, 1, 3], scale=[1, 0]),
        shared("precision", dual=[0, 4, 0], precision=[1, 3, 1], scale=[5, 2]),
    ]
    found = mixed(base, [Change.between(base, one) for one in after]).numbers
    assert found["scale"].tolist() == [5, 2]
    # Precisions were 1 before, and count the root of two times.
    below = [2 + (2**0.5 - 1), 3 + (2**0.5 - 1), 3 + (2**0.5 - 1)]
    assert found["dual"].tolist() == [2 / below[0], 12 / below[1], 6 / below[2]]
    assert found["precision"].tolist() == [2, 3, 3]


def test_counts_are_added_up() -> None:
    base = shared("average", counts=(10, 1, 2, 3), dual=[0.0])
    after = [shared("average", counts=c, dual=[0.0]) for c in ((15, 2, 2, 3), (12, 1, 4, 4))]
    assert mixed(base, [Change.between(base, one) for one in after]).counts == (17, 2, 4, 4)


def test_one_shard_alone_is_left_as_it_is() -> None:
    base = shared("precision", dual=[0.1], precision=[1.0])
    after = shared("precision", dual=[0.7], precision=[3.1])
    found = mixed(base, [Change.between(base, after)]).numbers
    assert (found["dual"].tolist(), found["precision"].tolist()) == ([0.7], [3.1])


MIXABLE = [
    th.Perceptron(n_features=4, bias=True),
    th.PassiveAggressive(n_features=4),
    th.PNormPerceptron(n_features=4),
    th.Winnow(n_features=4),
    th.BalancedWinnow(n_features=4),
    th.NormalizedWinnow(n_features=4, eta="1/2"),
    th.SignedWinnow(n_features=4, eta="1/2", bias=True),
    th.AROW(n_features=4, bias=True, scaling="online"),
    th.AdaGrad(n_features=4),
]


@pytest.mark.parametrize("learner", MIXABLE, ids=lambda one: one.name)
def test_a_learner_is_rebuilt_from_what_it_shares(learner: Any) -> None:
    learner = learner.started_anew()
    learner.learn([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]], [1, -1, -1])
    twice = learner.with_shared(learner.shared_numbers())
    assert twice.dual.tolist() == learner.dual.tolist()
    assert (twice.n_rounds, twice.mistakes) == (3, learner.mistakes)
    assert twice.warm_start
    assert not twice.journal.complete or not learner.mistakes
    rows = [[1, 1, 1, 0], [0, 1, 0, 1]]
    # Norms that learning keeps up to date are summed anew.
    assert twice.scores(rows) == pytest.approx(learner.scores(rows), rel=1e-14)


@pytest.mark.parametrize(
    ("learner", "why"),
    [
        (th.Committee(), "names are not hashed"),
        (th.OneVersusRest(th.Committee()), "names are not hashed"),
        (th.OneVersusRest(th.Perceptron(n_features=4, decay=0.1)), "its weights decay"),
        (th.OneVersusRest(th.Calibrated(th.AROW(n_features=4))), "there is no rule"),
        (th.SparseNetwork(n_features=4), "there is no rule"),
        (th.MulticlassPerceptron(), "names are not hashed"),
        (th.Perceptron(n_features=4, average=True), "it averages all its weights"),
        (th.Perceptron(n_features=4, decay=0.1), "its weights decay"),
        (th.Perceptron(), "names are not hashed"),
        (th.Winnow(n_features=4, zeroing=True), "it silences features for good"),
        (th.NormalizedWinnow(n_features=4), "it guesses its margin"),
        (th.Elimination(n_features=4), "there is no rule"),
        (th.WeightedMajority(n_experts=4), "there is no rule"),
        (th.ModifiedBalancedWinnow(n_features=4), "there is no rule"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_learner_that_no_rule_combines_says_why(learner: Any, why: str) -> None:
    with pytest.raises(RequestError, match=why):
        learner.shared_numbers()
