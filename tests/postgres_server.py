"""A server of PostgreSQL of our own on loopback, which can be killed and comes back."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from pwd import getpwnam
from typing import Any

import psycopg

from tests.in_memory import memory_for_files


def programs(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Where the programs are, and as whom they are run.

    PostgreSQL does not run as root; root therefore starts it as nobody, from a copy that nobody
    may read.
    """
    spec = find_spec("pgserver")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    package = Path(spec.submodule_search_locations[0])
    who: dict[str, Any] = {}
    if os.getuid() == 0:
        for part in ("pgserver", "pgserver.libs"):
            shutil.copytree(package.parent / part, folder / part, symlinks=True)
        package = folder / "pgserver"
        who = {"user": "nobody", "group": getpwnam("nobody").pw_gid, "extra_groups": []}
    return package / "pginstall" / "bin", who


def new_data(bin_: Path, who: dict[str, Any], data: Path) -> None:
    """The folder of a new server."""
    data.mkdir()
    if who:
        shutil.chown(data, who["user"], who["group"])
    start: list[str | Path] = [bin_ / "initdb", "-D", data, "-U", "postgres", "-A", "trust"]
    start += ["-E", "UTF8", "--no-locale", "--no-sync"]
    subprocess.run(start, check=True, capture_output=True, **who)


class Server:
    """PostgreSQL on a port of its own, its programs in one folder, its data in another."""

    def __init__(self, folder: Path, data: Path) -> None:
        self._bin, self._who = programs(folder)
        self.data = data / "data"
        new_data(self._bin, self._who, self.data)
        access = self.data / "pg_hba.conf"
        asked = "host all careful 127.0.0.1/32 scram-sha-256\n"
        access.write_text(asked + access.read_text())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command: list[str | Path] = [self._bin / "postgres", "-D", self.data, "-k", ""]
        command += ["-h", "127.0.0.1", "-p", str(self.port), "-c", "max_connections=60"]
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        for _ in range(600):
            # Children of one that was killed hold its memory until they have seen it.
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(command, **quiet, **self._who)
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server does not start")

    def end(self, how: signal.Signals) -> None:
        """SIGINT: end now, tidily. SIGKILL: without a word, with all that it has started."""
        assert self._process is not None
        children = self._children() if how == signal.SIGKILL else []
        self._process.send_signal(how)
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        self._process.wait()

    def pause(self, how: signal.Signals) -> None:
        """SIGSTOP, SIGCONT to the server and to all that it has started."""
        assert self._process is not None
        for pid in [self._process.pid, *self._children()]:
            os.kill(pid, how)

    def _children(self) -> list[int]:
        assert self._process is not None
        text = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        return [int(word) for word in text.split()]

    def ask(self, query: str) -> list[Any]:
        """What a query finds."""
        with psycopg.connect(self.url, autocommit=True) as db:
            cursor = db.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def store(self, *more: str) -> str:
        """The address of a store that nobody has used."""
        self._schemas += 1
        return "&".join([f"{self.url}?schema=s{self._schemas}", *more])


@contextmanager
def running_server() -> Iterator[Server]:
    """A server that ends with the block."""
    # Not a folder of pytest's: those are closed to others.
    made = tempfile.TemporaryDirectory
    with made(prefix="pg") as folder, made(prefix="pg", dir=memory_for_files()) as data:
        for one in (folder, data):
            Path(one).chmod(0o755)
        server = Server(Path(folder), Path(data))
        server.start()
        try:
            yield server
        finally:
            server.end(signal.SIGINT)
