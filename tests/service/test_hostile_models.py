"""Model files and vocabularies from people whom one does not know: refused in words, bounded."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.models.forging import forged, places, put_together, replaced, taken_apart
from tests.service.conftest import Service, service_on
from tests.service.kinds import KINDS, Kind, rows_of, texts, trained
from thresher.errors import ModelFileError
from thresher.models.file import load_model, model_digest
from thresher.service import vocabularies
from thresher.service.live_models import Limits
from thresher.service.store import Store
from thresher.service.upkeep import checked

MODEL_FILE = {"content-type": "application/octet-stream"}
VOCABULARY = {
    "learner": "perceptron", "format": "text", "vocabulary": True, "words": [1, 1],
    "positive": "spam", "negative": "ham",
}  # fmt: skip


def put(service: Service, data: bytes) -> Any:
    return service.put("/v1/models/m", content=data, headers=MODEL_FILE | {"if-match": "*"})


def names_of(service: Service) -> dict[str, int]:
    return service.models["m"].live.champion.model.name_table.vocabulary


def learned(service: Service, text: str, label: str = "spam", **more: Any) -> Any:
    return service.post("/v1/models/m/learn", json={"text": text, "label": label} | more)


# ---- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["texts, winnow", "table in a vocabulary"])
def test_a_forged_description_is_refused_or_served_and_never_fails(
    tmp_path: Path, name: str
) -> None:
    kind = KINDS[name]
    file = trained(tmp_path, kind, rows_of(kind, 30, 1))
    description, tensors = taken_apart(file)
    dice = random.Random(3)
    ways = [at for at in places(description) if at and at[0] != "history"]
    row = {key: one for key, one in rows_of(kind, 1, 2)[0].items() if key != "label"}
    statuses = set()
    with service_on(tmp_path / "store") as service:
        service.put("/v1/models/m", json={})
        for at in dice.sample(ways, min(len(ways), 60)):
            odd: Any = dice.choice([None, -1, 2**40, "csv", "", [], {}, ["a", "b"], True, 0.5])
            put_together(file, replaced(description, at, odd), tensors)
            answer = put(service, file.read_bytes())
            statuses.add(answer.status_code)
            assert answer.status_code in (201, 413, 422), (at, odd, answer.text)
            if answer.status_code == 201:
                told = service.post("/v1/models/m/predict", json=row)
                assert told.status_code in (200, 422), (at, odd, told.text)
    assert 422 in statuses


def test_a_short_file_cannot_ask_for_much_memory(tmp_path: Path) -> None:
    learner = th.AROW(n_features=1 << 20)
    learner.learn([{0: 1.0}], [1])
    learner.save(tmp_path / "m.thr")
    assert (tmp_path / "m.thr").stat().st_size < 1 << 16
    with pytest.raises(ModelFileError, match="its arrays take more than 1048576 bytes of memory"):
        load_model(tmp_path / "m.thr", most_bytes=1 << 20)
    assert load_model(tmp_path / "m.thr", most_bytes=1 << 25).learner == learner
    with service_on(tmp_path / "store", limits=Limits(model=1 << 20)) as service:
        answer = put_new(service, (tmp_path / "m.thr").read_bytes())
        assert answer.status_code == 422
        assert "take more than 1048576 bytes of memory" in answer.json()["detail"]
        assert str(tmp_path) not in answer.text


def test_narrow_arrays_count_as_wide_as_they_become(tmp_path: Path) -> None:
    learner = th.Perceptron(n_features=1 << 18)
    rows = [{k: 1.0 for k in range(j, 1 << 18, 7)} for j in range(7)]
    learner.learn(rows, [1, -1, 1, -1, 1, -1, 1])
    learner.save(tmp_path / "m.thr", journal=False)
    assert (tmp_path / "m.thr").stat().st_size < 1 << 20
    with pytest.raises(ModelFileError, match="bytes of memory"):
        load_model(tmp_path / "m.thr", most_bytes=1 << 20)


def put_new(service: Service, data: bytes) -> Any:
    return service.put("/v1/models/m", content=data, headers=MODEL_FILE)


def test_a_file_may_be_longer_than_other_bodies_and_not_longer_than_its_bound(
    tmp_path: Path,
) -> None:
    kind = KINDS["texts"]
    data = trained(tmp_path, kind, rows_of(kind, 60, 1)).read_bytes()
    with service_on(tmp_path / "store", limits=Limits(body=1000, file=len(data))) as service:
        assert put_new(service, data).status_code == 201
        longer = service.put("/v1/models/n", content=data + b"0", headers=MODEL_FILE)
        assert longer.status_code == 413
        assert service.put("/v1/models/n", content=b"", headers=MODEL_FILE).status_code == 422
        pickle = service.put("/v1/models/n", content=b"\x80\x04N.", headers=MODEL_FILE)
        assert pickle.status_code == 422
        assert service.get("/v1/models").json()["models"] == [{"name": "m", "sequence": 0}]


def test_a_service_that_only_predicts_takes_no_file(tmp_path: Path) -> None:
    with service_on(tmp_path / "store", read_only=True) as service:
        answer = put_new(service, b"a model, perhaps")
        assert (answer.status_code, answer.json()["type"]) == (503, "service.read_only")


def test_learners_without_features_are_refused_with_the_reason(tmp_path: Path) -> None:
    th.Halving([[1, -1], [-1, 1]]).save(tmp_path / "m.thr")
    with service_on(tmp_path / "store") as service:
        answer = put_new(service, (tmp_path / "m.thr").read_bytes())
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("Halving takes no names of features")


def test_too_many_classes_in_a_file_are_refused(tmp_path: Path) -> None:
    kind = KINDS["texts, multiclass perceptron"]
    data = trained(tmp_path, kind, rows_of(kind, 60, 1)).read_bytes()
    for limits in (Limits(classes=2), Limits(cells=2048)):
        with service_on(tmp_path / f"store{limits.classes}", limits=limits) as service:
            answer = put_new(service, data)
            assert (answer.status_code, answer.json()["type"]) == (413, "service.too_large")


def test_a_vocabulary_that_lies_about_its_columns_is_refused(tmp_path: Path) -> None:
    kind = KINDS["texts in a vocabulary"]
    file = trained(tmp_path, kind, rows_of(kind, 30, 1))

    def cut(description: dict[str, Any], tensors: dict[str, Any]) -> None:
        ends = next(name for name in tensors if name.endswith(".ends"))
        tensors[ends] = np.flip(tensors[ends]).copy()

    forged(file, cut)
    with service_on(tmp_path / "store") as service:
        assert put_new(service, file.read_bytes()).status_code == 422


# ---- vocabularies ---------------------------------------------------------------------------


def test_a_vocabulary_grows_with_what_is_learned_and_with_nothing_else(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        assert service.put("/v1/models/m", json=VOCABULARY).status_code == 201
        service.post("/v1/models/m/predict", json={"text": "never learned"})
        service.post("/v1/models/m/explain", json={"text": "never learned"})
        assert learned(service, "not a label", "eggs").status_code == 422
        assert names_of(service) == {}
        assert learned(service, "free cash", "ham").status_code == 200
        assert learned(service, "cash 12", "spam").status_code == 200
        assert names_of(service) == {"free": 0, "cash": 1, "12": 2}


def test_a_flood_of_names_is_refused_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabularies, "MOST_NAMES", 50)
    with service_on(tmp_path / "store") as service:
        service.put("/v1/models/m", json=VOCABULARY)
        for k in range(10):
            assert learned(service, " ".join(f"w{k}x{j}" for j in range(5))).status_code == 200
        flood = learned(service, "one more", id="e-1")
        assert (flood.status_code, flood.json()["type"]) == (422, "service.vocabulary")
        assert "would have 52, and it has at most 50" in flood.json()["detail"]
        assert "make a model without a vocabulary" in flood.json()["remedy"]
        # What is known is learned and predicted all the same; the refused id can be used.
        assert learned(service, "w1x1 w2x2", id="e-1").status_code == 200
        assert service.post("/v1/models/m/predict", json={"text": "one more"}).status_code == 200
        digest = service.get("/v1/models/m").json()["digest"]
        assert len(names_of(service)) == 50
    monkeypatch.setattr(vocabularies, "MOST_NAMES", 10)
    with service_on(tmp_path / "store") as service:
        # A bound that became smaller stops what is new, and loses nothing.
        assert service.get("/v1/models/m").json()["digest"] == digest
        assert learned(service, "another").status_code == 422


def test_a_word_of_megabytes_is_no_name_of_a_vocabulary(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        service.put("/v1/models/m", json=VOCABULARY)
        word = "a" * (1 << 18)
        answer = learned(service, word)
        assert (answer.status_code, answer.json()["type"]) == (422, "service.vocabulary")
        assert learned(service, "a" * (7 << 20)).status_code == 413
        assert service.post("/v1/models/m/predict", json={"text": word}).status_code == 200
        assert len(names_of(service)) == 0
        hashed = {"format": "text", "bits": 8, "learner": "perceptron", "multiclass": True}
        service.put("/v1/models/m", json=hashed, headers={"if-match": "*"})
        assert learned(service, "a" * (7 << 20)).status_code == 200


def test_a_number_is_a_name_to_a_vocabulary_like_others(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        asked = {"learner": "arow", "vocabulary": True}
        assert service.put("/v1/models/m", json=asked).status_code == 201
        row = {"features": {"134217727": 1, "1e9": 1}, "label": 1}
        assert service.post("/v1/models/m/learn", json=row).status_code == 200
        assert names_of(service) == {"134217727": 0, "1e9": 1}
        headers = {"content-type": "text/x-svmlight"}
        far = service.post("/v1/models/m/learn", content=b"1 134217727:1 7:1\n", headers=headers)
        assert far.status_code == 200
        assert names_of(service) == {"134217727": 0, "1e9": 1, "7": 2}
        assert service.models["m"].live.champion.model.learner.n_features == 3


def test_a_shadow_with_a_vocabulary_has_the_same_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabularies, "MOST_NAMES", 3)
    with service_on(tmp_path / "store") as service:
        hashed = {"learner": "perceptron", "n_features": 16}
        service.put("/v1/models/m", json=hashed)
        shadow = {"learner": "arow", "vocabulary": True}
        assert service.put("/v1/models/m/shadow", json=shadow).status_code == 201
        row = {"features": {"a": 1, "b": 1, "c": 1}, "label": 1}
        assert service.post("/v1/models/m/learn", json=row).status_code == 200
        row = {"features": {"d": 1}, "label": 1}
        assert service.post("/v1/models/m/learn", json=row).status_code == 422


def test_lines_that_a_shadow_cannot_take_leave_it_no_names(tmp_path: Path) -> None:
    rows = [
        {"features": {f"w{k % 7}": 1, f"x{k}": 2 if k % 3 else 1}, "label": (-1) ** k}
        for k in range(40)
    ]
    shadow = {"learner": "winnow", "vocabulary": True, "n_features": 64}
    digests, known = set(), set()
    for size in (1, 9, 40):
        with service_on(tmp_path / f"store{size}") as service:
            service.put("/v1/models/m", json={"learner": "perceptron", "n_features": 16})
            assert service.put("/v1/models/m/shadow", json=shadow).status_code == 201
            for k in range(0, len(rows), size):
                answer = service.post("/v1/models/m/learn", json=rows[k : k + size])
                # The model takes them all; its shadow takes no values above 1.
                assert answer.status_code == 200
            beside = service.models["m"].live.shadow
            assert beside is not None
            assert beside.refused == sum(k % 3 > 0 for k in range(40))
            digests.add(model_digest(beside.model))
            known.add(tuple(beside.model.name_table.vocabulary))
    assert len(digests) == 1
    (names,) = known
    assert {*names} == {f"x{k}" for k in range(0, 40, 3)} | {f"w{k}" for k in range(7)}


def test_a_commit_that_fails_gives_no_name_a_column(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        service.put("/v1/models/m", json=VOCABULARY)
        learned(service, "free cash")
        service.models.store.writing.pragma("query_only", 1)
        assert learned(service, "lunch at noon").status_code >= 500
        service.models.store.writing.pragma("query_only", 0)
        assert learned(service, "cash again", "ham").status_code == 200
        assert names_of(service) == {"free": 0, "cash": 1, "again": 2}
        digest = service.get("/v1/models/m").json()["digest"]
    with service_on(tmp_path / "store") as service:
        assert service.get("/v1/models/m").json()["digest"] == digest


@pytest.mark.parametrize("name", ["texts in a vocabulary", "table in a vocabulary"])
def test_columns_follow_the_order_of_the_log_when_many_write_at_once(
    tmp_path: Path, name: str
) -> None:
    kind: Kind = KINDS[name]
    rows = rows_of(kind, 120, 9)
    with service_on(tmp_path / "store") as service:
        put_new(service, trained(tmp_path, kind, rows_of(kind, 20, 1)).read_bytes())
        with ThreadPoolExecutor(8) as crowd:
            send = lambda row: service.post("/v1/models/m/learn", json=row)  # noqa: E731
            answers = list(crowd.map(send, rows))
        assert {answer.status_code for answer in answers} == {200}
        assert sorted(answer.json()["sequence"] for answer in answers) == [*range(1, 121)]
        service.post("/v1/models/m/snapshots")
        digest = service.get("/v1/models/m").json()["digest"]
    store = Store(tmp_path / "store")
    findings = list(checked(store))
    store.close()
    # The snapshot is the log replayed from the first one, to the bit.
    assert all(finding.sound for finding in findings)
    assert any("the same, to the bit" in finding.said for finding in findings)
    with service_on(tmp_path / "store") as service:
        assert service.get("/v1/models/m").json()["digest"] == digest


def test_a_model_does_not_depend_on_how_events_were_cut_into_requests(tmp_path: Path) -> None:
    rows = texts(60, 4)
    digests = set()
    for size in (1, 7, 60):
        with service_on(tmp_path / f"store{size}") as service:
            service.put("/v1/models/m", json=VOCABULARY | {"learner": "committee"})
            for k in range(0, len(rows), size):
                body = rows[k : k + size]
                assert service.post("/v1/models/m/learn", json=body).status_code == 200
            digests.add(model_digest(service.models["m"].live.champion.model))
    assert len(digests) == 1


def test_json_says_how_a_model_reads(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        made = service.put("/v1/models/m", json=VOCABULARY).json()
        assert made["reads"]["format"] == "text"
        assert made["reads"]["text"]["words"] == [1, 1]
        assert json.dumps(made["settings"]["vocabulary"]) == "true"
