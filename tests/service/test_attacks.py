"""What once lost an event, learned one twice, or kept a store from opening."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest
import uvicorn
from click.testing import CliRunner

from tests.service.conftest import PERCEPTRON, Service, learn, service_on
from thresher.cli.store import command
from thresher.errors import ServiceError
from thresher.service import changes, recovery, views, writer
from thresher.service.live_model import lines_in
from thresher.service.live_models import Limits
from thresher.service.protocol import MOST_HEAD, Protocol
from thresher.service.recovery import MODEL, recovered
from thresher.service.store import Store
from thresher.service.tokens import new_token, read_tokens
from thresher.service.upkeep import checked, compacted

M = "/v1/models/m"


def _taught(service: Service, count: int) -> None:
    service.put(M, json=PERCEPTRON)
    for k in range(count):
        learn(service, f"e{k}", {f"w{k % 5}": 1, f"v{k % 3}": 2}, k % 2)


def _digest(service: Service) -> str:
    return str(service.get(M).json()["digest"])


def test_an_id_is_known_while_somebody_reads_the_log_for_long(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _taught(service, 4)
    reading, go_on = threading.Event(), threading.Event()

    def slowly(entry: Any) -> Any:
        reading.set()
        assert go_on.wait(30)
        return lines_in(entry)

    monkeypatch.setattr(views, "lines_in", slowly)
    certified = threading.Thread(target=service.get, args=(f"{M}/certificate",))
    certified.start()
    try:
        assert reading.wait(30)
        # The ids move to their table; whoever reads the log sees the store as it was before.
        assert service.post(f"{M}/snapshots").status_code == 201
        again = learn(service, "e2", {"w2": 1, "v2": 2}, 0)
    finally:
        go_on.set()
        certified.join(30)
    assert again["repeated"]
    assert again["sequence"] == 3
    assert service.get(M).json()["sequence"] == 4


def test_many_rollbacks_are_recovered_in_one_walk(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        _taught(service, 6)
        for k in range(60):
            last = service.get(M).json()["sequence"]
            # To the number before, to one that was taken back, into the middle of a request.
            rows = [{"features": {f"r{k}": 1}, "label": i % 2, "id": f"r{k}-{i}"} for i in (0, 1)]
            service.post(f"{M}/learn", json=rows).raise_for_status()
            target = (last, last + 1, 3, last - 2)[k % 4]
            assert service.post(f"{M}/rollback", json={"sequence": target}).status_code == 200
        before = _digest(service)
    with service_on(tmp_path / "store") as service:
        assert _digest(service) == before
        again = learn(service, "r1-1", {"r1": 1}, 1)
        assert again["repeated"]
    store = Store(tmp_path / "store")
    found = recovered(store, store.models()[0], lambda text: None)
    # What goes back is not replayed.
    assert found.replayed <= 4 * (6 + 2 * 60)
    store.close()


def test_compacting_does_not_trust_a_snapshot_that_cannot_be_read(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        _taught(service, 5)
        service.post(f"{M}/snapshots")
        before = _digest(service)
    store = Store(tmp_path / "store")
    newest = store.path(store.snapshots(store.models()[0].number)[5].files[MODEL])
    newest.write_bytes(newest.read_bytes()[:100])
    compacted(store)
    store.close()
    with service_on(tmp_path / "store") as service:
        assert _digest(service) == before


def test_snapshots_of_one_number_leave_one_file(service: Service) -> None:
    _taught(service, 2)
    for _ in range(4):
        service.post(f"{M}/snapshots")
    files = list(service.models.store.path("").iterdir())
    assert len(files) == len(service.get(f"{M}/snapshots").json()) == 2


def test_a_snapshot_whose_file_is_gone_is_told_without_a_fault(service: Service) -> None:
    _taught(service, 1)
    for path in service.models.store.path("").iterdir():
        path.unlink()
    assert service.get(f"{M}/snapshots").json() == [{"sequence": 0, "bytes": 0}]


def test_a_row_to_be_predicted_that_is_refused_takes_the_others_along(service: Service) -> None:
    _taught(service, 1)
    fresh = {"id": "fresh", "features": {"a": 1}, "label": 1}
    for ident in ("e0", "fresh"):
        rows = [fresh, {"id": ident, "features": {"a": 1}}]
        answer = service.post(f"{M}/predict-learn", json=rows)
        assert answer.json()["type"] == "service.id_used"
        assert service.get(M).json()["sequence"] == 1
    rows = [fresh, {"id": "later", "features": {"a": 1}}]
    assert service.post(f"{M}/predict-learn", json=rows).status_code == 200
    assert service.post(f"{M}/labels", json={"id": "later", "label": 0}).json()["sequence"] == 3


def test_a_rollback_is_not_logged_when_its_past_went_away_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_at = recovery.state_at
    with service_on(tmp_path / "store") as service:
        _taught(service, 1)

        def overtaken(store: Store, stored: Any, sequence: int, remark: Any) -> Any:
            past = state_at(store, stored, sequence, remark)
            for k in range(1, 4):
                learn(service, f"later-{k}", {"w1": k}, k % 2)
                service.post(f"{M}/snapshots")
            return past

        monkeypatch.setattr(changes, "state_at", overtaken)
        answer = service.post(f"{M}/rollback", json={"sequence": 0})
        assert (answer.status_code, answer.json()["type"]) == (409, "service.not_kept")
        before = _digest(service)
    with service_on(tmp_path / "store") as service:
        assert _digest(service) == before


def test_a_model_that_stopped_learning_is_not_written_down(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _taught(service, 1)
    served = service.models["m"]

    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(served.live, "learn", fails)
    body = {"features": {"a": 1}, "label": 1}
    assert service.post(f"{M}/learn", json=body).json()["type"] == "service.stuck"
    assert service.post(f"{M}/snapshots").json()["type"] == "service.stuck"


def test_a_database_that_another_program_holds_is_busy_and_not_a_fault() -> None:
    told = writer.in_words(apsw.BusyError("database is locked"))
    assert isinstance(told, ServiceError)
    assert told.status == 503


def test_a_certificate_of_several_classes_that_came_one_by_one(service: Service) -> None:
    service.put(M, json=PERCEPTRON | {"multiclass": True})
    labels = ["law", "art", "law", "sport", "art", "sport"]
    rows = [{f"w{k % 4}": 1, f"v{k % 3}": 2} for k in range(len(labels))]
    for k, (row, label) in enumerate(zip(rows, labels, strict=True)):
        learn(service, f"e{k}", row, label)
    one_by_one = service.get(f"{M}/certificate")
    assert one_by_one.status_code == 200, one_by_one.text
    service.put("/v1/models/n", json=PERCEPTRON | {"multiclass": True})
    together = [{"features": x, "label": y} for x, y in zip(rows, labels, strict=True)]
    service.post("/v1/models/n/learn", json=together).raise_for_status()
    assert one_by_one.json() == service.get("/v1/models/n/certificate").json()


def test_a_retry_is_answered_when_the_model_would_not_take_it_any_more(service: Service) -> None:
    _taught(service, 1)
    first = learn(service, "wide", {"200": 1}, 1)
    service.put(f"{M}/shadow", json=PERCEPTRON | {"n_features": 8})
    assert service.post(f"{M}/swap").status_code == 200
    assert learn(service, "wide", {"200": 1}, 1) == first | {"repeated": True}
    wide = {"id": "wide", "features": {"200": 1}, "label": 1}
    answer = service.post(f"{M}/learn", json=[wide, wide | {"id": "wider"}])
    assert answer.status_code == 422
    assert "request:2:" in answer.json()["detail"]
    both = service.post(f"{M}/learn", json=[wide, {"id": "n", "features": {"1": 1}, "label": 0}])
    assert [one.get("repeated", False) for one in both.json()] == [True, False]


@pytest.mark.parametrize("kind", ["text/x-svmlight", "application/x-ndjson"])
def test_a_key_is_not_used_again_for_more_events(service: Service, kind: str) -> None:
    _taught(service, 1)
    line = b"1 3:1\n" if kind == "text/x-svmlight" else b'{"features":{"3":1},"label":1}\n'
    headers = {"content-type": kind, "idempotency-key": "k"}
    for count, status in ((2, 200), (2, 200), (3, 409)):
        answer = service.post(f"{M}/learn", content=line * count, headers=headers)
        assert answer.status_code == status, answer.text
    assert service.get(M).json()["sequence"] == 3


def test_a_token_is_added_behind_a_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "tokens.txt"
    path.write_text(new_token("read", "a")[1])
    for name in ("b", "c"):
        assert CliRunner().invoke(command, ["token", str(path), "learn", name]).exit_code == 0
    assert len(path.read_text().splitlines()) == 3
    read_tokens(path)


def test_whoever_waits_in_vain_is_forgotten(tmp_path: Path) -> None:
    with service_on(tmp_path / "store", limits=Limits(reach_seconds=0.01)) as service:
        _taught(service, 1)
        for _ in range(3):
            answer = service.get(f"{M}?at_least=1000000")
            assert answer.json()["type"] == "service.behind"
        assert not service.models["m"]._waiting


def test_the_check_reads_shadows_and_tells_of_gaps(tmp_path: Path) -> None:
    with service_on(tmp_path / "store") as service:
        _taught(service, 2)
        service.put(f"{M}/shadow", json={"learner": "arow", "n_features": 256})
        learn(service, "more", {"a": 1}, 1)
        service.post(f"{M}/snapshots")
        learn(service, "last", {"a": 1}, 0)
        learn(service, "very-last", {"a": 1}, 0)
    store = Store(tmp_path / "store")
    assert all(one.sound for one in checked(store))
    shadow = store.path(store.snapshots(1)[4].files["shadow"])
    data = shadow.read_bytes()
    shadow.write_bytes(data[:100])
    assert next(one.said for one in checked(store) if not one.sound).startswith("m: snapshot 4")
    shadow.write_bytes(data)
    store.writing.execute("DELETE FROM log WHERE last = 5")
    assert [one.said for one in checked(store) if not one.sound] == [
        "m: event 6 of the log does not follow event 4."
    ]
    store.close()


def test_classes_are_bounded_by_columns_and_by_the_length_of_names(tmp_path: Path) -> None:
    limits = Limits(cells=256 * 3, name=10)
    with service_on(tmp_path / "store", limits=limits) as service:
        service.put(M, json=PERCEPTRON | {"multiclass": True})
        learn(service, "long", {"a": 1}, "n" * 10)
        for k in range(2):
            learn(service, f"e{k}", {"a": 1}, f"c{k}")
        for name in ("n" * 11, "c2"):
            answer = service.post(f"{M}/learn", json={"features": {"a": 1}, "label": name})
            assert (answer.status_code, answer.json()["type"]) == (413, "service.too_large")
        learn(service, "again", {"a": 1}, "c1")


class Transport(asyncio.Transport):
    """Remembers what was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.closed = b"", False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def _sent(data: bytes) -> tuple[bytes, bool]:
    """What a protocol writes when it receives some bytes, and whether it closes."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def run() -> tuple[bytes, bool]:
        config = uvicorn.Config(app, http=Protocol, log_config=None)
        config.load()
        protocol = Protocol(config, uvicorn.server.ServerState(), {})
        transport = Transport()
        protocol.connection_made(transport)
        for start in range(0, len(data), 4096):
            protocol.data_received(data[start : start + 4096])
        for _ in range(5):
            await asyncio.sleep(0)
        told = transport.written, transport.closed
        protocol.connection_lost(None)
        return told

    return asyncio.run(run())


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * MOST_HEAD * 2,
        b"GET / HTTP/1.1\r\nhost: x\r\nlong: " + b"a" * MOST_HEAD * 2,
        b"GET / HTTP/1.1\r\nhost: x\r\n" + b"many: one\r\n" * MOST_HEAD,
    ],
    ids=["line", "long", "many"],
)
def test_a_head_without_end_is_cut_off(head: bytes) -> None:
    written, closed = _sent(head)
    assert written.startswith(b"HTTP/1.1 431 ")
    assert b'"type":"service.head"' in written
    assert closed


def test_heads_of_one_connection_and_bodies_are_not_added_up() -> None:
    request = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n" + b"x" * 100_000
    written, closed = _sent(request * 3)
    assert written.startswith(b"HTTP/1.1 204 ")
    assert not closed
