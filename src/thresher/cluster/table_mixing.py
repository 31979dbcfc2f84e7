"""Learners with several classes and one table of duals, from shards that learned apart.

A dual that some shard changed becomes the mean of all, as `mixing` averages. Classes are in the
order in which one machine would have met them; the duals of a class, and of a feature, that a shard
never met are what they start with, 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.averages import average
from thresher.cluster.class_mixing import every_class
from thresher.learners.base.shared_numbers import SharedTable
from thresher.records import record

if TYPE_CHECKING:
    from thresher.streams.labels import Label

Numbers = NDArray[np.float64]
#: So many duals of all shards are in memory side by side.
TOGETHER = 1 << 18


@record(eq=False)
class TableChange:
    """What a shard did to a table of duals: the lines that differ, and what it counted."""

    classes: tuple[Label, ...]
    #: Features whose line is new or differs in some bit, increasing, and their lines.
    columns: NDArray[np.int64]
    lines: Numbers
    bias: Numbers
    shift: float
    #: Rounds, mistakes and updates.
    counts: tuple[int, int, int]

    @classmethod
    def between(cls, before: SharedTable, after: SharedTable) -> TableChange:
        """From one state to a later one, which has all its features and classes, and more."""
        lines, n = after.duals[1:], len(before.classes)
        differs = np.ones(len(lines), bool)
        was = np.searchsorted(after.columns, before.columns)
        old, new = before.duals[1:].view(np.int64), lines[was].view(np.int64)
        differs[was] = (old != new[:, :n]).any(axis=1) | (new[:, n:] != 0).any(axis=1)
        rounds, mistakes, updates = (
            a - b for a, b in zip(after.counts, before.counts, strict=True)
        )
        return cls(
            after.classes,
            after.columns[differs],
            lines[differs],
            after.duals[0],
            after.shift,
            (rounds, mistakes, updates),
        )

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.counts[1]

    @property
    def n_bytes(self) -> int:
        """About what it takes to send it."""
        return self.columns.nbytes + self.lines.nbytes + self.bias.nbytes


def mixed_tables(before: SharedTable, changes: Sequence[TableChange]) -> SharedTable:
    """What shards come to together, given in their order; one alone is left as it is."""
    classes, base, places = every_class(before.classes, [change.classes for change in changes])
    met = [before.columns, *(change.columns for change in changes)]
    columns = np.unique(np.concatenate(met))
    lines = np.zeros((len(columns) + 1, len(classes)))
    lines[0] = _widened(before.duals[:1], base)[0]
    lines[1 + np.searchsorted(columns, before.columns)] = _widened(before.duals[1:], base)
    each = [_widened(np.vstack([c.bias, c.lines]), p) for c, p in zip(changes, places, strict=True)]
    wheres = [np.append(0, 1 + np.searchsorted(columns, change.columns)) for change in changes]
    if len(changes) == 1:
        lines[wheres[0]] = each[0]
    else:
        touched = np.unique(np.concatenate(wheres))
        step = max(1, TOGETHER // (len(changes) * max(1, len(classes))))
        for first in range(0, len(touched), step):
            block = touched[first : first + step]
            lines[block] = _averaged(lines[block], block, wheres, each)
    counts = zip(before.counts, *(change.counts for change in changes), strict=True)
    rounds, mistakes, updates = map(sum, counts)
    return SharedTable(
        classes=classes,
        columns=columns,
        duals=lines,
        # The largest: no weight is then too large to be a number.
        shift=max(before.shift, *(change.shift for change in changes)),
        counts=(rounds, mistakes, updates),
    )


def _widened(lines: Numbers, places: Sequence[int]) -> Numbers:
    """Lines with a number for each class: 0 where it has no place, which is place 0."""
    found = np.hstack([np.zeros((len(lines), 1)), lines])[:, places[1:]]
    return np.ascontiguousarray(found)


def _averaged(
    old: Numbers,
    block: NDArray[np.int64],
    wheres: Sequence[NDArray[np.int64]],
    each: Sequence[Numbers],
) -> Numbers:
    """Some lines; what nobody changed stays as it is."""
    table = np.tile(old.ravel(), (len(each), 1))
    for line, where, lines in zip(table, wheres, each, strict=True):
        first, last = np.searchsorted(where, [block[0], block[-1] + 1])
        own = line.reshape(old.shape)
        own[np.searchsorted(block, where[first:last])] = lines[first:last]
    changed = (table.view(np.int64) != old.ravel().view(np.int64)).any(axis=0)
    return np.where(changed, average(table), old.ravel()).reshape(old.shape)
