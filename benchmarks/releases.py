"""Learning from a `Batch`, next to another version: `python -m benchmarks.releases FOLDER`.

FOLDER is where the other version was installed: in a checkout of it,
`pip install --no-build-isolation --no-deps --target FOLDER .`. Both run by turns, each turn in a
process of its own, with the same Python and the same packages.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import machine, timing
from benchmarks.stream import N_FEATURES, made_stream
from benchmarks.timing import Ratio, Times

#: How many times as fast as the other version a learner should be; the others should not be slower.
AIMS = {"AROW": 1.8, "AdaGrad": 1.8}
#: Run where the version is. It knows nothing of this tree, for there the tree may be another one.
CHILD = """
import json, sys, time
import numpy as np
import thresher as th
from scipy.sparse import csr_array
held, n, repeat = np.load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
matrix = csr_array((held["value"], held["column"], held["start"]), shape=(len(held["label"]), n))
batch = th.Batch.of(matrix, held["label"])
makers = {
    "Perceptron": lambda: th.Perceptron(n, journal_bytes=0),
    "Winnow": lambda: th.Winnow(n, journal_bytes=0),
    "AROW": lambda: th.AROW(n, bias=True, journal_bytes=0),
    "AdaGrad": lambda: th.AdaGrad(n, loss="logistic", bias=True, journal_bytes=0),
    "Committee": lambda: th.Committee(n),
}
found = {}
for name, make in makers.items():
    for _ in range(repeat):
        learner = make()
        clock, processor = time.perf_counter(), time.process_time()
        learner.learn(batch)
        took = time.perf_counter() - clock, time.process_time() - processor
        found[name] = (*min(found.get(name, took), took)[:2], int(learner.mistakes))
print(json.dumps(found))
"""


def one_turn(folder: Path | None, rows: Path, repeat: int) -> dict[str, tuple[float, float, int]]:
    """Seconds by the clock and by the processor, and mistakes, of each learner of one version."""
    environment = dict(os.environ)
    if folder is not None:
        # An editable installation stands before everything else, unless it is told not to.
        environment["MESONPY_EDITABLE_SKIP"] = str(Path("build", "editable").resolve())
        environment["PYTHONPATH"] = str(folder)
    command = [sys.executable, "-c", CHILD, str(rows), str(N_FEATURES), str(repeat)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, cwd=rows.parent
    )
    return {name: tuple(found) for name, found in json.loads(done.stdout).items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Both versions by turns, on ones and on real values."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(machine.processor())
    for title, real in (("ones", False), ("real values", True)):
        stream = made_stream(options.rows, real=real)
        with tempfile.TemporaryDirectory() as held:
            rows = Path(held, "rows.npz")
            matrix = stream.matrix
            np.savez(
                rows,
                value=matrix.data,
                column=matrix.indices,
                start=matrix.indptr,
                label=stream.label,
            )
            turns = [
                (one_turn(options.folder.resolve(), rows, 3), one_turn(None, rows, 3))
                for _ in range(options.repeat)
            ]
        names = list(turns[0][0])
        then, now = (
            {
                name: Times(
                    f"{name}, {version}",
                    options.rows,
                    tuple(turn[which][name][0] for turn in turns),
                    tuple(turn[which][name][1] for turn in turns),
                    f"{turns[0][which][name][2]:,}",
                )
                for name in names
            }
            for which, version in enumerate(("the other version", "this one"))
        )
        lines = [times[name].cells() for name in names for times in (then, now)]
        print(timing.table((title, *timing.HEADINGS[1:]), lines))
        ratios = [
            Ratio(f"{name}: how many times as fast", then[name], now[name], AIMS.get(name, 1.0))
            for name in names
        ]
        print(timing.table(timing.RATIO_HEADINGS, [ratio.cells() for ratio in ratios]))


if __name__ == "__main__":
    main()
