"""What is acknowledged is learned once, in one order, and survives; to the bit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.service.conftest import PERCEPTRON, NewStore, Service, Where, learn, service_on, soon
from tests.service.rows import as_lines, examples
from thresher.models.file import model_digest
from thresher.service.store import Kept, Store
from thresher.service.upkeep import checked, compacted, exported

LEARNERS: list[dict[str, Any]] = [
    PERCEPTRON,
    {"learner": "committee", "n_features": 256},
    {"learner": "arow", "n_features": 256, "parameters": {"bias": True}},
    {"learner": "multiclass_perceptron", "n_features": 256},
    {"learner": "perceptron", "n_features": 256, "multiclass": True},
    {"learner": "perceptron", "n_features": 256, "calibrate": "isotonic"},
]


def state(service: Service) -> str:
    return model_digest(service.models["m"].live.champion.model)


@pytest.mark.parametrize("asked", LEARNERS, ids=lambda one: "-".join(map(str, one.values())))
def test_the_model_is_what_the_command_learns_from_the_exported_log(
    tmp_path: Path, asked: dict[str, Any]
) -> None:
    rows = examples(300, 1)
    several = asked.get("multiclass") or "multi" in asked["learner"]
    if several:
        for k, row in enumerate(rows):
            row["label"] = ["law", "art", "sport"][k % 3]
    with service_on(tmp_path / "store") as service:
        assert service.put("/v1/models/m", json=asked).status_code == 201
        for row in rows[:100]:
            assert service.post("/v1/models/m/learn", json=row).status_code == 200
        assert service.post("/v1/models/m/learn", json=rows[100:200]).status_code == 200
        lines = service.post(
            "/v1/models/m/learn",
            content=as_lines(rows[200:]),
            headers={"content-type": "application/x-ndjson"},
        )
        assert lines.text.count("\n") == 100
        mine = service.models["m"].live.champion.model.learner.copy()
        file = service.get("/v1/models/m/file").content
    (tmp_path / "m.thr").write_bytes(file)
    assert th.load(tmp_path / "m.thr") == mine
    store = Store(tmp_path / "store")
    first, text, *_ = exported(store, "m")
    (tmp_path / "log.jsonl").write_bytes(b"".join(text))
    store.close()
    assert first == 1
    again = th.train(
        tmp_path / "log.jsonl",
        asked["learner"] + "".join(f":{k}={v}" for k, v in asked.get("parameters", {}).items()),
        n_features=256,
        multiclass=bool(asked.get("multiclass")),
        calibrate=asked.get("calibrate"),
    )
    assert again.learner == mine


def test_an_answer_has_the_prediction_before_the_label(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    learner = th.Perceptron(256)
    for number, row in enumerate(examples(50, 2), 1):
        score = learner.score_one(row["features"])
        predicted = learner.learn_one(row["features"], row["label"])
        told = learn(service, row["id"], row["features"], row["label"])
        assert told == {
            "id": row["id"], "sequence": number, "prediction": predicted, "score": score,
            "mistake": predicted != row["label"],
        }  # fmt: skip
    info = service.get("/v1/models/m").json()
    assert (info["n_rounds"], info["mistakes"], info["sequence"]) == (50, learner.mistakes, 50)


def test_a_retry_is_acknowledged_again_and_learned_once(where: Where) -> None:
    rows = examples(20, 3)
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        first = [learn(service, row["id"], row["features"], row["label"]) for row in rows]
        before = state(service)
        again = [learn(service, row["id"], row["features"], row["label"]) for row in rows]
        assert [told.pop("repeated") for told in again] == [True] * 20
        assert again == first
        assert state(service) == before
    with service_on(where) as service:
        # After a restart: from the log; after a snapshot: from the table of ids.
        again = service.post("/v1/models/m/learn", json=rows).json()
        assert [told.pop("repeated") for told in again] == [True] * 20
        assert again == first
        service.post("/v1/models/m/snapshots")
        assert service.models["m"].known == {}
        again = service.post("/v1/models/m/learn", json=rows).json()
        assert [told.pop("repeated") for told in again] == [True] * 20
        assert again == first
        assert state(service) == before


def test_an_id_is_of_one_example_alone(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    learn(service, "a", {"x": 1}, 1)
    for other in ({"features": {"x": 2}, "label": 1}, {"features": {"x": 1}, "label": -1}):
        answer = service.post("/v1/models/m/learn", json={"id": "a", **other})
        assert answer.status_code == 409
        assert answer.json()["type"] == "service.id_used"
    same = {"id": "b", "features": {"x": 1}, "label": -1}
    told = service.post("/v1/models/m/learn", json=[same, same]).json()
    assert [one["sequence"] for one in told] == [2, 2]
    assert service.get("/v1/models/m").json()["n_rounds"] == 2


def test_a_request_with_one_bad_row_leaves_no_trace(service: Service) -> None:
    service.put("/v1/models/m", json={"learner": "winnow", "n_features": 64})
    good = {"features": {"a": 1}, "label": 1}
    for bad in (
        {"features": {"a": -3}, "label": 1},
        {"features": {"a": 1}, "label": 5},
        {"features": {"a": 1}},
        {"features": {"a": 1}, "label": 1, "importance": -1},
        {"features": {"a": 1}, "label": 1, "importance": 1e300},
        {"features": {"9999": 1}, "label": 1},
    ):
        before = state(service)
        answer = service.post("/v1/models/m/learn", json=[good, bad])
        assert answer.status_code == 422, answer.text
        assert state(service) == before
        assert service.models["m"].live.sequence == 0


def test_importance_is_for_learners_that_take_it(service: Service) -> None:
    service.put("/v1/models/m", json={"learner": "multiclass_perceptron", "n_features": 64})
    row = {"features": {"a": 1}, "label": "x", "importance": 2}
    assert service.post("/v1/models/m/learn", json=row).status_code == 422
    service.put("/v1/models/n", json=PERCEPTRON)
    row = {"features": {"a": 1}, "label": -1, "importance": 2.5}
    service.post("/v1/models/n/learn", json=row)
    told = service.post("/v1/models/n/predict", json={"features": {"a": 1}}).json()
    assert told["score"] == -2.5


def test_a_key_makes_lines_without_ids_learned_once(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    for kind, body in (("svmlight", "1 3:1 # x\n\n-1 3:1 9:2\n"), ("vw", "1 |a b c\n-1 |a b:2\n")):
        headers = {"content-type": f"text/x-{kind}", "idempotency-key": f"batch-{kind}"}
        first = service.post("/v1/models/m/learn", content=body, headers=headers)
        again = service.post("/v1/models/m/learn", content=body, headers=headers)
        assert first.text.replace("}", ',"repeated":true}') == again.text
    assert service.get("/v1/models/m").json()["n_rounds"] == 4


def test_snapshots_bound_the_log_and_recovery_is_the_same_to_the_bit(tmp_path: Path) -> None:
    rows = examples(400, 4)
    with service_on(tmp_path, keep=Kept(snapshots=2)) as service:
        service.put("/v1/models/m", json={"learner": "committee", "n_features": 256})
        for part in range(8):
            told = service.post("/v1/models/m/learn", json=rows[part * 50 : part * 50 + 50])
            assert told.status_code == 200
            if part % 2:
                service.post("/v1/models/m/snapshots")
        kept = [one["sequence"] for one in service.get("/v1/models/m/snapshots").json()]
        assert kept == [300, 400]
        oldest = min(entry.first for entry in service.models.store.entries(1, 0))
        assert oldest == 301
        before = state(service)
    with service_on(tmp_path) as service:
        assert state(service) == before
    assert len(list((tmp_path / "snapshots").iterdir())) == 2
    store = Store(tmp_path)
    assert [one for one in checked(store) if not one.sound] == []
    compacted(store)
    store.close()
    with service_on(tmp_path) as service:
        assert state(service) == before
        assert service.post("/v1/models/m/learn", json=rows[5]).json()["repeated"]


def test_a_torn_snapshot_falls_back_to_an_older_one(tmp_path: Path) -> None:
    rows = examples(90, 5)
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        for part in range(3):
            service.post("/v1/models/m/learn", json=rows[part * 30 : part * 30 + 30])
            if part < 2:
                service.post("/v1/models/m/snapshots")
        before = state(service)
        names = [one.files["model"] for one in service.models.store.snapshots(1).values()]
    newest = tmp_path / "snapshots" / names[-1]
    newest.write_bytes(newest.read_bytes()[: newest.stat().st_size // 2])
    with service_on(tmp_path) as service:
        assert state(service) == before
        assert "an older one is taken" in service.remarks[0]
    store = Store(tmp_path)
    assert next(one.said for one in checked(store) if not one.sound).startswith("m: snapshot 60")
    store.close()


def test_a_flipped_bit_in_a_log_is_found_by_the_check(tmp_path: Path) -> None:
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=examples(30, 6))
        service.post("/v1/models/m/snapshots")
    store = Store(tmp_path)
    ((body,),) = list[Any](store.writing.execute("SELECT body FROM log"))
    store.writing.execute(
        "UPDATE log SET body = ?", (bytes(body).replace(b'"label":1', b'"label":-1', 3),)
    )
    assert [one.sound for one in checked(store)] == [True, True, False, True]
    store.close()


@settings(max_examples=15)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=12), st.integers(0, 5))
def test_how_events_are_cut_into_requests_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], seed: int
) -> None:
    rows = examples(sum(sizes), seed)
    digests = set()
    for cut in (sizes, [1] * sum(sizes), [sum(sizes)]):
        with service_on(tmp_path_factory.mktemp("cut")) as service:
            service.put("/v1/models/m", json=PERCEPTRON)
            at = 0
            for size in cut:
                service.post("/v1/models/m/learn", json=rows[at : at + size])
                at += size
            digests.add(state(service))
    assert len(digests) == 1


def test_delayed_labels_join_once(where: Where) -> None:
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        told = service.post("/v1/models/m/predict", json={"id": "p", "features": {"x": 2}}).json()
        assert told == {"id": "p", "sequence": 0, "prediction": 1, "score": 0.0}
    with service_on(where) as service:
        # What waits for its label survives a restart.
        answer = service.post("/v1/models/m/labels", json={"id": "p", "label": -1})
        assert answer.json() == {
            "id": "p", "sequence": 1, "prediction": 1, "score": 0.0, "mistake": True,
        }  # fmt: skip
        again = service.post("/v1/models/m/labels", json={"id": "p", "label": -1})
        assert (again.status_code, again.json()["fields"]["sequence"]) == (409, 1)
        assert service.post("/v1/models/m/labels", json={"id": "q", "label": 1}).status_code == 404
        assert service.get("/v1/models/m").json()["n_rounds"] == 1


def test_predictions_that_wait_are_bounded_by_count_and_age(where: Where) -> None:
    with service_on(where, keep=Kept(pending=3)) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        for k in range(6):
            service.post("/v1/models/m/predict", json={"id": f"p{k}", "features": {"x": 1}})
        found = [
            service.post("/v1/models/m/labels", json={"id": f"p{k}", "label": 1}).status_code
            for k in range(6)
        ]
        assert found == [404, 404, 404, 200, 200, 200]
    with service_on(where, keep=Kept(pending_seconds=-1.0)) as service:
        service.post("/v1/models/m/predict", json={"id": "old", "features": {"x": 1}})
        gone = service.post("/v1/models/m/labels", json={"id": "old", "label": 1})
        assert gone.status_code == 404


def test_ids_are_remembered_up_to_their_bound(where: Where) -> None:
    rows = examples(20, 7)
    with service_on(where, keep=Kept(ids=5)) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=rows)
        service.post("/v1/models/m/snapshots")
        assert service.post("/v1/models/m/learn", json=rows[15]).json()["repeated"]
        assert service.post("/v1/models/m/learn", json=rows[14]).json()["sequence"] == 21


@pytest.mark.parametrize("at", [0, 1, 17, 30, 45, 60])
def test_rollback_gives_the_model_of_that_number_and_goes_on(new_store: NewStore, at: int) -> None:
    rows, where = examples(80, 8), new_store()
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=rows[:30])
        service.post("/v1/models/m/snapshots")
        service.post("/v1/models/m/learn", json=rows[30:60])
        answer = service.post("/v1/models/m/rollback", json={"sequence": at})
        assert answer.json() == {"sequence": 61}
        service.post("/v1/models/m/learn", json=rows[60:])
        after = state(service)
    with service_on(new_store()) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        if at:
            service.post("/v1/models/m/learn", json=rows[:at])
        service.post("/v1/models/m/learn", json=rows[60:])
        assert state(service) == after
    with service_on(where, keep=Kept(snapshots=1)) as service:
        assert state(service) == after
        # What was taken back is not learned again when it is sent again.
        told = service.post("/v1/models/m/learn", json=rows).json()
        assert [one["sequence"] for one in told] == [*range(1, 61), *range(62, 82)]
        assert state(service) == after
        assert service.models["m"].live.sequence == 81
        service.post("/v1/models/m/snapshots")
        service.post("/v1/models/m/rollback", json={"sequence": 81})
    with service_on(where) as service:
        assert state(service) == after
        gone = service.post("/v1/models/m/rollback", json={"sequence": 5})
        assert gone.status_code == 409


def test_a_shadow_learns_along_and_takes_over(where: Where) -> None:
    rows = examples(120, 9)
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=rows[:40])
        assert service.post("/v1/models/m/swap").status_code == 409
        assert service.put("/v1/models/m/shadow", json={"learner": "arow"}).status_code == 201
        service.post("/v1/models/m/learn", json=rows[40:80])
        info = service.get("/v1/models/m").json()
        assert (info["learner"], info["shadow"]["learner"]) == ("perceptron", "arow")
        assert (info["n_rounds"], info["shadow"]["n_rounds"]) == (80, 40)
        service.post("/v1/models/m/swap")
        service.post("/v1/models/m/learn", json=rows[80:])
        info = service.get("/v1/models/m").json()
        assert (info["learner"], info["n_rounds"]) == ("arow", 80)
        assert (info["shadow"]["learner"], info["shadow"]["n_rounds"]) == ("perceptron", 120)
    with service_on(where) as service:
        again = service.get("/v1/models/m").json()
        assert {**again, "recent_error": 0, "shadow": {**again["shadow"], "recent_error": 0}} == {
            **info, "recent_error": 0, "shadow": {**info["shadow"], "recent_error": 0},
        }  # fmt: skip
    alone = th.AROW(2**18, journal_bytes=0)
    alone.learn([row["features"] for row in rows[40:]], [row["label"] for row in rows[40:]])
    # The store is closed; the learner is what it was.
    assert service.models["m"].live.champion.model.learner == alone


def test_a_claim_that_falls_raises_an_alarm_and_stays_fallen(tmp_path: Path) -> None:
    asked = {"learner": "winnow", "n_features": 16, "claim": "disjunction:k=1"}
    dice = random.Random(0)
    rows = [
        {"features": {str(k): 1 for k in dice.sample(range(16), 4)}, "label": dice.choice([1, -1])}
        for _ in range(200)
    ]
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json=asked)
        service.post("/v1/models/m/learn", json=rows)
        fell = service.get("/v1/models/m").json()["refuted_at"]
        assert f"event {fell} refutes the claim" in service.remarks[-1]
        assert 'thresher_claim_refuted{model="m"} 1' in service.get("/metrics").text
    learner = th.Winnow(16)
    batch = [{int(k): v for k, v in row["features"].items()} for row in rows]  # type: ignore[attr-defined]
    rounds = learner.learn(
        batch, [row["label"] for row in rows], claim=th.theory.Disjunction(k=1, n=16)
    )
    assert rounds.refuted_at == fell - 1
    with service_on(tmp_path) as service:
        assert service.get("/v1/models/m").json()["refuted_at"] == fell
        service.post("/v1/models/m/snapshots")
    with service_on(tmp_path) as service:
        assert service.get("/v1/models/m").json()["refuted_at"] == fell


def test_a_snapshot_is_taken_by_itself_when_the_log_has_grown(where: Where) -> None:
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        wide = {f"a feature with a long name number {k}": 1 for k in range(3_000)}
        row = {"features": wide, "label": 1}
        for _ in range(8):
            assert service.post("/v1/models/m/learn", json=[row] * 12).status_code == 200
        before = state(service)
        # It is taken behind the scenes, and a service that ends does not wait for one.
        soon(lambda: max(service.models.store.snapshots(1)) > 0)
    with service_on(where) as service:
        assert state(service) == before
