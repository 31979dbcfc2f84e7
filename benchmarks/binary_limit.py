"""How near a run from a binary file is to the least it could take.

``python -m benchmarks.binary_limit`` measures what no run of a Perceptron can do without, each part
alone and by turns with the whole run: to start, to go through the file once (a loop in C, which
checks nothing, adds up weights of 4 bytes and changes them), and to bring the journal to the disk
as the model file has it, hashed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.bare_pass import BarePass
from benchmarks.processes import run, write_texts
from benchmarks.stream import N_FEATURES, PER_ROW


def timed(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def hashed_and_synced(folder: Path, n_bytes: int) -> tuple[float, float]:
    """Seconds to hash so many bytes, and to write and sync them; a model file does both at once."""
    journal = np.arange(n_bytes // 4, dtype=np.int32).tobytes()
    hashing = timed(lambda: sha256(journal).digest())

    def written() -> None:
        with (folder / "journal").open("wb") as file:
            file.write(journal)
            os.fsync(file.fileno())

    return hashing, timed(written)


def main() -> None:
    """Measure the parts and the whole by turns, and print the least of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_600_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where the files go, and stay")
    options = parser.parse_args()
    print(f"{machine.processor()}; load {machine.load():.1f}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "rows.svm").exists():
            write_texts(folder, options.rows)
        with (folder / "rows.svm").open("rb") as rows:
            (folder / "one.svm").write_bytes(rows.readline())
        python = [sys.executable, "-m", "thresher"]
        run([*python, "convert", str(folder / "rows.svm"), "-o", str(folder / "rows.thb")])
        train = [*python, "train", "--quiet", "--bits", "18", "--learner", "perceptron"]
        train += ["-o", str(folder / "limit.thr")]
        bare = BarePass()
        mistakes = bare.over_file(folder / "rows.thb", N_FEATURES)
        found: dict[str, list[float]] = {}
        for turn in range(options.repeat + 1):
            hashing, writing = hashed_and_synced(folder, 4 * PER_ROW * mistakes)
            turns = {
                "start: train on one row": run([*train, str(folder / "one.svm")]).seconds,
                "bare pass over the file": timed(
                    lambda: bare.over_file(folder / "rows.thb", N_FEATURES)
                ),
                "journal: hashed, or written and synced": max(hashing, writing),
                "train from binary": run([*train, str(folder / "rows.thb")]).seconds,
            }
            for what, seconds in turns.items():
                found.setdefault(what, []).extend([seconds] if turn else [])
    least = {what: min(seconds) for what, seconds in found.items()}
    *parts, whole = least.values()
    for what, seconds in least.items():
        median = float(np.median(found[what]))
        print(f"{what:40} {seconds * 1e3:6.0f} ms at least, {median * 1e3:6.0f} median")
    times = f"the whole is {whole / sum(parts):.2f} times as long"
    print(f"{'the parts':40} {sum(parts) * 1e3:6.0f} ms; {times}")


if __name__ == "__main__":
    main()
