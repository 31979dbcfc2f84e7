"""One learner for each class, from shards that learned apart.

Classes are in the order in which one machine would have met them: those of before, then those that
the first shard met, then those new to the second. The learner of a class that a shard did not know
would have been its background, which sees every row as -1; and so it was before the epoch in which
the class appeared. With that every class is combined as its learner alone would be: as if all
classes had been known from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thresher.cluster.committee_mixing import CommitteesChange, mixed_committees
from thresher.learners.base.shared_numbers import SharedClasses, SharedCommittees
from thresher.records import record

if TYPE_CHECKING:
    from thresher.streams.labels import Label


@record(eq=False)
class ClassesChange:
    """What a shard did to one learner for each class."""

    #: All classes that it knows now.
    classes: tuple[Label, ...]
    #: Of the background, then of each class; of a new one, what makes it of the background.
    each: tuple[Any, ...] | CommitteesChange
    #: Rounds and mistakes.
    counts: tuple[int, int]

    @classmethod
    def between(
        cls, before: SharedClasses, after: SharedClasses, one: Callable[[Any, Any], Any]
    ) -> ClassesChange:
        """From one state to a later one; `one` does so for the learner of a class."""
        rounds, mistakes = (a - b for a, b in zip(after.counts, before.counts, strict=True))
        was, now = before.each, after.each
        if isinstance(was, SharedCommittees) and isinstance(now, SharedCommittees):
            each: Any = CommitteesChange.between(was, now)
        else:
            assert isinstance(was, tuple)
            assert isinstance(now, tuple)
            each = tuple(one(was[r] if r < len(was) else was[0], own) for r, own in enumerate(now))
        return cls(after.classes, each, (rounds, mistakes))

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.counts[1]

    @property
    def n_bytes(self) -> int:
        """About what it takes to send it."""
        each = self.each if isinstance(self.each, tuple) else (self.each,)
        return sum(own.n_bytes for own in each)


def every_class(
    before: Sequence[Label], shards: Sequence[Sequence[Label]]
) -> tuple[tuple[Label, ...], list[int], list[list[int]]]:
    """All classes in order; for the background and each of them, its place before and in shards.

    The background is in place 0, and in the place of a class that is not there.

    >>> every_class(["a"], [["a", "c"], ["a", "b", "c"]])
    (('a', 'c', 'b'), [0, 1, 0, 0], [[0, 1, 2, 0], [0, 1, 3, 2]])
    """
    classes = tuple(dict.fromkeys([*before, *(name for own in shards for name in own)]))
    found = []
    for own in (before, *shards):
        number = {name: place for place, name in enumerate(own, 1)}
        found.append([0, *(number.get(name, 0) for name in classes)])
    return classes, found[0], found[1:]


def mixed_classes(
    before: SharedClasses,
    changes: Sequence[ClassesChange],
    one: Callable[[Any, Sequence[Any]], Any],
) -> SharedClasses:
    """What shards come to together; `one` combines the learner of a class."""
    classes, base, places = every_class(before.classes, [change.classes for change in changes])
    parts = [change.each for change in changes]
    each: Any
    if isinstance(before.each, SharedCommittees):
        together = [part for part in parts if isinstance(part, CommitteesChange)]
        each = mixed_committees(before.each, together, base, places)
    else:
        whose = list(zip(base, *places, strict=True))
        listed = [part for part in parts if isinstance(part, tuple)]
        each = tuple(
            one(before.each[b], [part[p] for part, p in zip(listed, at, strict=True)])
            for b, *at in whose
        )
    rounds, mistakes = map(sum, zip(before.counts, *(c.counts for c in changes), strict=True))
    return SharedClasses(classes=classes, each=each, counts=(rounds, mistakes), rule=before.rule)
