"""Run the session in docs/service.md, and write below its commands what they print.

The service takes any port that is free, and the page shows the usual one. `curl` is not needed: its
few options that the page has are understood here.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

PAGE = Path(__file__).parents[1] / "docs" / "service.md"
BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
USUAL = "127.0.0.1:8080"


def session(page: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a page, and what stands below each."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall(page):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    yield from found


class Session:
    """A folder in which commands run one after another, and a service behind them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._service: subprocess.Popen[str] | None = None
        self._address = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._service is not None:
            self._service.kill()
            self._service.communicate()

    def printed(self, command: str) -> list[str]:
        """What a command prints on both of its channels."""
        if command.endswith("&"):
            return [self._started(command.removesuffix("&"))]
        if command == "kill %1":
            assert self._service is not None
            self._service.terminate()
            assert self._service.wait(60) == 0
            return []
        if command.startswith("curl "):
            return self._asked(shlex.split(command)[1:])
        return self._ran(command)

    def _environment(self) -> dict[str, str]:
        here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PATH": here}

    def _ran(self, command: str) -> list[str]:
        found = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        return [line.rstrip() for line in found.stdout.splitlines()]

    def _started(self, command: str) -> str:
        self._service = subprocess.Popen(
            [*shlex.split(command), "--port", "0"],
            cwd=self._folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._service.stdout is not None
        self._address = self._service.stdout.readline().strip()
        return f"http://{USUAL}"

    def _asked(self, words: list[str]) -> list[str]:
        """What `curl` would print."""
        address, method, data, output = "", None, None, None
        headers: dict[str, str] = {}
        rest = iter(words)
        for word in rest:
            if word == "-X":
                method = next(rest)
            elif word == "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            elif word in ("-d", "--data-binary"):
                given = next(rest)
                file = given.startswith("@")
                data = (self._folder / given[1:]).read_bytes() if file else given.encode()
            elif word == "-o":
                output = self._folder / next(rest)
            else:
                address = word.replace("localhost:8080", self._address)
        request = urllib.request.Request(address, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            body: bytes = answer.read()
        if output is not None:
            output.write_bytes(body)
            return []
        return body.decode().splitlines()


def written(page: str, folder: Path) -> str:
    """The page with what its commands print now."""
    with Session(folder) as running:

        def block(found: re.Match[str]) -> str:
            lines: list[str] = []
            for command, _ in session(found[0]):
                lines += [f"$ {command}", *running.printed(command)]
            return "```console\n" + "\n".join(lines) + "\n```\n"

        return BLOCK.sub(block, page)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        PAGE.write_text(written(PAGE.read_text("utf-8"), Path(name)), encoding="utf-8")
