"""What is saved of a Committee, and what shards of one combine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from thresher.kernels.engines.committee import CommitteeEngine
from thresher.kernels.rows.journal import JournalBuffer
from thresher.kernels.rows.journal import restored as restored_journal
from thresher.learners.base.journal import check_history
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.shared_numbers import MixingRule, SharedCommittees
from thresher.learners.base.stateful import own_copy, take_vocabulary
from thresher.learners.two_class.committee_in_earlier_files import by_slots
from thresher.learners.two_class.committee_members import Member


class CommitteeState(LinearLearner):
    """The state of a Committee, as files and shards have it."""

    _engine: CommitteeEngine
    _chosen: tuple[Member, ...]
    _mixing: ClassVar[MixingRule | None] = "committee"

    def _state(self) -> tuple[Any, ...]:
        with self._between_batches():
            found: tuple[Any, ...] = own_copy(self._lent_parts())
            return found

    @contextmanager
    def lent_state(self) -> Iterator[dict[str, Any]]:
        """What `__getstate__` gives, but nothing is copied; until the block ends nobody learns."""
        with self._between_batches():
            saved = {"parameters": self.parameters, "state": self._lent_parts()}
            yield saved | {"warm_start": self.warm_start}

    def _lent_parts(self) -> tuple[Any, ...]:
        engine = self._engine
        counts = engine.counts()
        return (engine.features(), engine.other_state(), counts, engine.journal, engine.names)

    def __setstate__(self, saved: dict[str, Any]) -> None:
        super().__setstate__(saved if isinstance(saved["state"][0], tuple) else by_slots(saved))

    def _restore(self, state: tuple[Any, ...]) -> None:
        features, other, counts, journal, names = state
        take_vocabulary(self._engine.names, names)
        self._engine.set_features(features)
        self._take_history(other, counts, journal)

    def _take_history(self, other: tuple[Any, ...], counts: Any, journal: Any) -> None:
        """Take over what is no table of features; it is checked."""
        engine = self._engine
        engine.set_other_state(other)
        check_history(counts, journal, engine.n_features)
        engine.set_history(counts, journal)

    # ---- shards that learned apart ---------------------------------------------------------

    def shared_numbers(self) -> SharedCommittees:
        """What shards that learned apart would combine."""
        self._require_mixable()
        features, other, counts, journal, _ = self._state()
        return SharedCommittees(
            members=self._chosen, features=features, own=((other, counts, journal.weighted),)
        )

    def with_shared(self, shared: SharedCommittees) -> Self:
        """A Committee with these parameters and names that stands for shards that were combined."""
        made = self.started_anew()
        made._engine.set_features(shared.features)
        ((other, counts, weighted),) = shared.own
        made._take_history(other, counts, journal_of(counts, weighted=weighted))
        made.warm_start = True
        return made


def journal_of(counts: tuple[int, int, int, int], *, weighted: bool) -> JournalBuffer:
    """The journal of a Committee after so many rounds: it has none of them."""
    return restored_journal(0, JournalBuffer(0).parts(), counts[0], False, (weighted, None))
