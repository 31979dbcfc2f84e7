from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher.models.contestants import CommonestLabel
from thresher.models.race import Race
from thresher.streams import Batch, load_mushrooms
from thresher.theory import Disjunction


@pytest.fixture(scope="module")
def mushrooms() -> Batch:
    return load_mushrooms(order=1)[0]


def contestants() -> dict[str, th.Winnow | th.Perceptron | CommonestLabel]:
    return {"w": th.Winnow(98), "p": th.Perceptron(98), "common": CommonestLabel()}


def cut(batch: Batch, size: int) -> list[Batch]:
    return [batch[t : t + size] for t in range(0, len(batch), size)]


def test_everybody_does_what_it_would_do_alone(mushrooms: Batch) -> None:
    race = Race(contestants())
    for part in cut(mushrooms, 1000):
        race.learn(part)
    alone = th.Winnow(98)
    mistaken = alone.learn(mushrooms).mistaken
    winnow = race.runners[0]
    assert winnow.learner == alone
    assert winnow.curve.points()[-1] == (5644, 61)
    assert all(count == np.count_nonzero(mistaken[:t]) for t, count in winnow.curve.points())
    assert [runner.curve.mistakes for runner in race.runners] == [61, 66, 2160]
    assert [runner.false_negatives for runner in race.runners] == [30, 33, 2155]
    assert [runner.title for runner in race.standings()] == ["w", "p", "common"]


def test_what_is_told_does_not_depend_on_the_size_of_the_batches(mushrooms: Batch) -> None:
    told = []
    for size in (7, 640, 10_000):
        race = Race(contestants(), Disjunction(k=2, n=98))
        for part in cut(mushrooms[:1280], size):
            race.learn(part)
        told.append([{**r.to_dict(), "seconds": None} for r in race.standings()])
    assert told[0] == told[1] == told[2]
    refuted = {result["learner"]: result["refuted_in_round"] for result in told[0]}
    assert refuted == {"w": 225, "p": None, "common": None}


def test_a_claim_shows_what_it_allows_whom(mushrooms: Batch) -> None:
    race = Race(contestants(), Disjunction(k=5, n=98))
    race.learn(mushrooms)
    assert [(r.theorem, r.allowed, r.refuted_in) for r in race.runners] == [
        ("WinnowDisjunction", 92, None),
        (None, None, None),
        (None, None, None),
    ]


def test_a_claim_allows_and_refutes_nothing_on_rows_of_another_kind() -> None:
    claim, rows = Disjunction(k=1, n=3), Batch.of([[1, 0, 0]] * 4, [1] * 4)
    small = Batch.of([[0.01, 0, 0]] * 300, [1] * 300)
    race = Race({"winnow": th.Winnow(3)}, claim)
    race.learn(rows)
    assert race.runners[0].allowed == 4
    race.learn(small)
    winnow = race.runners[0]
    assert winnow.curve.mistakes > 100
    assert (winnow.theorem, winnow.allowed, winnow.refuted_in) == (None, None, None)
    # What was refuted by rows of its kind stays so.
    race = Race({"winnow": th.Winnow(3)}, claim)
    race.learn(Batch.of([[1, 0, 0]] * 40, [1, -1] * 20))
    race.learn(small)
    assert race.runners[0].refuted_in is not None


@pytest.mark.parametrize("size", [1, 7, 42])
@pytest.mark.parametrize("last", [{0: 0.5}, {9: 1.0}])
def test_rows_of_another_kind_take_nothing_back_whatever_the_size_of_a_batch(
    size: int, last: dict[int, float]
) -> None:
    rows = Batch.of([*[{0: 1.0}] * 40, last, {0: 1.0}], [*[1, -1] * 20, 1, 1])
    for first, refuted_in, allowed in ((0, 5, 4), (38, None, None)):
        race = Race({"winnow": th.Winnow(3)}, Disjunction(k=1, n=3))
        for start in range(first, len(rows), size):
            race.learn(rows[start : start + size])
        winnow = race.runners[0]
        assert (winnow.refuted_in, winnow.allowed) == (refuted_in, allowed)
        assert winnow.out_in == (None if 0 in last else 41 - first)
        assert winnow.curve.rounds == len(rows) - first - (0 if 0 in last else 2)


