"""From a run and a witness to theorems with measured quantities in them.

The certifier asks here what a witness is worth; the verifier asks again, for the witness in
the certificate, and compares. Margins and losses are taken over all rounds, not over
mistakes alone: a comparator found after the run could otherwise fit itself to the mistakes
and prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from thresher.theory import (
    ConjunctionTarget,
    EliminationDisjunction,
    ExpectedMistakes,
    HalvingClass,
    MistakeBound,
    Novikoff,
    NovikoffBySum,
    OptimalLearner,
    PerceptronHinge,
    PerceptronSquaredHinge,
    RandomizedMajorityBest,
    WeightedMajorityBest,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowDisjunction,
    WinnowZeroing,
)
from thresher.verifier.certificate import Witness
from thresher.verifier.concepts import class_size
from thresher.verifier.literals import spelled_out
from thresher.verifier.measure import Comparator, Margins
from thresher.verifier.measure_exponentiated import exponentiated_bounds
from thresher.verifier.rows import Stream
from thresher.verifier.run import Run
from thresher.verifier.version_space import dimension_of


def perceptron_bounds(run: Run, witness: Witness) -> Iterator[MistakeBound]:
    """Novikoff's theorem for a separator, the hinge theorems at a level."""
    u = witness.comparator
    if u.bias and not run.bias:
        return
    margins = Margins(run.counted, u)
    radius_squared = max(run.mistake_norms, default=Fraction(0))
    size = u.norm_squared
    if witness.level is None:
        margin = margins.smallest()
        if margin is not None:
            yield Novikoff(radius_squared, size, margin)
            yield NovikoffBySum(sum(run.mistake_norms, Fraction(0)), size, margin)
        return
    level = witness.level
    yield PerceptronHinge(radius_squared, size, level, margins.hinge_loss(level))
    if not margins.error.any():
        squared = margins.squared_hinge_loss(level)
        yield PerceptronSquaredHinge(radius_squared, size, level, squared)


def winnow_bounds(run: Run, witness: Witness) -> Iterator[MistakeBound]:
    """Disjunctions where the witness is one, otherwise the comparator theorem at its rho."""
    u, d = witness.comparator, run.features
    beta, theta = run.exact("beta"), run.exact("threshold")
    value = run.stream.value
    if np.any(value < 0.0) or np.any(value > 1.0):
        return
    if not _fits(u, d) or min(u.numerators, default=0) < 0:
        return
    if witness.rho is not None:
        if not run.parameters["zeroing"]:
            loss = Margins(run.stream, u).hinge_loss(Fraction(1), -witness.rho)
            yield WinnowComparator(d, u.weights, witness.rho, beta, theta, loss)
        return
    if not _is_a_set(u) or not run.stream.binary:
        return
    r, errors = len(u.columns), attribute_errors(run.stream, u)
    if run.parameters["zeroing"]:
        if not errors:
            yield WinnowZeroing(d, r, beta, theta)
    elif errors:
        yield WinnowAttributeErrors(d, r, errors, beta, theta)
    elif beta == 1 and theta == d:
        yield WinnowDisjunction(d, r)
    else:
        yield WinnowAnyThreshold(d, r, beta, theta)


def elimination_bounds(run: Run, witness: Witness) -> Iterator[MistakeBound]:
    """The disjunction that explains every label."""
    u = witness.comparator
    stream, d = literals_of(run)
    if _fits(u, d) and _is_a_set(u) and stream.binary and not attribute_errors(stream, u):
        yield EliminationDisjunction(d, len(u.columns))


def conjunction_bounds(run: Run, witness: Witness) -> Iterator[MistakeBound]:
    """The conjunction that explains every label."""
    u = witness.comparator
    stream, d = literals_of(run)
    if not (_fits(u, d) and _is_a_set(u) and stream.binary):
        return
    satisfied = active(stream, u) == len(u.columns)
    if np.array_equal(satisfied, stream.label > 0):
        yield ConjunctionTarget(d, len(u.columns))


def majority_bounds(run: Run, witness: Witness) -> Iterator[MistakeBound]:
    """The best expert."""
    best = mistakes_of_expert(run, witness)
    if best is not None:
        yield WeightedMajorityBest(run.features, best, run.exact("beta"))


def mistakes_of_expert(run: Run, witness: Witness) -> int | None:
    """The mistakes of the witness, if it is one expert, and all of them voted in every round."""
    u, stream, n = witness.comparator, run.stream, run.features
    voted = np.all(np.diff(stream.row_start) == n) and np.all(np.abs(stream.value) == 1.0)
    if not (voted and _is_a_set(u) and len(u.columns) == 1 and _fits(u, n)):
        return None
    wrong = stream.value * stream.label[stream.row] < 0
    return int(np.count_nonzero(wrong & (stream.column == u.columns[0])))


