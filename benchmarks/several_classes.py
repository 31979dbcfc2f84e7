"""Eight classes, next to Vowpal Wabbit's ``--oaa``: ``python -m benchmarks.several_classes``.

Made rows in the form that Vowpal Wabbit reads, the same file for both, in processes of their own
and in turn: `words`, 30 of 2^16 words, as frequent as words are, and `table`, 20 numbers. Thresher
has its default, a Committee for each class, or AROW; Vowpal Wabbit has its own. Ratios are by the
clock, by user time, and by user and system time: fresh memory costs time of the system.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks import machine
from benchmarks.processes import DRIVER, Run, run

CLASSES, WORDS, PER_ROW, COLUMNS = 8, 2**16, 30, 20
VW = "Vowpal Wabbit --oaa"


def write_words(path: Path, rows: int) -> None:
    """Rows of words; each class has words of its own that it likes."""
    random = np.random.default_rng(5)
    liked = random.integers(200, WORDS, (CLASSES, 400))
    with path.open("w") as file:
        for _ in range(rows):
            label = int(random.integers(CLASSES))
            common = (np.exp(random.random(PER_ROW - 4) * np.log(WORDS)) - 1.0).astype(int)
            own = liked[label][random.integers(0, 400, 4)]
            file.write(f"{label + 1} | {' '.join(f'w{w}' for w in (*common, *own))}\n")


def write_table(path: Path, rows: int) -> None:
    """Rows of numbers around the mean of their class."""
    random = np.random.default_rng(6)
    mean = random.normal(size=(CLASSES, COLUMNS))
    with path.open("w") as file:
        for _ in range(rows):
            label = int(random.integers(CLASSES))
            row = mean[label] + 1.5 * random.normal(size=COLUMNS)
            cells = " ".join(f"c{i}:{x:.3f}" for i, x in enumerate(row))
            file.write(f"{label + 1} | {cells}\n")


def contestants(path: Path) -> dict[str, list[str]]:
    """Commands, by what they are."""
    ours = [sys.executable, "-m", "thresher", "train", str(path), "--multiclass", "--quiet"]
    theirs = [sys.executable, "-c", DRIVER, "--oaa", str(CLASSES), "-d", str(path)]
    return {
        "thresher": [*ours, "-o", str(path.with_suffix(".thr"))],
        "thresher --learner arow": [
            *(*ours, "--learner", "arow:bias=yes"),
            *("-o", str(path.with_suffix(".arow"))),
        ],
        VW: [*theirs, "--quiet", "-f", str(path.with_suffix(".vwm"))],
    }


def measured(commands: dict[str, list[str]], repeat: int) -> dict[str, dict[str, float]]:
    """Everyone in turn: medians of seconds, most memory and size of the model in megabytes."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, words in commands.items():
            runs[name].append(run(words))
    return {
        name: {
            "wall": median(one.seconds for one in each),
            "user": median(one.user for one in each),
            "cpu": median(one.cpu for one in each),
            "peak": max(one.peak for one in each) / 1e6,
            "model": Path(commands[name][-1]).stat().st_size / 1e6,
        }
        for name, each in runs.items()
    }


def report(kind: str, found: dict[str, dict[str, float]]) -> None:
    """Print what was measured on one file, and ratios to Vowpal Wabbit if it took part."""
    theirs = found.get(VW)
    for name, one in found.items():
        print(
            f"{kind}: {name:<24}{one['wall']:6.2f} s, {one['user']:.2f} s user, "
            f"{one['cpu']:.2f} s user and system, {one['peak']:.0f} MB, model {one['model']:.1f} MB"
        )
        if theirs and name != VW:
            ratios = (f"{one[key] / theirs[key]:.2f}" for key in ("wall", "user", "cpu"))
            print(f"{kind}: {name} / {VW}: {', '.join(ratios)}")


def main() -> None:
    """Print medians and ratios, and write them as JSON if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args()
    print(f"{machine.processor()}; load {machine.load():.1f}; {asked.rows:,} rows")
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in (("words", write_words), ("table", write_table)):
            path = Path(folder) / f"{kind}.vw"
            write(path, asked.rows)
            commands = contestants(path)
            if importlib.util.find_spec("vowpalwabbit") is None:
                del commands[VW]
            found[kind] = measured(commands, asked.repeat)
            report(kind, found[kind])
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
