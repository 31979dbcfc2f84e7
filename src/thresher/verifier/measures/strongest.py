"""The theorems that apply to a run, the strongest first."""

from __future__ import annotations

from thresher.theory import ExpectedMistakes, MistakeBound
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def bounds_for(run: ReplayedRun, witness: Witness) -> list[MistakeBound]:
    """The theorems that apply to the run through the witness, the strongest first."""
    measure = run.algorithm.theorems_for(run.parameters)
    if measure is None or _says_too_much(run, witness):
        return []
    found = [theorem for theorem in measure(run, witness) if theorem.applies()]
    telling = [theorem for theorem in found if not _says_nothing(theorem, len(run.stream))]
    return sorted(telling, key=lambda theorem: theorem.max_mistakes())


def expectations_for(run: ReplayedRun, witness: Witness) -> list[ExpectedMistakes]:
    """What is known of the average over the learner's draws, through the witness."""
    measure = run.algorithm.expectations
    if measure is None or _says_too_much(run, witness):
        return []
    return [theorem for theorem in measure(run, witness) if theorem.applies()]


def class_bounds(run: ReplayedRun) -> list[MistakeBound]:
    """What a finite class allows, if one of its concepts agrees with every label."""
    measure = run.algorithm.class_bounds
    if measure is None or run.replay.emptied_in_round is not None:
        return []
    return measure(run.parameters)


def errors_of(run: ReplayedRun, witness: Witness) -> int | None:
    """In how many rounds the witness is wrong itself; None where that means nothing."""
    count = run.algorithm.witness_errors
    return None if count is None else count(run, witness)


def _says_too_much(run: ReplayedRun, witness: Witness) -> bool:
    """Whether the witness states a number that no theorem about the learner uses."""
    idle_level = witness.level is not None and not run.algorithm.uses_level
    idle_rho = witness.rho is not None and not run.algorithm.uses_rho
    return idle_level or idle_rho


def _says_nothing(theorem: MistakeBound, rounds: int) -> bool:
    """Whether losses make the theorem allow a mistake in every round.

    Without losses a bound may exceed the rounds and still be telling: the same rows may come
    again, as often as they like, and it stays what it is.
    """
    measured = theorem.measured()
    losses = any(measured.get(name) for name in ("loss", "deviation_squared", "errors"))
    return losses and theorem.max_mistakes() >= rounds
