"""A replica is its leader, to the bit, some moments later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from tests.cli.running import run
from tests.service.conftest import PERCEPTRON, Service, service_on, soon
from tests.service.killing import Victim
from tests.service.rows import examples
from thresher.client import Client
from thresher.errors import ServiceError
from thresher.models.file import model_bytes
from thresher.service.leader import Leader
from thresher.service.replication import Beginning
from thresher.service.settings import Settings, created


@pytest.fixture
def leader(tmp_path: Path) -> Iterator[Victim]:
    victim = Victim(tmp_path / "leader")
    victim.start()
    yield victim
    victim.kill()


def same(client: Client, replica: Service, *names: str) -> None:
    """Wait until the replica is where the leader is; then they must be alike."""
    for name in names:
        theirs = client.model(name)
        soon(lambda name=name, theirs=theirs: _sequence(replica, name) == theirs.sequence)  # type: ignore[misc]
        own = replica.get(f"/v1/models/{name}").json()
        assert (own["digest"], own["lag"]) == (theirs.digest, 0)
        assert (own["learner"], own["mistakes"]) == (theirs.learner, theirs.mistakes)


def _sequence(replica: Service, name: str) -> int:
    answer = replica.get(f"/v1/models/{name}")
    return int(answer.json()["sequence"]) if answer.status_code == 200 else -1


def test_a_replica_follows_whatever_happens_to_its_leader(tmp_path: Path, leader: Victim) -> None:
    rows = examples(200, 11)
    with Client(leader.address, retries=60) as client:
        client.create("m", **PERCEPTRON)
        client.learn_many("m", [(row["features"], row["label"]) for row in rows[:20]])
        client._sent("POST", "/v1/models/m/snapshots")
        with service_on(tmp_path / "replica", leader=leader.address) as replica:
            soon(lambda: replica.get("/readyz").status_code == 200)
            same(client, replica, "m")
            # Learning, a shadow, a swap, going back, a model more.
            client.learn_many("m", [(row["features"], row["label"]) for row in rows[20:40]])
            client._sent("PUT", "/v1/models/m/shadow", {"learner": "arow", "n_features": 256})
            client.learn_many("m", [(row["features"], row["label"]) for row in rows[40:60]])
            client._sent("POST", "/v1/models/m/swap")
            same(client, replica, "m")
            client._sent("POST", "/v1/models/m/rollback", {"sequence": 45})
            client.create("n", learner="multiclass_perceptron", n_features=64)
            client.learn_many("n", [({"a": 1}, "x"), ({"b": 1}, "y")])
            same(client, replica, "m", "n")
            # Back to before the snapshot that the replica began with: it begins anew.
            client._sent("POST", "/v1/models/m/rollback", {"sequence": 5})
            client._sent("POST", "/v1/models/m/snapshots")
            same(client, replica, "m")
            # The leader is killed, and comes back.
            leader.kill()
            assert replica.post("/v1/models/m/predict", json={"features": {}}).status_code == 200
            leader.start()
            client.learn_many("m", [(row["features"], row["label"]) for row in rows[60:80]])
            same(client, replica, "m")
            # A model is made anew under its name, and another one is deleted.
            client.delete("n")
            client.delete("m")
            client.create("m", learner="arow", n_features=128)
            client.learn_many("m", [(row["features"], row["label"]) for row in rows[:80]])
            same(client, replica, "m")
            soon(lambda: replica.get("/v1/models/n").status_code == 404)
            metrics = replica.get("/metrics").text
            assert 'thresher_replica_lag{model="m"} 0' in metrics
            assert "thresher_replica_silence_seconds" in metrics
            told = replica.get("/readyz").json()
            assert told["silence"] >= 0
            assert told == {"replayed": True, "writable": True, "lag": 0} | {
                "silence": told["silence"]
            }
            for answer in (
                replica.post("/v1/models/m/learn", json=rows[0]),
                replica.post("/v1/models/m/predict", json={"id": "p", "features": {}}),
                replica.put("/v1/models/x", json=PERCEPTRON),
                replica.delete("/v1/models/m"),
                replica.post("/v1/models/m/rollback", json={"sequence": 1}),
                replica.post("/v1/models/m/snapshots"),
            ):
                assert answer.status_code == 421, answer.text
                assert answer.json()["fields"] == {"address": leader.address}
        # While the replica was away, the leader let go of the log that it would need.
        for part in range(4):
            few = rows[80 + part * 20 : 100 + part * 20]
            client.learn_many("m", [(row["features"], row["label"]) for row in few])
            client._sent("POST", "/v1/models/m/snapshots")
        with service_on(tmp_path / "replica", leader=leader.address) as replica:
            same(client, replica, "m")
            assert min(replica.models.store.snapshots(replica.models["m"].stored.number)) > 80
        # Without a leader it is a service like others, and knows what was learned.
        with service_on(tmp_path / "replica") as heir:
            assert heir.get("/v1/models/m").json()["digest"] == client.model("m").digest


def test_a_model_made_anew_while_the_replica_was_away_is_not_taken_for_the_old_one(
    tmp_path: Path, leader: Victim
) -> None:
    with Client(leader.address) as client:
        for learner in ("perceptron", "arow"):
            client.create("m", learner=learner, n_features=64)
            with service_on(tmp_path / "replica", leader=leader.address) as replica:
                theirs = client.model("m").digest
                soon(
                    lambda replica=replica, theirs=theirs: (  # type: ignore[misc]
                        replica.get("/v1/models/m").json().get("digest") == theirs
                    )
                )
            client.delete("m")


def test_what_a_replica_has_is_served_until_something_newer_is_there(
    tmp_path: Path, leader: Victim, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def silent(_: Leader, name: str) -> Beginning:
        asked.append(name)
        raise ServiceError("it has gone.", code="service.leader")

    with Client(leader.address) as client:
        # Nothing was learned since the replica began: its log has nothing to show.
        client.create("m", **PERCEPTRON)
        with service_on(tmp_path / "replica", leader=leader.address) as replica:
            same(client, replica, "m")
        with monkeypatch.context() as patch:
            patch.setattr(Leader, "beginning", silent)
            with service_on(tmp_path / "replica", leader=leader.address) as replica:
                soon(lambda: len(asked) > 1)
                answer = replica.post("/v1/models/m/predict", json={"features": {}})
                assert answer.status_code == 200
        with service_on(tmp_path / "replica", leader=leader.address) as replica:
            client.learn_many("m", [({"a": 1}, 1), ({"b": 1}, -1)])
            same(client, replica, "m")


def test_a_replica_that_catches_up_watches_as_its_leader_did(
    tmp_path: Path, leader: Victim
) -> None:
    with Client(leader.address) as client:
        client.create("m", **PERCEPTRON)
        client._sent("PUT", "/v1/models/m/shadow", {"learner": "arow", "n_features": 256})
        client.learn_many("m", [({"a": 1}, 1), ({"b": 1}, -1)])
        client._sent("POST", "/v1/models/m/swap")
        client.learn_many("m", [({"a": 1}, 1), ({"b": 1}, -1), ({"c": 1}, 1)])
        with service_on(tmp_path / "replica", leader=leader.address) as replica:
            same(client, replica, "m")
            watch = replica.models["m"].watch
            assert [number for number, *_ in watch.last_rounds] == [5, 6, 7]
            client._sent("POST", "/v1/models/m/rollback", {"sequence": 3})
            same(client, replica, "m")
            assert [*watch.alarms] == [
                {"event": "shadow", "sequence": 1},
                {"event": "swap", "sequence": 4},
                {"event": "rollback", "sequence": 8, "to": 3},
            ]


def test_another_log_of_the_same_length_is_not_continued(tmp_path: Path) -> None:
    rows = examples(40, 12)
    first = Victim(tmp_path / "one")
    other = Victim(tmp_path / "two")
    other.port, other.address = first.port, first.address
    for victim, part in ((first, rows[:20]), (other, rows[20:])):
        victim.start()
        with Client(victim.address) as client:
            client.create("m", **PERCEPTRON)
            for row in part:
                client.learn("m", row["features"], row["label"])
            with service_on(tmp_path / "replica", leader=victim.address) as replica:
                soon(lambda: replica.get("/readyz").status_code == 200)
                theirs = client.model("m").digest
                soon(
                    lambda replica=replica, theirs=theirs: (  # type: ignore[misc]
                        replica.get("/v1/models/m").json().get("digest") == theirs
                    )
                )
        victim.kill()


class Liar(BaseHTTPRequestHandler):
    """A leader that says whatever the test wants."""

    answers: ClassVar[dict[str, bytes]] = {}

    def do_GET(self) -> None:
        body = self.answers.get(self.path.partition("?")[0])
        self.send_response(404 if body is None else 200)
        self.send_header("content-length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def lying(**answers: object) -> Iterator[str]:
    paths = {"listing": "/v1/models", "log": "/v1/models/m/log"}
    paths["newest"] = "/v1/models/m/snapshots/newest"
    pack = {"listing": msgspec.json.encode, "log": msgspec.msgpack.encode,
            "newest": msgspec.msgpack.encode}  # fmt: skip
    told = {
        paths[what]: one if isinstance(one, bytes) else pack[what](one)
        for what, one in answers.items()
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Liar,), {"answers": told}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def entry(*parts: object) -> list[object]:
    """A page of the log with one entry: last, size, kind, body, ids."""
    return [1, 9, [[*parts, None] if len(parts) == 4 else [*parts]]]


LISTED = {"models": [{"name": "m", "sequence": 3}]}


def a_beginning() -> list[object]:
    settings = Settings("perceptron", n_features=64)
    return [1, 0, msgspec.json.encode(settings), None, {"model": model_bytes(created(settings))}]


@pytest.mark.parametrize(
    ("answers", "remark"),
    [
        ({"listing": b"<html>welcome</html>"}, "did not answer as a thresher service"),
        ({"listing": b""}, "did not answer as a thresher service"),
        ({}, "it answered 404"),
        ({"newest": b"\xff" * 100}, "did not answer as a thresher service"),
        ({"newest": [1, 0, b"{}", None, {"model": b"junk"}]}, "cannot be read"),
        ({"newest": [1, 0, b"junk", None, {"model": b"junk"}]}, "cannot be read"),
        ({"newest": [1, -5, b"{}", None, {}]}, "without a model"),
        ({"log": b"\x01"}, "did not answer as a thresher service"),
        ({"log": entry(7, 1, "json", b"{}\n")}, "came behind number 0"),
        ({"log": entry(0, 0, "json", b"")}, "came behind number 0"),
        ({"log": entry(2, 2, "json", b"{}\n{}\n", ["a"])}, "came behind number 0"),
        ({"log": entry(1, 1, "rollback", b"x")}, "ValueError"),
        ({"log": entry(1, 1, "swap", b"")}, ""),
        ({"log": entry(1, 1, "pickle", b"x\n")}, "of kind 'pickle'"),
        ({"log": entry(1, 1, "parquet", b"x\n")}, "of kind 'parquet'"),
        ({"log": entry(1, 1, "shadow", b"x")}, "could not be learned"),
    ],
)  # fmt: skip
def test_whatever_a_leader_says_a_replica_lives_on(
    tmp_path: Path, answers: dict[str, object], remark: str
) -> None:
    if answers and "listing" not in answers:
        answers = {"listing": LISTED, "newest": a_beginning()} | answers
    with lying(**answers) as address:
        for _ in range(2):
            with service_on(tmp_path, leader=address) as replica:
                soon(lambda: any(remark in text for text in replica.remarks) or not remark)
                assert len(replica.remarks) < 10
                assert replica.get("/v1/models").status_code == 200


def test_a_service_does_not_follow_itself(tmp_path: Path) -> None:
    victim = Victim(tmp_path / "one", "--follow", "self")
    victim.start(ready=False)
    with Client(victim.address, retries=0) as client:
        with pytest.raises(ServiceError):
            client.create("m", **PERCEPTRON)
        with pytest.raises(ServiceError, match="503"):
            client._sent("GET", "/readyz")
    victim.kill()


@pytest.mark.parametrize(
    "options",
    [
        ("--follow", "ftp://x"), ("--follow", "http://ann:s3cret@x"), ("--follow", "http://"),
        ("--follow", "nonsense"), ("--store", "postgresql://x/y", "--follow", "http://x"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused_at_the_start(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    done = run("serve", "--store", tmp_path / "s", "--port", "0", *options)
    assert done.exit_code == 2
    assert "s3cret" not in done.stderr
    assert "leader" in done.stderr or "replica" in done.stderr
