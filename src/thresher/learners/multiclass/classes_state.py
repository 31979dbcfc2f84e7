"""What is saved of one learner for each class, and what shards of them combine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from thresher.errors import StateError
from thresher.learners.base.composite import Composite
from thresher.learners.base.shared_numbers import SharedClasses, SharedCommittees, cannot_mix
from thresher.learners.base.stateful import own_copy, take_vocabulary
from thresher.learners.two_class.committee_state import journal_of

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.base.class_table import ClassTable
    from thresher.learners.multiclass.class_learners import ClassLearners


class ClassesState(Composite):
    """The state of one learner for each class, as files and shards have it."""

    _each: ClassLearners
    _labels: ClassTable
    _variables: NameTable
    _n_rounds: int
    _mistakes: int

    def _state(self) -> tuple[Any, ...]:
        with self._reading():
            found: tuple[Any, ...] = own_copy(self._lent_parts())
            return found

    @contextmanager
    def lent_state(self) -> Iterator[dict[str, Any]]:
        """What `__getstate__` gives, but nothing is copied; until the block ends nobody learns."""
        with self._reading():
            saved = {"parameters": self.parameters, "state": self._lent_parts()}
            yield saved | {"warm_start": self.warm_start}

    def _lent_parts(self) -> tuple[Any, ...]:
        members, rest = self._each.state()
        counts = (self._n_rounds, self._mistakes)
        return (members, tuple(self._labels.labels), counts, self._variables, *rest)

    def _restore(self, state: tuple[Any, ...]) -> None:
        members, classes, counts, names, *rest = state
        self._labels.restore(classes)
        # Side by side they share one table, and the background is among them.
        shared = bool(rest) and isinstance(rest[0], tuple)
        if len(members) != len(classes) + shared:
            raise StateError(f"there are {len(classes)} classes and {len(members)} learners.")
        for member in () if shared else (*members, *rest):
            self._check_member(member)
        whole = all(type(count) is int and 0 <= count < 2**62 for count in counts)
        if not whole or len(counts) != 2 or counts[1] > counts[0]:
            raise StateError(f"rounds and mistakes of a run cannot be counted as {counts}.")
        take_vocabulary(self._variables, names)
        self._each.restore(members, rest)
        self._n_rounds, self._mistakes = counts

    # ---- shards that learned apart ---------------------------------------------------------

    def shared_numbers(self) -> SharedClasses:
        """What shards that learned apart would combine: what the learner of each class would."""
        of_each = self._learner.shared_numbers()
        members, classes, counts, names, *rest = self._state()
        if not rest:
            raise cannot_mix(self, "it comes from release 0.2.0, and classes start from nothing")
        if not names.hashed:
            raise cannot_mix(self, "its names are not hashed")
        each: Any
        if isinstance(rest[0], tuple):
            own = tuple((other, played, journal.weighted) for other, played, journal in members)
            assert isinstance(of_each, SharedCommittees)
            each = replace(of_each, features=rest[0], own=own)
        else:
            for one in (*rest, *members):
                # These are copies, and no copy knows whether it waits.
                one.wait_for_class()
            each = tuple(one.shared_numbers() for one in (*rest, *members))
        return SharedClasses(classes=classes, each=each, counts=counts, rule=of_each.rule)

    def with_shared(self, shared: SharedClasses) -> Self:
        """One learner for each class that stands for shards that were combined."""
        made = self.started_anew()
        names, each = self._variables, shared.each
        if isinstance(each, SharedCommittees):
            own = [(other, n, journal_of(n, weighted=weighted)) for other, n, weighted in each.own]
            made._restore((own, shared.classes, shared.counts, names, each.features))
        else:
            background, *members = (self._learner.with_shared(one) for one in each)
            made._restore((members, shared.classes, shared.counts, names, background))
        made.warm_start = True
        return made
