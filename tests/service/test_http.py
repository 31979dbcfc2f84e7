"""The interface: who may ask, what is refused in which words, and what is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from tests.service.conftest import PERCEPTRON, Service, learn, service_on
from tests.service.rows import examples
from thresher import certifier, verify
from thresher.errors import StoreError
from thresher.models.file import load_model
from thresher.service.app import routed
from thresher.service.live_models import Limits
from thresher.service.openapi import OPERATIONS, document
from thresher.service.store import Store
from thresher.service.tokens import new_token, read_tokens
from thresher.verifier import Certificate

M = "/v1/models/m"


def made(service: Service, **settings: Any) -> None:
    answer = service.put(M, json={**PERCEPTRON, **settings})
    assert answer.status_code == 201, answer.text


def test_a_model_is_made_looked_at_and_deleted(service: Service) -> None:
    assert service.get(M).status_code == 404
    made(service)
    assert service.put(M, json=PERCEPTRON).status_code == 200
    assert service.put(M, json={"learner": "winnow"}).status_code == 409
    etag = service.get(M).headers["etag"]
    learn(service, "a", {"x": 1}, -1)
    assert service.delete(M, headers={"if-match": etag}).status_code == 412
    assert service.put(M, json={"learner": "winnow"}, headers={"if-match": etag}).status_code == 412
    etag = service.get(M).headers["etag"]
    replaced = service.put(M, json={"learner": "winnow"}, headers={"if-match": etag})
    assert (replaced.status_code, replaced.json()["learner"]) == (201, "winnow")
    # The id belonged to a model that is no more.
    assert "repeated" not in learn(service, "a", {"x": 1}, -1)
    assert service.put(M, json={}, headers={"if-none-match": "*"}).status_code == 412
    assert service.get("/v1/models").json()["models"] == [{"name": "m", "sequence": 1}]
    assert service.delete(M).status_code == 204
    assert service.get(M).status_code == 404
    assert list(service.models.store.path("").iterdir()) == []


@pytest.mark.parametrize("name", ["", "-x", "a" * 101, "a b", "..", "a%2Fb", "%00", "é"])
def test_a_name_has_no_path_in_it(service: Service, name: str) -> None:
    assert service.put(f"/v1/models/{name}", json=PERCEPTRON).status_code in (404, 405, 422)
    assert list(service.models) == []


def test_a_model_file_goes_in_and_out(service: Service, tmp_path: Path) -> None:
    made(service)
    service.post(f"{M}/learn", json=examples(50, 1))
    file = service.get(f"{M}/file")
    headers = {"content-type": "application/octet-stream"}
    told = service.put("/v1/models/copy", content=file.content, headers=headers)
    assert told.status_code == 201
    assert told.json()["digest"] == service.get(M).json()["digest"]
    (tmp_path / "m.thr").write_bytes(file.content)
    assert load_model(tmp_path / "m.thr").digest == told.json()["digest"]
    for bad in (b"", b"\x80\x04pickle", file.content[:-1], file.content[:100]):
        answer = service.put("/v1/models/bad", content=bad, headers=headers)
        assert answer.status_code == 422
        assert str(tmp_path.parent) not in answer.text


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"learner": "percepton"}, "perceptron"),
        ({"learner": "perceptron", "n_features": 0}, "n_features"),
        ({"learner": "perceptron", "n_features": 2**40}, "columns"),
        ({"learner": "perceptron", "parameters": {"beta": 1}}, "beta"),
        ({"learner": "halving"}, "concepts"),
        ({"lerner": "winnow"}, "lerner"),
        ({"learner": "perceptron", "claim": "disjunction:k=2,n=x"}, "claim"),
        ({"learner": "multiclass_perceptron", "positive": "x"}, "positive"),
    ],
)
def test_wrong_settings_are_told(service: Service, settings: dict[str, Any], found: str) -> None:
    answer = service.put(M, json=settings)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert found in told["detail"] + told.get("remedy", "")
    assert {"type", "title", "status", "detail"} <= told.keys()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[]", 200),
        (b"null", 422),
        (b"[1]", 422),
        (b'{"features": 3}', 422),
        (b'{"features": {"a": NaN}, "label": 1}', 400),
        (b'{"features": {"a": 1e400}, "label": 1}', 422),
        (b'{"features": {"a": 1}, "label": {}}', 422),
        (b'{"features": {"a": {}}, "label": 1}', 200),
        (b'{"features": {"a": 1, "a": 2}, "label": 1}', 200),
        (b'{"features": {"a": 1}, "label": 1, "id": ""}', 422),
        (b'{"features": {"a": 1}, "label": 1, "id": "' + b"x" * 201 + b'"}', 422),
        (b'{"features": ' + b'{"a":' * 3000 + b"1" + b"}" * 3000 + b', "label": 1}', 400),
        (b'{"features": ' + b"[" * 100_000 + b"]" * 100_000 + b', "label": 1}', 400),
        (b'{"features": {"\\ud800": 1}, "label": 1}', 400),
    ],
)
def test_a_body_that_is_wrong_is_refused_in_words(
    service: Service, body: bytes, status: int
) -> None:
    made(service)
    headers = {"content-type": "application/json"}
    answer = service.post(f"{M}/learn", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    if status >= 400:
        assert answer.json()["detail"].endswith((".", '"', "object"))
    assert service.get("/healthz").status_code == 200


def test_bodies_have_bounds(tmp_path: Path) -> None:
    with service_on(tmp_path, limits=Limits(body=2_000, rows=3, features=4, classes=2)) as service:
        made(service)
        row = {"features": {"a": 1}, "label": 1}
        assert service.post(f"{M}/learn", json=[row] * 3).status_code == 200
        assert service.post(f"{M}/learn", json=[row] * 4).status_code == 413
        wide = {"features": {str(k): 1 for k in range(5)}, "label": 1}
        assert service.post(f"{M}/learn", json=wide).status_code == 413
        assert service.post(f"{M}/predict", json=wide).status_code == 413
        assert service.post(f"{M}/learn", content=b" " * 2_001).status_code == 413

        def parts() -> Any:
            for _ in range(100):
                yield b" " * 1_000

        assert service.post(f"{M}/learn", content=parts()).status_code == 413
        packed = {"content-encoding": "gzip"}
        assert service.post(f"{M}/learn", content=b"x", headers=packed).status_code == 415
        assert (
            service.post(f"{M}/learn", content=b"x", headers={"content-type": "a/b"}).status_code
            == 415
        )
        several = {"learner": "multiclass_perceptron", "n_features": 16}
        service.put("/v1/models/s", json=several)
        rows = [{"features": {"a": 1}, "label": name} for name in ("x", "y")]
        assert service.post("/v1/models/s/learn", json=rows).status_code == 200
        third = {"features": {"a": 1}, "label": "z"}
        assert service.post("/v1/models/s/learn", json=third).status_code == 413
        assert service.get("/v1/models/s").json()["classes"] == ["x", "y"]


def test_tokens_have_roles(tmp_path: Path) -> None:
    made_tokens = {role: new_token(role, f"a-{role}") for role in ("read", "learn", "admin")}
    file = tmp_path / "tokens"
    file.write_text("# who\n" + "".join(line + "\n" for _, line in made_tokens.values()))
    assert all(token not in file.read_text() for token, _ in made_tokens.values())
    row = {"features": {"a": 1}, "label": 1}
    with service_on(tmp_path / "store", tokens=read_tokens(file)) as service:
        asked = {
            "read": lambda h: service.get("/v1/models", headers=h),
            "learn": lambda h: service.post(f"{M}/learn", json=row, headers=h),
            "admin": lambda h: service.put(M, json=PERCEPTRON, headers=h),
        }
        heads = {role: {"authorization": f"Bearer {t}"} for role, (t, _) in made_tokens.items()}
        assert asked["admin"](heads["admin"]).status_code == 201
        allowed = {
            (who, what): asked[what](heads[who]).status_code < 400
            for who in heads
            for what in asked
        }
        order = ("read", "learn", "admin")
        assert allowed == {
            (who, what): order.index(who) >= order.index(what) for who in order for what in order
        }
        for wrong in (
            {},
            {"authorization": "Bearer x"},
            {"authorization": heads["read"]["authorization"][7:]},
        ):
            answer = service.get("/v1/models", headers=wrong)
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert service.get("/healthz").status_code == 200
        kept = service.post(f"{M}/predict", json={"id": "p", **row}, headers=heads["read"])
        assert kept.status_code == 403


def test_a_token_may_have_a_rate(tmp_path: Path) -> None:
    token, line = new_token("read", "slow")
    (tmp_path / "tokens").write_text(f"{line} rate:3\n")
    with service_on(tmp_path / "store", tokens=read_tokens(tmp_path / "tokens")) as service:
        head = {"authorization": f"Bearer {token}"}
        answers = [service.get("/v1/models", headers=head) for _ in range(6)]
        assert [one.status_code for one in answers][:3] == [200] * 3
        assert answers[-1].status_code == 429
        assert answers[-1].headers["retry-after"] == "1"


@pytest.mark.parametrize("text", ["", "root a sha256:" + "0" * 64, "read a md5:00", "read a"])
def test_a_file_of_tokens_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    (tmp_path / "tokens").write_text(text)
    with pytest.raises(StoreError):
        read_tokens(tmp_path / "tokens")


def test_without_tokens_only_programs_of_this_machine_are_answered(service: Service) -> None:
    for host, status in (("evil.example", 421), ("localhost:1", 200), ("127.0.0.1", 200)):
        assert service.get("/v1/models", headers={"host": host}).status_code == status
    assert service.get("/v1/models", headers={"origin": "http://127.0.0.1:8080"}).status_code == 403


def test_a_full_disk_refuses_to_learn_predicts_on_and_recovers(service: Service) -> None:
    made(service)
    learn(service, "a", {"x": 1}, -1)
    db = service.models.store.writing
    pages = db.pragma("max_page_count")
    db.pragma("max_page_count", db.pragma("page_count"))
    big = {"features": {f"a long name of a feature {k}": 1 for k in range(2_000)}, "label": -1}
    answer = service.post(f"{M}/learn", json={"id": "b", **big})
    assert (answer.status_code, answer.headers["retry-after"]) == (507, "30")
    assert service.get("/readyz").json() == {"replayed": True, "writable": False}
    told = service.post(f"{M}/predict", json={"features": {"x": 1}})
    assert (told.status_code, told.json()["score"], told.json()["sequence"]) == (200, -1.0, 1)
    db.pragma("max_page_count", pages)
    again = service.post(f"{M}/learn", json={"id": "b", **big})
    assert (again.status_code, again.json()["sequence"]) == (200, 2)
    assert "repeated" not in again.json()
    assert service.get("/readyz").status_code == 200


def test_a_store_that_cannot_be_written_says_so(service: Service) -> None:
    made(service)
    service.models.store.writing.pragma("query_only", 1)
    answer = service.post(f"{M}/learn", json={"features": {"a": 1}, "label": 1})
    assert (answer.status_code, answer.json()["type"]) == (503, "service.read_only")
    service.models.store.writing.pragma("query_only", 0)
    assert learn(service, "a", {"a": 1}, 1)["sequence"] == 1


def test_a_service_may_only_predict(tmp_path: Path) -> None:
    with service_on(tmp_path) as service:
        made(service)
    with service_on(tmp_path, read_only=True) as service:
        row = {"features": {"a": 1}, "label": 1}
        assert service.post(f"{M}/learn", json=row).status_code == 503
        assert service.post(f"{M}/predict", json=row).status_code == 200


def test_a_second_process_is_kept_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(StoreError, match="another process serves this store"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {mode for name, mode in modes.items() if name != "snapshots"} == {0o600}
    assert modes["snapshots"] == 0o700


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thresher.db").write_bytes(b"not a database, but some text " * 100)
    with pytest.raises(StoreError, match="not the database of a store"):
        Store(tmp_path)
    assert (tmp_path / "thresher.db").read_bytes().startswith(b"not a database")


def test_at_least_waits_for_a_number(tmp_path: Path) -> None:
    with service_on(tmp_path, limits=Limits(reach_seconds=0.05)) as service:
        made(service)
        learn(service, "a", {"x": 1}, -1)
        row = {"features": {"x": 1}}
        assert service.post(f"{M}/predict?at_least=1", json=row).json()["sequence"] == 1
        behind = service.post(f"{M}/predict?at_least=2", json=row)
        assert (behind.status_code, behind.json()["fields"]) == (503, {"sequence": 1})
        for wrong in ("x", "-1", "9" * 30):
            assert service.post(f"{M}/predict?at_least={wrong}", json=row).status_code == 422


def test_probabilities_and_reasons_are_told(service: Service) -> None:
    service.put(M, json={"learner": "committee", "n_features": 256})
    service.post(f"{M}/learn", json=examples(200, 2))
    told = service.post(f"{M}/predict?probabilities=1", json={"features": {"w3": 1}}).json()
    assert told["probabilities"].keys() == {"-1", "1"}
    assert sum(told["probabilities"].values()) == pytest.approx(1.0)
    why = service.post(f"{M}/explain", json={"features": {"w3": 1, "w9": 2}}).json()
    assert {tuple(part["names"]) for part in why["contributions"]} == {("w3",), ("w9",)}
    assert (
        why["score"]
        == service.post(f"{M}/predict", json={"features": {"w3": 1, "w9": 2}}).json()["score"]
    )


def test_rows_without_labels_are_predicted_where_others_are_learned(service: Service) -> None:
    made(service)
    rows = [
        {"features": {"a": 1}, "label": -1},
        {"id": "p", "features": {"a": 1}},
        {"features": {"a": 1}, "label": -1},
    ]
    told = service.post(f"{M}/predict-learn", json=rows).json()
    assert told == [
        {"sequence": 1, "prediction": 1, "score": 0.0, "mistake": True},
        {"sequence": 0, "prediction": 1, "score": 0.0},
        {"sequence": 2, "prediction": -1, "score": -1.0, "mistake": False},
    ]
    assert service.post(f"{M}/labels", json={"id": "p", "label": 1}).json()["sequence"] == 3


def test_the_evidence_holds(service: Service) -> None:
    made(service)
    rows: list[dict[str, Any]] = [
        {"features": {str(k % 7): 1, "9": 1}, "label": 1 if k % 7 < 3 else -1} for k in range(60)
    ]
    service.post(f"{M}/learn", json=rows)
    text = service.get(f"{M}/certificate").text
    X = [{int(c): v for c, v in row["features"].items()} for row in rows]
    found = Certificate.from_json(text)
    assert verify(found, X, [row["label"] for row in rows]).holds
    assert (
        certifier.certify(
            service.models["m"].live.champion.model.learner, X, [row["label"] for row in rows]
        )
        == found
    )
    lines = [json.loads(line) for line in service.get(f"{M}/journal").text.splitlines()]
    journal = service.models["m"].live.champion.model.learner.journal
    assert journal is not None
    assert [line["round"] for line in lines] == journal.round_number.tolist()
    page = service.get(f"{M}/report")
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text


def test_the_document_names_every_route_and_no_other() -> None:
    app = routed(lambda: None)  # type: ignore[arg-type, return-value]
    routes = {
        (method.lower(), route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes == {(one.method, one.path) for one in OPERATIONS}
    told = document()
    assert json.loads(json.dumps(told)) == told
    assert "Example" in told["components"]["schemas"]


def test_what_is_counted_is_told(service: Service) -> None:
    made(service)
    service.post(f"{M}/learn", json=examples(30, 3))
    service.get("/nowhere")
    text = service.get("/metrics").text
    assert 'thresher_requests_total{route="learn",status="200"} 1' in text
    assert 'thresher_sequence{model="m"} 30' in text
    assert 'thresher_requests_total{route="other",status="404"} 1' in text
    for line in text.splitlines():
        assert (
            line.startswith("# ")
            or line.rpartition(" ")[2].replace(".", "").replace("e-", "").isdigit()
        )


def test_the_page_asks_nobody_else(service: Service) -> None:
    page = service.get("/")
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_a_fault_that_nobody_foresaw_is_one_answer(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(service)
    learn(service, "a", {"x": 1}, -1)
    live = service.models["m"].live

    def broken(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(live, "learn", broken)
    row = {"id": "b", "features": {"x": 1}, "label": 1}
    first = service.post(f"{M}/learn", json=row)
    assert (first.status_code, first.json()["type"]) == (503, "service.stuck")
    # It is in the log and not learned, so that nothing is learned until it was replayed.
    monkeypatch.undo()
    assert service.post(f"{M}/learn", json=row).status_code == 503
    assert service.post(f"{M}/predict", json={"features": {"x": 1}}).json()["sequence"] == 1
