"""The learners on a stream of mushrooms: `python -m thresher.demo`, or `make demo`."""

from __future__ import annotations

import argparse
import json
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from thresher.certifier import certify
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.rounds import Rounds
from thresher.learners.two_class.committee import Committee
from thresher.learners.two_class.elimination import Elimination
from thresher.learners.two_class.perceptron import Perceptron
from thresher.learners.two_class.signed_winnow import SignedWinnow
from thresher.learners.two_class.winnow import Winnow
from thresher.models.account import Account
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import InputData
from thresher.models.run_record import RunRecord
from thresher.models.training import TrainingRun
from thresher.models.training_request import TrainingRequest
from thresher.reports.report import Report
from thresher.streams import Batch, load_mushrooms

Contestant = Callable[[Batch], Rounds]
HEADINGS = ("learner", "mistakes", "allowed", "missed", "alarms", "last half", "rounds/s")


@dataclass(frozen=True, slots=True)
class Line:
    """What one contestant did on the stream."""

    name: str
    rounds: Rounds
    seconds: float
    allowed: int | None = None

    def cells(self) -> tuple[str, ...]:
        """The line of the table, one text for each of `HEADINGS`."""
        rounds = self.rounds
        later = rounds.mistaken[len(rounds) // 2 :]
        return (
            self.name,
            f"{rounds.mistakes:,}",
            "" if self.allowed is None else f"{self.allowed:,}",
            f"{rounds.false_negatives:,}",
            f"{rounds.false_positives:,}",
            f"{np.count_nonzero(later) / len(later):.2%}",
            f"{len(rounds) / self.seconds:,.0f}",
        )


def commoner_answer(stream: Batch) -> Rounds:
    """What to beat: always the label that was more frequent so far.

    >>> commoner_answer(load_mushrooms()[0]).mistakes
    2158
    """
    so_far = np.cumsum(stream.label, dtype=np.float64) - stream.label
    return Rounds(so_far, stream.label, 0.0)


def learners(n_features: int) -> dict[str, LinearLearner]:
    """Who takes part, each fresh, under the name the table gives it."""
    # Five features, each with weight 1, and -1/2 on the one that every mushroom has: the
    # disjunction of load_mushrooms as a vector of length 11/2 that keeps a distance of 1/2.
    margin = Fraction(1, 11)
    return {
        "Elimination": Elimination(n_features),
        "Winnow": Winnow(n_features),
        "SignedWinnow": SignedWinnow(n_features, margin=margin),
        "Perceptron": Perceptron(n_features),
        "Committee": Committee(n_features),
    }


def contestants(takes_part: Mapping[str, LinearLearner]) -> dict[str, Contestant]:
    """How each of them learns, and what they have to beat."""
    runners: dict[str, Contestant] = {name: one.learn for name, one in takes_part.items()}
    return {**runners, "commoner answer": commoner_answer}


def race(stream: Batch, runners: Mapping[str, Contestant]) -> list[Line]:
    """Let each runner see the whole stream, in order, and time it."""
    lines = []
    for name, learn in runners.items():
        start = time.perf_counter()
        rounds = learn(stream)
        lines.append(Line(name, rounds, time.perf_counter() - start))
    return lines


def table(lines: Sequence[Line]) -> str:
    """The lines under their headings, names to the left and numbers to the right."""
    rows = [HEADINGS, *(line.cells() for line in lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def finding(lines: Sequence[Line]) -> str:
    """One sentence on who made the fewest mistakes, and when they ended."""
    best = min(lines, key=lambda line: line.rounds.mistakes)
    wrong = np.flatnonzero(best.rounds.mistaken)
    last = f", for the last time in round {wrong[-1] + 1:,}" if len(wrong) else ""
    sentence = f"{best.name} was wrong {len(wrong):,} times in {len(best.rounds):,} rounds{last}."
    return textwrap.fill(sentence, width=80)


def write_report(path: Path, order: int) -> int:
    """The report of a Winnow that learned the mushrooms from a file beside it; its bytes."""
    stream, names = load_mushrooms(order)
    data = path.with_name("mushrooms.jsonl")
    lines = [
        {"label": "poisonous" if label > 0 else "edible"} | {names[column]: 1 for column in row}
        for row, label in stream.examples()
    ]
    data.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    run = TrainingRun(
        TrainingRequest(
            data=InputData.described(
                data, positive="poisonous", vocabulary=True, n_features=len(names)
            ),
            learner=LearnerChoice.parse("winnow"),
            record=RunRecord(),
        )
    )
    for _ in run:
        pass
    page = Report.of(run.model, Account.of_training(run)).html()
    path.write_text(page, "utf-8")
    return len(page.encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the race and print the table."""
    parser = argparse.ArgumentParser(prog="python -m thresher.demo", description=__doc__)
    parser.add_argument(
        "--order", type=int, default=1, metavar="SEED", help="the seed of the shuffle (1)"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write a page about Winnow's run to FILE"
    )
    asked = parser.parse_args(arguments)
    order = asked.order
    # Shuffled, because the table is grouped by species and would show its drift, not the learners.
    stream, names = load_mushrooms(order)
    print(f"{len(stream):,} mushrooms in an order shuffled with seed {order}, described by")
    print(f"{len(names)} yes/no features such as odor=foul. Each is judged poisonous or edible")
    print("before the answer is told, and learned from if the judgement was wrong (the")
    print("Committee, which you get where no learner is named, learns from all of them).")
    print("Here poisonous happens to be an 'or' of five features; no learner is told.")
    print()
    takes_part = learners(len(names))
    lines = race(stream, contestants(takes_part))
    lines = [
        replace(line, allowed=certify(takes_part[line.name], stream).allowed)
        if line.name in takes_part
        else line
        for line in lines
    ]
    print(table(lines))
    print()
    print("Allowed is what a theorem allows for the best comparator found after the run.")
    print(finding(lines))
    if asked.report is not None:
        size = write_report(asked.report, order)
        print(f"\nWinnow's run as a page ({size:,} bytes), to be opened in a browser:")
        print(asked.report)


if __name__ == "__main__":
    main()
