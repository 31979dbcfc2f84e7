"""Whole files through the commands: ``python -m benchmarks.real_files FOLDER``.

`thresher train FILE -o MODEL` is run on every file below FOLDER that a reader knows, with no other
option, in the order of the file, and Vowpal Wabbit on the same rows in its own text format. Errors
are progressive, times those of whole processes. Where training stops, the table has the option that
its message asks for, and the message is printed below.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.processes import DRIVER, Run, watched
from benchmarks.real_files import content
from benchmarks.real_files.unpacked import ARCHIVES, shuffled, write_table, write_texts

LEFT_OUT = (".arff", ".zip", ".tar.xz", ".mat", ".xml", "SOURCE.txt", "featmap.txt")
HEADS = ("file", "rows", "classes", "thresher", "s", "MiB", "VW", "s", "MiB", "logistic", "pairs")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read for Vowpal Wabbit, and what thresher must be told if it asks."""

    rows: Callable[[str], Iterator[content.Row]]
    options: tuple[str, ...] = ()
    is_text: bool = False
    is_table: bool = False


#: By a part of the name; the first that fits.
READINGS = {
    "svmguide3": Reading(content.table("0"), ("--label-field", "0"), is_table=True),
    "phishing.csv": Reading(
        content.table("is_phishing"), ("--label-field", "is_phishing"), is_table=True
    ),
    "SMSSpamCollection": Reading(content.texts, ("--positive", "spam"), is_text=True),
    "rcv1_": Reading(content.vowpal_wabbit),
    ".csv": Reading(content.table("label"), is_table=True),
    ".tsv": Reading(content.texts, ("--format", "text"), is_text=True),
    "": Reading(content.svmlight),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one process said and used."""

    used: Run
    said: str
    complaint: str = ""


def outcome(command: Sequence[str], repeat: int) -> Outcome:
    """The fastest of some runs of a command."""
    runs = [once(command) for _ in range(repeat)]
    return min(runs, key=lambda run: run.used.seconds)


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

    def __init__(self, path: Path, reading: Reading, folder: Path) -> None:
        rows = list(reading.rows(content.text_of(path)))
        text, self.labels, self.classes = content.for_vowpal_wabbit(rows)
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


def sorted_by_class(path: Path, reading: Reading) -> bool:
    """Whether the rows of a class stand together, so that an error in this order says nothing."""
    labels = [label for label, _ in reading.rows(content.text_of(path))]
    changes = sum(a != b for a, b in itertools.pairwise(labels))
    return changes < len(labels) / 100


def line(path: Path, folder: Path, repeat: int) -> tuple[tuple[str, ...], str]:
    """One line of the table, and what was said if training stopped without an option."""
    reading = next(reading for part, reading in READINGS.items() if part in path.name)
    stopped, name = "", f"`{path.name}`"
    if sorted_by_class(path, reading):
        path, name = shuffled(path, folder, reading.is_table), f"{name}, shuffled"
    ours = thresher(path, folder / "model.thr", (), repeat)
    if ours.complaint:
        message = ours.complaint.splitlines()[-1].removeprefix("error: ")
        stopped = f"{name}: {message}".replace(f"{path.parent}/", "")
        ours = thresher(path, folder / "model.thr", reading.options, repeat)
        name += f" with `{' '.join(reading.options)}`" if reading.options else ""
    theirs = VowpalWabbit(path, reading, folder)
    error, used = theirs.error(repeat)
    logistic, _ = theirs.error(1, "--loss_function", "logistic")
    pairs = ""
    if reading.is_text:
        options = ["--ngram", "2", "-b", "22", "--loss_function", "logistic"]
        pairs = f"{theirs.error(1, *options)[0]:.2%}"
    sizes = (f"{len(theirs.labels):,}", str(theirs.classes))
    own = ("-", "-", "-") if ours.complaint else (said_error(ours.said), *cost(ours.used))
    return (name, *sizes, *own, f"{error:.2%}", *cost(used), f"{logistic:.2%}", pairs), stopped


def said_error(said: str) -> str:
    """The progressive error in a report."""
    report = json.loads(said)
    return f"{report['mistakes'] / report['rounds']:.2%}"


def cost(used: Run) -> tuple[str, str]:
    """Seconds by the clock, and the most memory."""
    return f"{used.seconds:.2f}", f"{used.peak / 2**20:,.0f}"


def files_below(root: Path, folder: Path) -> Iterator[Path]:
    """Every file that a reader knows, and then those that had to be unpacked first."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    yield from (path for path in files if not path.name.endswith(LEFT_OUT))
    yield from (write_texts(path, folder) for path in files if path.name in ARCHIVES)
    yield from (write_table(path, folder) for path in files if path.suffix == ".arff")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and what was said where training stopped."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args(arguments)
    complaints = []
    print("| " + " | ".join(HEADS) + " |\n|---|" + "--:|" * (len(HEADS) - 1))
    with tempfile.TemporaryDirectory() as temporary:
        for path in files_below(options.folder, Path(temporary)):
            cells, stopped = line(path, Path(temporary), options.repeat)
            print("| " + " | ".join(cells) + " |", flush=True)
            complaints += [stopped] if stopped else []
    print("\nStopped without an option:\n")
    print("\n".join(f"* {complaint}" for complaint in complaints))
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    print(f"\nMeasured with {versions}; {machine.processor()}.")


if __name__ == "__main__":
    main()
