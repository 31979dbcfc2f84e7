"""Whether memory grows with the stream: `python -m benchmarks.memory`.

A process reads svmlight rows from a pipe, a short stream and then one of more than 2 GB, made
while it reads; the most memory it ever held is printed next to the limit. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks import machine
from benchmarks.scan import made_text

LIMIT_MB = 200


def feed(text: bytes, megabytes: int) -> tuple[int, int, float, float]:
    """Write the text again and again into a reader; rows, bytes, MB held at most, seconds."""
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.read_stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for _ in range(1 + megabytes * 10**6 // len(text)):
            reader.stdin.write(text)
        reader.stdin.close()
        rows, size, most = reader.stdout.read().split()
    return int(rows), int(size), float(most), time.perf_counter() - started


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=2100)
    options = parser.parse_args(arguments)
    print(machine.processor(), machine.versions(), sep="\n")
    text = made_text(10_000, real=False).svmlight
    for megabytes in (options.megabytes // 20, options.megabytes):
        rows, size, most, seconds = feed(text, megabytes)
        print(
            f"{size / 1e6:,.0f} MB, {rows:,} rows: held {most:.0f} MB at most "
            f"(limit {LIMIT_MB}), {size / seconds / 1e6:,.0f} MB/s with the start of Python"
        )


if __name__ == "__main__":
    main()
