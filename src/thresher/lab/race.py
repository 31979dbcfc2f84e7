"""The screen Race: several learners over one stream, live, or over many draws of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.errors import RequestError
from thresher.lab.recorded_run import POINTS
from thresher.lab.streams import FILE, LabStream, is_drawn, stream_of
from thresher.models.claims import parse_claim
from thresher.models.contestants import contestants
from thresher.models.mistake_curve import MistakeCurve
from thresher.models.race import HINDSIGHT_ROWS, HINDSIGHT_VALUES, Race
from thresher.models.runner import Runner
from thresher.models.usual_learners import BASELINE
from thresher.streams.batch import Batch

MOST_LEARNERS = 6
MOST_SEEDS = 100
#: Points of a curve while the race goes on: a frame is sent ten times a second.
LIVE_POINTS = 256
#: The band of many draws leaves out one in ten on either side.
BAND = (0.1, 0.5, 0.9)


class RaceLine(msgspec.Struct):
    """One learner as far as the race has gone."""

    learner: str
    points: list[tuple[int, float]]
    made: float
    missed: int | None
    alarms: int | None
    last: float | None
    speed: float | None
    allowed: int | None = None
    theorem: str | None = None
    #: "claimed", "in hindsight", or nothing.
    known: str = ""
    refuted_in: int | None = None
    out: str | None = None
    #: Of many draws, the curves that one in ten stays below and above.
    low: list[float] | None = None
    high: list[float] | None = None


class RaceFrame(msgspec.Struct):
    """What the page draws next."""

    rounds: int
    #: Of how many; None: nobody knows before the end.
    total: int | None
    lines: list[RaceLine]
    phase: str
    title: str
    secret: str | None
    seeds: int = 1
    #: What to type at the command line to have this race.
    commands: tuple[str, ...] = ()
    #: The same in Python; empty where the stream is a file.
    python: str = ""
    several: bool = False


def race(
    text: str, learners: list[str], files: Mapping[str, LabStream], seeds: int = 1
) -> Iterator[RaceFrame]:
    """Run the race, a frame after every stretch of it; whoever stops reading stops the race.

    >>> *_, last = race("singletons:n_features=8,r=2", ["winnow"], {})
    >>> [(line.learner, line.made, line.allowed, line.known) for line in last.lines]
    [('winnow', 6, 14, 'in hindsight'), ('commoner label', 0, None, '')]
    """
    if not 1 <= len(learners) <= MOST_LEARNERS:
        raise RequestError(f"a race in the lab is for 1 to {MOST_LEARNERS} learners.")
    if seeds > 1:
        yield from _many(text, learners, min(seeds, MOST_SEEDS))
        return
    stream = stream_of(text, files)
    running = _started(stream, learners)
    kept: list[Batch] | None = [] if stream.claim is None else None
    for batch in stream.batches():
        running.learn(batch)
        if kept is not None:
            kept = [*kept, batch] if _small(running.rounds, kept, batch) else None
        yield _frame(stream, running, learners, "running")
    if not running.rounds:
        raise RequestError(f"{stream.title} has no row.")
    if kept:
        whole = Batch.joined(kept)
        for runner in running.runners:
            yield _frame(stream, running, learners, "searching")
            runner.look_back(whole)
    yield _frame(stream, running, learners, "done")


def _small(rounds: int, kept: list[Batch], batch: Batch) -> bool:
    values = sum(len(one.column) for one in kept) + len(batch.column)
    return rounds <= HINDSIGHT_ROWS and values <= HINDSIGHT_VALUES


def _started(stream: LabStream, learners: list[str]) -> Race:
    claim = None if stream.claim is None else parse_claim(stream.claim, stream.n_features)
    return Race(contestants(learners, stream.n_features, several=stream.several), claim)


def _frame(stream: LabStream, running: Race, learners: list[str], phase: str) -> RaceFrame:
    most = POINTS if phase == "done" else LIVE_POINTS
    known = "claimed" if stream.claim is not None else "in hindsight"
    return RaceFrame(
        rounds=running.rounds,
        total=stream.rows,
        lines=[_line(runner, most, known) for runner in running.runners],
        phase=phase,
        title=stream.title,
        secret=stream.secret,
        commands=commands(stream, learners),
        python=program(stream, learners),
        several=stream.several,
    )


def _line(runner: Runner, most: int, known: str) -> RaceLine:
    curve = runner.curve
    made = curve.mistakes
    return RaceLine(
        learner=runner.title,
        points=[(t, float(m)) for t, m in _thinned(curve.points(), most)],
        made=made,
        missed=runner.false_negatives,
        alarms=None if runner.false_negatives is None else made - runner.false_negatives,
        last=curve.last_error,
        # The baseline is no learner: its speed says nothing.
        speed=None if runner.title == BASELINE else runner.rounds_per_second,
        allowed=runner.allowed,
        theorem=runner.theorem,
        known=known if runner.allowed is not None else "",
        refuted_in=runner.refuted_in,
        out=runner.out,
    )


def _thinned(points: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """At most so many of the points, first and last among them."""
    if len(points) <= most:
        return points
    return [points[k] for k in np.linspace(0, len(points) - 1, most).astype(int).tolist()]


def _many(text: str, learners: list[str], seeds: int) -> Iterator[RaceFrame]:
    """The same race on streams with the seeds 1, 2, ...: median and band of the curves."""
    kind = text.partition(":")[0]
    if kind == FILE or not is_drawn(kind):
        raise RequestError(
            f"{kind} is the same every time: many seeds are for streams drawn by lot."
        )
    curves: dict[str, list[NDArray[np.float64]]] = {}
    grid = np.zeros(0, np.int64)
    frame: RaceFrame | None = None
    for seed in range(1, seeds + 1):
        stream = stream_of(_with_seed(text, seed), {})
        running = _started(stream, learners)
        for batch in stream.batches():
            if running.rounds:
                # Nothing new, but a chance to stop: a single seed may take hours.
                yield frame or _frame(stream, running, learners, "running")
            running.learn(batch)
        grid = np.unique(np.linspace(0, running.rounds, LIVE_POINTS).astype(np.int64))
        for runner in running.runners:
            curves.setdefault(runner.title, []).append(_sampled(runner.curve, grid))
        lines = [_band(runner, grid, curves[runner.title]) for runner in running.runners]
        phase = "done" if seed == seeds else "running"
        frame = _frame(stream, running, learners, phase)
        frame.lines, frame.seeds, frame.secret = lines, seed, None
        yield frame


def _with_seed(text: str, seed: int) -> str:
    kind, _, said = text.partition(":")
    parts = [part for part in said.split(",") if part and not part.strip().startswith("seed=")]
    return f"{kind}:{','.join([*parts, f'seed={seed}'])}"


def _sampled(curve: MistakeCurve, grid: NDArray[np.int64]) -> NDArray[np.float64]:
    rounds, mistakes = np.array(curve.points(), np.float64).T
    return np.asarray(np.interp(grid, rounds, mistakes))


def _band(runner: Runner, grid: NDArray[np.int64], seen: list[NDArray[np.float64]]) -> RaceLine:
    low, middle, high = np.quantile(np.stack(seen), BAND, axis=0)
    line = _line(runner, LIVE_POINTS, "claimed")
    return msgspec.structs.replace(
        line,
        points=list(zip(grid.tolist(), middle.tolist(), strict=True)),
        made=float(middle[-1]),
        missed=None,
        alarms=None,
        last=None,
        low=low.tolist(),
        high=high.tolist(),
    )


def commands(stream: LabStream, learners: list[str]) -> tuple[str, ...]:
    """What to type to have the race at the command line."""
    named = " ".join(f"--learner {quote(one)}" for one in learners)
    claim = "" if stream.claim is None else f" --claim {stream.claim}"
    return (*stream.commands, f"thresher race {stream.file} {named}{claim}")


def program(stream: LabStream, learners: list[str]) -> str:
    """What to type in Python to have the race."""
    if stream.text.startswith(f"{FILE}:"):
        return ""
    return "\n".join(
        (
            "from thresher.lab.race import race",
            "",
            f"*_, last = race({stream.text!r}, {learners!r}, {{}})",
            "for line in last.lines:",
            "    print(line.learner, line.made, line.allowed)",
        )
    )


__all__ = ["RaceFrame", "RaceLine", "commands", "program", "race"]
