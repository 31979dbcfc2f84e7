"""Timing by turns, and tables of what was found."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Makes what is to be timed, untimed: a fresh learner, say, bound to its data.
Contestant = Callable[[], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of each repetition, by the clock and by the processor."""

    name: str
    rounds: int
    wall: tuple[float, ...]
    cpu: tuple[float, ...]
    note: str = ""

    @property
    def median(self) -> float:
        """The middle one of the times by the clock."""
        return float(np.median(self.wall))

    def cells(self) -> tuple[str, ...]:
        """The line of the table, one text for each of `HEADINGS`."""
        low, high = np.percentile(self.wall, (25, 75))
        per_round = 1e9 * self.median / self.rounds
        return (
            self.name,
            f"{1e3 * self.median:,.1f}",
            f"{1e3 * min(self.wall):,.1f}",
            f"{1e3 * low:,.1f} - {1e3 * high:,.1f}",
            f"{per_round:,.0f}" if self.rounds > 1 else "",
            self.note,
        )

    def as_json(self) -> dict[str, Any]:
        """Everything that was measured."""
        return {
            "name": self.name,
            "rounds": self.rounds,
            "wall_seconds": list(self.wall),
            "cpu_seconds": list(self.cpu),
            "note": self.note,
        }


HEADINGS = ("", "median ms", "min ms", "quartiles ms", "ns/round", "mistakes")


def by_turns(contestants: Mapping[str, Contestant], rounds: int, repeat: int) -> dict[str, Times]:
    """Time everyone `repeat` times, A B C A B C ..., after a turn that does not count.

    Whatever slows the machine for a while then slows all of them, not the one whose turn
    it happened to be. What a contestant returns is asked for its `mistakes`, untimed.
    """
    wall: dict[str, list[float]] = {name: [] for name in contestants}
    cpu: dict[str, list[float]] = {name: [] for name in contestants}
    notes: dict[str, str] = {}
    for turn in range(repeat + 1):
        gc.collect()
        for name, make in contestants.items():
            run = make()
            gc.disable()
            try:
                clock, processor = time.perf_counter(), time.process_time()
                result = run()
                processor, clock = time.process_time() - processor, time.perf_counter() - clock
            finally:
                gc.enable()
            if turn:
                wall[name].append(clock)
                cpu[name].append(processor)
            mistakes = getattr(result, "mistakes", None)
            notes[name] = "" if mistakes is None else f"{mistakes:,}"
    return {
        name: Times(name, rounds, tuple(wall[name]), tuple(cpu[name]), notes[name])
        for name in contestants
    }


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as long one contestant takes as another, and how many it should."""

    claim: str
    over: Times
    under: Times
    aim: float
    at_most: bool = False

    @property
    def value(self) -> float:
        """Ratio of the medians."""
        return self.over.median / self.under.median

    @property
    def quartiles(self) -> tuple[float, float]:
        """Spread of the ratios within a turn, where both met the same machine."""
        low, high = np.percentile(np.divide(self.over.wall, self.under.wall), (25, 75))
        return float(low), float(high)

    @property
    def by_processor(self) -> float:
        """Ratio of the medians of processor time: what a busy machine disturbs least."""
        return float(np.median(self.over.cpu) / np.median(self.under.cpu))

    @property
    def met(self) -> bool:
        """Whether the ratio is where it should be."""
        return self.value <= self.aim if self.at_most else self.value >= self.aim

    def cells(self) -> tuple[str, ...]:
        """The line of the table, one text for each of `RATIO_HEADINGS`."""
        low, high = self.quartiles
        return (
            self.claim,
            brief(self.value),
            f"{brief(low)} - {brief(high)}",
            brief(self.by_processor),
            f"{'<=' if self.at_most else '>='} {self.aim:g}",
            "yes" if self.met else "no",
        )

    def as_json(self) -> dict[str, Any]:
        """The figures of the line."""
        return {
            "claim": self.claim,
            "ratio": self.value,
            "quartiles": list(self.quartiles),
            "ratio_by_processor": self.by_processor,
            "aim": self.aim,
            "at_most": self.at_most,
            "met": self.met,
        }


RATIO_HEADINGS = ("", "ratio", "quartiles", "by cpu", "aim", "met")


def brief(ratio: float) -> str:
    """Three digits or so."""
    return f"{ratio:,.{2 if ratio < 10 else 1 if ratio < 100 else 0}f}"


def table(headings: Sequence[str], lines: Sequence[Sequence[str]], width: int = 100) -> str:
    """The lines under their headings; the first column takes what the others leave."""
    rows = [headings, *lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] = max(widths[0], width - sum(widths[1:]) - 2 * (len(widths) - 1))
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    )


def share_of_processor(times: Sequence[Times]) -> float:
    """Processor time per time by the clock; below 1, others used the machine as well."""
    return sum(sum(t.cpu) for t in times) / sum(sum(t.wall) for t in times)
