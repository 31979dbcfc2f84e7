"""Race: several learners on one stream, each batch going to all of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from thresher.certifier.certify import certify
from thresher.errors import DimensionError, FeatureRangeError, NotCertifiableError
from thresher.learners.base.evidence import judged, theorem_for
from thresher.learners.base.learner import Learner
from thresher.models.mistake_curve import MistakeCurve
from thresher.streams.batch import Batch
from thresher.verifier.measure_claim import Limits

if TYPE_CHECKING:
    from thresher.models.contestants import Contestant
    from thresher.theory import Concept, MistakeBound

#: Comparators are searched for on streams up to this size; beyond it a claim must be declared.
HINDSIGHT_ROWS, HINDSIGHT_VALUES = 10_000, 250_000
#: Whoever would take more memory for all classes leaves the race.
MUCH_MEMORY = 2 << 30
#: True of a finished run only: it counts the mistakes that were made into its own bound.
SELF_REFERENTIAL = "NovikoffBySum"


@dataclass(slots=True)
class Runner:
    """One contestant, and what it did so far."""

    title: str
    learner: Contestant
    limits: Limits | None = None
    curve: MistakeCurve = field(default_factory=MistakeCurve)
    #: Mistakes on positive rows; None where there are several classes.
    false_negatives: int | None = 0
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

    def learn(self, batch: Batch) -> None:
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
            self._leave("row", refusal.detail, first + stop + 1)

    def make_room(self, n_classes: int) -> None:
        """Leave the race if so many classes would take too much memory."""
        needed = n_classes * self.learner.bytes_of_a_class
        if self.out is None and needed > MUCH_MEMORY:
            why = f"{n_classes:,} classes would take {needed / 1e9:.1f} GB."
            self._leave("memory", why, self.curve.rounds + 1)

    def _leave(self, reason: Literal["row", "memory"], why: str, round_number: int) -> None:
        self.out, self.out_for, self.out_in = why, reason, round_number

    def _play(self, batch: Batch) -> None:
        start = time.perf_counter()
        rounds = self.learner.learn(batch)
        self.seconds += time.perf_counter() - start
        self.curve.add(rounds.mistaken)
        if batch.signed and self.false_negatives is not None:
            self.false_negatives += rounds.false_negatives
        else:
            self.false_negatives = None
        if self.limits is not None and self.refuted_in is None:
            assert isinstance(self.learner, Learner)
            at = judged(self.learner, rounds, self.limits).refuted_at
            self.refuted_in = None if at is None else at + 1

    def declare(self, claim: Concept) -> None:
        """Show what a claim allows, if a theorem says so; otherwise nothing happens."""
        if not isinstance(self.learner, Learner):
            return
        try:
            theorem = theorem_for(self.learner, claim)
        except NotCertifiableError:
            return
        self.limits = Limits.of(theorem)
        self.allow(theorem)

    def allow(self, theorem: MistakeBound) -> None:
        """Show what a theorem allows."""
        self.theorem, self.allowed = theorem.name, theorem.max_mistakes()

    def look_back(self, stream: Batch) -> None:
        """Search the stream for the comparator through which a theorem allows the fewest mistakes."""
        if self.out is not None or not isinstance(self.learner, Learner):
            return
        try:
            certificate = certify(self.learner, stream)
        except NotCertifiableError:
            return
        found = [s for s in certificate.bounds if s.theorem != SELF_REFERENTIAL]
        if found:
            self.theorem, self.allowed = found[0].theorem, int(found[0].allows)

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
        learners: Mapping[str, Contestant],
        claim: Concept | None = None,
        *,
        hindsight: bool = False,
    ) -> None:
        self.runners = [Runner(title, learner) for title, learner in learners.items()]
        self.rounds = 0
        self._bounds = hindsight
        self._kept: list[Batch] | None = [] if hindsight and claim is None else None
        self._values = 0
        if claim is not None:
            for runner in self.runners:
                runner.declare(claim)

    def learn(self, batch: Batch) -> None:
        """Let every learner that is still in the race play these rounds."""
        self.rounds += len(batch)
        self._values += len(batch.column)
        if not batch.signed:
            self._kept = None
        elif self._kept is not None:
            small = self.rounds <= HINDSIGHT_ROWS and self._values <= HINDSIGHT_VALUES
            self._kept = [*self._kept, batch] if small else None
        for runner in self.runners:
            if not batch.signed:
                runner.make_room(len(batch.classes))
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
        stream = Batch.joined(self._kept)
        for runner in self.runners:
            runner.look_back(stream)
        return True

    def bound_mixtures(self) -> None:
        """Show what learners are allowed that bound their mistakes themselves, whatever the stream."""
        for runner in self.runners:
            theorem = runner.learner.bound() if runner.curve.rounds else None
            if theorem is not None:
                runner.allow(theorem)

    def standings(self) -> list[Runner]:
        """The runners from the fewest mistakes to the most; who is out comes last."""
        return sorted(self.runners, key=lambda r: (r.out is not None, r.curve.mistakes))
