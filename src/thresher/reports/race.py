"""Race: several learners on one stream, each batch going to all of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from thresher.certifier.certify import certify
from thresher.errors import DimensionError, FeatureRangeError, NotCertifiableError
from thresher.learners.base.class_table import ClassLabels
from thresher.learners.base.evidence import judged, theorem_for
from thresher.learners.base.multiclass_rounds import MulticlassRounds
from thresher.learners.base.rounds import Rounds
from thresher.learners.two_class.committee import Committee
from thresher.reports.mistake_curve import MistakeCurve
from thresher.streams.batch import Batch
from thresher.streams.named_batch import NamedBatch
from thresher.streams.rows import Rows
from thresher.verifier.measure_claim import Limits

if TYPE_CHECKING:
    from thresher.theory import Concept

#: Comparators are searched for on streams up to this size; beyond it a claim must be declared.
HINDSIGHT_ROWS, HINDSIGHT_VALUES = 10_000, 250_000
#: True of a finished run only: it counts the mistakes that were made into its own bound.
SELF_REFERENTIAL = "NovikoffBySum"


class Contestant(Protocol):
    """Whoever predicts and learns, batch by batch."""

    def learn(self, X: Batch) -> Rounds:
        """Predict, compare and update, row by row."""


class CommonerLabel:
    """What to beat: always the label that was more frequent so far, +1 on a tie.

    >>> CommonerLabel().learn(Batch.of([[1]] * 4, [-1, -1, 1, -1])).mistakes
    2
    """

    name = "commoner_label"
    warm_start = False

    def __init__(self) -> None:
        self.balance = 0

    def learn(self, X: Batch) -> Rounds:
        """The score of a round is how many more +1 than -1 came before it."""
        after = self.balance + np.cumsum(X.label, dtype=np.int64)
        self.balance = int(after[-1]) if len(after) else self.balance
        return Rounds((after - X.label).astype(np.float64), X.label, 0.0)


class CommonestLabel:
    """What to beat with several classes: always the label that was most frequent so far.

    Among equals it is the one that appeared first; in the first round it is none.

    >>> rows = Rows.of([[1]] * 5)
    >>> labels = np.array(["law", "art", "art", "art", "law"], object)
    >>> CommonestLabel().learn(NamedBatch.from_rows(rows, labels)).predictions.tolist()
    [None, 'law', 'law', 'art', 'art']
    """

    name = "commonest_label"
    warm_start = False

    def __init__(self) -> None:
        self._labels = ClassLabels()
        self._counts: list[int] = []
        self._leader = -1

    def learn(self, X: NamedBatch) -> MulticlassRounds:
        """The score of a round is how often its prediction was right to say before."""
        label = self._labels.numbered(X.label)
        counts = self._counts
        counts += [0] * (len(self._labels) - len(counts))
        predicted = np.empty(len(label), np.int32)
        leader = self._leader
        for t, number in enumerate(label.tolist()):
            predicted[t] = leader
            counts[number] += 1
            ahead = leader < 0 or counts[number] > counts[leader]
            if ahead or (counts[number] == counts[leader] and number < leader):
                leader = number
        self._leader = leader
        nothing = np.zeros(len(label))
        classes = tuple(self._labels.labels)
        return MulticlassRounds(predicted, label, nothing, np.ones(len(label), bool), classes)


@dataclass(slots=True)
class Runner:
    """One contestant, and what it did so far."""

    title: str
    learner: Any
    limits: Limits | None = None
    curve: MistakeCurve = field(default_factory=MistakeCurve)
    #: Mistakes on positive rows; None where there are several classes.
    false_negatives: int | None = 0
    seconds: float = 0.0
    #: Why it is out of the race, and in which round, counted from 1; None while it is in.
    out: str | None = None
    out_in: int | None = None
    #: The theorem that says how many mistakes are allowed, and the number.
    theorem: str | None = None
    allowed: int | None = None
    #: The round, counted from 1, in which the claim was refuted.
    refuted_in: int | None = None

    @property
    def rounds_per_second(self) -> float | None:
        """Rows learned in a second; None before the first."""
        return self.curve.rounds / self.seconds if self.seconds else None

    def learn(self, batch: Batch | NamedBatch) -> None:
        """Play the rounds; a row that the learner cannot take ends the race for it."""
        if self.out is not None:
            return
        first = self.curve.rounds
        stop, refusal = len(batch), None
        while True:
            try:
                self._play(batch[:stop] if stop < len(batch) else batch)
                break
            except (FeatureRangeError, DimensionError) as error:
                # Rows before the fault are played, so that the size of a batch changes nothing.
                # They may hold a fault of another kind, which is then the first.
                stop, refusal = error.row, error
        if refusal is not None:
            self.out, self.out_in = f"{refusal.detail} {refusal.remedy}", first + stop + 1

    def _play(self, batch: Batch | NamedBatch) -> None:
        start = time.perf_counter()
        rounds = self.learner.learn(batch)
        self.seconds += time.perf_counter() - start
        self.curve.add(rounds.mistaken)
        if isinstance(rounds, Rounds) and self.false_negatives is not None:
            self.false_negatives += rounds.false_negatives
        else:
            self.false_negatives = None
        if self.limits is not None and self.refuted_in is None:
            at = judged(self.learner, rounds, self.limits).refuted_at
            self.refuted_in = None if at is None else at + 1

    def to_dict(self) -> dict[str, Any]:
        """The result in JSON's terms."""
        curve, missed = self.curve, self.false_negatives
        first, stop, late = curve.last_stretch()
        return {
            "learner": self.title,
            "rounds": curve.rounds,
            "mistakes": curve.mistakes,
            "false_negatives": missed,
            "false_positives": None if missed is None else curve.mistakes - missed,
            "error": curve.error,
            "last": {"from_round": first + 1, "to_round": stop, "mistakes": late},
            "theorem": self.theorem,
            "allowed": self.allowed,
            "refuted_in_round": self.refuted_in,
            "out": self.out,
            "out_in_round": self.out_in,
            "seconds": self.seconds,
            "curve": curve.to_dict(),
        }


