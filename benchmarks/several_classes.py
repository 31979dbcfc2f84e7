"""Eight classes, next to Vowpal Wabbit's ``--oaa``: ``python -m benchmarks.several_classes``.

Made rows in the form that Vowpal Wabbit reads, the same file for both, in processes of their own and
in turn: `words`, 30 of 2^16 words, as frequent as words are, and `table`, 20 numbers. Thresher has
its default, a Committee for each class, or AROW; Vowpal Wabbit has its own. Memory that a process
was never given before costs time of the system, which is shown apart.
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
        "Vowpal Wabbit --oaa": [*theirs, "--quiet", "-f", str(path.with_suffix(".vwm"))],
    }


def main() -> None:
    """Print medians and ratios, and write them as JSON if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    print(f"{machine.processor()}; load {machine.load():.1f}; {asked.rows:,} rows, {CLASSES} classes")
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in (("words", write_words), ("table", write_table)):
            path = Path(folder) / f"{kind}.vw"
            write(path, asked.rows)
            commands = contestants(path)
            if importlib.util.find_spec("vowpalwabbit") is None:
                commands = {name: words for name, words in commands.items() if "Vowpal" not in name}
            runs: dict[str, list[Run]] = {name: [] for name in commands}
            for _ in range(asked.repeat):
                for name, words in commands.items():
                    runs[name].append(run(words))
            for name, each in runs.items():
                size = Path(commands[name][-1]).stat().st_size
                line = found[f"{kind}: {name}"] = {
                    "wall": median(one.seconds for one in each),
                    "user": median(one.user for one in each),
                    "system": median(one.system for one in each),
                    "peak": max(one.peak for one in each) / 1e6,
                    "model": size / 1e6,
                }
                print(
                    f"{kind}: {name:<26}{line['wall']:7.2f} s {line['user']:7.2f} s user "
                    f"{line['system']:6.2f} s system {line['peak']:6.0f} MB, model {line['model']:.1f} MB"
                )
            if theirs := found.get(f"{kind}: Vowpal Wabbit --oaa"):
                for name in commands:
                    mine = found[f"{kind}: {name}"]
                    cpu = (mine["user"] + mine["system"]) / (theirs["user"] + theirs["system"])
                    print(
                        f"{kind}: {name} / Vowpal Wabbit: {mine['wall'] / theirs['wall']:.2f} by the "
                        f"clock, {mine['user'] / theirs['user']:.2f} user, {cpu:.2f} user and system"
                    )
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
