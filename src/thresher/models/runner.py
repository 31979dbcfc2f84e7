"""Runner: one contestant of a race, and what it did so far."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from thresher.certifier import certify
from thresher.errors import DimensionError, FeatureRangeError, NotCertifiableError
from thresher.learners.base.evidence import check_premises, judged, theorem_for
from thresher.learners.base.learner import Learner
from thresher.models.mistake_curve import MistakeCurve
from thresher.models.multiclass import MUCH_MEMORY
from thresher.models.window import WindowError
from thresher.verifier.measures.limits import Limits

if TYPE_CHECKING:
    from thresher.models.contestants import Contestant
    from thresher.streams.batch import Batch
    from thresher.theory import Concept, MistakeBound


#: What the columns of a row, by its place in a batch, are called.
NamesIn = Callable[[int], Mapping[int, str]]


def takes_much_memory(learner: Contestant, n_classes: int) -> bool:
    """Whether so many classes with a learner each are too many."""
    return n_classes * learner.bytes_of_a_class > MUCH_MEMORY


@dataclass(slots=True)
class Runner:
    """One contestant, and what it did so far."""

    title: str
    learner: Contestant
    #: What is claimed of the stream, and what that allows, where a theorem says so.
    claim: Any = None
    limits: Limits | None = None
    curve: MistakeCurve = field(default_factory=MistakeCurve)
    #: The last rounds, if somebody wants to know about them alone.
    window: WindowError | None = None
    #: Mistakes on positive rows; None where there are several classes.
    false_negatives: int | None = 0
    #: Of processor time.
    seconds: float = 0.0
    #: Why it is out of the race, and in which round, counted from 1; None while it is in.
    out: str | None = None
    out_in: int | None = None
    #: Whether it is a row that it cannot take, or the memory for all classes.
    out_for: Literal["row", "memory"] | None = None
    #: The theorem that says how many mistakes are allowed, and the number.
    theorem: str | None = None
    allowed: int | None = None
    #: The round, counted from 1, in which the claim was refuted.
    refuted_in: int | None = None

    @property
    def rounds_per_second(self) -> float | None:
        """Rows learned in a second; None before the first."""
        return self.curve.rounds / self.seconds if self.seconds else None

    def learn(self, batch: Batch, names_in: NamesIn | None = None) -> None:
        """Play the rounds; a row that the learner cannot take ends the race for it."""
        if self.out is not None:
            return
        if (known := self._of_the_kind(batch)) < len(batch):
            # What refutes the claim in the rows before does so whatever else is in the batch.
            self.learn(batch[:known], names_in)
            if self.out_in is None and self.refuted_in is None:
                self.limits = self.theorem = self.allowed = None
            names = None if names_in is None else lambda row: names_in(known + row)
            self.learn(batch[known:], names)
            return
        first = self.curve.rounds
        stop = len(batch)
        refusal: FeatureRangeError | DimensionError | None = None
        while True:
            try:
                self._play(batch[:stop] if stop < len(batch) else batch)
                break
            except (FeatureRangeError, DimensionError) as error:
                # Rows before the fault are played, so that the size of a batch changes nothing.
                # They may hold a fault of another kind, which is then the first.
                stop, refusal = error.row, error
        if isinstance(refusal, FeatureRangeError) and names_in is not None:
            refusal = refusal.naming(names_in(stop))
        if refusal is not None:
            self._leave("row", f"{refusal.detail} {refusal.remedy}".rstrip(), first + stop + 1)

    def make_room(self, n_classes: int) -> None:
        """Leave the race if so many classes would take too much memory."""
        if self.out is None and takes_much_memory(self.learner, n_classes):
            needed = n_classes * self.learner.bytes_of_a_class
            why = f"{n_classes:,} classes would take {needed / 1e9:.1f} GB."
            self._leave("memory", why, self.curve.rounds + 1)

    def _leave(self, reason: Literal["row", "memory"], why: str, round_number: int) -> None:
        self.out, self.out_for, self.out_in = why, reason, round_number

    def _play(self, batch: Batch) -> None:
        # Of this thread alone: others may be at work meanwhile.
        start = time.thread_time()
        rounds = self.learner.learn(batch)
        self.seconds += time.thread_time() - start
        self.curve.add(rounds.mistaken)
        if self.window is not None:
            self.window.add(rounds.mistaken)
        if rounds.predicted is None and self.false_negatives is not None:
            self.false_negatives += rounds.false_negatives
        else:
            self.false_negatives = None
        if self.limits is not None and self.refuted_in is None:
            assert isinstance(self.learner, Learner)
            at = judged(self.learner, rounds, self.claim, self.limits).refuted_at
            self.refuted_in = None if at is None else at + 1

    def _of_the_kind(self, batch: Batch) -> int:
        """How many rows there are before the first of which the claim says nothing."""
        if self.limits is None or self.refuted_in is not None or self._is_of_the_kind(batch):
            return len(batch)
        return bisect_left(
            range(1, len(batch)), True, key=lambda n: not self._is_of_the_kind(batch[:n])
        )

    def _is_of_the_kind(self, batch: Batch) -> bool:
        assert isinstance(self.learner, Learner)
        try:
            check_premises(self.learner, self.claim, batch)
        except NotCertifiableError:
            return False
        return True

    def declare(self, claim: Concept) -> None:
        """Show what a claim allows, if a theorem says so; otherwise nothing happens."""
        if not isinstance(self.learner, Learner):
            return
        try:
            theorem = theorem_for(self.learner, claim)
        except NotCertifiableError:
            return
        self.claim, self.limits = claim, Limits.of(theorem)
        self.allow(theorem)

    def allow(self, theorem: MistakeBound) -> None:
        """Show what a theorem allows."""
        self.theorem, self.allowed = theorem.name, theorem.max_mistakes()

    def look_back(self, stream: Batch) -> None:
        """Search the stream for the comparator that makes a theorem allow the fewest mistakes."""
        if self.out is not None or not isinstance(self.learner, Learner):
            return
        try:
            certificate = certify(self.learner, stream)
        except NotCertifiableError:
            return
        if certificate.bounds:
            self.theorem, self.allowed = certificate.theorem, certificate.allowed

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
            **({} if self.window is None else {"window": self.window.to_dict()}),
            "theorem": self.theorem,
            "allowed": self.allowed,
            "refuted_in_round": self.refuted_in,
            "out": self.out,
            "out_in_round": self.out_in,
            "seconds": self.seconds,
            "curve": curve.to_dict(),
        }
