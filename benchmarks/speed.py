"""Speed of thresher next to a bare loop, scikit-learn and River: `make bench`.

Everything runs in one process, by turns. Figures are printed, never asserted.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pickle
import textwrap
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import thresher as th
from benchmarks import machine, timing
from benchmarks.bare_pass import BarePass, NoCompilerError
from benchmarks.stream import N_FEATURES, PER_ROW, Stream, labels_that_fool, made_stream, named_rows
from benchmarks.timing import Contestant, Ratio, Times
from thresher.learners.base.linear_learner import LinearLearner

#: Share of the rounds in which both learners err when their updates are compared.
FORCED = 0.15

OTHERS: dict[str, Callable[[], LinearLearner]] = {
    "Perceptron": lambda: th.Perceptron(N_FEATURES),
    "Winnow": lambda: th.Winnow(N_FEATURES),
    "BalancedWinnow": lambda: th.BalancedWinnow(N_FEATURES),
    "NormalizedWinnow, margin 0.1": lambda: th.NormalizedWinnow(N_FEATURES, margin=0.1),
    "SignedWinnow, margin 0.1": lambda: th.SignedWinnow(N_FEATURES, margin=0.1),
}
#: For ones only.
BINARY: dict[str, Callable[[], LinearLearner]] = {
    "Winnow, zeroing": lambda: th.Winnow(N_FEATURES, zeroing=True),
    "Elimination": lambda: th.Elimination(N_FEATURES),
    "Conjunction": lambda: th.Conjunction(N_FEATURES),
    "WeightedMajority": lambda: th.WeightedMajority(N_FEATURES),
}


@dataclass(slots=True)
class Report:
    """What has been measured so far; sections are printed as they are finished."""

    repeat: int
    times: list[Times] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def race(self, title: str, contestants: dict[str, Contestant], rounds: int) -> dict[str, Times]:
        """Time the contestants and print their section."""
        times = timing.by_turns(contestants, rounds, self.repeat)
        self.times += times.values()
        headings = (title, *timing.HEADINGS[1:])
        print(timing.table(headings, [t.cells() for t in times.values()]), end="\n\n", flush=True)
        return times


def optional(module: str) -> Any:
    """A module that may not be installed, or None."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def measure_arrays(report: Report, stream: Stream) -> None:
    """Passes over arrays, next to a bare loop and to scikit-learn."""
    trained = th.Perceptron(N_FEATURES)
    trained.learn(stream.batch)
    shared = trained.copy()
    shared.threads = 2
    contestants: dict[str, Contestant] = {
        "learn(Batch)": lambda: partial(th.Perceptron(N_FEATURES).learn, stream.batch),
        "learn(CSR, y)": lambda: partial(
            th.Perceptron(N_FEATURES).learn, stream.matrix, stream.label
        ),
        "predict(Batch)": lambda: partial(trained.predict, stream.batch),
        "predict(Batch), two threads": lambda: partial(shared.predict, stream.batch),
        "Batch.of(CSR, y)": lambda: partial(th.Batch.of, stream.matrix, stream.label),
    }
    bare, theirs = "bare dot products", "scikit-learn Perceptron, fit"
    try:
        bare_pass = BarePass()
    except NoCompilerError as problem:
        report.missing.append(f"the bare loop: {problem}")
    else:
        print(f"bare loop: {bare_pass.command}\n")
        weights = trained.weights
        contestants[bare] = lambda: partial(bare_pass, stream.batch, weights)
    sklearn = optional("sklearn.linear_model")
    if sklearn is None:
        report.missing.append("scikit-learn: not installed (requirements/bench.txt)")
    else:
        # Without an intercept, as ours: the same model, and the least work for it.
        one_epoch = {"max_iter": 1, "tol": None, "shuffle": False, "fit_intercept": False}
        contestants[theirs] = lambda: partial(
            sklearn.Perceptron(**one_epoch).fit, stream.matrix, stream.label
        )
    times = report.race("one pass of the Perceptron", contestants, len(stream.batch))
    batch, matrix = times["learn(Batch)"], times["learn(CSR, y)"]
    report.ratios += [
        Ratio("speed of learn(CSR, y), learn(Batch) = 1", batch, matrix, 0.85),
        Ratio(
            "speed of predict in two threads, in one = 1",
            times["predict(Batch)"],
            times["predict(Batch), two threads"],
            1.0,
        ),
    ]
    if bare in times:
        report.ratios += [
            Ratio("speed of learn(Batch), bare loop = 1", times[bare], batch, 0.75),
        ]
    if theirs in times:
        claim = "speed of learn(CSR, y), scikit-learn = 1"
        report.ratios.append(Ratio(claim, times[theirs], matrix, 2.0))


