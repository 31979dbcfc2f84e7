from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.reference.multiclass_additive import AdditivePlayer, PassiveAggressivePlayer
from tests.reference.multiclass_engine import ClassPlayer
from tests.reference.multiclass_exponentiated import ExponentiatedPlayer
from tests.reference.multiclass_network import NetworkPlayer
from thresher.errors import StateError

Example = tuple[dict[int, float], int]

whole = st.sampled_from([1.0, -1.0, 2.0, 3.0])
wild = st.sampled_from([1.0, -1.0, 0.1, 1 / 3, 1e-300, 5e-324, 1e100, -1e100, 1e16, 2.0**53])
unit = st.sampled_from([1.0, 1.0, 1.0, 0.5, 0.1])
signed = st.sampled_from([1.0, -1.0, 0.5, -0.25, 1 / 3])


def streams(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[Example]]:
    rows = st.dictionaries(st.integers(0, 5), values, max_size=5)
    return st.lists(st.tuples(rows, st.integers(0, 5)), max_size=24).map(in_order)


def in_order(stream: list[Example]) -> list[Example]:
    """Classes renumbered in the order in which they appear."""
    seen: dict[int, int] = {}
    return [(row, seen.setdefault(label, len(seen))) for row, label in stream]


def check_same(learner: Any, twin: ClassPlayer, stream: list[Example]) -> None:
    """Play both, the learner in batches; compare to the bit, and all that is left behind."""
    for start in range(0, len(stream), 7):
        part = stream[start : start + 7]
        rounds = learner.learn([x for x, _ in part], [y for _, y in part])
        expected = twin.learn(part)
        assert rounds.predicted.tolist() == [p for p, _ in expected]
        assert [s.hex() for s in rounds.scores.tolist()] == [s.hex() for _, s in expected]
    counts = (learner.n_rounds, learner.mistakes, learner.updates, len(learner.classes))
    assert counts == (twin.n_rounds, twin.mistakes, twin.updates, twin.n_classes)
    for r, weights in enumerate(learner.weights.tolist()):
        for i, weight in enumerate(weights):
            assert weight.hex() == (twin.weight(r, i) if i in twin.touched else 0.0).hex()
    journal = learner.journal
    kept = zip(journal.round_number.tolist(), journal, journal.label.tolist(), strict=True)
    assert list(kept) == twin.journal


@given(streams(whole) | streams(wild), st.booleans(), st.booleans(), st.sampled_from([None, 6, 9]))
def test_the_multiclass_perceptron_is_its_slow_twin(
    stream: list[Example], bias: bool, spread: bool, n: int | None
) -> None:
    update = "uniform" if spread else "max"
    learner = th.MulticlassPerceptron(n, update=update, bias=bias)
    twin = AdditivePlayer(bias=bias, spread=spread)
    check_same(learner, twin, stream)
    found = [w.hex() for w in learner.bias_weights.tolist()]
    assert found == [twin.weight(r, -1).hex() for r in range(twin.n_classes)]


@given(streams(whole))
def test_stated_classes_take_part_from_the_start(stream: list[Example]) -> None:
    learner = th.MulticlassPerceptron(6, classes=range(3))
    check_same(learner, AdditivePlayer(n_classes=3), stream)


@given(
    streams(whole) | streams(wild), st.integers(0, 2), st.sampled_from([0.1, 1.0]), st.booleans()
)
def test_multiclass_passive_aggressive_is_its_slow_twin(
    stream: list[Example], variant: int, aggressiveness: float, bias: bool
) -> None:
    title = ("PA", "PA-I", "PA-II")[variant]
    learner = th.MulticlassPassiveAggressive(6, title, aggressiveness, bias=bias)
    check_same(learner, PassiveAggressivePlayer(variant, aggressiveness, bias), stream)


@given(streams(signed), st.sampled_from([0.1, 1.0]), st.booleans(), st.booleans())
def test_the_exponentiated_learners_are_their_slow_twin(
    stream: list[Example], eta: float, mirrored: bool, spread: bool
) -> None:
    kind = th.MulticlassSignedWinnow if mirrored else th.MulticlassNormalizedWinnow
    learner = kind(6, eta=eta, update="uniform" if spread else "max")
    check_same(learner, ExponentiatedPlayer(eta, mirrored, spread), stream)


@given(streams(unit), st.sampled_from([0.5, 1.0]), st.sampled_from([0.4, 1.0, 2.0]))
def test_the_network_is_its_slow_twin(stream: list[Example], beta: float, threshold: float) -> None:
    learner = th.SparseNetwork(6, beta, threshold, 0.4)
    twin = NetworkPlayer(1.0 + beta, 0.4, threshold)
    check_same(learner, twin, stream)
    assert learner.n_links == len(twin.links)


