"""ReplayedRun: an algorithm with its parameters, its stream, and what a replay found."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher.theory import MistakeBound
from thresher.verifier.algorithm import Algorithm, Ranges
from thresher.verifier.measures.margins import Margins, squared_norms
from thresher.verifier.readers.labelled_rows import LabelledRows, joined
from thresher.verifier.replays.literals import as_features
from thresher.verifier.replays.playing import EXACT, Parameters, Replay
from thresher.verifier.witness import Comparator

#: Rounds of the shortest run that is shared among workers.
FEWEST_SHARED = 1024
#: The rows of all claimed mistakes before a range, and for each of its own whether it is one.
ClaimedRange: TypeAlias = tuple[LabelledRows, NDArray[np.bool_]]
#: Whether a learner, by name and parameters, errs on a stream exactly when that is claimed.
Elsewhere: TypeAlias = Callable[[str, Parameters, LabelledRows, NDArray[np.bool_]], bool]


def shared(
    play: Ranges,
    parameters: Parameters,
    stream: LabelledRows,
    claimed: NDArray[np.bool_],
    workers: int,
) -> bool:
    """Whether rounds are mistaken exactly when claimed, each worker having looked at a range.

    A worker starts from what the claimed mistakes before its range leave. If every worker finds
    its range as claimed, then by induction over the rounds so does whoever plays all of them.
    """
    ends = [round(len(stream) * worker / workers) for worker in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        parts = [
            pool.submit(play, stream, parameters, claimed, first, stop)
            for first, stop in pairwise(ends)
        ]
        return all(
            bool(np.array_equal(part.result(), claimed[first:stop]))
            for part, (first, stop) in zip(parts, pairwise(ends), strict=True)
        )


def range_as_claimed(
    rows: LabelledRows, play: Ranges, parameters: Parameters, said: ClaimedRange
) -> bool:
    """Whether the rows of a range are mistaken exactly when claimed, given the mistakes before."""
    before, claimed = said
    stream = joined([before, rows])
    known = np.concatenate((np.ones(len(before), bool), claimed))
    found = play(stream, parameters, known, len(before), len(stream))
    return bool(np.array_equal(found, claimed))


@dataclass(frozen=True)
class ReplayedRun:
    """What the theorems are about."""

    algorithm: Algorithm
    parameters: Parameters
    #: The rows that were learned.
    stream: LabelledRows
    replay: Replay
    #: Rows that were not, and were predicted in the end; None where there are none.
    held_out: LabelledRows | None = None

    @classmethod
    def of(
        cls,
        algorithm: Algorithm,
        parameters: Parameters,
        stream: LabelledRows,
        claimed: NDArray[np.bool_] | None = None,
        workers: int = 1,
        held_out: LabelledRows | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> ReplayedRun:
        """The run, played on a stream in which the algorithm finds no `fault`.

        Parameters
        ----------
        algorithm, parameters, stream
            Who plays on what.
        claimed
            For each round whether it is said to have been mistaken. If that is true, several
            workers can show it at once; if not, the run is played from the start.
        workers
            How many threads.
        held_out
            Rows that are predicted after the run, and not learned.
        elsewhere
            Who looks at ranges instead of threads.
        """
        several = workers > 1 or elsewhere is not None
        if claimed is not None and several and len(stream) >= FEWEST_SHARED:
            play = algorithm.ranges_for(parameters)
            if play is None:
                same = False
            elif elsewhere is not None:
                same = elsewhere(algorithm.name, parameters, stream, claimed)
            else:
                same = shared(play, parameters, stream, claimed, workers)
            if same:
                found = algorithm.replay(stream, parameters, claimed)
                return cls(algorithm, parameters, stream, found, held_out)
        return cls(algorithm, parameters, stream, algorithm.replay(stream, parameters), held_out)

    @cached_property
    def measured(self) -> object:
        """What the theorems about the algorithm ask of the run beyond its replay."""
        measure = self.algorithm.measured
        return None if measure is None else measure(self)

    @cached_property
    def same_on_paper(self) -> bool:
        """Whether the algorithm as its paper prints it, without rounding, does the same."""
        if self.replay.arithmetic == EXACT:
            return True
        decide = self.algorithm.same_on_paper
        return decide is not None and decide(self.spelled_out)

    @property
    def bias(self) -> bool:
        """Whether there is a constant feature."""
        return bool(self.parameters.get("bias", False))

    @property
    def features(self) -> int:
        """The number of features or experts the learner was created for; 0 if it grows."""
        return self.algorithm.room(self.parameters) or 0

    def exact(self, name: str) -> Fraction:
        """A parameter that is a number."""
        return Fraction(self.parameters[name])

    @property
    def mistakes(self) -> int:
        """The number of mistakes in the replay."""
        return len(self.replay.mistaken)

    @cached_property
    def held_out_mistakes(self) -> int | None:
        """How many of the rows held out the learner got wrong, as it was in the end."""
        return None if self.held_out is None else self.replay.errors_on(self.held_out)

    @cached_property
    def kept(self) -> LabelledRows:
        """The rows as the learner's journal keeps them."""
        return self.algorithm.kept(self.stream, self.parameters)

    @cached_property
    def spelled_out(self) -> ReplayedRun:
        """The same run with literals as features, where the learner learns literals.

        Theorems and comparators are about the columns that have weights.
        """
        if not self.parameters.get("literals", False):
            return self
        return replace(self, parameters=as_features(self.parameters), stream=self.kept)

    @cached_property
    def counted(self) -> LabelledRows:
        """The rounds over which margins and losses are taken.

        All of them, less the empty rows labelled +1 where there is no constant feature: they
        score 0 for every weight vector, which predicts +1, so they are never mistaken.
        """
        stream = self.stream
        if self.bias or np.all(self.can_be_mistaken):
            return stream
        return stream.take(np.flatnonzero(self.can_be_mistaken))

    def margins(self, comparator: Comparator) -> Margins:
        """What a comparator makes of the rounds that count."""
        return Margins(self.counted, comparator)

    def margins_of_all(self, comparator: Comparator) -> Margins:
        """What it makes of every round."""
        return Margins(self.stream, comparator)

    def allows(self, theorem: MistakeBound) -> int:
        """How many mistakes a theorem about one learner allows this run."""
        return theorem.max_mistakes()

    @cached_property
    def can_be_mistaken(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """False for the rows that `counted` leaves out."""
        empty = np.diff(self.stream.row_start) == 0
        return np.asarray(~empty | (self.stream.label < 0) | self.bias)

    @cached_property
    def mistake_norms(self) -> list[Fraction]:
        """||x||^2 of the mistake rounds."""
        return squared_norms(self.stream.take(self.replay.mistaken), self.bias)

    @cached_property
    def mistake_radius(self) -> Fraction:
        """The largest |x_i| of the mistake rounds, the constant feature included."""
        value = self.stream.take(self.replay.mistaken).value
        constant = 1.0 if self.bias and self.mistakes else 0.0
        return Fraction(float(np.max(np.abs(value), initial=constant)))
