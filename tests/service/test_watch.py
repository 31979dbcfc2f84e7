"""What whoever looks at a model sees: true points, in bounded memory, from one beginning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.service.conftest import PERCEPTRON, Service, service_on
from thresher.lab.live import State
from thresher.service import news
from thresher.service.watch import POINTS


def test_the_service_and_the_lab_mean_the_same_state(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    told = news.state(service.models["m"])
    assert {*told} == {"event", *State.__struct_fields__}
    assert msgspec.json.decode(msgspec.json.encode(told), type=State).sequence == 0


def test_the_curve_of_a_hundred_thousand_events_is_bounded(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    rows = [{"features": {"a": 1}, "label": 1 if k % 3 else -1} for k in range(5000)]
    for _ in range(20):
        service.post("/v1/models/m/learn", json=rows)
    watch = service.models["m"].watch
    curve = watch.curve
    learner = service.models["m"].live.champion.model.learner
    assert curve[0][:2] == (0, 0)
    assert curve[-1][:2] == (learner.n_rounds, learner.mistakes) == (100_000, learner.mistakes)
    assert len(curve) <= POINTS


def test_many_small_requests_make_a_bounded_curve_of_true_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.service.watch.POINTS", 16)
    monkeypatch.setattr("thresher.service.watch.BLOCK", 4)
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        true = {(0, 0)}
        for k in range(300):
            row = {"features": {f"w{k % 7}": 1}, "label": 1 if k % 2 else -1}
            service.post("/v1/models/m/learn", json=row)
            learner = service.models["m"].live.champion.model.learner
            true.add((learner.n_rounds, learner.mistakes))
        curve = service.models["m"].watch.curve
    assert len(curve) <= 16
    assert len(curve) > 6
    assert {(rounds, mistakes) for rounds, mistakes, _ in curve} <= true
    assert [point[0] for point in curve] == sorted(point[0] for point in curve)


@pytest.mark.parametrize("every", ["", "0", "-1", "nan", "inf", "x", "61", "0.05"])
def test_states_come_neither_too_often_nor_never(service: Service, every: str) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    answer = service.get(f"/v1/models/m/events?every={every}")
    assert answer.status_code == 422
    assert "number of seconds" in answer.json()["detail"]


def _shadow(live: Any) -> Any:
    return live.shadow.model.learner


def test_a_duel_begins_when_the_shadow_comes_and_a_swap_begins_anew(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)

    def rows(count: int) -> list[dict[str, Any]]:
        return [{"features": [f"w{k % 5}"], "label": 1 if k % 3 else -1} for k in range(count)]

    service.post("/v1/models/m/learn", json=rows(40))
    watch = service.models["m"].watch
    assert watch.duel is None
    service.put("/v1/models/m/shadow", json={"learner": "arow", "n_features": 256})
    assert watch.duel == (0, 0, 0)
    before = service.models["m"].live.champion.model.learner.mistakes
    service.post("/v1/models/m/learn", json=rows(64))
    live_ = service.models["m"].live
    champion, shadow = live_.champion.model.learner, _shadow(live_)
    assert watch.duel == (64, champion.mistakes - before, shadow.mistakes)
    assert watch.curve[-1] == (104, champion.mistakes, before + shadow.mistakes)
    service.post("/v1/models/m/swap")
    assert watch.curve == [(64, shadow.mistakes, shadow.mistakes)]
    assert [one["event"] for one in watch.alarms] == ["shadow", "swap"]


def test_the_last_rounds_have_the_labels_that_were_sent(service: Service) -> None:
    service.put("/v1/models/two", json={**PERCEPTRON, "positive": "spam", "negative": "ham"})
    service.put("/v1/models/many", json={**PERCEPTRON, "multiclass": True})
    sent: dict[str, list[Any]] = {"two": [], "many": []}
    for k in range(40):
        for name, label in (("two", "spam" if k % 3 else "ham"), ("many", f"class {k % 5}")):
            row = {"features": {f"w{k % 7}": 1, "é": 2}, "label": label}
            told = service.post(f"/v1/models/{name}/learn", json=row).json()
            sent[name].append((told["sequence"], told["prediction"], label, told["mistake"]))
    for name, rows in sent.items():
        shown = news.state(service.models[name])["rounds"]
        found = [
            (one["sequence"], one["prediction"], one["label"], one["mistake"]) for one in shown
        ]
        assert found == rows[-20:]
        assert any(one["mistake"] for one in shown)


def test_labels_in_other_formats_and_long_lines(service: Service) -> None:
    service.put("/v1/models/m", json={**PERCEPTRON, "multiclass": True})
    heads = {"content-type": "text/x-vw"}
    service.post("/v1/models/m/learn", content=b"1 | a b\n2 | c\n3 | a\n", headers=heads)
    many = {f"w{k}": 1 for k in range(3000)}
    service.post("/v1/models/m/learn", json={"features": many, "label": "long"})
    assert [one["label"] for one in news.state(service.models["m"])["rounds"]] == [1, 2, 3, None]
