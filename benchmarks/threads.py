"""One thread against two, where the result is the same: `python -m benchmarks.threads`.

Whole processes on the rows of the other benchmarks, as svmlight text and as converted binary, by
turns. Learning goes row after row and has one thread; reading and scanning go beside it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.processes import run, write_texts
from benchmarks.timing import RATIO_HEADINGS, Ratio, Times, table


def commands(folder: Path) -> dict[str, list[str]]:
    """What is timed, by name; the number of threads is still to be said."""
    text, binary = str(folder / "rows.svm"), str(folder / "rows.thb")

    def model(learner: str) -> str:
        return str(folder / f"{learner}.thr")

    found = {}
    for learner in ("perceptron", "committee"):
        train = ["train", "--learner", learner, "--bits", "18", "-o", model(learner)]
        found[f"train --learner {learner}, text"] = [*train, text]
        found[f"train --learner {learner}, binary"] = [*train, binary]
    found |= {
        "test, text": ["test", model("committee"), text],
        "test, binary": ["test", model("committee"), binary],
        "predict, binary": ["predict", model("committee"), binary],
        "race of five, binary": [
            *["race", "--bits", "18", "--no-bounds", binary],
            *[w for name in ("perceptron", "winnow", "arow", "adagrad", "committee")
              for w in ("--learner", name)],
        ],
        "tune, binary": ["tune", "--bits", "18", "--learner", "arow", binary],
    }  # fmt: skip
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(f"{machine.processor()}; load {machine.load():.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(folder, options.rows)
        start = [sys.executable, "-m", "thresher"]
        run([*start, "convert", str(folder / "rows.svm"), "-o", str(folder / "rows.thb")])
        found: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for turn in range(options.repeat + 1):
            for what, words in commands(folder).items():
                for threads in (1, 2):
                    one = run([*start, *words, "--quiet", "--threads", str(threads)])
                    if turn:
                        found.setdefault((what, threads), []).append((one.seconds, one.cpu))
    times = {
        key: Times(key[0], 1, tuple(s for s, _ in took), tuple(c for _, c in took))
        for key, took in found.items()
    }
    named = commands(Path("."))
    lines = [
        (what, *(f"{times[what, n].median:.3f}" for n in (1, 2)),
         *(f"{float(np.median(times[what, n].cpu)):.3f}" for n in (1, 2)))
        for what in named
    ]  # fmt: skip
    title = f"{options.rows:,} rows"
    print(table((title, "1 thread, s", "2 threads, s", "1, cpu s", "2, cpu s"), lines))
    ratios = [Ratio(what, times[what, 1], times[what, 2], 1) for what in named]
    print("\n" + table(RATIO_HEADINGS, [ratio.cells() for ratio in ratios]))


if __name__ == "__main__":
    main()