MAKERS: list[Callable[[int | None], Any]] = [
    lambda n: th.MulticlassPerceptron(n, bias=True),
    lambda n: th.MulticlassPassiveAggressive(n),
    lambda n: th.MulticlassSignedWinnow(n, eta=0.5),
    lambda n: th.MulticlassNormalizedWinnow(n, eta=0.5),
    lambda n: th.SparseNetwork(n, threshold=1.0),
]


@pytest.mark.parametrize("make", MAKERS)
def test_many_classes_and_features_make_room_without_losing_a_weight(
    make: Callable[[int | None], Any],
) -> None:
    """Rows and classes grow one at a time; a learner with room from the start is the same."""
    stream = [({t % 37: 1.0, 40 + t: 1.0}, (t * 7) % 23) for t in range(120)]
    growing, whole_batch = make(None), make(200)
    for row, label in stream:
        scores = growing.scores_one(row)
        predicted = growing.learn_one(row, label)
        assert predicted == (max(scores, key=scores.__getitem__) if scores else None)
    rounds = whole_batch.learn([x for x, _ in stream], [y for _, y in stream])
    assert growing.mistakes == rounds.mistakes
    assert growing.classes == whole_batch.classes
    width = growing.n_features
    assert growing.weights.tobytes() == whole_batch.weights[:, :width].copy().tobytes()
    assert not whole_batch.weights[:, width:].any()
    table = growing.scores([x for x, _ in stream])
    assert table.shape == (120, 23)
    assert table.tobytes() == whole_batch.scores([x for x, _ in stream]).tobytes()


@pytest.mark.parametrize("kind", [th.MulticlassSignedWinnow, th.MulticlassNormalizedWinnow])
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=25))
def test_weights_beyond_doubles_are_shifted_and_decide_as_before(
    kind: Any, stream: list[tuple[int, int]]
) -> None:
    """exp(1000 * dual) is infinite; on rows of one feature the larger dual wins."""
    learner = kind(2, eta=1000, classes=[0, 1])
    dual = [[0, 0], [0, 0]]
    for i, label in stream:
        predicted = 0 if dual[i][0] >= dual[i][1] else 1
        scores = learner.scores_one({i: 1.0})
        assert all(map(math.isfinite, scores.values()))
        # A weight may vanish next to one that is e^1000 times larger, its dual never does.
        if scores[0] != scores[1]:
            assert learner.predict_one({i: 1.0}) == predicted
        else:
            predicted = 0
        if predicted != label:
            dual[i][label] += 1
            dual[i][1 - label] -= 1
        learner.learn_one({i: 1.0}, label)
    assert np.all(np.isfinite(learner.weights))
    duals = learner.__getstate__()["state"][1]
    lines = learner.__getstate__()["state"][0]
    for i in range(2):
        assert not lines[i] or duals[lines[i]].tolist() == dual[i]
    assert learner == learner.copy()


def damaged(learner: Any, **changes: Any) -> dict[str, Any]:
    names = ("lines", "duals", "other", "counts", "journal", "names", "classes")
    saved = learner.__getstate__()
    parts = dict(zip(names, saved["state"], strict=True)) | changes
    return {**saved, "state": tuple(parts.values())}


LIES: list[dict[str, Any]] = [
    {"lines": np.array([1, 1, 0], np.int32)},
    {"lines": np.array([2, 1, 3], np.int32)},
    {"lines": np.array([1.0, 2.0, 0.0])},
    {"lines": np.array([1, 2], np.int32)},
    {"duals": np.array([[0.0, 0.0], [1.0, np.nan], [0.0, 0.0]])},
    {"duals": np.array([[0.0, 0.0], [1e151, 0.0], [0.0, 0.0]])},
    {"duals": np.zeros((3, 3))},
    {"duals": np.zeros((0, 2))},
    {"other": (1.0,)},
    {"counts": (2, 3, 1)},
    {"counts": (2, 1, 3)},
    {"counts": (1, 1, 1)},
    {"classes": ("x", "x")},
    {"classes": ("x",)},
    {"journal": None},
]


@pytest.mark.parametrize("lie", LIES)
def test_a_state_that_cannot_be_is_refused(lie: dict[str, Any]) -> None:
    learner: Any = th.MulticlassPerceptron(3)
    learner.learn([[1, 0, 0], [0, 1, 0]], ["x", "y"])
    fresh = th.MulticlassPerceptron.__new__(th.MulticlassPerceptron)
    fresh.__setstate__(damaged(learner))
    assert fresh == learner
    with pytest.raises(StateError):
        fresh.__setstate__(damaged(learner, **lie))
