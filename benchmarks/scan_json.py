"""How fast JSON lines become rows, scanned or decoded: `python -m benchmarks.scan_json`.

Everything runs in one process, on one core, by turns, on text that is in memory. Figures are
printed, never asserted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import numpy as np

from benchmarks import machine, timing
from benchmarks.scan import blocks_of
from benchmarks.stream import N_FEATURES, made_stream
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.formats.decoded_lines import decoded, every_line
from thresher.streams.formats.json_lines import JsonLines
from thresher.streams.formats.objects import ObjectReader
from thresher.streams.recipe import Recipe

COLOURS = ("red", "green", "blue", "black", "a rather light grey")


def with_features_apart(rows: int) -> bytes:
    """The stream of the other benchmarks: 75 names with value 1 in a field of their own."""
    return b"".join(
        msgspec.json.encode({"label": label, "features": {f"w{k}": 1 for k in features}}) + b"\n"
        for features, label in made_stream(rows, real=False).batch.examples()
    )


def flat(rows: int) -> bytes:
    """Ten numbers with six digits and ten short strings."""
    random = np.random.default_rng(3)
    numbers = random.random((rows, 10)).round(6).tolist()
    strings = random.integers(0, len(COLOURS), (rows, 10)).tolist()
    return b"".join(
        msgspec.json.encode(
            {"label": t & 1}
            | {f"number_{k}": number for k, number in enumerate(numbers[t])}
            | {f"field_{k}": COLOURS[colour] for k, colour in enumerate(strings[t])}
        )
        + b"\n"
        for t in range(rows)
    )


def scan_all(blocks: list[bytes]) -> None:
    reader = JsonLines(Recipe(), NameTable(N_FEATURES, True))
    for block in blocks:
        reader.scan("", block, 1)


def decode_all(blocks: list[bytes]) -> None:
    reader = ObjectReader(Recipe(), Lexicon(NameTable(N_FEATURES, True)))
    for block in blocks:
        decoded("", block, every_line(block, 1), reader)


def count_all(blocks: list[bytes]) -> None:
    """The names of every row; a learner asks for those of rows that caused an update."""
    reader = JsonLines(Recipe(), NameTable(N_FEATURES, True))
    counts = NameCounts(2**17, 2**24)
    for block in blocks:
        places = np.array(every_line(block, 1), np.int64)
        start, stop = np.ascontiguousarray(places[:, 1]), np.ascontiguousarray(places[:, 2])
        reader.count_names(block, start, stop, counts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(machine.processor(), machine.versions(), f"load {machine.load():.1f}", sep="\n")
    ways: dict[str, Callable[[list[bytes]], None]] = {
        "scanned": scan_all,
        "decoded, line by line": decode_all,
        "names counted": count_all,
    }
    for title, make in (("75 names apart", with_features_apart), ("20 flat fields", flat)):
        text = make(options.rows)
        blocks = blocks_of(text)
        makers = {name: partial(partial, way, blocks) for name, way in ways.items()}
        times = timing.by_turns(makers, options.rows, options.repeat)
        print(f"\n{title}, {len(text) / 1e6:.0f} MB")
        lines = [
            (name, *(f"{len(text) / s / 1e6:,.0f}" for s in (t.median, min(t.wall), min(t.cpu))))
            for name, t in times.items()
        ]
        print(timing.table(("", "MB/s, median", "MB/s, best", "by cpu"), lines, width=70))


if __name__ == "__main__":
    main()
