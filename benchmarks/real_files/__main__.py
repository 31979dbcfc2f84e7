"""Whole files through the commands: ``python -m benchmarks.real_files FOLDER``.

`thresher train FILE -o MODEL` is run on every file below FOLDER that a reader knows, with no other
option, in the order of the file, and Vowpal Wabbit on the same rows in its own text format. Errors
are progressive; times are those of the processor for a whole process. Where training stops, the
table has the option that its message asks for, and the message is printed below.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.marks import rewrite
from benchmarks.processes import Run
from benchmarks.real_files.contestants import VowpalWabbit, said_error, thresher
from benchmarks.real_files.readings import reading_of, sorted_by_class
from benchmarks.real_files.unpacked import ARCHIVES, shuffled, write_table, write_texts

LEFT_OUT = (".arff", ".zip", ".tar.xz", ".mat", ".xml", "SOURCE.txt", "featmap.txt")
LOGISTIC = ("--loss_function", "logistic")
PAIRS = ("--ngram", "2", "-b", "22")
OURS, THEIRS = ("thresher", "cpu s", "MiB"), ("VW", "cpu s", "MiB", "logistic", "pairs")
HEADS = ("file", "rows", "classes", *OURS, *THEIRS)


@dataclass(frozen=True, slots=True)
class Compared:
    """One file: errors of both, what they used, and what was said if training first stopped."""

    name: str
    rows: int
    classes: int
    own: float | None
    own_use: Run
    theirs: list[float]
    their_use: Run
    stopped: str = ""

    def cells(self) -> tuple[str, ...]:
        """A line of the table."""
        own = "-" if self.own is None else f"{self.own:.2%}"
        default, *others = (f"{error:.2%}" for error in self.theirs)
        ours = (self.name, f"{self.rows:,}", str(self.classes), own, *cost(self.own_use))
        return (*ours, default, *cost(self.their_use), *others, *["-"] * (2 - len(others)))


def compared(path: Path, folder: Path, repeat: int) -> Compared:
    """Both on one file; ours once more, with an option, if it stops without."""
    reading = reading_of(path)
    stopped, name = "", f"`{path.name}`"
    if sorted_by_class(reading.rows_of(path)):
        path, name = shuffled(path, folder, reading.is_table), f"{name}, shuffled"
    ours = thresher(path, folder / "model.thr", (), repeat)
    if ours.complaint:
        message = ours.complaint.splitlines()[-1].removeprefix("error: ")
        stopped = f"{name}: {message}".replace(f"{path.parent}/", "")
        ours = thresher(path, folder / "model.thr", reading.options, repeat)
        name += f" with `{' '.join(reading.options)}`" if reading.options else ""
    theirs = VowpalWabbit(reading.rows_of(path), folder)
    error, used = theirs.error(repeat)
    errors = [error, theirs.error(1, *LOGISTIC)[0]]
    errors += [theirs.error(1, *PAIRS, *LOGISTIC)[0]] if reading.is_text else []
    own = None if ours.complaint else said_error(ours.said)
    sizes = len(theirs.labels), theirs.classes
    return Compared(name, *sizes, own, ours.used, errors, used, stopped)


def cost(used: Run) -> tuple[str, str]:
    """Seconds of the processor, and the most memory."""
    return f"{used.cpu:.2f}", f"{used.peak / 2**20:,.0f}"


def summary(found: Sequence[Compared]) -> str:
    """In words: next to Vowpal Wabbit without an option, and next to its best."""
    lines = []
    met = [one for one in found if one.own is not None]
    for whom, choose in (("without an option", itemgetter(0)), ("at its best", min)):
        ratios = [(one.own or 0.5 / one.rows) / choose(one.theirs) for one in met]
        lines.append(
            f"* next to Vowpal Wabbit {whom}: at or below on {sum(r <= 1 for r in ratios)} of "
            f"{len(ratios)} files; ratio {np.exp(np.mean(np.log(ratios))):.3f} on average, "
            f"{max(ratios):.3f} at worst ({met[int(np.argmax(ratios))].name})"
        )
    return "\n".join(lines)


def files_below(root: Path, folder: Path) -> Iterator[Path]:
    """Every file that a reader knows, and then those that had to be unpacked first."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    yield from (path for path in files if not path.name.endswith(LEFT_OUT))
    yield from (write_texts(path, folder) for path in files if path.name in ARCHIVES)
    yield from (write_table(path, folder) for path in files if path.suffix == ".arff")


def report(found: Sequence[Compared]) -> str:
    """The table, what it says in words, and what was said where training stopped."""
    lines = [HEADS, ("---", *["--:"] * (len(HEADS) - 1)), *(one.cells() for one in found)]
    stopped = [f"* {one.stopped}" for one in found if one.stopped]
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    parts = [
        "\n".join("| " + " | ".join(line) + " |" for line in lines),
        summary(found),
        *(["Without an option these stopped:", "\n".join(stopped)] if stopped else []),
        f"Measured with {versions}; {machine.processor()}.",
    ]
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the report or write it into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--page", type=Path, help="write the table into this page")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        files = files_below(options.folder, folder)
        text = report([compared(path, folder, options.repeat) for path in files])
    if options.page:
        rewrite(options.page, {"files": text})
    else:
        print(text)


if __name__ == "__main__":
    main()
