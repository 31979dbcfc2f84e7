"""Load on `thresher serve`: predictions, durable learning, batches.

    python -m benchmarks.service [--seconds 5]

Server and client have a core of their own each. Every learned event is synced to the disk before it
is acknowledged. With `fastapi` installed, a FastAPI server over scikit-learn's SGDClassifier, which
keeps nothing, answers the same predictions in the same run; so does Vowpal Wabbit's daemon, if `vw`
or its Python package is there: lines over a bare connection, with a child for each client.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from benchmarks import machine, service_vw

WORDS = [f"word-{k}" for k in range(20_000)]


class Load(NamedTuple):
    """What came of some load."""

    requests: int
    seconds: float
    #: Of the requests, in milliseconds.
    median: float
    p99: float
    refused: int

    @property
    def per_second(self) -> float:
        """Requests in a second."""
        return self.requests / self.seconds


class Caller(asyncio.Protocol):
    """A connection that asks, waits for the answer, and asks again."""

    def __init__(self, body: Callable[[], bytes], head: bytes, took: list[float]) -> None:
        self._body, self._head, self._took = body, head, took
        self._buffer = bytearray()
        self.refused, self.going = 0, True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the first time."""
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._ask()

    def _ask(self) -> None:
        body = self._body()
        self._asked = time.perf_counter()
        self._transport.write(b"%b%d\r\n\r\n%b" % (self._head, len(body), body))

    def data_received(self, data: bytes) -> None:
        """Take note of an answer that is complete, and ask again."""
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end]).lower()
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        if len(self._buffer) < end + 4 + length:
            return
        self._took.append(time.perf_counter() - self._asked)
        self.refused += not head.startswith(b"http/1.1 2")
        del self._buffer[: end + 4 + length]
        if self.going:
            self._ask()
        else:
            self._transport.close()


class LineCaller(Caller):
    """The same for a server that answers lines by lines."""

    def _ask(self) -> None:
        self._asked = time.perf_counter()
        self._transport.write(self._body())

    def data_received(self, data: bytes) -> None:
        """Take note of a line, and ask again."""
        self._buffer += data
        if not self._buffer.endswith(b"\n"):
            return
        self._took.append(time.perf_counter() - self._asked)
        self._buffer.clear()
        if self.going:
            self._ask()
        else:
            self._transport.close()


