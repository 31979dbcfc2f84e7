"""Which files and functions five journeys pass through: the figures of docs/architecture.md.

Run `python -m scripts.walk_journeys` for the counts, with `--files` for the files as well, in the
order in which they are first entered. Compiled code is not seen; threads are.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
from click.testing import CliRunner
from scipy.sparse import csr_array

import thresher as th
from thresher.cli.main import thresher

HOME = Path(th.__file__).parent


class Walk:
    """The functions of this package that were entered, in order of their first time."""

    def __init__(self) -> None:
        self.entered: dict[CodeType, None] = {}
        self._calls: set[tuple[str, str]] = set()

    def notice(self, frame: FrameType, event: str, _: Any) -> None:
        """Take note of a call."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(HOME)):
            return
        self.entered.setdefault(code)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(str(HOME)):
            caller = caller.f_back
        if caller is not None:
            self._calls.add((caller.f_code.co_filename, code.co_filename))

    @property
    def both_ways(self) -> list[tuple[str, str]]:
        """Pairs of files that call each other."""
        pairs = ((a, b) for a, b in self._calls if a < b and (b, a) in self._calls)
        names = ((Path(a).relative_to(HOME), Path(b).relative_to(HOME)) for a, b in pairs)
        return sorted((a.as_posix(), b.as_posix()) for a, b in names)

    @property
    def files(self) -> list[str]:
        """The files, in order; of a package's `__init__`, what it does on import does not count."""
        own = (c for c in self.entered if c.co_name != "<module>")
        paths = (Path(code.co_filename).relative_to(HOME).as_posix() for code in own)
        return list(dict.fromkeys(paths))

    @property
    def functions(self) -> int:
        """How many functions and methods."""
        return sum(not code.co_name.startswith("<") for code in self.entered)


def walked(journey: Callable[[], object]) -> Walk:
    """The walk of a journey, after one that has imported everything."""
    journey()
    walk = Walk()
    threading.setprofile(walk.notice)
    sys.setprofile(walk.notice)
    try:
        journey()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return walk


def command(*words: object) -> None:
    """A command, which must succeed."""
    result = CliRunner().invoke(thresher, [str(word) for word in words])
    if result.exit_code:
        raise SystemExit(result.output)


def journeys(folder: Path) -> dict[str, Callable[[], object]]:
    """The five, on small data made up here."""
    rng = np.random.default_rng(1)
    X = (rng.random((40, 8)) < 0.4).astype(float)
    y = np.where(X[:, 0] + X[:, 3] > 0, 1, -1)
    two, three = folder / "two.svm", folder / "three.svm"
    rows = [" ".join(f"{j}:1" for j in np.flatnonzero(row)) for row in X]
    two.write_text("".join(f"{label} {row}\n" for label, row in zip(y, rows, strict=True)))
    names = ["red", "green", "blue"]
    three.write_text("".join(f"{names[t % 3]} {row}\n" for t, row in enumerate(rows)))
    model, several, proof = folder / "m.thr", folder / "s.thr", folder / "c.json"
    matrix = csr_array(X)

    def certified() -> None:
        command("train", two, "-o", model, "--learner", "winnow", "--features", 8, "-q")
        command("certify", model, two, "-o", proof)
        command("verify", proof, two)

    def classes() -> None:
        command("train", three, "-o", several, "--features", 8, "-q")
        command("predict", several, three, "-o", folder / "said.txt")

    return {
        "thresher train": lambda: command(
            "train", two, "-o", model, "--learner", "winnow", "--features", 8
        ),
        "learn(csr, y)": lambda: th.Winnow(8).learn(matrix, y),
        "train, certify, verify": certified,
        "learn_one": lambda: th.Perceptron().learn_one({"free": 1, "cash": 2.0}, +1),
        "several classes: train, predict": classes,
    }


def main() -> None:
    """Print what was counted."""
    with tempfile.TemporaryDirectory() as folder:
        for title, journey in journeys(Path(folder)).items():
            walk = walked(journey)
            pairs = len(walk.both_ways)
            print(
                f"{title}: {len(walk.files)} files, {walk.functions} functions, "
                f"{pairs} pairs of files that call each other"
            )
            if "--files" in sys.argv:
                print("  " + "\n  ".join(walk.files))
                print("  " + "\n  ".join(" <-> ".join(pair) for pair in walk.both_ways))


if __name__ == "__main__":
    main()
