"""From which mistake rate on `--exact` pays: two workers against one process, on the same rows.

    python -m benchmarks.exact --rows 400000

Rows are made so that one in so many is a mistake of a Perceptron, evenly spread: each of those has
a feature of its own and the label against which an unknown row is predicted. With `--named` they
are JSON, which takes longer to read. Times are medians of turns taken one after another, start-up
of the cluster left out; models must have the same bits.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

import thresher as th
from thresher.cluster.dask_engine import DaskEngine, connected
from thresher.cluster.exact import ExactTraining
from thresher.models.choice import LearnerChoice
from thresher.models.file import model_bytes
from thresher.models.input_data import InputData
from thresher.models.training_request import TrainingRequest

BITS, FRESH, AGAIN, NEVER = 18, 1 << 17, 50_000, 10**9


def made(path: Path, n: int, every: int, length: int) -> None:
    """Rows of ones; each `every`th is a mistake, whatever came before. Others come again."""
    write = _json if path.suffix == ".jsonl" else _svmlight
    table = np.random.default_rng(1).integers(0, FRESH, (AGAIN, length))
    right = [write("1", map(str, np.unique(columns))) for columns in table]
    with path.open("w") as file:
        for first in range(0, n, AGAIN):
            lines = list(right)
            for t in range(first + (every // 2 - first) % every, first + AGAIN, every):
                # A row whose feature nobody has seen is predicted +1; when it comes again, -1.
                again, feature = divmod(t // every, FRESH)
                lines[t - first] = write(str(again % 2), [str(FRESH + feature)])
            file.writelines(lines)


def _svmlight(label: str, on: Iterable[str]) -> str:
    return f"{label} {' '.join(f'{i}:1' for i in on)}\n"


def _json(label: str, on: Iterable[str]) -> str:
    return f'{{"label": "{label}", {", ".join(f"{chr(34)}w{i}{chr(34)}: 1" for i in on)}}}\n'


def request(path: Path) -> TrainingRequest:
    """A Perceptron over the file."""
    data = InputData.described(str(path), n_features=1 << BITS)
    return TrainingRequest(data=data, learner=LearnerChoice.parse("perceptron"))


def on_workers(path: Path, engine: DaskEngine) -> ExactTraining:
    """The run on a cluster."""
    run = ExactTraining(request(path), engine)
    for _ in run:
        pass
    return run


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--length", type=int, default=66)
    parser.add_argument("--named", action="store_true")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    engine = connected(f"local:{given.workers}")
    print("| one mistake in | one thread | two threads | exact | over one | over two | syncs |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    try:
        for every in (10, 100, 1000, 10_000, 100_000, NEVER):
            path = Path(tempfile.mkdtemp()) / ("rows.jsonl" if given.named else "rows.svm")
            made(path, given.rows, every, given.length)
            one, two, exact, run = by_turns(path, engine, given.turns)
            path.unlink()
            shown = f"{every:,}" if every < NEVER else "never"
            print(
                f"| {shown} | {one:.2f} s | {two:.2f} s | {exact:.2f} s | {one / exact:.2f} | "
                f"{two / exact:.2f} | {run.syncs} |",
                flush=True,
            )
    finally:
        engine.close()


def by_turns(
    path: Path, engine: DaskEngine, turns: int
) -> tuple[float, float, float, ExactTraining]:
    """Median seconds with one thread, with two, and on workers; the last run there."""
    on_workers(path, engine)
    one: list[float] = []
    two: list[float] = []
    exact: list[float] = []
    for _ in range(turns):
        for times, threads in ((one, 1), (two, 2)):
            began = time.perf_counter()
            alone = th.train(path, "perceptron", n_features=1 << BITS, threads=threads)
            times.append(time.perf_counter() - began)
        began = time.perf_counter()
        run = on_workers(path, engine)
        exact.append(time.perf_counter() - began)
        if model_bytes(replace(alone, history=())) != model_bytes(replace(run.model, history=())):
            raise SystemExit("the models differ")
    median = statistics.median
    return median(one), median(two), median(exact), run


if __name__ == "__main__":
    main()
