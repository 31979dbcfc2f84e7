"""Committees that learn side by side: each row is looked at once for all classes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.kernels.engines.committees import Committees
from thresher.learners.base.reserve import Reserve
from thresher.learners.base.row_limits import check_fit
from thresher.learners.two_class.committee import Committee
from thresher.streams.crew import at_once, shares

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from thresher.learners.base.learner import Learner
    from thresher.streams.rows import Rows

#: So many rounds of a committee take longer than a thread to begin.
WORTH_SHARING = 2048
#: What is remembered of so many features is copied in the time of a round of a committee.
COPIED_IN_A_ROUND = 128


class SideBySide:
    """The Committees of all classes and of the background in one compiled loop.

    What a Committee sees of a row depends on the rows before and not on their labels, so that
    what one sees all see. The result is that of one Committee after another, to the bit.
    """

    def __init__(self, background: Committee, members: Sequence[Committee]) -> None:
        self._first = background._engine
        self._everyone = [background, *members]
        self._engines = Committees([one._engine for one in self._everyone])

    @staticmethod
    def of(background: Learner | None, members: Sequence[Learner]) -> SideBySide | None:
        """These learners side by side; None where they are no Committees that saw the same."""
        everyone = [background, *members]
        committees = [learner for learner in everyone if isinstance(learner, Committee)]
        if len(committees) < len(everyone):
            return None
        first, *others = committees
        if not all(first._engine.saw_the_same(other._engine) for other in others):
            return None
        return SideBySide(first, others)

    def add(self, members: Sequence[Learner]) -> None:
        """Committees of new classes, which become copies of the background."""
        new = [one for one in members if isinstance(one, Committee)]
        self._engines.add([one._engine for one in new])
        self._everyone += new

    def forget(self, n_classes: int) -> None:
        """Keep the Committees of the first classes, and the background."""
        del self._everyone[1 + n_classes :]
        self._engines.forget(1 + n_classes)

    # ---- state --------------------------------------------------------------------------

    def state(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What each keeps for itself, the background first; what they keep of the features.

        Arrays of the features are those that are learned in, not copies.
        """
        own = (
            (one._engine.other_state(), one._engine.counts(), one._engine.journal)
            for one in self._everyone
        )
        return tuple(own), self._first.features(len(self._everyone))

    @staticmethod
    def restored(
        everyone: Sequence[Learner], own: Sequence[Any], features: Sequence[Any]
    ) -> SideBySide:
        """Committees that are new, with what `state` gave."""
        committees = [one for one in everyone if isinstance(one, Committee)]
        if len(committees) < len(everyone) or len(everyone) != len(own):
            raise StateError(f"{len(own)} states are not those of {len(everyone)} Committees.")
        found = SideBySide(committees[0], committees[1:])
        found._engines.set_features(tuple(features))
        for one, (other, counts, journal) in zip(committees, own, strict=True):
            one._take_history(tuple(other), counts, journal)
        return found

    def learn(
        self,
        rows: Rows,
        label: NDArray[np.int32],
        own: Sequence[float],
        weight: NDArray[np.float64] | None,
        known: NDArray[np.int64],
        threads: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """All learn the rows; the best score in each round, and whose it was (-1: nobody's).

        `own` and `weight` as for `ClassLearners.learn`. A class counts from the round that
        `known` says on. A batch that is refused changes nothing. Threads share the committees;
        what these learn does not depend on how many threads there are.
        """
        check_fit(Committee.__name__, self._first, rows)
        some = [weight is not None, *_some_weigh_else(label, own, weight)]
        self._engines.make_ready(rows.n_features, rows.only_ones or not len(rows.column), some)
        n_shares = self._shares(rows, threads, copied=self._first.memory.n)
        slot, groups = self._engines.begin(rows.row_start, rows.column, n_shares, weight)
        given = (rows.row_start, slot, rows.value, label, np.array([*own, 1.0]), known, weight)
        tasks = [partial(share.learn, *given) for share in groups]
        Reserve(len(rows), 1).release()
        at_once(tasks, n_shares)
        self._engines.finish(groups)
        return groups[0].outcome()

    def _shares(self, rows: Rows, threads: int, *, copied: int) -> int:
        """Among how many threads it is worth to share the work."""
        rounds = len(rows) * len(self._everyone)
        enough = rounds >= WORTH_SHARING + copied // COPIED_IN_A_ROUND
        return min(threads, len(self._everyone)) if enough else 1

    def scores(self, rows: Rows, n_classes: int, threads: int) -> NDArray[np.float64]:
        """The score of each row for each class; nothing changes, so that threads share the rows."""
        if self._first.names.growing:
            rows = rows.clipped(self._first.n_features)
        check_fit(Committee.__name__, self._first, rows)
        scores = np.empty((len(rows), n_classes))
        parts = shares(len(rows), self._shares(rows, threads, copied=0))
        at_once([partial(self._score_part, rows, scores, part) for part in parts], len(parts))
        return scores

    def _score_part(self, rows: Rows, scores: NDArray[np.float64], part: slice) -> None:
        self._engines.scores(*rows.arrays_of(part), rows.only_ones, scores[part])


def _some_weigh_else(
    label: NDArray[np.int32], own: Sequence[float], weight: NDArray[np.float64] | None
) -> Iterator[bool]:
    """For each class whether some of its rows, or of the others, do not weigh 1 for it."""
    for r, factor in enumerate(own):
        if factor == 1.0:
            yield weight is not None
        else:
            of_class = np.where(label == r, factor, 1.0)
            yield bool(np.any(of_class * (1.0 if weight is None else weight) != 1.0))