class Race:
    """Several learners in one pass over one stream.

    Parameters
    ----------
    learners
        The contestants, fresh, under the titles they race by.
    claim
        What is believed of the stream: who has a theorem for it shows what it allows.
    hindsight
        Whether to keep a small stream and search it for comparators afterwards.

    Examples
    --------
    >>> import thresher as th
    >>> race = Race({"winnow": th.Winnow(4), "perceptron": th.Perceptron(4)})
    >>> race.learn(Batch.of([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]] * 4, [1, -1, 1] * 4))
    >>> [(runner.title, runner.curve.mistakes) for runner in race.standings()]
    [('perceptron', 2), ('winnow', 3)]
    """

    def __init__(
        self,
        learners: Mapping[str, Any],
        claim: Concept | None = None,
        *,
        hindsight: bool = False,
    ) -> None:
        self.runners = [Runner(title, learner) for title, learner in learners.items()]
        self.rounds = 0
        self._bounds = hindsight
        self._kept: list[Batch] | None = [] if hindsight and claim is None else None
        self._values = 0
        for runner in self.runners:
            if claim is not None:
                self._declare(runner, claim)

    @staticmethod
    def _declare(runner: Runner, claim: Concept) -> None:
        try:
            theorem = theorem_for(runner.learner, claim)
        except NotCertifiableError:
            return
        runner.limits = Limits.of(theorem)
        runner.theorem, runner.allowed = theorem.name, theorem.max_mistakes()

    def learn(self, batch: Batch | NamedBatch) -> None:
        """Let every learner that is still in the race play these rounds."""
        self.rounds += len(batch)
        self._values += len(batch.column)
        if isinstance(batch, NamedBatch):
            self._kept = None
        elif self._kept is not None:
            small = self.rounds <= HINDSIGHT_ROWS and self._values <= HINDSIGHT_VALUES
            self._kept = [*self._kept, batch] if small else None
        for runner in self.runners:
            runner.learn(batch)

    def look_back(self) -> bool:
        """Search for the comparators through which theorems allow the fewest mistakes.

        Returns whether it was done: only on streams that were small enough to keep. What a mixture
        of experts is allowed needs no search.
        """
        if self._bounds:
            self.bound_mixtures()
        if not self._kept:
            return False
        stream = joined(self._kept)
        for runner in self.runners:
            if runner.out is not None:
                continue
            try:
                certificate = certify(runner.learner, stream)
            except NotCertifiableError:
                continue
            found = [s for s in certificate.bounds if s.theorem != SELF_REFERENTIAL]
            if found:
                runner.theorem, runner.allowed = found[0].theorem, int(found[0].allows)
        return True

    def bound_mixtures(self) -> None:
        """Put the losses of a mixture's experts into its theorem, whatever the stream."""
        for runner in self.runners:
            if isinstance(runner.learner, Committee) and runner.curve.rounds:
                theorem = runner.learner.bound()
                runner.theorem, runner.allowed = theorem.name, theorem.max_mistakes()

    def standings(self) -> list[Runner]:
        """The runners from the fewest mistakes to the most; who is out comes last."""
        return sorted(self.runners, key=lambda r: (r.out is not None, r.curve.mistakes))


@overload
def joined(batches: list[Batch]) -> Batch: ...
@overload
def joined(batches: list[Batch] | list[NamedBatch]) -> Batch | NamedBatch: ...
def joined(batches: list[Batch] | list[NamedBatch]) -> Batch | NamedBatch:
    """Batches as one, in order.

    >>> joined([Batch.of([[1, 0]], [1]), Batch.of([[0, 2], [1, 1]], [-1, 1])])
    Batch(3 rows, 4 values)
    """
    if len(batches) == 1:
        return batches[0]
    offsets = np.cumsum([0, *(len(batch.column) for batch in batches)])
    starts = [batch.row_start[1:] + at for batch, at in zip(batches, offsets, strict=False)]
    rows = Rows(
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([np.empty(0, np.int32), *(batch.column for batch in batches)]),
        np.concatenate([np.empty(0), *(batch.value for batch in batches)]),
    )
    if not batches:
        return Batch.from_rows(rows, np.empty(0, np.int8))
    return type(batches[0]).from_rows(rows, np.concatenate([batch.label for batch in batches]))
