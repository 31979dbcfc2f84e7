"""RunRecord: what a report wants to know of a run or of a test, in bounded memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.probability_map import Halves
from thresher.learners.calibration.calibrated import CalibratedRounds
from thresher.models.mistake_curve import MistakeCurve
from thresher.models.race import HINDSIGHT_ROWS, HINDSIGHT_VALUES
from thresher.models.ranking import Ranking
from thresher.models.scorecard import Scorecard
from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.learners.base.rounds import Rounds
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk

#: Rounds that are remembered because they were predicted worst.
MOST_COSTLY = 10
#: Probabilities that are told apart.
DISTINCT_PROBABILITIES = 1 << 18
#: What a round costs that was right.
NO_COST = -np.inf
#: Bytes of a line that are kept, if somebody wants to see lines.
LONGEST_EXAMPLE = 2000


@dataclass(frozen=True, slots=True)
class CostlyRound:
    """A row that was predicted wrongly, and how far the score was on the wrong side."""

    #: Counted from 1.
    round_number: int
    #: File and line.
    place: str
    label: int
    predicted: int
    score: float
    #: From the score to the threshold. Of several classes in a test, to the score of the label; in
    #: a run, which knows the best score of a round alone, the score with which it was wrong.
    cost: float
    #: The line, if somebody wants to see lines.
    text: str | None = None


class RunRecord:
    """The mistake curve, confusion and ranking, probabilities, and the costliest rounds.

    Parameters
    ----------
    several
        Whether there are several classes; rounds that are played say it themselves.
    examples
        Whether to keep the lines of the costliest rounds.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.chunk import Chunk
    >>> batch = th.Batch.of([[1], [0], [1]], [-1, 1, -1])
    >>> lines = Chunk("a.svm", batch, batch.label, None, np.arange(1, 4), (), 0, None, None, None)
    >>> record, learner = RunRecord(), th.Perceptron(n_features=1)
    >>> record.played(learner, learner.learn(batch), lines, np.arange(3))
    >>> record.curve.steps(), [(one.place, one.cost) for one in record.costliest]
    ([(0, 0), (1, 1), (3, 1)], [('a.svm:1', 0.0)])
    """

    def __init__(self, *, several: bool = False, examples: bool = False) -> None:
        self.several, self._examples = several, examples
        self.curve = MistakeCurve()
        #: Probabilities of +1 and whether it came true; of several classes, of the one predicted.
        self.probabilities = Ranking(DISTINCT_PROBABILITIES)
        #: Whether anybody gave probabilities.
        self.given = False
        self.costliest: list[CostlyRound] = []
        #: Of two classes, what happened; of several, `card_for` makes one.
        self._card = Scorecard(("-1", "+1"))
        self._counts: Counter[tuple[int, int]] = Counter()
        #: Whether rows are new: those of a second pass are not.
        self.fresh = True
        self._kept: list[Batch] | None = []
        self._values = 0

    def keep(self, batch: Batch) -> None:
        """Keep rows of a small stream, on which a comparator can be searched for.

        Rows that do not all count alike are not kept: no theorem speaks of them.
        """
        if not self.fresh or self._kept is None:
            return
        self._kept.append(batch)
        self._values += len(batch.column)
        rows = sum(map(len, self._kept))
        if rows > HINDSIGHT_ROWS or self._values > HINDSIGHT_VALUES or batch.importance is not None:
            self._kept = None

    @property
    def batch(self) -> Batch | None:
        """All rows of the first pass, if they were kept."""
        return Batch.joined(self._kept) if self._kept else None

    def played(self, learner: Learner, rounds: Rounds, chunk: Chunk, at: NDArray[np.int64]) -> None:
        """Take note of rounds that a learner has just played on the rows `at` of a chunk."""
        mistaken = rounds.mistaken
        first = self.curve.rounds
        self.curve.add(mistaken)
        self.several = rounds.predicted is not None
        if not self.fresh:
            return
        if rounds.predicted is not None:
            self._played_several(learner, rounds, chunk, at, first)
            return
        given, said = rounds.label > 0, rounds.scores >= rounds.threshold
        self._card.add(rounds.scores, said.astype(np.int32), given.astype(np.int64))
        known = learner.probability_map()
        if isinstance(rounds, CalibratedRounds):
            self._believe(rounds.probabilities, given)
        elif isinstance(known, Halves):
            # The same in every round; other maps are learned, and may be later ones by now.
            self._believe(known.probabilities(rounds.scores - rounds.threshold), given)
        cost = np.abs(rounds.scores - rounds.threshold)
        told = (first, given, said, rounds.scores)
        self._remember(chunk, at, told, np.where(mistaken, cost, NO_COST))

    def _played_several(
        self,
        learner: Learner,
        rounds: Rounds,
        chunk: Chunk,
        at: NDArray[np.int64],
        first: int,
    ) -> None:
        """Take note of rounds with several classes, of which the best score is known."""
        label, said, mistaken = rounds.label, rounds.predicted, rounds.mistaken
        assert said is not None
        self._count(label, said)
        each, known = learner.each_class, said >= 0
        if each is not None and isinstance(halves := each.probability_map(), Halves):
            # Of the class that was said, against all others.
            self._believe(halves.probabilities(rounds.scores[known]), ~mistaken[known])
        cost = np.where(mistaken & known, rounds.scores, NO_COST)
        self._remember(chunk, at, (first, label, said, rounds.scores), cost)

    def tested(
        self,
        learner: Learner,
        scores: NDArray[np.float64],
        numbers: tuple[NDArray[Any], NDArray[Any]],
        chunk: Chunk,
    ) -> None:
        """Take note of rows that a model has scored; `numbers` are given and predicted labels."""
        given, said = numbers
        first, mistaken = self.curve.rounds, np.asarray(given != said)
        self.curve.add(mistaken)
        best = scores
        if self.several:
            rows = np.arange(len(scores))
            known = given < scores.shape[1]
            best = scores[rows, np.maximum(said, 0)] if scores.shape[1] else np.zeros(len(rows))
            own = scores[rows, np.where(known, given, 0)] if scores.shape[1] else best
            cost = np.where(mistaken & known, best - own, NO_COST)
        else:
            cost = np.where(mistaken, np.abs(scores - learner.threshold), NO_COST)
        if learner.gives_probabilities and scores.size:
            each = learner.probabilities_of(scores)
            if self.several:
                self._believe(each[np.arange(len(said)), np.maximum(said, 0)], ~mistaken)
            else:
                self._believe(each[:, 1], given > 0)
        self._remember(chunk, np.arange(len(given)), (first, given, said, best), cost)

    def card_for(self, model: Model) -> Scorecard:
        """Confusion and ranking of the rounds played, labels called as the model calls them."""
        if not self.several:
            self._card.names[:] = model.label_names
            return self._card
        card = Scorecard(model.learner.classes, several=True, ranked=False)
        card.counts.update(self._counts)
        return card

    def _count(self, label: NDArray[Any], predicted: NDArray[Any]) -> None:
        wide = int(predicted.max(initial=0)) + 2
        pairs, rows = np.unique(label.astype(np.int64) * wide + predicted + 1, return_counts=True)
        for pair, count in zip(pairs.tolist(), rows.tolist(), strict=True):
            self._counts[pair // wide, pair % wide - 1] += count

    def _believe(self, probability: NDArray[np.float64], true: NDArray[np.bool_]) -> None:
        self.given = True
        self.probabilities.add(np.ascontiguousarray(probability), np.asarray(true, bool))

    def _remember(
        self,
        chunk: Chunk,
        at: NDArray[np.int64],
        told: tuple[int, NDArray[Any], NDArray[Any], NDArray[np.float64]],
        cost: NDArray[np.float64],
    ) -> None:
        """Keep the rounds that cost most; of equals, the earlier ones."""
        first, given, said, scores = told
        least = self.costliest[-1].cost if len(self.costliest) == MOST_COSTLY else NO_COST
        worst = np.argsort(-cost, kind="stable")[:MOST_COSTLY]
        found = [
            CostlyRound(
                first + t + 1,
                chunk.place(int(at[t])),
                int(given[t]),
                int(said[t]),
                float(scores[t]),
                float(cost[t]),
                self._line(chunk, int(at[t])),
            )
            for t in worst.tolist()
            if cost[t] > least
        ]
        ranked = sorted([*self.costliest, *found], key=lambda one: (-one.cost, one.round_number))
        self.costliest = ranked[:MOST_COSTLY]

    def _line(self, chunk: Chunk, row: int) -> str | None:
        if not self._examples or chunk.text is None or chunk.start is None or chunk.stop is None:
            return None
        line = chunk.text[int(chunk.start[row]) : int(chunk.stop[row])]
        return line[:LONGEST_EXAMPLE].decode("utf-8", "replace")
