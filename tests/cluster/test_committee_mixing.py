from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference import committee_mixing as twin
from thresher.cluster import committee_mixing
from thresher.cluster.matrices import by_precision, inverse
from thresher.cluster.mixing import change_between, mixed
from thresher.errors import HypothesisError
from thresher.learners.base.shared_numbers import SharedCommittees

N = 9
FEW = (("arow", 1.0, "scaled"), ("adagrad", 0.3, "presence"), ("means", 1.0, "presence"))
row = st.dictionaries(
    st.integers(0, N - 1), st.sampled_from([1.0, -2.0, 0.5, 3.0]), min_size=0, max_size=4
)
rows = st.lists(st.tuples(row, st.sampled_from([-1, 1])), max_size=6)
ones = st.lists(
    st.tuples(st.sets(st.integers(0, N - 1)).map(lambda s: dict.fromkeys(s, 1.0)),
              st.sampled_from([-1, 1])), max_size=6)  # fmt: skip


def learned(learner: Any, stream: Any) -> Any:
    own = learner.copy()
    if stream:
        own.learn([given for given, _ in stream], [label for _, label in stream])
    return own


def combined(learner: Any, streams: Any) -> Any:
    """What shards of these streams come to, and what they shared."""
    before = learner.shared_numbers()
    after = [learned(learner, stream).shared_numbers() for stream in streams]
    return mixed(before, [change_between(before, one) for one in after]), before, after


def assert_same(found: twin.Plain, expected: twin.Plain) -> None:
    for name in found._fields:
        own, theirs = getattr(found, name), getattr(expected, name)
        if name == "parts":
            assert own == {part: theirs[part] for part in own}
        else:
            assert own == theirs, name


@settings(deadline=None)
@given(rows, st.lists(rows, min_size=2, max_size=4), st.booleans())
def test_committees_are_combined_as_by_the_twin_to_the_bit(
    first: Any, streams: Any, few: bool
) -> None:
    learner = learned(th.Committee(n_features=N, members=FEW if few else None), first)
    found, before, after = combined(learner, streams)
    slow = twin.mixed(found.members, twin.plain(before), [twin.plain(one) for one in after])
    assert_same(twin.plain(found), slow)
    whole = learner.with_shared(found)
    assert whole.n_rounds == len(first) + sum(map(len, streams))
    assert whole.shared_numbers().features[7].tobytes() == found.features[7].tobytes()
    assert [len(part) for part in whole.shared_numbers().own[0][0]] == [
        len(part) for part in found.own[0][0]
    ]


@given(ones, st.lists(ones, min_size=2, max_size=3))
def test_rows_of_ones_stay_rows_of_ones(first: Any, streams: Any) -> None:
    found, *_ = combined(learned(th.Committee(n_features=N), first), streams)
    assert found.features[1]
    assert set(found.features[3].tolist()) <= {1.0}


@settings(deadline=None)
@given(rows, rows)
def test_one_shard_alone_is_left_as_it_is(first: Any, stream: Any) -> None:
    learner = learned(th.Committee(n_features=N), first)
    found, _, (after,) = combined(learner, [stream])
    own, alone = learner.with_shared(found), learned(learner, stream)
    assert own.__getstate__()["parameters"] == alone.__getstate__()["parameters"]
    for name, array in alone.learned_state().items():
        assert own.learned_state()[name].tobytes() == array.tobytes()
    assert own.members == alone.members
    assert found.own[0][1] == after.own[0][1]


def wide(column: int, label: int) -> tuple[dict[int, float], int]:
    return {column % 4000: 1.0, (column + 1) % 4000: 2.0}, label


