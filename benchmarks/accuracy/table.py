"""What was found, as a table for `docs/accuracy.md`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks import machine

#: The members' column is not a competitor: the best of them is known afterwards only.
BEST = "best member"
#: Next to whom the Committee's error is printed as a ratio, and the heading of that column.
RATIOS = {"VW logistic": "/ VW", BEST: "/ best"}


@dataclass(slots=True)
class Result:
    """The errors of everybody on one set, one number for each order played."""

    name: str
    rows: int
    features: int
    classes: int
    errors: dict[str, list[float]] = field(default_factory=dict)
    members: list[list[float]] = field(default_factory=list)

    def played(self, who: str) -> bool:
        """Whether a competitor has played any order of this set."""
        return bool(self.members if who == BEST else self.errors.get(who))

    def mean(self, who: str) -> float:
        """The mean error of a competitor, or of the member that is best over all orders."""
        if who == BEST:
            return float(np.mean(self.members, axis=0).min())
        return float(np.mean(self.errors[who]))

    def cell(self, who: str) -> str:
        """Mean and spread in percent, and how many orders if fewer than the Committee's."""
        if not self.played(who):
            return "-"
        if who == BEST:
            return f"{100 * self.mean(who):.2f}"
        orders = len(self.errors[who])
        spread = f" ± {100 * np.std(self.errors[who]):.2f}" if orders > 1 else ""
        fewer = f" ({orders})" if orders < len(self.errors.get("Committee", ())) else ""
        return f"{100 * self.mean(who):.2f}{spread}{fewer}"

    def ratio(self, under: str) -> float:
        """The Committee's error over another's, in the orders that both have played."""
        orders = len(self.members if under == BEST else self.errors[under])
        return float(np.mean(self.errors["Committee"][:orders])) / self.mean(under)


def section(results: Sequence[Result], columns: Sequence[str]) -> str:
    """The table, losses included, what it says in words, and what it was measured with."""
    heads = ["set", "rows", "features", "classes", *columns, *RATIOS.values()]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
    for result in results:
        cells = [result.cell(who) for who in columns]
        ratios = [f"{result.ratio(who):.3f}" if result.played(who) else "-" for who in RATIOS]
        sizes = [f"{result.rows:,}", f"{result.features:,}", str(result.classes)]
        lines.append("| " + " | ".join([result.name, *sizes, *cells, *ratios]) + " |")
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    words = [*verdicts(results, columns), f"* measured with {versions}", f"* {machine.processor()}"]
    return "\n".join([*lines, "", *words]) + "\n"


def verdicts(results: Sequence[Result], columns: Sequence[str]) -> list[str]:
    """In words: how often the Committee is at or below each of the others, and by how much."""
    lines = []
    for under in columns:
        met = [result for result in results if under != "Committee" and result.played(under)]
        if not met:
            continue
        ratios = [result.ratio(under) for result in met]
        worst = met[int(np.argmax(ratios))]
        lines.append(
            f"* next to {under}: at or below it on {sum(ratio <= 1.0 for ratio in ratios)} of "
            f"{len(met)} sets; ratio of errors {np.mean(ratios):.3f} on average, "
            f"{max(ratios):.3f} at worst ({worst.name})"
        )
    return lines
