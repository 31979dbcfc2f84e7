"""What eight members cost, side by side with one: `python -m benchmarks.committee_speed`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

import thresher as th
from benchmarks import machine, timing
from benchmarks.bare_pass import BarePass, NoCompilerError
from benchmarks.stream import N_FEATURES, made_stream
from benchmarks.timing import Contestant, Ratio
from thresher.learners.base.linear_learner import LinearLearner

#: Eight members may take so many times as long as one.
AIM = 1.3
BARE = "bare pass over its lines"
STEPS = "with a division and a root"
PLACES = "the places of its lines looked up"
EIGHT, NARROW = "Committee, 8 members", "the same without wide vectors"


def narrow() -> th.Committee:
    """A Committee that uses the instructions that every processor has."""
    learner = th.Committee(N_FEATURES)
    learner._engine.use_breadth(0)
    return learner


#: No journals: they would be the stream, and a Committee keeps none.
SINGLE: dict[str, Callable[[], LinearLearner]] = {
    "AROW": lambda: th.AROW(N_FEATURES, bias=True, journal_bytes=0),
    "AdaGrad, logistic": lambda: th.AdaGrad(
        N_FEATURES, loss="logistic", bias=True, journal_bytes=0
    ),
}


def by_appearance(column: NDArray[np.int32]) -> NDArray[np.int32]:
    """Features numbered in the order in which they first appear: where a Committee has them."""
    _, first, which = np.unique(column, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int32)
    number[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return np.ascontiguousarray(number[which])


def table_of(column: NDArray[np.int32], number: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where each feature is, by column."""
    table = np.zeros(N_FEATURES, np.int32)
    table[column] = number
    return table


def fresh_lines() -> NDArray[np.float32]:
    """A line of the cache for each feature, in large pages where a Committee has them."""
    room = np.empty(16 * (N_FEATURES + 1), np.float32)
    room[:] = 0.0
    skip = -(room.ctypes.data // 4) % 16
    return room[skip : skip + 16 * N_FEATURES]


def race(batch: th.Batch, repeat: int, title: str) -> None:
    """Everybody by turns on one stream; print the tables."""

    def contestant(make: Callable[[], LinearLearner]) -> Contestant:
        return lambda: partial(make().learn, batch)

    makers = {
        **SINGLE,
        # Not one of the kind: it learns from mistakes alone. For the scale.
        "Perceptron": lambda: th.Perceptron(N_FEATURES, bias=True, journal_bytes=0),
        EIGHT: lambda: th.Committee(N_FEATURES),
        NARROW: narrow,
    }
    contestants = {name: contestant(make) for name, make in makers.items()}
    try:
        bare, lines = BarePass(), fresh_lines()
        slots = by_appearance(batch.column)
        contestants[BARE] = lambda: partial(bare.over_lines, batch.row_start, slots, lines)
        table, found = table_of(batch.column, slots), np.empty_like(slots)
        contestants[PLACES] = lambda: partial(bare.look_up, batch.column, table, found)
        contestants[STEPS] = lambda: partial(
            bare.over_lines, batch.row_start, slots, fresh_lines(), steps=True
        )
    except NoCompilerError as problem:
        print(f"without the bare pass: {problem}")
    times = timing.by_turns(contestants, len(batch), repeat)
    print(timing.table((title, *timing.HEADINGS[1:]), [t.cells() for t in times.values()]))
    ratios = [
        Ratio(f"{EIGHT}: time next to {name}", times[EIGHT], times[name], AIM, at_most=True)
        for name in SINGLE
    ]
    print(timing.table(timing.RATIO_HEADINGS, [ratio.cells() for ratio in ratios]))
    if BARE in times:
        least, more, looked_up = (times[name].median for name in (BARE, STEPS, PLACES))
        whole = times[EIGHT].median
        print(f"{EIGHT}: {whole / least:.2f} times the {BARE}, read twice and written once;")
        print(f"{whole / more:.2f} times the same {STEPS} of eight numbers for each feature;")
        print(f"{whole / (more + looked_up):.2f} times that and {PLACES}")
    print()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure on ones and on real values."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    print(machine.processor())
    race(made_stream(options.rows).batch, options.repeat, "ones")
    race(made_stream(options.rows, real=True).batch, options.repeat, "real values")


if __name__ == "__main__":
    main()