def expectations_for(run: Run, witness: Witness) -> list[ExpectedMistakes]:
    """What is known of the average over the learner's draws, through the witness.

    The labels must not depend on the draws; that is the caller's to know.
    """
    if run.learner != "randomized_weighted_majority" or witness.level or witness.rho:
        return []
    best = mistakes_of_expert(run, witness)
    if best is None:
        return []
    theorem = RandomizedMajorityBest(run.features, best, run.exact("beta"))
    return [theorem] if theorem.applies() else []


def class_bounds(run: Run) -> list[MistakeBound]:
    """What a finite class allows, if one of its concepts agrees with every label."""
    if "concepts" not in run.parameters or run.replay.emptied_in_round is not None:
        return []
    data = run.parameters["concepts"]
    if run.learner == "halving":
        return [HalvingClass(class_size(data))]
    return [OptimalLearner(dimension_of(data))]


def literals_of(run: Run) -> tuple[Stream, int]:
    """The rows over the literals where the learner has those, and how many columns there are."""
    if run.parameters["literals"]:
        return spelled_out(run.stream, run.features), 2 * run.features
    return run.stream, run.features


def _fits(u: Comparator, d: int) -> bool:
    return not u.bias and (not u.columns or max(u.columns) < d)


def _is_a_set(u: Comparator) -> bool:
    """Whether all weights are 1: the witness is a set of features."""
    return all(numerator == u.denominator for numerator in u.numerators)


def active(stream: Stream, u: Comparator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many features of the set are active in each row."""
    chosen = np.isin(stream.column, np.array(u.columns, np.int64))
    return np.bincount(stream.row[chosen], minlength=len(stream))


def attribute_errors(stream: Stream, u: Comparator) -> int:
    """1 for a positive row without a feature of the set, k for a negative one with k of them."""
    count = active(stream, u)
    missing = np.count_nonzero((count == 0) & (stream.label > 0))
    return int(missing) + int(np.sum(count[stream.label < 0]))


BOUNDS: dict[str, Callable[[Run, Witness], Iterator[MistakeBound]]] = {
    "perceptron": perceptron_bounds,
    "winnow": winnow_bounds,
    "normalized_winnow": exponentiated_bounds,
    "signed_winnow": exponentiated_bounds,
    "elimination": elimination_bounds,
    "conjunction": conjunction_bounds,
    "weighted_majority": majority_bounds,
}


LEVELS = ("perceptron", "normalized_winnow", "signed_winnow")


def bounds_for(run: Run, witness: Witness) -> list[MistakeBound]:
    """The theorems that apply to the run through the witness, the strongest first."""
    # A witness says nothing that its theorem does not use.
    idle_level = witness.level is not None and run.learner not in LEVELS
    idle_rho = witness.rho is not None and run.learner != "winnow"
    if run.learner not in BOUNDS or idle_level or idle_rho:
        return []
    found = [theorem for theorem in BOUNDS[run.learner](run, witness) if theorem.applies()]
    telling = [theorem for theorem in found if not _says_nothing(theorem, len(run.stream))]
    return sorted(telling, key=lambda theorem: theorem.max_mistakes())


def _says_nothing(theorem: MistakeBound, rounds: int) -> bool:
    """Whether losses make the theorem allow a mistake in every round.

    Without losses a bound may exceed the rounds and still be telling: the same rows may come
    again, as often as they like, and it stays what it is.
    """
    measured = theorem.measured()
    losses = any(measured.get(name) for name in ("loss", "deviation_squared", "errors"))
    return losses and theorem.max_mistakes() >= rounds


def errors_of(run: Run, witness: Witness) -> int | None:
    """In how many rounds the witness is wrong itself, where it is a classifier with threshold 0.

    A set of features, or an expert, is one too; a fractional cover is not.
    """
    if run.learner in LEVELS or "n_experts" in run.parameters:
        return Margins(run.stream, witness.comparator).errors()
    if not _is_a_set(witness.comparator):
        return None
    stream, _ = literals_of(run) if "literals" in run.parameters else (run.stream, 0)
    count = active(stream, witness.comparator)
    needed = len(witness.comparator.columns) if run.learner == "conjunction" else 1
    return int(np.count_nonzero((count >= needed) != (stream.label > 0)))
