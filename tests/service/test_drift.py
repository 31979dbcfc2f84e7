"""Drift is found where errors become more, by the formula, and hardly ever where they do not."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import drift as twin
from tests.service.conftest import PERCEPTRON, Service
from thresher.service.drift import BLOCK, DELTA, WINDOWS, Drift, DriftTest, apart, kl
from thresher.service.pupil import Learned
from thresher.service.watch import Watch


def found(mistakes: list[int]) -> list[tuple[int, int]]:
    test, alarms = DriftTest(), []
    for end in range(BLOCK, len(mistakes) + 1, BLOCK):
        told = test.add(sum(mistakes[end - BLOCK : end]))
        if told is not None:
            alarms.append((end, told.window))
    return alarms


def drawn(chances: list[float], rounds: int, seed: int) -> list[int]:
    dice = random.Random(seed)
    return [int(dice.random() < chance) for chance in chances for _ in range(rounds)]


def test_the_twin_has_the_same_constants() -> None:
    assert (twin.BLOCK, twin.WINDOWS, twin.DELTA) == (BLOCK, WINDOWS, DELTA)


@pytest.mark.parametrize("seed", range(12))
def test_alarms_are_those_of_the_definition(seed: int) -> None:
    dice = random.Random(seed)
    chances = [dice.choice([0.0, 0.02, 0.1, 0.2, 0.3, 0.5, 0.9, 1.0]) for _ in range(6)]
    mistakes = drawn(chances, 700, seed)
    assert found(mistakes) == twin.alarms(mistakes)


def test_the_streams_above_have_alarms() -> None:
    assert found(drawn([0.1, 0.3], 2000, 1)) == twin.alarms(drawn([0.1, 0.3], 2000, 1)) != []


@given(st.integers(1, 2000), st.integers(1, 2000), st.data(), st.floats(1, 40))
def test_two_counts_are_apart_as_the_definition_has_it(
    n: int, w: int, data: st.DataObject, most: float
) -> None:
    before, recent = data.draw(st.integers(0, n)), data.draw(st.integers(0, w))
    p, q = before / n, recent / w
    low, high = twin.lowest(q, w, most), twin.highest(p, n, most)
    if abs(low - high) > 1e-9:
        assert apart(before, n, recent, w, most) == (q > p and low > high)


def test_fewer_errors_are_no_alarm() -> None:
    assert found(drawn([0.9, 0.5, 0.1, 0.0], 3000, 2)) == []


def test_alarms_where_nothing_changes_are_fewer_than_promised() -> None:
    # 400 streams of 6,400 rounds: at most one in a hundred may have an alarm.
    alarmed = sum(
        bool(found(drawn([chance], 6400, 100 * k + place)))
        for k, chance in enumerate((0.01, 0.1, 0.3, 0.5))
        for place in range(100)
    )
    assert alarmed <= 400 * DELTA


def test_a_test_that_promises_less_cries_wolf(monkeypatch: pytest.MonkeyPatch) -> None:
    mistakes = drawn([0.3], 6400, 5)
    assert found(mistakes) == []
    monkeypatch.setattr("thresher.service.drift.DELTA", 1e6)
    assert found(mistakes) != []


def test_the_distance_is_that_of_the_book() -> None:
    assert kl(0.25, 0.5) == pytest.approx(0.13081203594113694)
    assert kl(0.3, 0.3) == 0.0
    assert kl(0.3, 1.0) == float("inf")


def test_events_are_counted_alike_however_they_are_cut(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    live = service.models["m"].live
    mistakes = drawn([0.05, 0.4], 1000, 3)
    answers = [Learned(1, 0.5, bool(one)) for one in mistakes]
    answers[10:10] = [Learned(None, None, None, "no")] * 3
    seen = []
    for size in (1, 7, 500, len(answers)):
        watch = Watch(live)
        for start in range(0, len(answers), size):
            piece = answers[start : start + size]
            watch.learned(piece, start + len(piece))
        seen.append((watch.rounds, watch.mistakes, watch.refused, watch.drift_at, watch.drift))
    assert len({*seen}) == 1
    assert seen[0][:3] == (2000, sum(mistakes), 3)
    # The three that were refused have numbers too.
    end, window = twin.alarms(mistakes)[0]
    assert seen[0][3] == end + 3
    assert isinstance(seen[0][4], Drift)
    assert seen[0][4].window == window


def test_a_stream_that_changes_is_told_everywhere(service: Service) -> None:
    service.put("/v1/models/m", json={"learner": "arow", "n_features": 64})
    dice = random.Random(1)
    words = [f"w{k}" for k in range(8)]
    rows = []
    for k in range(4000):
        chosen = dice.sample(words, 3)
        up = ("w1" in chosen) == (k < 2000)
        rows.append({"features": dict.fromkeys(chosen, 1), "label": 1 if up else -1})
    service.post("/v1/models/m/learn", json=rows[:2000])
    assert service.get("/v1/models/m").json()["drift"] is None
    service.post("/v1/models/m/learn", json=rows[2000:])
    told = service.get("/v1/models/m").json()["drift"]
    assert 2000 < told["sequence"] < 2400
    assert told["recent"] >= 0.5 > 0.1 > told["before"]
    assert 'thresher_drifts_total{model="m"} 1' in service.get("/metrics").text
    assert any("errs more often" in remark for remark in service.remarks)
