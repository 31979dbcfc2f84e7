"""The two contestants on one file, each a process of its own: training as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.processes import DRIVER, Run, watched
from benchmarks.real_files.content import Row, for_vowpal_wabbit


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one process said and used."""

    used: Run
    said: str
    complaint: str = ""


def outcome(command: Sequence[str], repeat: int) -> Outcome:
    """The run of a command that took the least time of the processor, among some."""
    runs = [once(command) for _ in range(repeat)]
    return min(runs, key=lambda run: run.used.cpu)


def once(command: Sequence[str]) -> Outcome:
    """One run, with what it wrote."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        used = watched(process)
        for file in (out, err):
            file.seek(0)
        said, complained = out.read().decode(), err.read().decode()
    return Outcome(used, said, complained.strip() if process.returncode else "")


def thresher(path: Path, model: Path, options: Sequence[str], repeat: int) -> Outcome:
    """Training, as a user types it."""
    words = ["train", str(path), "-o", str(model), *options, "--json"]
    return outcome([sys.executable, "-m", "thresher", *words], repeat)


class VowpalWabbit:
    """Vowpal Wabbit on the rows of one file."""

    def __init__(self, rows: Sequence[Row], folder: Path) -> None:
        text, self.labels, self.classes = for_vowpal_wabbit(rows)
        self.rows, self.predictions = folder / "rows.vw", folder / "predictions"
        self.rows.write_text(text, "utf-8")

    def error(self, repeat: int, *options: str) -> tuple[float, Run]:
        """The share of rows it did not foresee, and what it used."""
        several = ["--oaa", str(self.classes)] if self.classes > 2 else []
        files = ["-d", str(self.rows), "-p", str(self.predictions), "--quiet"]
        found = outcome([sys.executable, "-c", DRIVER, *files, *several, *options], repeat)
        if found.complaint:
            raise SystemExit(found.complaint)
        scores = np.loadtxt(self.predictions)
        predicted = scores if several else np.where(scores >= 0, 1, -1)
        return float(np.mean(predicted != np.array(self.labels))), found.used


def said_error(said: str) -> float:
    """The progressive error in a report."""
    report = json.loads(said)
    return float(report["mistakes"] / report["rounds"])
