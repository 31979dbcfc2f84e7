"""Pairs of two namespaces, next to Vowpal Wabbit's ``-q``: ``python -m benchmarks.pairs``.

Rows of 12 features in each of two namespaces, with names of a few letters; every row gets 144
pairs. Both tools read the same text, in processes of their own, in turn. Vowpal Wabbit makes the
pairs twice a row, to predict and to update, and keeps none; thresher writes them into the row.
The learners differ (AdaGrad with the hinge loss, and Vowpal Wabbit's own with the same), so that
mistakes are shown to say that both learn, not to compare.
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

from benchmarks.processes import DRIVER, Run, run

PER_NAMESPACE, NAMES = 12, 2_000
AGAINST = (
    ("thresher, no pairs", "Vowpal Wabbit, no pairs"),
    ("thresher, --pairs a,b", "Vowpal Wabbit, -q ab"),
)
VW_OPTIONS = "--loss_function hinge -b 20 --noconstant --quiet"


def write_rows(path: Path, rows: int) -> None:
    """Rows whose label is told by pairs, not by single features."""
    random = np.random.default_rng(7)
    secret = random.choice([-1.0, 1.0], (NAMES, NAMES))
    with path.open("w") as file:
        for _ in range(rows):
            a, b = random.integers(0, NAMES, (2, PER_NAMESPACE))
            label = 1 if secret[a[0] % 40, b[0] % 40] > 0 else -1
            left, right = (" ".join(f"f{i}" for i in side) for side in (a, b))
            file.write(f"{label} |a {left} x{a[0] % 40} |b {right} y{b[0] % 40}\n")


def contestants(path: Path) -> dict[str, list[str]]:
    """Commands, by what they are."""
    model = str(path.with_suffix(".thr"))
    ours = [sys.executable, "-m", "thresher", "train", str(path), "-o", model, "--bits", "20"]
    ours += ["--learner", "adagrad", "--quiet"]
    theirs = [sys.executable, "-c", DRIVER, *VW_OPTIONS.split(), "-d", str(path)]
    return {
        "thresher, no pairs": ours,
        "Vowpal Wabbit, no pairs": theirs,
        "thresher, --pairs a,b": [*ours, "--pairs", "a,b"],
        "Vowpal Wabbit, -q ab": [*theirs, "-q", "ab"],
    }


def main() -> None:
    """Print medians and ratios, and write them as JSON if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.vw"
        write_rows(path, asked.rows)
        commands = contestants(path)
        if importlib.util.find_spec("vowpalwabbit") is None:
            commands = {name: words for name, words in commands.items() if "thresher" in name}
        runs: dict[str, list[Run]] = {name: [] for name in commands}
        for _ in range(asked.repeat):
            for name, words in commands.items():
                runs[name].append(run(words))
    wall = {name: median(one.seconds for one in each) for name, each in runs.items()}
    cpu = {name: median(one.cpu for one in each) for name, each in runs.items()}
    for name in commands:
        peak = max(one.peak for one in runs[name])
        print(f"{name:<26}{wall[name]:8.2f} s {cpu[name]:8.2f} s cpu {peak / 1e6:8.0f} MB")
    for ours, theirs in AGAINST:
        if theirs in wall:
            ratio, of_cpu = wall[ours] / wall[theirs], cpu[ours] / cpu[theirs]
            print(f"{ours} / {theirs}: {ratio:.2f} by the clock, {of_cpu:.2f} by the processor")
    if asked.json:
        found = {"rows": asked.rows, "wall": wall, "cpu": cpu}
        Path(asked.json).write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
