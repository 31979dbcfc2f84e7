"""Training on a cluster next to one process: `python -m benchmarks.cluster`.

Rows a second of an epoch with one and two workers, next to the same passes in one process and to
Vowpal Wabbit if it is installed; what an epoch costs that has nothing to do; the bytes that an
epoch moves; Dask arrays next to dask_ml's `Incremental`, if it is installed. What learning apart
costs in errors is in `benchmarks.cluster_errors`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import thresher as th
from benchmarks import machine
from benchmarks.dask_collections import compared
from benchmarks.processes import write_texts
from benchmarks.timing import table
from thresher.cluster import train
from thresher.cluster.dask_engine import connected
from thresher.cluster.events import EpochFinished

BITS = 18


def epochs_of(files: str, client: Any, shards: int, epochs: int) -> list[EpochFinished]:
    """What the epochs of a run took and moved."""
    found: list[EpochFinished] = []

    def keep(event: Any) -> None:
        if isinstance(event, EpochFinished):
            found.append(event)

    train(
        files,
        "perceptron",
        n_features=1 << BITS,
        shards=shards,
        epochs=epochs,
        client=client,
        on_event=keep,
    )
    return found


def speeds(folder: Path, n_rows: int, repeat: int) -> list[tuple[str, ...]]:
    """Rows a second: one process, then workers, by turns."""
    files = str(folder / "rows.svm")
    took: dict[str, list[float]] = {}
    moved: dict[str, EpochFinished] = {}
    for _ in range(repeat):
        for threads in (1, 2):
            began = time.perf_counter()
            # One pass: rows of a second would come from memory, and those of an epoch do not.
            th.train(files, "perceptron", n_features=1 << BITS, threads=threads)
            name = f"one process, {threads} thread{'s' if threads > 1 else ''}"
            took.setdefault(name, []).append(time.perf_counter() - began)
        for workers, shards in ((1, 2), (1, 4), (2, 2), (2, 4)):
            name = f"{workers} worker{'s' if workers > 1 else ''}, {shards} shards"
            # The first epoch starts the workers; the last also measures losses.
            for event in epochs_of(files, f"local:{workers}", shards, 5)[1:-1]:
                took.setdefault(name, []).append(event.seconds)
                moved[name] = event
    lines: list[tuple[str, ...]] = []
    base = median(took["one process, 1 thread"])
    for name, seconds in took.items():
        one, last = median(seconds), moved.get(name)
        mb = "" if last is None else f"{(last.bytes_out + last.bytes_back) / 1e6:.1f} MB"
        lines.append((name, f"{one:.3f}", f"{n_rows / one:,.0f}", f"{base / one:.2f}", mb))
    return lines


def empty_epoch(folder: Path) -> list[tuple[str, ...]]:
    """What an epoch takes that has next to nothing to do."""
    file = folder / "one.svm"
    file.write_text("1 0:1\n0 1:1\n" * 4)
    lines: list[tuple[str, ...]] = []
    for workers in (1, 2):
        events = epochs_of(str(file), f"local:{workers}", 4, 12)[2:-1]
        milliseconds = median(event.seconds for event in events) * 1e3
        lines.append((f"{workers} worker{'s' if workers > 1 else ''}", f"{milliseconds:.0f} ms"))
    return lines


def start_up() -> float:
    """What it takes to start two workers, and to end them."""
    began = time.perf_counter()
    engine = connected("local:2")
    list(engine.gather([engine.submit("one", abs, -1)], 60.0))
    engine.close()
    return time.perf_counter() - began


def vowpal_wabbit(folder: Path, n_rows: int) -> list[tuple[str, ...]]:
    """A pass of Vowpal Wabbit over the same rows, by its own driver; nothing if it is not there."""
    try:
        import vowpalwabbit  # noqa: PLC0415  (optional)
    except ImportError:
        return []
    began = time.perf_counter()
    words = f"-d {folder / 'rows.vw'} -b {BITS} --quiet --loss_function hinge --noconstant"
    vowpalwabbit.Workspace(words).finish()
    seconds = time.perf_counter() - began
    return [("Vowpal Wabbit, one process", f"{seconds:.3f}", f"{n_rows / seconds:,.0f}", "", "")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args(arguments)
    print(f"{machine.processor()}; load {machine.load():.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(folder, options.rows)
        size = (folder / "rows.svm").stat().st_size
        title = f"{options.rows:,} rows, {size / 1e6:,.0f} MB"
        found = [*speeds(folder, options.rows, options.repeat)]
        found += vowpal_wabbit(folder, options.rows)
        print(table((title, "seconds", "rows/s", "of one thread", "moved"), found))
        print("\n" + table(("an epoch of 8 rows in 4 shards", ""), empty_epoch(folder)))
        if find_spec("dask_ml") is not None:
            title = f"{options.rows:,} rows in memory, 8 blocks"
            found = compared(options.rows, options.repeat)
            print("\n" + table((title, "seconds", "rows/s"), found))
        print(f"\nto start two workers, and to end them: {start_up():.1f} s")


if __name__ == "__main__":
    main()
