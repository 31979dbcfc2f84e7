"""Several classes next to Vowpal Wabbit's one-against-all: `python -m benchmarks.several_classes`.

The same rows of 75 ones over 2^18 features, in ten classes, as svmlight text, as Vowpal Wabbit
text, as converted binary and as Vowpal Wabbit's cache; whole processes, by turns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.processes import DRIVER, VW_OPTIONS, run
from benchmarks.stream import N_FEATURES, PER_ROW, made_stream
from benchmarks.timing import RATIO_HEADINGS, Ratio, Times, table

CLASSES = 10
VW_TEXT, VW_CACHE = "Vowpal Wabbit --oaa, text", "Vowpal Wabbit --oaa, its cache"
LEARNERS = ("perceptron", "arow", "committee")


def write_files(folder: Path, rows: int) -> None:
    """The stream as svmlight and as Vowpal Wabbit text, its labels those of hidden targets."""
    column = np.asarray(made_stream(rows).batch.column).reshape(-1, PER_ROW)
    target = np.random.default_rng(1).standard_normal((CLASSES, N_FEATURES), np.float32)
    score = np.stack([of_class[column].sum(axis=1) for of_class in target], axis=1)
    label = 1 + score.argmax(axis=1)
    with (folder / "rows.svm").open("w") as svmlight, (folder / "rows.vw").open("w") as vw:
        for y, row in zip(label.tolist(), column.tolist(), strict=True):
            svmlight.write(f"{y} " + " ".join([f"{c}:1" for c in row]) + "\n")
            vw.write(f"{y} | " + " ".join(map(str, row)) + "\n")


def contestants(folder: Path) -> dict[str, list[str]]:
    """Command line of every contestant, by name."""
    python = sys.executable

    def ours(rows: str, learner: str) -> list[str]:
        train = [python, "-m", "thresher", "train", "--quiet", "--bits", "18", "--multiclass"]
        return [*train, "--learner", learner, str(folder / rows), "-o", str(folder / "model.thr")]

    oaa = [python, "-c", DRIVER, *VW_OPTIONS.split(), "--oaa", str(CLASSES)]
    oaa += ["-d", str(folder / "rows.vw"), "-f", str(folder / "vw.model")]
    found = {
        f"thresher train --learner {learner}, {what}": ours(rows, learner)
        for what, rows in (("text", "rows.svm"), ("binary", "rows.thb"))
        for learner in LEARNERS
    }
    cache = ["-c", "--cache_file", str(folder / "rows.cache")]
    return {**found, VW_TEXT: oaa, VW_CACHE: [*oaa, *cache]}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(f"{machine.processor()}; load {machine.load():.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, options.rows)
        convert = ["convert", "--quiet", str(folder / "rows.svm"), "-o", str(folder / "rows.thb")]
        run([sys.executable, "-m", "thresher", *convert])
        found: dict[str, list[tuple[float, float]]] = {}
        for turn in range(options.repeat + 1):
            for who, command in contestants(folder).items():
                one = run(command)
                if turn:
                    found.setdefault(who, []).append((one.seconds, one.cpu))
    times = {
        who: Times(who, 1, tuple(s for s, _ in took), tuple(c for _, c in took))
        for who, took in found.items()
    }
    lines = [
        (who, f"{t.median:.3f}", f"{min(t.wall):.3f}", f"{float(np.median(t.cpu)):.3f}")
        for who, t in times.items()
    ]
    title = f"{options.rows:,} rows of {CLASSES} classes"
    print(table((title, "median s", "least s", "cpu s"), lines))
    ratios = [
        Ratio(f"{theirs} / {learner}", times[theirs], times[f"{ours} {learner}, {what}"], 1)
        for theirs, what in ((VW_TEXT, "text"), (VW_CACHE, "binary"))
        for ours in ("thresher train --learner",)
        for learner in LEARNERS
    ]
    print("\n" + table(RATIO_HEADINGS, [ratio.cells() for ratio in ratios]))


if __name__ == "__main__":
    main()
