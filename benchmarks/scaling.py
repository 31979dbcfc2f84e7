"""How time and memory grow: `python -m benchmarks.scaling`.

Four laws, each a table and a picture: the time of a row against its length, against the number
of features, against the share of mistakes; and the most memory of a process against the size of
its file. Learners are timed by turns, in one process; files are made by repeating one, by turns
with the processes that read them, and removed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

import thresher as th
from benchmarks import machine
from benchmarks.log_plot import log_plot
from benchmarks.processes import run, write_texts
from benchmarks.stream import labels_that_fool
from benchmarks.timing import Contestant, by_turns, table
from thresher.learners.base.linear_learner import LinearLearner

MAKERS: dict[str, Callable[[int], LinearLearner]] = {
    "Perceptron": lambda n: th.Perceptron(n, journal_bytes=0),
    "Winnow": lambda n: th.Winnow(n, journal_bytes=0),
    "AROW": lambda n: th.AROW(n, journal_bytes=0),
    "Committee": lambda n: th.Committee(n),
}
PREDICT = "Perceptron, predict"
USUAL_LENGTH, USUAL_FEATURES = 75, 2**18


@dataclass(frozen=True, slots=True)
class Law:
    """What was found: for each place on the axis, what each contestant took."""

    name: str
    across: str
    upwards: str
    places: list[float]
    found: dict[str, list[float]]

    def text(self) -> str:
        """The table."""
        rows = [
            (f"{place:,.4g}" if place < 1 else f"{place:,.0f}", *(f"{v[t]:,.0f}" for v in values))
            for t, place in enumerate(self.places)
            for values in [list(self.found.values())]
        ]
        headings = (f"{self.upwards}, by {self.across}", *self.found)
        return table(headings, rows)

    def picture(self) -> str:
        """The same as SVG."""
        curves = {
            name: [(x, y) for x, y in zip(self.places, values, strict=True) if x > 0]
            for name, values in self.found.items()
        }
        return log_plot(curves, self.across, self.upwards)


def uniform_rows(n_rows: int, length: int, n_features: int, seed: int = 0) -> th.Batch:
    """Rows of ones, every feature equally frequent, with labels of a hidden target."""
    rng = np.random.default_rng(seed)
    # One feature of each share: columns increase without being sorted.
    edges = np.linspace(0, n_features, length + 1).astype(np.int64)
    column = (rng.random((n_rows, length)) * np.diff(edges) + edges[:-1]).astype(np.int32)
    target = rng.choice(np.array([-1.0, 1.0]), n_features)
    label = np.where(target[column].sum(axis=1) >= 0, 1, -1).astype(np.int8)
    start = np.arange(0, column.size + 1, length, dtype=np.int64)
    return th.Batch(start, column.ravel(), np.ones(column.size), label)


def timed(
    batch: th.Batch, n_features: int, repeat: int, *, predict: bool = True
) -> dict[str, float]:
    """Nanoseconds of a row for each learner, all by turns.

    Each has learned the rows once before: the system makes memory when it is first used.
    """

    def warmed(make: Callable[[int], LinearLearner]) -> Callable[[], object]:
        learner = make(n_features)
        learner.learn(batch)
        return partial(learner.learn, batch)

    contestants: dict[str, Contestant] = {
        name: partial(warmed, make) for name, make in MAKERS.items()
    }
    if predict:
        trained = th.Perceptron(n_features)
        trained.learn(batch)
        contestants[PREDICT] = lambda: partial(trained.predict, batch)
    times = by_turns(contestants, len(batch), repeat)
    return {name: 1e9 * found.median / len(batch) for name, found in times.items()}


def joined(each: Sequence[dict[str, float]]) -> dict[str, list[float]]:
    """What every contestant took, place by place."""
    return {name: [found[name] for found in each] for name in each[0]}


def by_length(values: int, repeat: int) -> Law:
    """The time of a row against its length; so many values in all."""
    lengths = [10, 32, 100, 316, 1000, 3162, 10_000]
    each = [
        timed(uniform_rows(max(2, values // n), n, USUAL_FEATURES), USUAL_FEATURES, repeat)
        for n in lengths
    ]
    return Law("length", "features of a row", "ns a row", [*map(float, lengths)], joined(each))


def by_features(values: int, repeat: int) -> Law:
    """The time of a row against the number of features, all equally frequent."""
    sizes = [2**bits for bits in range(10, 27, 2)]
    rows = max(2, values // USUAL_LENGTH)
    each = [timed(uniform_rows(rows, USUAL_LENGTH, n), n, repeat) for n in sizes]
    return Law("features", "features in all", "ns a row", [*map(float, sizes)], joined(each))


def by_mistakes(values: int, repeat: int) -> Law:
    """The time of a row against the share of rounds in which a learner errs.

    Labels are chosen so that each learner errs in the same rounds. An AROW and a Committee learn
    from every row; their time depends on it less.
    """
    shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    rows = uniform_rows(max(2, values // USUAL_LENGTH // 8), USUAL_LENGTH, USUAL_FEATURES)
    each = []
    for share in shares:
        wrong = np.random.default_rng(1).random(len(rows)) < share
        contestants: dict[str, Contestant] = {}
        for name, make in MAKERS.items():
            batch = labels_that_fool(make(USUAL_FEATURES), rows, wrong)
            contestants[name] = lambda make=make, batch=batch: partial(  # type: ignore[misc]
                make(USUAL_FEATURES).learn, batch
            )
        times = by_turns(contestants, len(rows), repeat)
        each.append({name: 1e9 * found.median / len(rows) for name, found in times.items()})
    return Law("mistakes", "share of mistakes", "ns a row", shares, joined(each))


def by_file(gigabytes: Sequence[float], rows: int) -> Law:
    """The most memory of `thresher train` against the size of the file, in MiB."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(folder, rows)
        text = (folder / "rows.svm").read_bytes()
        big = folder / "big.svm"
        for size in gigabytes:
            with big.open("ab") as file:
                while file.tell() < size * 1e9:
                    file.write(text)
            for what, words in _readers(folder):
                found.setdefault(what, []).append(run([sys.executable, "-m", *words]).peak / 2**20)
    return Law("memory", "GB of the file", "MiB at most", [*gigabytes], found)