def test_a_row_that_cannot_be_taken_is_named_by_its_place_behind_rows_of_another_kind() -> None:
    race = Race({"winnow": th.Winnow(3)}, Disjunction(k=1, n=3))
    rows = Batch.of([{0: 1.0}, {0: 0.5}, {0: -1.0}], [1, 1, 1])
    winnow = race.runners[0]
    winnow.learn(rows, lambda row: {0: f"that of row {row}"})
    assert winnow.out_in == 3
    assert "that of row 2" in str(winnow.out)


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_a_learner_is_out_at_the_first_row_it_cannot_take(size: int) -> None:
    rows = [{0: 1.0}, {1: 1.0}, {0: 0.5}, {1: 2.0}, {9: 1.0}, {0: 1.0}]
    stream = Batch.of(rows, [1, -1, 1, 1, -1, 1])
    learner = th.Winnow(10)
    race = Race({"winnow": learner, "narrow": th.Winnow(2), "p": th.Perceptron(10)})
    for part in cut(stream, size):
        race.learn(part)
    winnow, narrow, perceptron = race.runners
    reason = (
        "Winnow needs features in [0, 1], feature 1 is 2.0. Scale or binarise the features first."
    )
    assert (winnow.out, winnow.out_in) == (reason, 4)
    assert (narrow.out, narrow.out_in) == (reason, 4)
    assert winnow.curve.rounds == learner.n_rounds == 3
    assert perceptron.out is None
    assert perceptron.curve.rounds == 6
    assert race.standings()[0] is perceptron


def test_a_feature_without_a_weight_is_a_reason_too() -> None:
    race = Race({"narrow": th.Perceptron(2)})
    race.learn(Batch.of([{0: 1.0}, {5: 1.0}], [1, 1]))
    narrow = race.runners[0]
    assert narrow.out is not None
    assert narrow.out.startswith("feature index 5 is outside the learner's 2 weights")
    assert narrow.out_in == 2


def test_hindsight_finds_a_comparator_on_small_streams(mushrooms: Batch) -> None:
    race = Race(contestants(), hindsight=True)
    for part in cut(mushrooms[:120], 80):
        race.learn(part)
    assert race.look_back()
    winnow, perceptron, commoner = race.runners
    assert winnow.theorem == "WinnowDisjunction"
    assert winnow.allowed == th.certify(winnow.learner, mushrooms[:120]).allowed
    assert perceptron.theorem == "NovikoffBySum"
    assert commoner.allowed is None


def test_hindsight_lets_go_of_a_stream_that_is_too_long(
    mushrooms: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.race.HINDSIGHT_ROWS", 1500)
    race = Race({"p": th.Perceptron(98)}, hindsight=True)
    for part in cut(mushrooms, 1000):
        race.learn(part)
    assert not race.look_back()
    assert race.runners[0].allowed is None


def test_the_commoner_label_counts_across_batches() -> None:
    stream = Batch.of([[1]] * 6, [1, -1, -1, -1, 1, 1])
    whole, parts = CommonestLabel(), CommonestLabel()
    scores = [score for part in cut(stream, 2) for score in parts.learn(part).scores.tolist()]
    assert whole.learn(stream).scores.tolist() == scores == [0, 1, 0, -1, -2, -1]


def test_among_labels_as_frequent_the_first_to_appear_is_said() -> None:
    labels = ["a", "b", "b", "a", "b", "a", "c"]
    batch = Batch.of_classes([[1.0]] * len(labels), labels)
    baseline = CommonestLabel()
    said = [
        *baseline.learn(batch[:2]).predictions.tolist(),
        *baseline.learn(batch[2:]).predictions.tolist(),
    ]
    assert said == [None, "a", "a", "b", "a", "b", "a"]