def measure_later_passes(report: Report, stream: Stream, make: Callable[[], LinearLearner]) -> None:
    """Passes in which nothing is left to be learned, by one thread and by two."""
    alone = make()
    alone.learn(stream.batch)
    rows = th.Batch.from_rows(stream.batch, alone.predict(stream.batch))
    shared = alone.copy()
    shared.threads = 2
    contestants: dict[str, Contestant] = {
        "one thread": lambda: partial(alone.learn, rows),
        "two threads": lambda: partial(shared.learn, rows),
    }
    name = type(alone).__name__
    one, two = report.race(f"{name}, nothing changes", contestants, len(rows)).values()
    claim = f"speed of {name} in two threads, in one = 1"
    report.ratios.append(Ratio(claim, one, two, 1.0))


def floors(dicts: list[dict[str, float]]) -> dict[str, Contestant]:
    """What Python's own compiled code takes for parts of a round on dicts of names."""

    def read() -> None:
        for features in dicts:
            "".join(features)
            sum(features.values())

    def look_up(table: dict[str, float]) -> None:
        for features in dicts:
            deque(map(table.__getitem__, features), 0)

    def put_in(table: dict[str, float]) -> dict[str, float]:
        for features in dicts:
            table.update(features)
        return table

    return {
        "names and numbers, only read": lambda: read,
        "known names, found in a dict": lambda: partial(look_up, put_in({})),
        "new names, put in a dict": lambda: partial(put_in, {}),
    }


def measure_names(report: Report, stream: Stream, rows: int) -> None:
    """Rounds on dicts of names, one call each, next to River."""
    part = stream.batch[:rows]
    dicts, labels = named_rows(part), part.label.tolist()
    truths = [label > 0 for label in labels]

    def play(learner: LinearLearner) -> LinearLearner:
        for features, label in zip(dicts, labels, strict=True):
            learner.learn_one(features, label)
        return learner

    def learn_theirs(model: Any) -> None:
        for features, truth in zip(dicts, truths, strict=True):
            model.learn_one(features, truth)

    def play_theirs(model: Any) -> SimpleNamespace:
        mistakes = 0
        for features, truth in zip(dicts, truths, strict=True):
            mistakes += model.predict_one(features) != truth
            model.learn_one(features, truth)
        return SimpleNamespace(mistakes=mistakes)

    def started(names: th.Hashed | th.Vocabulary) -> LinearLearner:
        return th.Perceptron(N_FEATURES, names=names)

    hashed, kept = th.Hashed(), th.Vocabulary()
    #: What is asked for, next to River.
    aims = {"hashed": 15.0, "vocabulary": 8.0, "known names": 8.0}
    contestants: dict[str, Contestant] = {
        "learn_one, hashed": lambda: partial(play, started(hashed)),
        "learn_one, vocabulary": lambda: partial(play, started(kept)),
        "learn_one, known names": lambda: partial(play, play(started(kept))),
        "learn(list), hashed": lambda: partial(started(hashed).learn, dicts, labels),
        "learn(list), vocabulary": lambda: partial(started(kept).learn, dicts, labels),
    }
    contestants |= floors(dicts)
    river = optional("river.linear_model")
    both, alone = "River predict + learn", "River learn"
    if river is None:
        report.missing.append("River: not installed (requirements/bench.txt)")
    else:
        contestants[both] = lambda: partial(play_theirs, river.Perceptron())
        contestants[alone] = lambda: partial(learn_theirs, river.Perceptron())
    times = report.race("dicts of names, one at a time", contestants, rows)
    if river is not None:
        report.ratios += [
            Ratio(
                f"speed of learn_one, {how}, {theirs} = 1",
                times[theirs],
                times[f"learn_one, {how}"],
                aim,
            )
            for how, aim in aims.items()
            for theirs in (both, alone)
        ]


