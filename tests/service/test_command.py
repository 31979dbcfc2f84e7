"""`thresher serve` and `store` as processes: signals, sockets, and what is sent to break them."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cli.running import run
from thresher.client import Client
from thresher.errors import ServiceError
from thresher.service.tokens import new_token


@contextmanager
def serving(store: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "thresher", "serve", "--store", str(store), "--port", "0"]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_it_answers_drains_and_ends_well(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (process, address):
        with Client(address, retries=50) as client:
            client.create("m", learner="perceptron", n_features=64)
            seen: list[dict[str, Any]] = []
            watching = threading.Thread(target=lambda: seen.extend(client.events("m")))
            watching.start()
            time.sleep(0.5)
            client.learn("m", {"a": 1}, -1)
            # A stream of events, which would wait for ever, keeps nobody.
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
            watching.join(30)
        assert [event["event"] for event in seen] == ["learned", "mistake"]
        assert process.stderr is not None
        remarks = [json.loads(line)["text"] for line in process.stderr.read().splitlines()]
        assert remarks[-1] == "stopped: everything that was acknowledged is in the store."
    assert run("store", "check", tmp_path / "s").exit_code == 0
    found = run("store", "export", tmp_path / "s", "m")
    assert json.loads(found.stdout)["features"] == {"a": 1}
    assert run("store", "export", tmp_path / "s", "n").exit_code == 2


def test_a_second_process_and_a_copy_while_it_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (_, address):
        with Client(address, retries=50) as client:
            client.create("m", learner="perceptron", n_features=64)
            client.learn("m", {"a": 1}, -1)
        second = run("serve", "--store", tmp_path / "s", "--port", "0")
        assert second.exit_code == 2
        assert "another process serves this store" in second.stderr
        assert run("store", "check", tmp_path / "s").exit_code == 2
        copied = run("store", "backup", tmp_path / "s", tmp_path / "copy")
        assert copied.stdout.endswith("copy: 1 models\n")
        assert run("store", "backup", tmp_path / "s", tmp_path / "copy").exit_code == 2
    checked = run("store", "check", tmp_path / "copy")
    assert "1 events" in checked.stdout
    assert run("store", "compact", tmp_path / "copy").exit_code == 0
    saved = run("store", "export", tmp_path / "copy", "m", "-o", tmp_path / "m.thr")
    assert (saved.exit_code, (tmp_path / "m.thr").is_file()) == (0, True)


def test_tokens_are_read_again_on_request(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    token = run("store", "token", file, "admin", "me").stdout.strip()
    assert file.stat().st_mode & 0o777 == 0o600
    with serving(tmp_path / "s", "--tokens", str(file)) as (process, address):
        with Client(address, token=token, retries=50) as client:
            client.create("m", learner="perceptron", n_features=64)
        other, line = new_token("read", "other")
        file.write_text(line)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        with Client(address, token=token) as client, pytest.raises(ServiceError, match="token"):
            client.model("m")
        file.write_text("nonsense")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        with Client(address, token=other) as client:
            assert client.model("m").sequence == 0


def test_nobody_is_let_in_without_tokens_from_elsewhere(tmp_path: Path) -> None:
    refused = run("serve", "--store", tmp_path / "s", "--host", "0.0.0.0")
    assert refused.exit_code == 2
    assert "tokens" in refused.stderr
    assert not (tmp_path / "s").exists()


def sent(address: str, data: bytes, seconds: float = 5.0) -> bytes:
    """What a service answers to bytes, until it closes or says nothing more."""
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), parts.port or 0), seconds) as connection:
        connection.settimeout(seconds)
        found = b""
        try:
            connection.sendall(data)
            while part := connection.recv(65536):
                found += part
                if b"\r\n\r\n" in found:
                    break
        except (TimeoutError, ConnectionError):
            pass
        return found


def request(body: bytes, *heads: bytes, path: bytes = b"/v1/models/m/learn") -> bytes:
    lines = [b"POST " + path + b" HTTP/1.1", b"host: localhost", b"content-type: application/json"]
    return b"\r\n".join([*lines, *heads]) + b"\r\n\r\n" + body


HOSTILE = [
    b"\x00" * 100,
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 200_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
    request(b"{}", b"content-length: -1"),
    request(b"{}", b"content-length: 99999999999999999999"),
    request(b"{}", b"content-length: 2", b"content-length: 3"),
    request(b"zz\r\n{}\r\n0\r\n\r\n", b"transfer-encoding: chunked"),
    request(b"{}", b"content-length: 2", b"transfer-encoding: chunked"),
    request(b"", b"content-length: 999999999"),
    request(b"{", b"content-length: 100"),
]


def test_hostile_bytes_and_ten_thousand_mutations_do_no_harm(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (process, address):
        with Client(address, retries=50) as client:
            client.create("m", learner="perceptron", n_features=64)
            for data in HOSTILE:
                answer = sent(address, data, 0.5)
                assert not answer.startswith(b"HTTP/1.1 5"), (data[:80], answer[:200])
            before = _memory(process.pid)
            statuses = _mutations(address, 10_000)
            assert {status for status in statuses if status >= 500} <= {503, 507}
            assert statuses[200] > 100
            assert statuses[422] > 1_000
            assert _memory(process.pid) < before + 100 * 2**20
            told = client.model("m")
            assert told.n_rounds == told.sequence
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert run("store", "check", tmp_path / "s").exit_code == 0


def _memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


PIECES = [
    b'{"', b'"}', b"[", b"]", b":", b",", b"null", b"1e400", b"-0", b"NaN", b"\xff", b"\x00",
    b'"label"', b'"features"', b'"id"', b'"importance"', b"1", b"-1", b'"x"', b"{}", b"\\ud800",
    b" ", b"9" * 50,
]  # fmt: skip


def _mutations(address: str, count: int) -> dict[int, int]:
    """The statuses of requests that were sound before something was done to them."""
    dice = random.Random(5)
    parts = urlsplit(address)
    statuses: dict[int, int] = {200: 0, 422: 0}
    paths = ["learn", "predict", "predict-learn", "labels", "explain", "rollback", "shadow"]
    with socket.create_connection((str(parts.hostname), parts.port or 0), 30) as connection:
        stream = connection.makefile("rb")
        for k in range(count):
            body = bytearray(b'{"id":"e%d","features":{"a":1,"b":2.5},"label":1}' % (k % 50))
            for _ in range(dice.randrange(4)):
                at = dice.randrange(len(body) + 1)
                body[at : at + dice.randrange(6)] = dice.choice(PIECES)
            path = f"/v1/models/m/{dice.choice(paths)}".encode()
            connection.sendall(request(bytes(body), b"content-length: %d" % len(body), path=path))
            status = int(stream.readline().split()[1])
            statuses[status] = statuses.get(status, 0) + 1
            length = 0
            while (line := stream.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            stream.read(length)
    return statuses


def test_the_command_line_does_not_import_the_service() -> None:
    code = (
        "import sys; from thresher.cli.main import thresher\n"
        "try: thresher.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([n for n in ('apsw', 'starlette', 'uvicorn', 'httpx2') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_client_tries_again_with_the_same_id(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (_, address), Client(address, retries=50) as client:
        client.create("m", learner="perceptron", n_features=64)
        client.create("m", learner="perceptron", n_features=64)
        first = client.learn("m", {"a": 1}, -1, id="x")
        again = client.learn("m", {"a": 1}, -1, id="x")
        assert (first.sequence, again.sequence, again.repeated) == (1, 1, True)
        assert client.predict("m", {"a": 1}, id="p", at_least=1).prediction == -1
        assert client.label("m", "p", 1) == client.label("m", "p", 1) == 2
        many = client.learn_many("m", [({"a": 1}, 1), ({"b": 1}, -1)])
        assert [one.sequence for one in many] == [3, 4]
        assert [one.prediction for one in client.predict_many("m", [{"a": 1}, {"b": 1}])]
        with pytest.raises(ServiceError, match="no model"):
            client.model("other")
        client.delete("m")
    with Client(address, retries=1) as client, pytest.raises(ServiceError, match="after 2"):
        client.model("m")
