"""Whole processes from the shell, next to Vowpal Wabbit's: ``python -m benchmarks.processes``.

The same 400,000 rows of 75 ones over 2^18 features (`--rows 1600000` makes 1 GB of them), as
svmlight text, as Vowpal Wabbit text (an index alone stands for `index:1`, which is shorter and
suits that tool), as thresher's converted binary and as Vowpal Wabbit's cache. Every contestant is a
process of its own, timed by the clock from start to end, in turn; memory is the most the process
and its children held. The ratios are of whole processes, and then of what remains when the time for
a file of one row is taken off both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.stream import N_FEATURES, PER_ROW, made_stream
from benchmarks.timing import RATIO_HEADINGS, Ratio, Times, table

DRIVER = "import sys, vowpalwabbit as v; v.Workspace(' '.join(sys.argv[1:])).finish()"
OUR_START, VW_START = "thresher train, one row", "Vowpal Wabbit, one row"
OUR_TEXT, VW_TEXT = "thresher train, svmlight text", "Vowpal Wabbit, text"
OUR_BINARY, VW_CACHE = "thresher train, converted binary", "Vowpal Wabbit, its cache"
OUR_COMMITTEE = "thresher train --learner committee, text"
VW_OPTIONS = "--loss_function hinge -b 18 --noconstant --quiet"


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took."""

    seconds: float
    user: float
    system: float
    peak: int

    @property
    def cpu(self) -> float:
        """What the processor spent on it, in the program and in the system."""
        return self.user + self.system


