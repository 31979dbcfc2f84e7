"""Train, certify and verify on files, as whole processes: ``python -m benchmarks.certify``.

Streams of 65 ones a row over 2^18 features, 40,000 and 400,000 rows, and with ``--data`` the files
a9a and SMS spam, each for a Perceptron and for the Committee. ``--before`` is the command
`thresher` of another release, which is timed on the same files by turns; a learner that it cannot
certify has no figure there. Times are by the clock, start of Python included, the least of the
repetitions; ratios are of verify, with as many workers as there are processors, to train.
"""

from __future__ import annotations

import argparse
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.processes import run

LEARNERS = ("perceptron", "committee")
PER_ROW = 65
HEAD = ("file", "learner", "train", "certify", "verify 1", "verify 2", "ratio", "bytes", "before")


def made_file(path: Path, rows: int) -> None:
    """Rows of ones: 64 features by chance, and one that tells the label nine times in ten."""
    rng = np.random.default_rng(rows)
    with path.open("w") as file:
        for _ in range(rows):
            label = int(rng.integers(2))
            told = label if rng.random() < 0.9 else 1 - label
            columns = np.unique(rng.integers(2, 2**18, PER_ROW - 1))
            text = " ".join(f"{column}:1" for column in (told, *columns.tolist()))
            file.write(f"{2 * label - 1:+d} {text}\n")


def files(folder: Path, data: Path | None, most: int) -> Iterator[tuple[Path, list[str]]]:
    """Each file with the options that read it."""
    for rows in (40_000, 400_000):
        if rows <= most:
            made_file(path := folder / f"{rows // 1000}k.svm", rows)
            yield path, []
    if data is not None:
        path = folder / "a9a.svm"
        path.write_bytes(lzma.decompress((data / "libsvm_adult/a9a.xz").read_bytes()))
        yield path, []
        yield data / "sms_spam/SMSSpamCollection", ["--positive", "spam", "--format", "text"]


def seconds(command: list[str], repeat: int) -> float:
    """The least time of a process by the clock."""
    return min(run(command).seconds for _ in range(repeat))


def before(release: str | None, path: Path, options: list[str], learner: str, at: Path) -> str:
    """What certify and verify take in another release, or why there is no figure."""
    if release is None:
        return ""
    certify = [release, "certify", str(path), *options, "--learner", learner, "-q", "-o", str(at)]
    done = subprocess.run(certify, capture_output=True, check=False)
    if done.returncode:
        return "not certified"
    made = seconds(certify, 1)
    checked = seconds([release, "verify", str(at), str(path), *options, "-q"], 1)
    return f"{made:.2f} / {checked:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with libsvm_adult and sms_spam")
    parser.add_argument("--before", metavar="COMMAND", help="thresher of another release")
    parser.add_argument("--rows", type=int, default=400_000, help="the longest made file")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    ours = str(Path(sys.executable).with_name("thresher"))
    print(machine.versions(), machine.processor(), machine.memory(), f"load {machine.load():.2f}")
    print("  ".join(f"{name:>12}" for name in HEAD))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, options in files(folder, given.data, given.rows):
            for learner in LEARNERS:
                model, certificate = str(folder / "m.thr"), str(folder / "c.json")
                chosen = ["--learner", learner]
                train = [ours, "train", str(path), *options, *chosen, "-q", "-o", model]
                certify = [ours, "certify", str(path), *options, *chosen, "-q", "-o", certificate]
                verify = [ours, "verify", certificate, str(path), *options, "-q"]
                times = [
                    seconds(train, given.repeat),
                    seconds(certify, 1),
                    *(seconds([*verify, "--workers", n], given.repeat) for n in ("1", "2")),
                ]
                size = Path(certificate).stat().st_size
                old = before(given.before, path, options, learner, folder / "old.json")
                cells = (path.name, learner, *(f"{t:.2f}" for t in times),
                         f"{min(times[2:]) / times[0]:.2f}", f"{size:,}", old)  # fmt: skip
                print("  ".join(f"{cell:>12}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
