"""A service that is killed at random moments while clients learn, and what is left of it."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import thresher as th
from tests.postgres_server import Server
from tests.service.kinds import texts
from tests.service.rows import examples
from thresher.client import Client
from thresher.service.store import Store
from thresher.service.upkeep import checked, exported, model_of

Rows = list[dict[str, Any]]


class Subject(NamedTuple):
    """What is learned while the service is killed, and how a file of it is learned again."""

    settings: dict[str, Any]
    #: So many rows with ids, of a writer.
    rows: Callable[[int, int], Rows]
    reading: dict[str, Any]


def _texts(count: int, writer: int) -> Rows:
    return [row | {"id": f"w{writer}-{k}"} for k, row in enumerate(texts(count, writer))]


NAMES = Subject(
    {"learner": "perceptron", "n_features": 256},
    lambda count, writer: examples(count, writer, f"w{writer}"),
    {"n_features": 256, "positive": "1"},
)
#: Columns of a vocabulary are given out in the order of the log, whatever is lost on the way.
TEXTS = Subject(
    {"learner": "perceptron", "format": "text", "vocabulary": True, "positive": "spam",
     "negative": "ham"},
    _texts,
    {"format": "text", "vocabulary": True},
)  # fmt: skip


class Report(NamedTuple):
    """What came of it; everything but `acknowledged`, `kills` and `recovery` must be zero."""

    kills: int
    acknowledged: int
    lost: int
    twice: int
    wrong_sequence: int
    #: Whether the weights are those of a fresh learner after the same lines, to the bit.
    differs: int
    unsound: int
    #: The longest time from a start to readiness, in seconds.
    recovery: float


class Victim:
    """A service in a process of its own, on a port that stays."""

    def __init__(self, store: Path | str, *options: str) -> None:
        self.store = store
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        # One that follows itself knows its address now.
        self._options = [self.address if one == "self" else one for one in options]
        self.process: subprocess.Popen[str] | None = None

    def start(self, *, ready: bool = True) -> float:
        """Start it, wait until it is ready, and say how long it took from the first answer on."""
        command = [sys.executable, "-m", "thresher", "serve", "--store", str(self.store)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *self._options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("http://")
        began = time.monotonic()
        if not ready:
            return 0.0
        with Client(self.address, retries=100) as client:
            client._sent("GET", "/readyz")
        return time.monotonic() - began

    def kill(self) -> None:
        """End it at once, without a word."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def killed(
    folder: Path,
    kills: int,
    writers: int = 8,
    seed: int = 0,
    subject: Subject = NAMES,
    progress: Callable[[str], object] = lambda text: None,
    server: Server | None = None,
) -> Report:
    """Let clients learn while the service is killed so many times; then look.

    With a server, the store is in PostgreSQL, and the server is killed every second time.
    """
    dice = random.Random(seed)
    store = folder / "store" if server is None else server.store()
    victim, stop = Victim(store), threading.Event()
    recovery = victim.start()
    with Client(victim.address) as client:
        client.create("m", **subject.settings)
    told: list[dict[str, int]] = [{} for _ in range(writers)]
    threads = [
        threading.Thread(
            target=_write, args=(victim.address, subject, k, told[k], stop, 2_000 * (kills + 2))
        )
        for k in range(writers)
    ]
    for thread in threads:
        thread.start()
    for done in range(kills):
        if done % 25 == 0:
            progress(f"{done} kills")
        # Not before somebody was answered, however slow the machine is.
        before, patience = sum(map(len, told)), time.monotonic() + 60
        while sum(map(len, told)) < before + 10 and time.monotonic() < patience:
            time.sleep(0.01)
        time.sleep(dice.uniform(0.0, 0.4))
        if server is not None and done % 2:
            server.end(signal.SIGKILL)
            server.start()
            continue
        victim.kill()
        recovery = max(recovery, victim.start())
    stop.set()
    for thread in threads:
        thread.join()
    victim.kill()
    acknowledged = {ident: number for one in told for ident, number in one.items()}
    return _looked_at(folder, store, subject, acknowledged)._replace(kills=kills, recovery=recovery)


def _write(
    address: str,
    subject: Subject,
    writer: int,
    told: dict[str, int],
    stop: threading.Event,
    most: int,
) -> None:
    """Learn rows one after another; an answer that did not come is asked for again."""
    rows = subject.rows(min(100_000, most), writer)
    with Client(address, retries=200, seconds=5) as client:
        for row in rows:
            if stop.is_set():
                return
            sent = row["text"] if "text" in row else row["features"]
            lesson = client.learn("m", sent, row["label"], id=row["id"])
            told[row["id"]] = lesson.sequence


def _looked_at(
    folder: Path, where: Path | str, subject: Subject, acknowledged: dict[str, int]
) -> Report:
    store = Store(where)
    unsound = sum(not finding.sound for finding in checked(store))
    numbers: dict[str, int] = {}
    learned: Counter[str] = Counter()
    for entry in store.entries(1, 0):
        for number, ident in enumerate(entry.ids or (), entry.first):
            assert ident is not None
            numbers[ident] = number
            learned[ident] += 1
    lost = sum(ident not in numbers for ident in acknowledged)
    wrong = sum(numbers.get(ident, n) != n for ident, n in acknowledged.items())
    twice = sum(count > 1 for count in learned.values())
    live = model_of(store, "m").live
    first, lines, *_ = exported(store, "m")
    assert first == 1
    (folder / "log").write_bytes(b"".join(lines))
    store.close()
    again = th.train(folder / "log", "perceptron", **subject.reading)
    differs = int(again.learner != live.champion.model.learner)
    return Report(0, len(acknowledged), lost, twice, wrong, differs, unsound, 0.0)
