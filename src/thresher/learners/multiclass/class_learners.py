"""The learner of each class, and the background that new classes start from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import HeavyRowError
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.reserve import Reserve
from thresher.learners.base.rounds import Rounds
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.side_by_side import SideBySide
from thresher.streams.batch import Batch
from thresher.streams.crew import at_once, threads_for
from thresher.streams.importance import LARGEST, as_importance
from thresher.streams.rows import Rows

#: Best margin and class in each round, and which rounds changed anything, if that is known.
Played = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_] | None]


class ClassLearners:
    """Copies of one learner: for each class one, and one that sees every row as -1.

    All see every row, so that they can learn side by side where they are Committees. What
    release 0.2.0 saved has no background: there a class has a learner from the round in which
    it appears, which has seen nothing before.
    """

    def __init__(
        self,
        prototype: LinearLearner | Calibrated,
        n_classes: int,
        class_weight: Mapping[Any, float] | None,
    ) -> None:
        self._prototype = prototype
        # Rows that weigh nothing in the learner of their class are seen by the others alone.
        self._all_weigh = min((class_weight or {}).values(), default=1.0) > 0.0
        self.members: list[LinearLearner | Calibrated] = [
            prototype.started_anew() for _ in range(n_classes)
        ]
        self._background: LinearLearner | Calibrated | None = prototype.started_anew()
        self._wait([self._background, *self.members])
        self._together = self._side_by_side()

    def _wait(self, learners: Iterable[LinearLearner | Calibrated]) -> None:
        """Let them wait for their classes; in what release 0.2.0 saved nobody does."""
        if self._background is not None:
            for learner in learners:
                learner.wait_for_class()

    def _side_by_side(self) -> SideBySide | None:
        return SideBySide.of(self._background, self.members) if self._all_weigh else None

    def _start(self, n_classes: int) -> int:
        """A learner for each class that is new; how many classes had one already."""
        old, rest = len(self.members), self._background
        begun = self._together is None and rest is not None and rest.n_rounds > 0
        new = [
            rest.copy() if rest is not None and begun else self._prototype.started_anew()
            for _ in range(old, n_classes)
        ]
        self.members += new
        self._wait(new)
        if self._together is not None and new:
            self._together.add(new)
        return old

    def forget(self, n_classes: int) -> None:
        """Keep the learners of the first classes; the others have learned nothing."""
        del self.members[n_classes:]
        if self._together is not None:
            self._together.forget(n_classes)

    # ---- learning -----------------------------------------------------------------------

    def learn(
        self,
        rows: Rows,
        label: NDArray[np.int32],
        own: Sequence[float],
        weight: Any,
        threads: int,
    ) -> Played:
        """Every class learns the batch, and the background first.

        `own` is what the rows of each class count in its own learner, `weight` what each row
        counts. Threads share the classes. Learners are alike, so that what one of them refuses the
        first one does, which
        sees all rows, and nothing has changed then.
        """
        weight = self._checked(as_importance(weight, len(rows)), own, label)
        old = self._start(len(own))
        # A class that is new in round t can be predicted from the next round on.
        known = np.zeros(len(own), np.int64)
        known[old:] = [1 + int(np.argmax(label == r)) for r in range(old, len(own))]
        if self._together is not None:
            best, predicted = self._together.learn(rows, label, own, weight, known, threads)
            changed = None
        else:
            best, predicted, changed = self._one_after_another(
                rows, label, own, weight, known, threads_for(rows, threads)
            )
        best[predicted < 0] = 0.0
        return best, predicted, changed

    def _checked(
        self,
        weight: NDArray[np.float64] | None,
        own: Sequence[float],
        label: NDArray[np.int32],
    ) -> NDArray[np.float64] | None:
        """What the rows count, once it is clear that no class will refuse that."""
        of_class = np.array(own, np.float64)[label]
        product = of_class if weight is None else weight * of_class
        for row in np.flatnonzero(product > LARGEST)[:1]:
            raise HeavyRowError(int(row), float(product[row]))
        for given in (weight, as_importance(product, len(label))):
            if given is not None:
                for row in (np.argmax(given != 1.0), np.argmax(given)):
                    self._prototype.check_importance(int(row), float(given[row]))
        return weight

    def _one_after_another(
        self,
        rows: Rows,
        label: NDArray[np.int32],
        own: Sequence[float],
        weight: NDArray[np.float64] | None,
        known: NDArray[np.int64],
        threads: int,
    ) -> Played:
        best = np.full(len(rows), -np.inf)
        predicted = np.full(len(rows), -1, np.int32)
        # Where learners change on their own mistakes alone, these rounds changed something.
        changed = np.zeros(len(rows), bool)
        # Where memory ends, it ends before the first of them has learned anything.
        weighted = weight is not None or any(counts != 1.0 for counts in own)
        for learner in (*self.members, self._background):
            if learner is not None:
                learner.make_space(rows, weighted=weighted)
        # The scores of four classes for each thread wait to be compared.
        reserve = Reserve(len(rows), 1 + threads)
        if self._background is not None:
            of_none = Batch.from_rows(rows, np.full(len(rows), -1, np.int8))
            rounds = self._background.learn(of_none, importance=weight)
            changed |= reserve.despite(lambda: rounds.mistaken)
        appears = np.maximum(known - 1, 0).tolist()
        first = appears if self._background is None else [0] * len(own)
        # A few at a time, so that the scores of all classes are never in memory together.
        for begin in range(0, len(own), 4 * threads):
            some = range(begin, min(begin + 4 * threads, len(own)))
            tasks = [
                partial(self._of_class, r, first[r], rows, label, own[r], weight) for r in some
            ]
            found = at_once([partial(_unless_memory_ends, task) for task in tasks], threads)
            for r, task, learned in zip(some, tasks, found, strict=True):
                rounds = reserve.despite(task) if learned is None else learned
                compare = partial(self._compared, r, rounds, best[known[r] :])
                mistaken, margin, ahead = reserve.despite(compare)
                changed[first[r] :] |= mistaken
                changed[appears[r] : known[r]] = True
                np.copyto(best[known[r] :], margin, where=ahead)
                np.copyto(predicted[known[r] :], r, where=ahead)
        return best, predicted, changed if self._prototype.changes_only_on_mistakes else None

    def _compared(
        self, r: int, rounds: Rounds, best: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
        """When a class was wrong; its margins in the last rounds, and where they are the best."""
        margin = rounds.scores[len(rounds) - len(best) :] - self.members[r].threshold
        return rounds.mistaken, margin, margin > best

    def _of_class(
        self,
        r: int,
        first: int,
        rows: Rows,
        label: NDArray[np.int32],
        own: float,
        weight: NDArray[np.float64] | None,
    ) -> Rounds:
        """The learner of a class on the rows from the first one on that it sees."""
        sign = np.where(label[first:] == r, 1, -1).astype(np.int8)
        batch = Batch.from_rows(rows[first:] if first else rows, sign)
        given = weighed(None if weight is None else weight[first:], own, sign)
        return self.members[r].learn(batch, importance=given)

    def learn_one(
        self, row: dict[int, float], number: int, own: Sequence[float], importance: float
    ) -> int:
        """Every class learns the row, and the background first; the class predicted before."""
        if self._together is not None:
            rows = Rows(
                np.array([0, len(row)]),
                np.fromiter(row.keys(), np.int32, len(row)),
                np.fromiter(row.values(), np.float64, len(row)),
            )
            given = None if importance == 1.0 else np.array([importance])
            return int(self.learn(rows, np.array([number], np.int32), own, given, 1)[1][0])
        for counts in (importance, importance * own[number]):
            if counts != 1.0:
                self._prototype.check_importance(0, counts)
        old = self._start(len(own))
        if self._background is not None:
            self._background._score_of_round(row, -1, importance)
        margins = []
        for r, member in enumerate(self.members):
            sign, weight = (1, importance * own[r]) if r == number else (-1, importance)
            margins.append(member._score_of_round(row, sign, weight) - member.threshold)
        return int(np.argmax(margins[:old])) if old else -1

    def scores(self, rows: Rows, threads: int) -> NDArray[np.float64]:
        """By how much each row exceeds the threshold of each class; nothing changes."""
        if self._together is not None:
            return self._together.scores(rows, len(self.members), threads)
        tasks = [partial(member.scores, rows) for member in self.members]
        found = at_once(tasks, threads_for(rows, threads))
        each = [own - member.threshold for member, own in zip(self.members, found, strict=True)]
        return np.stack(each, axis=1) if each else np.empty((len(rows), 0))

    # ---- what was learned ---------------------------------------------------------------

    @property
    def n_features(self) -> int:
        """Number of features that have weights."""
        everyone = [*self.members, self._background or self._prototype]
        return max(learner.n_features for learner in everyone)

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """The state of each class under its number, and of the background."""
        each = {str(r): member.learned_state() for r, member in enumerate(self.members)}
        if self._background is not None:
            each["background"] = self._background.learned_state()
        return {f"{whose}.{name}": own[name] for whose, own in each.items() for name in own}

    def state(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The learners of the classes, and the background if there is one; not copies.

        Where they learn side by side: what each keeps for itself, the background first, and what
        they keep of the features.
        """
        if self._together is not None:
            own, features = self._together.state()
            return own, (features,)
        return tuple(self.members), () if self._background is None else (self._background,)

    def restore(self, members: Sequence[Any], rest: Sequence[Any]) -> None:
        """Take over what `state` gave, or copies of it."""
        if rest and isinstance(rest[0], tuple):
            everyone = [self._prototype.started_anew() for _ in members]
            self._together = SideBySide.restored(everyone, members, *rest)
            self._background, *self.members = everyone
            return
        self.members = list(members)
        (self._background,) = rest or (None,)
        self._wait([*rest, *members])
        self._together = self._side_by_side()


def _unless_memory_ends(learning: Callable[[], Rounds]) -> Rounds | None:
    """What a learner gives that has learned; None if there was no memory, and it has not."""
    try:
        return learning()
    except MemoryError:
        return None


def weighed(
    weight: NDArray[np.float64] | None, own: float, sign: NDArray[np.int8]
) -> NDArray[np.float64] | None:
    """What rows count in the learner of a class, whose own rows count `own` times as much."""
    if own == 1.0:
        return weight
    of_class = np.where(sign > 0, own, 1.0)
    return of_class if weight is None else weight * of_class
