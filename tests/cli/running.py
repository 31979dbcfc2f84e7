"""Running commands: in this process, or as a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from thresher.cli.main import thresher
from thresher.models.file import load

#: A terminal of 80 columns whose colours are off, wherever the tests run.
PLAIN = {"COLUMNS": "80", "NO_COLOR": "1"}


def run(*words: object, columns: int = 80) -> Result:
    """A command, in this process."""
    environment = PLAIN | {"COLUMNS": str(columns)}
    result = CliRunner().invoke(thresher, [str(word) for word in words], env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def loaded(path: str | Path) -> Any:
    """The learner in a model file, whatever it is."""
    return load(path)


def process(
    *words: str | Path, stdin: int | None = subprocess.PIPE, stdout: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """A command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "thresher", *map(str, words)],
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=os.environ | PLAIN,
        # A shell that runs the tests behind itself lets them ignore Ctrl-C.
        preexec_fn=_hearing,
    )


def _hearing() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def noisy_rows(n: int, seed: int = 1) -> str:
    """svmlight rows on which every learner errs now and then, the same each time."""
    state = seed
    lines = []
    for _ in range(n):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        on = sorted({(state >> shift) % 30 for shift in (20, 28, 36, 44)})
        label = 1 if (3 in on or 7 in on) != (state >> 60 == 0) else -1
        lines.append(f"{label} " + " ".join(f"{column}:1" for column in on))
    return "\n".join(lines) + "\n"
