"""Evidence about a run: claims held against it while it happens, audits of its journal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.certifier import identity, require_premises
from thresher.errors import NotCertifiableError, ParameterError
from thresher.proofs import Audit, AuditedRun, audit_run
from thresher.theory import Concept, Separator
from thresher.verifier.journal import rows_of_journal
from thresher.verifier.measures.limits import Limits
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import EXACT, Replay

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.learners.base.linear_learner import LinearLearner
    from thresher.learners.base.rounds import Rounds
    from thresher.streams.batch import Batch
    from thresher.theory import MistakeBound

#: Of two values of this size the product is still a double, and its rounding a small share of it.
SMALLEST = 1e-100
NOT_PLAYED = Replay(np.zeros(0, np.int64), np.zeros(0, np.int64), EXACT)


def limits_for(learner: Learner, claim: Concept) -> Limits:
    """The mistakes a claim allows this learner, from its start on."""
    theorem = theorem_for(learner, claim)
    if learner.checked_claim != (claim, learner.n_rounds):
        _check_rounds_before(learner, claim)
    return Limits.of(theorem)


def theorem_for(learner: Learner, claim: Concept) -> MistakeBound:
    """The theorem that says what a claim allows this learner; a claim without one is refused."""
    if learner.warm_start:
        raise NotCertifiableError(
            "this learner did not start from the beginning: its dual vector was given to it, "
            "and the theorems are about learners that start at zero."
        )
    if not isinstance(claim, Concept):
        must = "a concept of thresher.theory, such as Disjunction(k=2, n=100)"
        raise ParameterError(type(learner).__name__, "claim", must, claim)
    algorithm, parameters = identity(learner)
    theorem = algorithm.allowance(parameters, claim)
    if theorem is None:
        raise NotCertifiableError(
            f"no theorem says what {type(learner).__name__} with these parameters does on {claim}."
        )
    return theorem


def check_premises(learner: Learner, claim: Concept, batch: Batch) -> None:
    """Refuse rows that are not of the kind that a claim presupposes: it says nothing about them."""
    _refuse_weights(batch.importance is not None)
    _require(learner, claim, read_rows(batch))


def _check_rounds_before(learner: Learner, claim: Concept) -> None:
    """The same for rounds that were played without this claim, as far as the journal has them.

    A claim is about all of the learner's life; rows that changed nothing do not matter.
    """
    algorithm, parameters = identity(learner)
    journal = learner.journal
    if journal is None:
        return
    # A row that weighs nothing may be mistaken, and teaches nothing.
    known = journal.complete and algorithm.journal_shows_all(parameters)
    idle = known and len(journal) < learner.mistakes
    _refuse_weights(idle)
    _require(learner, claim, rows_of_journal(algorithm, parameters, journal))


def _require(learner: Learner, claim: Concept, rows: LabelledRows) -> None:
    """Refuse rows that are not of the kind, and those on which rounding could refute a claim."""
    algorithm, parameters = identity(learner)
    require_premises(ReplayedRun(algorithm, parameters, rows, NOT_PLAYED), claim)
    if isinstance(claim, Separator) and np.any(np.abs(rows.value) < SMALLEST):
        raise NotCertifiableError(
            f"values below {SMALLEST:g} vanish in products, and mistakes on them refute nothing. "
            "Scale the rows and the claim."
        )


def _refuse_weights(some: bool) -> None:
    if some:
        raise NotCertifiableError("theorems speak of rows that all count the same.")


def judged(learner: Learner, rounds: Rounds, claim: Concept, limits: Limits) -> Rounds:
    """The rounds, which the learner has just played, with the one in which the claim fell."""
    learner.checked_claim = claim, learner.n_rounds
    first = learner.n_rounds - len(rounds)
    before = (
        (learner.false_negatives or 0) - rounds.false_negatives,
        (learner.false_positives or 0) - rounds.false_positives,
    )
    at = limits.first_excess(rounds.mistaken, rounds.label, before)
    if at is None:
        return rounds
    if at == 0 and limits.exceeded(*(np.array([count]) for count in before))[0]:
        return replace(rounds, refuted_at=_earlier(learner, limits, first))
    return replace(rounds, refuted_at=first + at)


def _earlier(learner: Learner, limits: Limits, first: int) -> int:
    """The round before `first` in which the claim fell, or the last one if nobody kept it."""
    journal = learner.journal
    if journal is None or not journal.complete or len(journal) != learner.mistakes:
        return first - 1
    at = limits.first_excess(np.ones(len(journal), bool), journal.label)
    return first - 1 if at is None else int(journal.round_number[at])


def audited(learner: LinearLearner, X: Any, y: Any, declared: tuple[Any, Any, Any]) -> Audit:
    """The audit of a learner's journal, or of a run over a stream; see `LinearLearner.audit`."""
    comparator, margin, start = declared
    begun = None if start is None else np.asarray(start, np.float64)
    if X is None:
        return audit_run(AuditedRun.of(learner, begun), comparator, margin)
    fresh = learner.started_anew(begun)
    rounds = fresh.learn(X, y)
    scores = rounds.scores[fresh.journal.round_number]
    return audit_run(AuditedRun.of(fresh, begun, scores), comparator, margin)