def _readers(folder: Path) -> Iterator[tuple[str, list[str]]]:
    train = ["thresher", "train", "--quiet", "-o", str(folder / "model.thr")]
    for learner in ("perceptron", "committee"):
        words = [*train, "--learner", learner, str(folder / "big.svm")]
        yield f"{learner}, text", [*words, "--no-journal"] if learner == "perceptron" else words
    convert = ["thresher", "convert", "--quiet", str(folder / "big.svm")]
    yield "convert", [*convert, "-o", str(folder / "big.thb")]
    yield (
        "perceptron, binary",
        [
            *[*train, "--learner", "perceptron", "--no-journal"],
            str(folder / "big.thb"),
        ],
    )


def laws(values: int, repeat: int, gigabytes: Sequence[float]) -> Iterator[Law]:
    """All four, one after another."""
    yield by_length(values, repeat)
    yield by_features(values, repeat)
    yield by_mistakes(values, repeat)
    yield by_file(gigabytes, rows=max(100, min(200_000, int(gigabytes[0] * 1e6))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found and the pictures where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--values", type=int, default=3_000_000, help="in the rows that are timed")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--gigabytes", default="0.1,0.25,0.5,1,2,4", help="sizes of files")
    parser.add_argument("--pictures", type=Path, help="write the pictures into this folder")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    options = parser.parse_args(arguments)
    print(f"{machine.processor()}; load {machine.load():.1f}\n")
    found = []
    for law in laws(options.values, options.repeat, [*map(float, options.gigabytes.split(","))]):
        found.append(law)
        print(law.text(), end="\n\n", flush=True)
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
            (options.pictures / f"{law.name}.svg").write_text(law.picture(), "utf-8")
    if options.json:
        options.json.write_text(json.dumps([asdict(law) for law in found], indent=1), "utf-8")


if __name__ == "__main__":
    main()
