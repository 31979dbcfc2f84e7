"""The session of docs/session.md is what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import run

PAGE = Path(__file__).parents[2] / "docs" / "session.md"


def sessions() -> list[tuple[str, list[str]]]:
    """Commands of the page and the lines printed below them, in order."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    found: list[tuple[str, list[str]]] = []
    for line in "".join(blocks).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def without_speed(line: str) -> str:
    """A line of the progress table without its last column: the speed is one machine's."""
    return re.sub(r"^( *[\d,]+ .*\d) +[\d,]+$", r"\1", line)


def test_every_command_prints_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.svm").write_text("+1 3:1 7:x\n")
    assert len(sessions()) == 5
    for command, shown in sessions():
        program, *words = shlex.split(command)
        assert program == "thresher"
        result = run(*words)
        printed = [*result.stderr.splitlines(), *result.stdout.splitlines()]
        expected = sorted(map(without_speed, shown))
        if expected[0].startswith("error:"):
            assert result.exit_code == 2
            assert shown[0] in printed
        else:
            assert result.exit_code == 0
            assert sorted(without_speed(line) for line in printed if line) == expected
