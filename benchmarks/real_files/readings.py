"""How each file is read, by its name."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real_files import content


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read for Vowpal Wabbit, and what thresher must be told if it asks."""

    rows: Callable[[str], Iterator[content.Row]]
    options: tuple[str, ...] = ()
    is_text: bool = False
    is_table: bool = False

    def rows_of(self, path: Path) -> list[content.Row]:
        """All rows of a file."""
        return list(self.rows(content.text_of(path)))


#: By a part of the name; the first that fits.
READINGS = {
    "svmguide3": Reading(content.table("0"), ("--label-field", "0"), is_table=True),
    "phishing.csv": Reading(
        content.table("is_phishing"), ("--label-field", "is_phishing"), is_table=True
    ),
    "SMSSpamCollection": Reading(content.texts, ("--positive", "spam"), is_text=True),
    "rcv1_": Reading(content.vowpal_wabbit),
    ".csv": Reading(content.table("label"), is_table=True),
    ".tsv": Reading(content.texts, ("--format", "text"), is_text=True),
    "": Reading(content.svmlight),
}


def reading_of(path: Path) -> Reading:
    """The first reading whose name fits."""
    return next(reading for part, reading in READINGS.items() if part in path.name)


def sorted_by_class(rows: list[content.Row]) -> bool:
    """Whether the rows of a class stand together, so that an error in this order says nothing."""
    changes = sum(a[0] != b[0] for a, b in itertools.pairwise(rows))
    return changes < len(rows) / 100