async def load(
    address: str,
    path: str,
    body: Callable[[], bytes],
    clients: int,
    seconds: float,
    kind: str = "application/json",
    caller: type[Caller] = Caller,
) -> Load:
    """Let so many clients ask for so long."""
    parts = urlsplit(address)
    head = (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {kind}\r\ncontent-length: "
    ).encode()
    took: list[float] = []
    loop = asyncio.get_running_loop()
    callers: list[Caller] = []
    began = time.perf_counter()
    for _ in range(clients):
        made = await loop.create_connection(
            lambda: caller(body, head, took), parts.hostname or "", parts.port or 0
        )
        callers.append(made[1])
    await asyncio.sleep(seconds)
    spent = time.perf_counter() - began
    done = sorted(took)
    for one in callers:
        one.going = False
    await asyncio.sleep(0.3)
    refused = sum(one.refused for one in callers)
    return Load(
        len(done), spent, done[len(done) // 2] * 1e3, done[len(done) * 99 // 100] * 1e3, refused
    )


def row(dice: random.Random) -> dict[str, object]:
    """An example of thirty words."""
    words = dice.sample(WORDS, 30)
    return {"features": dict.fromkeys(words, 1), "label": 1 if words[0] < words[1] else -1}


def bodies(with_label: bool, batch: int = 0) -> Callable[[], bytes]:
    """Bodies of requests, made before; ids are put in as they are sent."""
    dice = random.Random(1)
    rows = [row(dice) for _ in range(2_000)]
    if not with_label:
        for one in rows:
            del one["label"]
    if batch:
        texts = [
            "".join(json.dumps(one) + "\n" for one in dice.choices(rows, k=batch)).encode()
            for _ in range(20)
        ]
        return lambda: dice.choice(texts)
    texts = [json.dumps(one).encode() for one in rows]
    if not with_label:
        return lambda: dice.choice(texts)
    count = iter(range(10**9))
    # Ids of no other run: an event that was learned before is only looked up.
    run = os.urandom(6).hex().encode()
    return lambda: b'{"id":"%b-%d",%b' % (run, next(count), dice.choice(texts)[1:])


def vw_lines(with_label: bool) -> Callable[[], bytes]:
    """The same rows in the text of Vowpal Wabbit."""
    dice = random.Random(1)
    texts = []
    for one in (row(dice) for _ in range(2_000)):
        label = f"{one['label']} " if with_label else ""
        words: Any = one["features"]
        texts.append(f"{label}|f {' '.join(words)}\n".encode())
    return lambda: dice.choice(texts)


@contextmanager
def server(command: list[str], core: int) -> Iterator[str]:
    """A server on a core of its own; its address."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )  # fmt: skip
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        time.sleep(1.0)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        process.stdout.close()


def told(what: str, found: Load, each: int = 1) -> None:
    print(
        f"{what:<44} {found.per_second * each:>10,.0f}/s   median {found.median:8.2f} ms   "
        f"p99 {found.p99:8.2f} ms   refused {found.refused}",
        flush=True,
    )


def in_postgres(seconds: float, learner: str, core: int) -> None:
    """The same, durably, in a database that shares the client's core."""
    settings = json.dumps({"learner": learner}).encode()
    head = {"content-type": "application/json"}
    command = [sys.executable, "-m", "thresher", "serve", "--port", "0", "--store"]
    running = import_module("tests.postgres_server").running_server
    with running() as database, server([*command, database.store()], core) as address:
        urlopen(Request(f"{address}/v1/models/m", settings, head, method="PUT")).read()
        for clients in (1, 32, 128):
            found = asyncio.run(load(address, "/v1/models/m/learn", bodies(True), clients, seconds))
            told(f"durable learns in PostgreSQL, {clients} clients", found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--learner", default="perceptron")
    asked = parser.parse_args()
    print(machine.processor(), machine.versions(), sep="\n")
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})

    def run(*what: object) -> Load:
        return asyncio.run(load(*what))  # type: ignore[arg-type]

    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "thresher", "serve", "--port", "0", "--store", folder]
        with server(command, cores[0]) as address:
            settings = json.dumps({"learner": asked.learner}).encode()
            head = {"content-type": "application/json"}
            urlopen(Request(f"{address}/v1/models/m", settings, head, method="PUT")).read()
            path, seconds = "/v1/models/m", asked.seconds
            for clients in (1, 8, 32, 128):
                found = run(address, f"{path}/learn", bodies(True), clients, seconds)
                told(f"durable learns, {clients} clients", found)
            for clients in (1, 16):
                found = run(address, f"{path}/predict", bodies(False), clients, seconds)
                told(f"predictions, {clients} clients", found)
            lines = "application/x-ndjson"
            found = run(address, f"{path}/predict", bodies(False, 500), 2, seconds, lines)
            told("predictions, 500 in a request, examples", found, 500)
            found = run(address, f"{path}/learn", bodies(True, 500), 2, seconds, lines)
            told("durable learns, 500 in a request, examples", found, 500)
    if find_spec("pgserver") and find_spec("psycopg"):
        in_postgres(asked.seconds, asked.learner, cores[0])
    if find_spec("fastapi") and find_spec("sklearn"):
        other = [sys.executable, str(Path(__file__).with_name("service_fastapi.py"))]
        with server(other, cores[0]) as address:
            for clients in (1, 16):
                found = run(address, "/predict", bodies(False), clients, asked.seconds)
                told(f"FastAPI + scikit-learn, predictions, {clients} clients", found)
    else:
        print("FastAPI or scikit-learn is not installed: not compared.")
    if service_vw.driver() is None:
        print("vw is not on the path, and its Python package is not installed: not compared.")
        return
    daemon = [sys.executable, str(Path(__file__).with_name("service_vw.py"))]
    for clients in (1, 16):
        with server([*daemon, str(clients), "--testonly"], cores[0]) as address:
            found = run(address, "", vw_lines(False), clients, asked.seconds, "", LineCaller)
            told(f"VW's daemon, predictions, {clients} clients", found)
    with server([*daemon, "1"], cores[0]) as address:
        found = run(address, "", vw_lines(True), 1, asked.seconds, "", LineCaller)
        told("VW's daemon, learns in memory, 1 client", found)


if __name__ == "__main__":
    main()
