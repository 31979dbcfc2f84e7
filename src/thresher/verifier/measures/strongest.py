"""The theorems that apply to a run, the strongest first."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.theory import ExpectedMistakes, MistakeBound
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness

#: The quantities of theorems that grow with every row that the witness gets wrong.
LOSSES = (
    "loss",
    "comparator_loss",
    "deviation_squared",
    "relative_deviation_squared",
    "errors",
)


def bounds_for(run: ReplayedRun, witness: Witness) -> list[MistakeBound]:
    """The theorems that apply to the run through the witness, the strongest first."""
    return _telling(run, applying_for(run, witness))


def applying_for(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The theorems about one learner that apply, whether or not they say something."""
    measure = run.algorithm.theorems_for(run.parameters)
    if measure is None or _says_too_much(run, witness):
        return
    for theorem in measure(run.spelled_out, witness):
        if theorem.applies():
            yield theorem


def _telling(run: ReplayedRun, found: Iterator[MistakeBound]) -> list[MistakeBound]:
    """The theorems that say something, the strongest first."""
    telling = [theorem for theorem in found if not _says_nothing(theorem, len(run.stream))]
    return sorted(telling, key=lambda theorem: theorem.max_mistakes())


def expectations_for(run: ReplayedRun, witness: Witness) -> list[ExpectedMistakes]:
    """What is known of the average over the learner's draws, through the witness."""
    measure = run.algorithm.expectations
    if measure is None or _says_too_much(run, witness):
        return []
    return [theorem for theorem in measure(run.spelled_out, witness) if theorem.applies()]


def bounds_without_witness(run: ReplayedRun) -> list[MistakeBound] | None:
    """The theorems that speak of the run alone; None where a comparator is needed.

    They are about a finite class, if one of its concepts agrees with every label, or about
    quantities that the replay measured.
    """
    algorithm = run.algorithm
    if algorithm.class_bounds is not None:
        emptied = run.replay.emptied_in_round is not None
        return [] if emptied else algorithm.class_bounds(run.parameters)
    return (
        None
        if algorithm.run_bounds is None
        else _telling(run, (theorem for theorem in algorithm.run_bounds(run) if theorem.applies()))
    )


def errors_of(run: ReplayedRun, witness: Witness) -> int | None:
    """In how many rounds the witness is wrong itself; None where that means nothing."""
    count = run.algorithm.witness_errors
    return None if count is None else count(run.spelled_out, witness)


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
    losses = any(measured.get(name) for name in LOSSES)
    return losses and theorem.max_mistakes() >= rounds
