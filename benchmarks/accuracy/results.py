"""Every single error, kept in a file of one JSON line each, so that a long run goes on later.

Lines are only ever added at the end, one write each: several processes may measure at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

import numpy as np

#: The members are no competitors: the best of them is known afterwards only.
MEMBER = "member "
BEST_MEMBER = "best member"


@dataclass(slots=True)
class Result:
    """The errors on one set, by name and then by order."""

    name: str
    rows: int
    features: int
    classes: int
    errors: dict[str, dict[int, float]] = field(default_factory=dict)

    def in_orders_of(self, who: str) -> Result:
        """Everybody's errors in those orders alone that one of them has played."""
        orders = self.errors[who].keys()
        errors = {
            name: {order: error for order, error in own.items() if order in orders}
            for name, own in self.errors.items()
            if own.keys() & orders
        }
        return replace(self, errors=errors)

    def mean(self, who: str) -> float:
        """The mean error of a competitor."""
        return float(np.mean([*self.errors[who].values()]))

    def ratio(self, ours: str, theirs: str) -> float:
        """One error over the other, in the orders that both have played."""
        both = self.errors[ours].keys() & self.errors[theirs].keys()
        own, other = (sum(self.errors[who][order] for order in both) for who in (ours, theirs))
        # Half a mistake in all for each keeps a set without mistakes a number.
        half = 0.5 / self.rows
        return (own + half) / (other + half) if own == 0 or other == 0 else own / other

    def best(self, among: Sequence[str]) -> str:
        """The one with the smallest error among those who have played, or nobody's name."""
        return min((who for who in among if self.errors.get(who)), key=self.mean, default="")

    def members(self) -> list[str]:
        """Names under which the members' errors are kept."""
        return [who for who in self.errors if who.startswith(MEMBER)]


class Line(TypedDict):
    """One error, as a line of the file says it."""

    set: str
    who: str
    order: int
    error: float
    rows: int
    features: int
    classes: int


class Record:
    """The file of all errors, or only memory if there is none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        for line in lines:
            self.take(json.loads(line))

    def take(self, line: Line) -> None:
        """One error more."""
        fresh = Result(line["set"], line["rows"], line["features"], line["classes"])
        result = self.results.setdefault(fresh.name, fresh)
        result.errors.setdefault(line["who"], {})[line["order"]] = line["error"]

    def add(self, result: Result, who: str, order: int, error: float) -> None:
        """Keep one error, here and in the file."""
        line: Line = {
            "set": result.name,
            "who": who,
            "order": order,
            "error": error,
            "rows": result.rows,
            "features": result.features,
            "classes": result.classes,
        }
        self.take(line)
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def forget(self, is_out_of_date: Callable[[str], bool]) -> None:
        """Drop everything of those whose names answer yes, here and in the file."""
        for result in self.results.values():
            result.errors = {w: e for w, e in result.errors.items() if not is_out_of_date(w)}
        if self.path and self.path.exists():
            lines = self.path.read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if not is_out_of_date(json.loads(line)["who"])]
            self.path.write_text("".join(kept), "utf-8")
