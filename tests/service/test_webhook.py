"""Alarms reach the address that was named, and whatever is there keeps nobody from learning."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from tests.service.conftest import service_on
from thresher.errors import RequestError
from thresher.service import webhook
from thresher.service.webhook import Webhook

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
ALARM = {"model": "m", "event": "refuted", "sequence": 7, "claim": "disjunction:k=4"}
QUICK: dict[str, Any] = {"pauses": (0.01, 0.01), "seconds": 0.3}


class Receiver:
    """A server that does what it is told with each connection."""

    def __init__(self, server: socket.socket, acts: list[Any]) -> None:
        self.address = f"http://127.0.0.1:{server.getsockname()[1]}/alarms?key=1"
        self.requests: list[bytes] = []
        self._server, self._acts = server, acts
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for act in self._acts:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                self.requests.append(self._read(connection))
                if callable(act):
                    act(connection)
                else:
                    connection.sendall(act)

    @staticmethod
    def _read(connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data or not data.endswith(b"}"):
            data += connection.recv(10_000)
        return data


@contextmanager
def receiving(*acts: Any) -> Iterator[Receiver]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Receiver(server, list(acts))


def settled(counts: Counter[str], many: int = 1) -> Counter[str]:
    until = time.monotonic() + 20
    while counts.total() < many and time.monotonic() < until:
        time.sleep(0.01)
    return counts


def body_of(request: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(request.partition(b"\r\n\r\n")[2])
    return found


def test_an_alarm_is_posted_as_json_and_tells_no_more_than_it_must() -> None:
    with receiving(OK) as there:
        counts: Counter[str] = Counter()
        hook = Webhook(there.address, counts, **QUICK)
        hook.put(ALARM)
        assert settled(counts) == {"sent": 1}
        hook.close()
    head = there.requests[0].partition(b"\r\n\r\n")[0]
    assert head.startswith(b"POST /alarms?key=1 HTTP/1.1\r\n")
    assert b"authorization" not in head.lower()
    told = body_of(there.requests[0])
    assert {*told} == {"id", "at", *ALARM}
    assert {name: told[name] for name in ALARM} == ALARM


@pytest.mark.parametrize("bad", [b"HTTP/1.1 500 No\r\n\r\n", b"HTTP/1.1 429 Later\r\n\r\n", b""])
def test_what_may_pass_is_tried_again_with_the_same_id(bad: bytes) -> None:
    with receiving(bad, bad, OK) as there:
        counts: Counter[str] = Counter()
        hook = Webhook(there.address, counts, **QUICK)
        hook.put(ALARM)
        assert settled(counts) == {"sent": 1}
        hook.close()
    assert len({body_of(one)["id"] for one in there.requests}) == 1
    assert len(there.requests) == 3


def test_attempts_are_bounded_and_told() -> None:
    with receiving(*[b"HTTP/1.1 503 No\r\n\r\n"] * 9) as there:
        counts: Counter[str] = Counter()
        remarks: list[str] = []
        hook = Webhook(there.address, counts, remarks.append, **QUICK)
        hook.put(ALARM)
        assert settled(counts) == {"failed": 1}
        hook.close()
        assert len(there.requests) == 3
    # The path may be a secret.
    assert remarks == ["an alarm was not sent to 127.0.0.1: it answers 503."]


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"308 Moved", b"404 No", b"401 No"])
def test_a_redirection_is_not_followed_and_what_will_not_pass_not_repeated(status: bytes) -> None:
    with receiving(OK) as elsewhere:
        moved = b"HTTP/1.1 %b\r\nlocation: %b\r\n\r\n" % (status, elsewhere.address.encode())
        with receiving(moved, moved) as there:
            counts: Counter[str] = Counter()
            hook = Webhook(there.address, counts, **QUICK)
            hook.put(ALARM)
            assert settled(counts) == {"failed": 1}
            hook.close()
            assert len(there.requests) == 1
        assert elsewhere.requests == []


def hangs(connection: socket.socket) -> None:
    time.sleep(1.0)


def trickles(connection: socket.socket) -> None:
    for byte in b"HTTP/1.1 200 OK":
        time.sleep(0.1)
        try:
            connection.sendall(bytes([byte]))
        except OSError:
            return


@pytest.mark.parametrize("act", [hangs, trickles, b"nonsense, not HTTP at all\r\n\r\n"])
def test_whoever_hangs_trickles_or_talks_nonsense_is_given_up(
    act: Callable[[socket.socket], None] | bytes,
) -> None:
    with receiving(act) as there:
        counts: Counter[str] = Counter()
        hook = Webhook(there.address, counts, pauses=(), seconds=0.3)
        hook.put(ALARM)
        assert settled(counts) == {"failed": 1}
        hook.close()


def test_nobody_there_is_a_failure_and_the_end_is_not_held_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    counts: Counter[str] = Counter()
    remarks: list[str] = []
    hook = Webhook(f"http://127.0.0.1:{port}/", counts, remarks.append, pauses=(60.0,))
    for _ in range(3):
        hook.put(ALARM)
    hook.close(0.2)
    assert counts == {"dropped": 3}
    assert remarks == ["3 alarms were not sent to 127.0.0.1."]


def test_too_many_alarms_are_dropped_and_counted() -> None:
    with receiving(hangs) as there:
        counts: Counter[str] = Counter()
        hook = Webhook(there.address, counts, pauses=(), seconds=60.0)
        for _ in range(webhook.MOST_WAITING + 50):
            hook.put(ALARM)
        assert 49 <= counts["dropped"] <= 50
        hook.close(0.0)
        assert counts["dropped"] >= webhook.MOST_WAITING


@pytest.mark.parametrize(
    "address",
    [
        "", "example.org", "ftp://example.org", "http://", "http://u:p@h/", "http://h:999999/",
        "http://[::1", "http://h/a b", "http://h/\r\nx", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_at_the_start(address: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError):
        Webhook(address, Counter())
    done = run("serve", "--store", tmp_path / "s", "--port", "0", "--webhook", address)
    assert done.exit_code == 2
    assert "webhook" in done.stderr


def test_a_refuted_claim_and_drift_are_called_out_while_learning_goes_on(tmp_path: Path) -> None:
    dice = random.Random(1)
    rows = []
    for k in range(3000):
        words = dice.sample([f"w{j}" for j in range(12)], 3)
        up = ("w1" in words) == (k < 1500)
        rows.append({"features": words, "label": 1 if up else -1})
    with receiving(hangs, OK, OK) as there, service_on(tmp_path / "s") as service:
        hook = Webhook(there.address, service.models.tally.alarms, pauses=(0.01,), seconds=0.5)
        service.models.alarm = hook.put
        settings = {"learner": "winnow", "n_features": 4096, "claim": "disjunction:k=1"}
        service.put("/v1/models/m", json=settings)
        for start in range(0, 3000, 100):
            answer = service.post("/v1/models/m/learn", json=rows[start : start + 100])
            assert answer.status_code == 200
        told = service.get("/v1/models/m").json()
        until = time.monotonic() + 20
        while service.models.tally.alarms["sent"] < 2 and time.monotonic() < until:
            time.sleep(0.01)
        hook.close()
        assert 'thresher_alarms_total{outcome="sent"} 2' in service.get("/metrics").text
    alarms = {body["event"]: body for body in map(body_of, there.requests)}
    assert alarms["refuted"]["sequence"] == told["refuted_at"]
    assert alarms["drift"]["sequence"] == told["drift"]["sequence"]
    assert {one["model"] for one in alarms.values()} == {"m"}
