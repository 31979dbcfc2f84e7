"""How fast text becomes rows, next to copying it and to other readers: `python -m benchmarks.scan`.

Everything runs in one process, by turns, on text that is in memory or in the system's cache of
files. Figures are printed, never asserted.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import machine, timing
from benchmarks.speed import optional
from benchmarks.stream import N_FEATURES, made_stream
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.formats.blocks import CHUNK_BYTES
from thresher.streams.formats.svmlight import Svmlight
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

#: Rows of text for readers that take a second for a few megabytes.
FEW_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Text:
    """The same rows as svmlight and as Vowpal Wabbit text."""

    svmlight: bytes
    vw: bytes


def made_text(rows: int, *, real: bool) -> Text:
    """The stream of the other benchmarks, written down; values with six digits if `real`."""
    batch = made_stream(rows, real=real).batch
    lines, vw = [], []
    for features, label in batch.examples():
        pairs = [f"{k}:{v:.6f}" if real else f"{k}:1" for k, v in features.items()]
        lines.append(f"{label:+d} {' '.join(pairs)}\n")
        bare = pairs if real else [str(k) for k in features]
        vw.append(f"{label} | {' '.join(bare)}\n")
    return Text("".join(lines).encode(), "".join(vw).encode())


def blocks_of(text: bytes) -> list[bytes]:
    """Whole lines, as much of them as the pipeline hands to a scanner at a time."""
    blocks, start = [], 0
    while start < len(text):
        stop = text.rfind(b"\n", start, start + CHUNK_BYTES) + 1
        blocks.append(text[start:stop])
        start = stop
    return blocks


def scan_all(blocks: list[bytes]) -> None:
    svmlight = Svmlight(Recipe(), NameTable(N_FEATURES, True))
    for block in blocks:
        svmlight.scan("", block, 1)


def read_all(path: Path, threads: int) -> None:
    stream = read_stream(
        path,
        names=NameTable(N_FEATURES, True),
        scheme=LabelScheme(),
        settings=ReadSettings(threads=threads),
    )
    for _ in stream:
        pass


def vw_reads(workspace: Callable[[str], object], path: Path) -> None:
    """Vowpal Wabbit cannot be asked to read without learning; this is the least of it."""
    done = workspace(f"-d {path} --quiet --loss_function hinge -b 18")
    done.finish()  # type: ignore[attr-defined]


def contestants_for(text: Text, folder: Path) -> dict[str, tuple[int, timing.Contestant]]:
    """Who is timed, and on how many bytes."""
    whole, few = folder / "rows.svm", folder / "few.svm"
    whole.write_bytes(text.svmlight)
    few_bytes = b"".join(text.svmlight.splitlines(keepends=True)[:FEW_ROWS])
    few.write_bytes(few_bytes)
    size = len(text.svmlight)
    blocks = blocks_of(text.svmlight)
    array = np.frombuffer(text.svmlight, np.uint8)
    target = np.empty_like(array)
    timed: dict[str, tuple[int, timing.Contestant]] = {
        "memcpy": (size, lambda: partial(np.copyto, target, array)),
        "memchr, line by line": (size, lambda: partial(text.svmlight.count, b"\n")),
        "scanner, one core": (size, lambda: partial(scan_all, blocks)),
        "stream, 1 thread": (size, lambda: partial(read_all, whole, 1)),
        "stream, 2 threads": (size, lambda: partial(read_all, whole, 2)),
    }
    if sklearn := optional("sklearn.datasets"):
        timed["scikit-learn"] = (len(few_bytes), lambda: partial(sklearn.load_svmlight_file, few))
    if vowpal := optional("vowpalwabbit"):
        path = folder / "rows.vw"
        path.write_bytes(text.vw)
        timed["Vowpal Wabbit, with learning"] = (
            len(text.vw),
            lambda: partial(vw_reads, vowpal.Workspace, path),
        )
    return timed


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(machine.processor(), machine.versions(), f"load {machine.load():.1f}", sep="\n")
    for real in (False, True):
        text = made_text(options.rows, real=real)
        with tempfile.TemporaryDirectory() as folder:
            timed = contestants_for(text, Path(folder))
            makers = {name: make for name, (_, make) in timed.items()}
            times = timing.by_turns(makers, options.rows, options.repeat)
        print(f"\n{'index:0.123456' if real else 'index:1'}, {len(text.svmlight) / 1e6:.0f} MB")
        lines = [
            (
                name,
                *(f"{timed[name][0] / seconds / 1e6:,.0f}" for seconds in (t.median, min(t.wall))),
            )
            for name, t in times.items()
        ]
        print(timing.table(("", "MB/s, median", "MB/s, best"), lines, width=60))


if __name__ == "__main__":
    main()