def measure_updates(report: Report, stream: Stream, seed: int) -> None:
    """Winnow next to the Perceptron, both wrong in the same rounds."""
    # Preparing the labels plays round by round, so a part of the stream has to do.
    rows = stream.batch[: max(1, len(stream.batch) // 4)]
    wrong = np.random.default_rng(seed).random(len(rows)) < FORCED
    pair: dict[str, Callable[[], LinearLearner]] = {
        "Perceptron": lambda: th.Perceptron(N_FEATURES),
        "Winnow": lambda: th.Winnow(N_FEATURES),
    }
    batches = {name: labels_that_fool(make(), rows, wrong) for name, make in pair.items()}
    contestants: dict[str, Contestant] = {
        name: lambda make=make, batch=batches[name]: partial(make().learn, batch)  # type: ignore[misc]
        for name, make in pair.items()
    }
    times = report.race("wrong in the same rounds", contestants, len(rows))
    claim = "time of Winnow per round, Perceptron = 1"
    report.ratios.append(Ratio(claim, times["Winnow"], times["Perceptron"], 1.3, at_most=True))


def measure_others(report: Report, stream: Stream) -> None:
    """The other learners on the same stream; their mistakes differ, and so does their work."""
    learners = OTHERS | (BINARY if stream.batch.integral else {})
    contestants: dict[str, Contestant] = {
        name: lambda make=make: partial(make().learn, stream.batch)  # type: ignore[misc]
        for name, make in learners.items()
    }
    times = report.race("learn(Batch) of the other learners", contestants, len(stream.batch))
    claim = "time of Winnow on the same stream, Perceptron = 1"
    report.ratios.append(Ratio(claim, times["Winnow"], times["Perceptron"], 1.6, at_most=True))


def measure_copies(report: Report, stream: Stream) -> None:
    """Copies of a trained learner, its journal included."""
    trained = th.Perceptron(N_FEATURES)
    trained.learn(stream.batch)
    saved = pickle.dumps(trained)
    contestants: dict[str, Contestant] = {
        "copy()": lambda: trained.copy,
        f"pickle.dumps, {len(saved) / 2**20:.1f} MiB": lambda: partial(pickle.dumps, trained),
        "pickle.loads": lambda: partial(pickle.loads, saved),
        "journal": lambda: lambda: trained.journal,
    }
    report.race("a trained Perceptron, whole", contestants, 1)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000, help="rows of the stream")
    parser.add_argument("--names", type=int, default=20_000, help="rows given as dicts of names")
    parser.add_argument("--repeat", type=int, default=7, help="how often each is timed")
    parser.add_argument("--seed", type=int, default=0, help="of the stream")
    parser.add_argument("--uniform", action="store_true", help="all features equally frequent")
    parser.add_argument("--real", action="store_true", help="values in (0, 1] instead of ones")
    parser.add_argument("--quick", action="store_true", help="a stream too small to mean anything")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured")
    given = parser.parse_args(arguments)
    if given.quick:
        given.rows, given.names, given.repeat = 2_000, 100, 2
    given.names = min(given.names, given.rows)
    return given


def describe(given: argparse.Namespace) -> None:
    """Say what is measured, and with what."""
    kind = "equally frequent" if given.uniform else "frequent as words are"
    values = "values in (0, 1]" if given.real else "values 1"
    print(f"{given.rows:,} rows x {PER_ROW} features of {N_FEATURES:,}, {kind}, {values}")
    # A name stays with its version where the line is broken.
    versions = ", ".join(f"{name}\0{version}" for name, version in machine.versions().items())
    print(textwrap.fill(versions, 100, break_on_hyphens=False).replace("\0", " "))
    print(machine.processor())
    print()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print; write a file if asked to."""
    given = parsed(arguments)
    load = machine.load()
    describe(given)
    stream = made_stream(given.rows, seed=given.seed, uniform=given.uniform, real=given.real)
    report = Report(given.repeat)
    measure_arrays(report, stream)
    for name in ("Perceptron", "Winnow"):
        measure_later_passes(report, stream, OTHERS[name])
    measure_names(report, stream, given.names)
    measure_updates(report, stream, given.seed)
    measure_others(report, stream)
    measure_copies(report, stream)
    headings = ("medians compared", *timing.RATIO_HEADINGS[1:])
    print(timing.table(headings, [ratio.cells() for ratio in report.ratios]), end="\n\n")
    share = timing.share_of_processor(report.times)
    print(f"load {load:.1f} before; while timed, a core was ours {share:.0%} of the time")
    print(f"memory {machine.memory()}")
    for thing in report.missing:
        print(f"MISSING {thing}")
    if given.json:
        found = {
            "rows": given.rows,
            "per_row": PER_ROW,
            "features": N_FEATURES,
            "uniform": given.uniform,
            "real": given.real,
            "seed": given.seed,
            "versions": machine.versions(),
            "processor": machine.processor(),
            "memory": machine.memory(),
            "load_before": load,
            "share_of_processor": share,
            "missing": report.missing,
            "times": [times.as_json() for times in report.times],
            "ratios": [ratio.as_json() for ratio in report.ratios],
        }
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
