"""What was found, as the page `docs/accuracy.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks import machine

#: The members' column is not a competitor: the best of them is known afterwards only.
BEST = "best member"

INTRODUCTION = """\
# Accuracy

Progressive error in percent: every row is predicted before its label is used, in one pass, rows
in random order. Mean and standard deviation over seeded orders, the same for all ({played})."""

EXPLANATION = """\
One default `Committee` for all sets, and nothing set for the others either: Vowpal Wabbit with its
loss (and `--oaa` where there are more than two classes), scikit-learn with one `partial_fit` a
row, River's logistic regression after `MaxAbsScaler`. Sets of several classes are learned one
against the rest. The best member is the one of the Committee's eight with the fewest mistakes over
all orders, known in hindsight only. Words are counted (lower case; pairs of words too in sms_spam
and qc); training and test parts are joined. A dash: not played, it would take hours.

`python -m benchmarks.accuracy --data FOLDER` makes this page from the original files."""


@dataclass(slots=True)
class Result:
    """The errors of everybody on one set, one number for each order played."""

    name: str
    rows: int
    features: int
    classes: int
    errors: dict[str, list[float]] = field(default_factory=dict)
    members: list[list[float]] = field(default_factory=list)

    def mean(self, who: str) -> float:
        """The mean error of a competitor, or of the member that is best over all orders."""
        if who == BEST:
            return float(np.mean(self.members, axis=0).min())
        return float(np.mean(self.errors[who]))

    def cell(self, who: str) -> str:
        """Mean and spread in percent; a dash for who did not play."""
        if who == BEST:
            return f"{100 * self.mean(who):.2f}"
        if who not in self.errors:
            return "-"
        spread = f" ± {100 * np.std(self.errors[who]):.2f}" if len(self.errors[who]) > 1 else ""
        return f"{100 * self.mean(who):.2f}{spread}"

    def ratio(self, under: str) -> float:
        """The Committee's error over another's."""
        return self.mean("Committee") / self.mean(under)


def page(results: Sequence[Result], columns: Sequence[str], orders: Mapping[str, int]) -> str:
    """The whole page, losses included."""
    heads = ["set", "rows", "features", *columns]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
    for result in results:
        cells = [result.cell(who) for who in columns]
        sizes = [f"{result.rows:,}", f"{result.features:,}"]
        lines.append("| " + " | ".join([result.name, *sizes, *cells]) + " |")
    played = ", ".join(f"{who}: {n}" for who, n in orders.items())
    machine_lines = [f"* {name} {version}" for name, version in machine.versions().items()]
    parts = [
        INTRODUCTION.format(played=played),
        "\n".join(lines),
        "\n".join(verdicts(results)),
        EXPLANATION,
        "\n".join([*machine_lines, f"* {machine.processor()}"]),
    ]
    return "\n\n".join(parts) + "\n"


def verdicts(results: Sequence[Result]) -> list[str]:
    """In words: how often the Committee is at or below the others, and by how much."""
    lines = []
    for under in ("VW logistic", "VW hinge", BEST):
        ratios = [r.ratio(under) for r in results if under == BEST or under in r.errors]
        if ratios:
            wins = sum(ratio <= 1.0 for ratio in ratios)
            worst = max(results, key=lambda r, under=under: r.ratio(under))  # type: ignore[misc]
            lines.append(
                f"* next to {under}: at or below it on {wins} of {len(ratios)} sets; ratio of "
                f"errors {np.mean(ratios):.3f} on average, {worst.ratio(under):.3f} at worst "
                f"({worst.name})"
            )
    return lines
