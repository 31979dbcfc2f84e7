"""How long commands take to start, next to a bare Python: `python -m benchmarks.startup`.

Whole processes are timed, one after another in turn, so that a busy moment of the machine falls on
all alike; the least of the times is what the work costs. Run it with the Python of a plain install:
an editable one looks for edited sources at every start.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import machine

ROWS = "".join(f"{1 if t % 3 else -1} {t % 7}:1 {7 + t % 11}:1\n" for t in range(100))


def commands(folder: Path) -> dict[str, list[str]]:
    """What is timed, by name."""
    python = [sys.executable]
    data, model = str(folder / "rows.svm"), str(folder / "model.thr")
    return {
        "bare Python": [*python, "-c", "pass"],
        "thresher --help": [*python, "-m", "thresher", "--help"],
        "thresher train --help": [*python, "-m", "thresher", "train", "--help"],
        "thresher train, 100 lines": [*python, "-m", "thresher", "train", data, "-o", model],
        "thresher predict, 100 lines": [*python, "-m", "thresher", "predict", model, data],
        "python -c 'import numpy'": [*python, "-c", "import numpy"],
    }


def seconds(words: list[str]) -> float:
    """Wall time of one process."""
    began = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="how often each is started")
    rounds = parser.parse_args().rounds
    print(machine.processor())
    print(", ".join(f"{name} {version}" for name, version in machine.versions().items()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rows.svm").write_text(ROWS)
        timed = commands(folder)
        times: dict[str, list[float]] = {what: [] for what in timed}
        seconds(timed["thresher train, 100 lines"])
        for _ in range(rounds):
            for what, words in timed.items():
                times[what].append(seconds(words))
    bare = min(times["bare Python"])
    print(f"{'':30}{'least':>9}{'above bare':>12}")
    for what, found in times.items():
        print(f"{what:30}{min(found) * 1e3:6.0f} ms{(min(found) - bare) * 1e3:9.0f} ms")


if __name__ == "__main__":
    main()
