"""What eight members cost, side by side with one: `python -m benchmarks.committee_speed`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import thresher as th
from benchmarks import machine, timing
from benchmarks.stream import N_FEATURES, made_stream
from benchmarks.timing import Contestant, Ratio
from thresher.learners.base.linear_learner import LinearLearner

#: Eight members may take so many times as long as one.
AIM = 3.5
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
    times = timing.by_turns(contestants, len(batch), repeat)
    print(timing.table((title, *timing.HEADINGS[1:]), [t.cells() for t in times.values()]))
    ratios = [
        Ratio(f"{EIGHT}: time next to {name}", times[EIGHT], times[name], AIM, at_most=True)
        for name in SINGLE
    ]
    print(timing.table(timing.RATIO_HEADINGS, [ratio.cells() for ratio in ratios]), end="\n\n")


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
