"""Conservative learners: rounds that leave everything as it was, and what follows from that.

A learner that changes only where it was wrong, or not right by enough, is the same before and
after all rounds between two changes. So whether a row would change it can be asked of a frozen
copy, anywhere and in any order, and the rows that did change it rebuild the run.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.kernels.rows.journal import JournalBuffer
from thresher.kernels.rows.journal import restored as restored_journal
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.stateful import Stateful

if TYPE_CHECKING:
    from thresher.streams.batch import Batch

#: So many rows are scored before it is looked whether one of them would change the learner.
AT_ONCE = 4096


class Conservative(Stateful):
    """What linear learners can do if they change by their scores alone."""

    #: Whether rounds that `changed_in` leaves out change nothing but counts.
    _by_scores: ClassVar[bool] = False

    @property
    def conservative(self) -> bool:
        """Whether scores and labels tell which rounds changed it, and all others nothing."""
        # The mean of all weights moves in every round, and literals are no rows of this engine.
        plain = not self._engine.averaging and not getattr(self, "_literals", False)
        return (self._by_scores or self._conservative) and plain

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Rounds, false negatives, false positives, and scores that exact arithmetic settled."""
        return self._engine.counts()

    def changed_in(self, rounds: Rounds) -> NDArray[np.bool_]:
        """Which rounds change the learner or its mistakes, by the scores before each."""
        if not self.conservative:
            raise StateError(f"{type(self).__name__} may change in any round.")
        near = self._near(rounds.label * (rounds.scores - rounds.threshold), rounds.label)
        return rounds.mistaken if near is None else rounds.mistaken | near

    def _near(
        self, inside: NDArray[np.float64], label: NDArray[np.int8]
    ) -> NDArray[np.bool_] | None:
        """Which rounds change it although the prediction was right; None: no such round does.

        Parameters
        ----------
        inside
            By how much each score is on the side of its label.
        label
            The labels.
        """
        return None

    def first_change(self, batch: Batch, start: int = 0) -> int | None:
        """The first row from `start` on that would change the learner; None: none would.

        Nothing changes here. The scores of the rows before it are those with which `learn` would
        play them.

        >>> import thresher as th
        >>> batch = th.Batch.of([[1], [1], [1]], [+1, -1, +1])
        >>> learner = th.Perceptron(n_features=1)
        >>> learner.first_change(batch), learner.first_change(batch, 2), learner.n_rounds
        (1, None, 0)
        """
        for first in range(start, len(batch), AT_ONCE):
            part = batch[first : first + AT_ONCE]
            changed = self.changed_in(Rounds(self.scores(part), part.label, self.threshold))
            if changed.any():
                return first + int(np.argmax(changed))
        return None

    def learn_changes(
        self, batch: Batch, rounds: NDArray[np.int64], counts: tuple[int, int, int, int]
    ) -> None:
        """Learn from the rows that changed a copy of this learner, in rounds of these numbers.

        Then everything is as if all rounds had been played here, those between included.

        Parameters
        ----------
        batch, rounds
            The rows and their rounds, counted from the first of the learner's life.
        counts
            What there is to count at the end: rounds, false negatives, false positives, and
            scores that exact arithmetic settled.
        """
        engine: Any = self._engine
        before = engine.counts()
        engine.begin_learning()
        try:
            batch = self._admit(batch, None, None)
            rows = (batch.row_start, batch.column, batch.value, batch.label, batch.only_ones)
            scores = np.empty(len(batch))
            engine.learn(*rows, scores, batch.importance, rounds)
        finally:
            engine.end_learning()
        self._warn_if_truncated()
        played = Rounds(scores, batch.label, engine.threshold)
        if engine.counts()[1:3] != counts[1:3] or not self.changed_in(played).all():
            raise StateError(
                f"{type(self).__name__}: rows that changed a copy do something else here; it had "
                f"{before} rounds and mistakes, {engine.counts()} now, and {counts} were expected."
            )
        engine.set_history(counts, engine.journal)

    def without_journal(self) -> Self:
        """A copy that has the same numbers, and neither has nor keeps a journal."""
        saved = self.__getstate__()
        state = list(saved["state"])
        kept = (state[3].weighted, None)
        state[3] = restored_journal(0, JournalBuffer(0).parts(), 0, True, kept)
        twin = type(self).__new__(type(self))
        twin.__setstate__({**saved, "state": tuple(state)})
        return twin

    @abstractmethod
    def _admit(self, X: Any, y: Any, importance: Any) -> Batch:
        """The batch, checked, with room made for it."""

    @abstractmethod
    def _warn_if_truncated(self) -> None:
        """Say once that the journal is full."""
