"""What a terminal gets to see: lines that are written over, and wiped before anything else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

WIPED = b"\r\x1b[K"


def seen(folder: Path, words: list[str], **environment: str) -> bytes:
    """All that `thresher` writes to the terminal it runs on."""
    ours, theirs = pty.openpty()
    names = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", **environment}
    command = [sys.executable, "-m", "thresher", *words]
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL, cwd=folder, env=names):
        os.close(theirs)
        found = b""
        try:
            while piece := os.read(ours, 1 << 16):
                found += piece
        except OSError:
            # The other end was closed, as Linux says it.
            pass
    os.close(ours)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.svm").write_text("1 1:1\n-1 2:1\n")
    (tmp_path / "bad.svm").write_text("1 1:1\n-1 x\n")
    return tmp_path


def test_an_error_does_not_stand_behind_a_live_line(folder: Path) -> None:
    before, found, _ = seen(folder, ["train", "bad.svm", "-o", "m.thr"]).partition(b"error: bad.sv")
    assert found
    assert WIPED in before
    assert before.endswith((WIPED, b"\n"))


def test_a_dumb_terminal_gets_lines_that_stay(folder: Path) -> None:
    words = ["train", "good.svm", "-o", "m.thr"]
    assert WIPED in seen(folder, words)
    assert b"\x1b" not in seen(folder, words, TERM="dumb", NO_COLOR="")