def run(command: Sequence[str]) -> Run:
    """Start the process, wait for it, and say what it used; the run ends here if it failed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = watched(process)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with status {process.returncode}")
    return used


def watched(process: subprocess.Popen[bytes]) -> Run:
    """Wait for a process that has just been started, and ask the system what it used.

    The peak is looked at every two milliseconds: what the system reports at the end counts the
    memory of whoever started the process as well.
    """
    start = time.perf_counter()
    peak, done = 0, 0
    while not done:
        done, status, used = os.wait4(process.pid, os.WNOHANG)
        if not done:
            peak = max(peak, resident_at_most(process.pid))
            time.sleep(0.002)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(seconds, used.ru_utime, used.ru_stime, peak)


def resident_at_most(pid: int) -> int:
    """The most memory the process has held so far, in bytes (Linux; 0 elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = [line.split() for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(found[0][1]) * 1024 if found else 0


def write_texts(folder: Path, rows: int) -> None:
    """The stream as svmlight and as Vowpal Wabbit text."""
    batch = made_stream(rows).batch
    columns = np.asarray(batch.column).reshape(-1, PER_ROW)
    name = [str(column) for column in range(N_FEATURES)]
    feature = [f"{column}:1" for column in name]
    with (folder / "rows.svm").open("w") as svmlight, (folder / "rows.vw").open("w") as vw:
        for label, row in zip(batch.label.tolist(), columns, strict=True):
            at = row.tolist()
            svmlight.write(f"{label:+d} " + " ".join([feature[c] for c in at]) + "\n")
            vw.write(f"{label} | " + " ".join([name[c] for c in at]) + "\n")


def contestants(folder: Path) -> dict[str, list[str]]:
    """Command line of every contestant, by name."""
    python = sys.executable

    def thresher(rows: str, learner: str = "perceptron") -> list[str]:
        train = [python, "-m", "thresher", "train", "--quiet", "--bits", "18", "--learner", learner]
        return [*train, str(folder / rows), "-o", str(folder / f"{rows}.{learner}.thr")]

    def vw(rows: str, *more: str) -> list[str]:
        files = ["-d", str(folder / rows), "-f", str(folder / f"{rows}{len(more)}.model")]
        return [python, "-c", DRIVER, *VW_OPTIONS.split(), *files, *more]

    return {
        "python -c pass": [python, "-c", "pass"],
        "python -c 'import numpy'": [python, "-c", "import numpy"],
        "python -c 'import vowpalwabbit'": [python, "-c", "import vowpalwabbit"],
        OUR_START: thresher("one.svm"),
        VW_START: vw("one.vw"),
        OUR_TEXT: thresher("rows.svm"),
        VW_TEXT: vw("rows.vw"),
        OUR_BINARY: thresher("rows.thb"),
        VW_CACHE: vw("rows.vw", "-c", "--cache_file", str(folder / "rows.cache")),
        "thresher train --learner arow, text": thresher("rows.svm", "arow"),
        OUR_COMMITTEE: thresher("rows.svm", "committee"),
    }


def compare(folder: Path, repeat: int) -> tuple[dict[str, Times], dict[str, int]]:
    """Everyone in turn, `repeat` times, after a turn that does not count and fills the cache."""
    commands = contestants(folder)
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for turn in range(repeat + 1):
        for name, command in commands.items():
            one = run(command)
            if turn:
                runs[name].append(one)
    times = {
        name: Times(name, 1, tuple(r.seconds for r in found), tuple(r.cpu for r in found))
        for name, found in runs.items()
    }
    return times, {name: max(r.peak for r in found) for name, found in runs.items()}


def without(whole: Times, start: Times) -> Times:
    """What a process took beyond the start of one like it, turn by turn."""
    wall = tuple(max(0.0, a - b) for a, b in zip(whole.wall, start.wall, strict=True))
    cpu = tuple(max(0.0, a - b) for a, b in zip(whole.cpu, start.cpu, strict=True))
    return Times(whole.name, whole.rounds, wall, cpu)


def size_read(command: Sequence[str]) -> int | None:
    """Bytes of the file of rows that a contestant reads; None if there is none."""
    files = [Path(word) for word in command if Path(word).stem == "rows"]
    read = [file for file in files if file.suffix in (".svm", ".vw", ".thb")]
    return read[0].stat().st_size if read else None


def report(
    times: dict[str, Times], peaks: dict[str, int], sizes: dict[str, int | None]
) -> list[Ratio]:
    """Print both tables; return the ratios."""
    lines = [
        (
            name,
            f"{t.median:.3f}",
            f"{min(t.wall):.3f}",
            f"{float(np.median(t.cpu)):.3f}",
            f"{peaks[name] / 2**20:,.0f}",
            "" if (size := sizes[name]) is None else f"{size / t.median / 1e6:,.0f}",
        )
        for name, t in times.items()
    ]
    print(table(("process", "median s", "least s", "cpu s", "peak MiB", "MB/s"), lines))
    pairs = (
        ("from text: Vowpal Wabbit / thresher", VW_TEXT, OUR_TEXT, 5),
        ("from text: Vowpal Wabbit / the Committee", VW_TEXT, OUR_COMMITTEE, 2.5),
        ("Vowpal Wabbit's cache / thresher's binary", VW_CACHE, OUR_BINARY, 10),
    )
    ratios = [Ratio(name, times[theirs], times[ours], aim) for name, theirs, ours, aim in pairs]
    for name, theirs, ours, aim in pairs:
        working = without(times[theirs], times[VW_START]), without(times[ours], times[OUR_START])
        ratios.append(Ratio(f"{name}, without start-up", *working, aim))
    print("\n" + table(RATIO_HEADINGS, [ratio.cells() for ratio in ratios]))
    return ratios


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write the figures where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where the files go, and stay")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "rows.vw").exists():
            write_texts(folder, options.rows)
        for name in ("svm", "vw"):
            with (folder / f"rows.{name}").open("rb") as rows:
                (folder / f"one.{name}").write_bytes(rows.readline())
        convert = ["convert", str(folder / "rows.svm"), "-o", str(folder / "rows.thb")]
        converted = run([sys.executable, "-m", "thresher", *convert])
        print(f"{machine.processor()}; load {machine.load():.1f}")
        print(", ".join(f"{name} {version}" for name, version in machine.versions().items()))
        for name in ("rows.svm", "rows.vw", "rows.thb"):
            print(f"{name}: {(folder / name).stat().st_size / 1e6:,.1f} MB")
        print(f"thresher convert: {converted.seconds:.2f} s\n")
        times, peaks = compare(folder, options.repeat)
        commands = contestants(folder)
        sizes = {name: size_read(command) for name, command in commands.items()}
        ratios = report(times, peaks, sizes)
    if options.json:
        figures = {
            "machine": machine.processor(),
            "versions": machine.versions(),
            "seconds": {name: list(t.wall) for name, t in times.items()},
            "peak_bytes": peaks,
            "ratios": [ratio.as_json() for ratio in ratios],
        }
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