@pytest.mark.parametrize(
    ("columns", "present"), [((60, 50), 15), ((100, 60), 12), ((900, 300), 8), ((1100, 3), 8)]
)
def test_who_cannot_see_the_columns_of_all_shards_leaves(
    columns: tuple[int, int], present: int
) -> None:
    learner = th.Committee(n_features=4000)
    streams = [
        [wide(2 * c + 2000 * s, 1 - 2 * (c % 3 == s)) for c in range(n // 2)]
        for s, n in enumerate(columns)
    ]
    found, before, after = combined(learner, streams)
    slow = twin.mixed(found.members, twin.plain(before), [twin.plain(one) for one in after])
    assert_same(twin.plain(found), slow)
    whole = learner.with_shared(found)
    assert sum(not member.left for member in whole.members) == present + 2
    assert sum(member.weight for member in whole.members) == pytest.approx(1.0)
    whole.learn([{0: 1.0, 2: 2.0}], [1])


def test_features_have_slots_in_the_order_in_which_one_machine_meets_them() -> None:
    streams = [
        [({7: 1.0, 3: 1.0}, 1), ({1: 1.0}, -1)],
        [({8: 1.0}, 1), ({3: 1.0, 2: 1.0}, -1)],
        [({0: 1.0, 8: 1.0}, 1)],
    ]
    learner = learned(th.Committee(n_features=N), [({5: 1.0, 4: 1.0}, 1)])
    found, *_ = combined(learner, streams)
    alone = learned(learner, [one for stream in streams for one in stream])
    assert found.features[2].tolist() == alone.shared_numbers().features[2].tolist()


@settings(deadline=None)
@given(rows, st.lists(rows, min_size=2, max_size=4))
def test_what_is_counted_is_what_one_machine_counts(first: Any, streams: Any) -> None:
    learner = learned(th.Committee(n_features=N), first)
    found, *_ = combined(learner, streams)
    alone = learned(learner, [one for stream in streams for one in stream]).shared_numbers()
    # Largest values and, but for rounding, means and deviations of columns do not depend on
    # where shards end.
    assert found.features[3].tolist() == alone.features[3].tolist()
    for place in (4, 5, 6):
        assert found.features[place] == pytest.approx(alone.features[place], rel=1e-9, abs=1e-9)
    assert found.own[0][0][0].tolist() == alone.own[0][0][0].tolist()


@given(rows, st.lists(rows, min_size=2, max_size=3), st.integers(1, 3))
def test_features_are_mixed_alike_however_many_are_looked_at_together(
    first: Any, streams: Any, together: int
) -> None:
    learner = learned(th.Committee(n_features=N, members=FEW), first)
    found, *_ = combined(learner, streams)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(committee_mixing, "TOGETHER", together)
        again, *_ = combined(learner, streams)
    assert again.features[-1].tobytes() == found.features[-1].tobytes()


def test_a_change_has_only_the_features_that_a_shard_met() -> None:
    learner = learned(th.Committee(n_features=N), [({i: 1.0}, 1) for i in range(6)])
    before = learner.shared_numbers()
    change: Any = change_between(
        before, learned(learner, [({2: 1.0, 7: 1.0}, -1)]).shared_numbers()
    )
    assert (change.where.tolist(), change.column.tolist()) == ([2], [7])
    assert len(change.lines) == len(change.new_lines) == 1
    assert change.n_bytes < 20_000
    same: Any = change_between(before, before)
    assert (same.mistakes, len(same.where), len(same.column)) == (0, 0, 0)


def test_a_committee_of_shards_claims_no_theorem() -> None:
    learner = th.Committee(n_features=N)
    found, *_ = combined(learner, [[({1: 1.0}, 1)], [({2: 1.0}, -1)]])
    with pytest.raises(HypothesisError, match="one run from the start"):
        learner.with_shared(found).bound()


def test_weights_of_rows_are_remembered() -> None:
    learner = th.Committee(n_features=N)
    before, own = learner.shared_numbers(), learner.copy()
    own.learn([{1: 1.0}, {2: 1.0}], [1, -1], importance=[2.0, 0.0])
    changes = [change_between(before, one.shared_numbers()) for one in (learner, own)]
    found = learner.with_shared(mixed(before, changes))
    assert found.variations == ("importance",)
    assert (found.n_rounds, found.shared_numbers().own[0][0][0][0]) == (2, 1.0)


# ---- matrices ----------------------------------------------------------------------------------


def test_matrices_without_an_inverse_are_averaged() -> None:
    nothing, one = np.zeros((2, 2)), np.eye(2)
    mean, spread = by_precision(
        np.array([1.0, 1.0]), one, [(np.array([3.0, 1.0]), nothing), (np.array([1.0, 2.0]), one)]
    )
    assert mean.tolist() == [2.0, 1.5]
    assert spread.tolist() == [[0.5, 0.0], [0.0, 0.5]]


def test_an_inverse_is_one() -> None:
    random = np.random.default_rng(1)
    matrix = random.normal(size=(12, 12))
    matrix = matrix @ matrix.T + np.eye(12)
    found = inverse(matrix)
    assert found is not None
    assert found @ matrix == pytest.approx(np.eye(12), abs=1e-9)
    assert inverse(np.array([[np.nan]])) is None


def test_what_is_shared_is_a_copy() -> None:
    learner = learned(th.Committee(n_features=N), [({1: 1.0}, 1)])
    shared = learner.shared_numbers()
    assert isinstance(shared, SharedCommittees)
    kept = shared.features[7].copy()
    learner.learn([{1: 1.0}], [-1])
    assert shared.features[7].tobytes() == kept.tobytes()
