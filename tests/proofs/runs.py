"""Learners with streams for them, and journals that were tampered with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher.concepts import Disjunctions
from thresher.learners.base.journal import Journal
from thresher.learners.finite.halving import Halving
from thresher.proofs import Audit, AuditedRun, audit_run

Rows = NDArray[np.float64]


def binary(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return (rng.random((rounds, d)) < rng.uniform(0.1, 0.9)).astype(np.float64)


def unit(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return np.where(rng.random((rounds, d)) < 0.3, 0.0, rng.random((rounds, d)))


def real(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return np.asarray(rng.normal(size=(rounds, d)) * 10.0 ** rng.integers(-3, 4))


def whole(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return rng.integers(-9, 10, (rounds, d)).astype(np.float64)


def ball(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return rng.uniform(-1, 1, (rounds, d))


def votes(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return rng.choice([-1.0, 1.0], (rounds, d))


def opinions(rng: np.random.Generator, rounds: int, d: int) -> Rows:
    return rng.choice([-1.0, 0.0, 1.0], (rounds, d))


Make = Callable[[int], Any]
Generate = Callable[[np.random.Generator, int, int], Rows]

#: Every learner that can be audited, in its variants, with rows in its range.
KINDS: dict[str, tuple[Make, Generate]] = {
    "perceptron": (th.Perceptron, whole),
    "perceptron, real": (th.Perceptron, real),
    "perceptron, bias": (lambda d: th.Perceptron(d, bias=True), binary),
    "winnow": (th.Winnow, binary),
    "winnow, 3/2": (lambda d: th.Winnow(d, beta=Fraction(1, 2), threshold=2), binary),
    "winnow, small step": (lambda d: th.Winnow(d, beta=0.01, threshold=d / 2), binary),
    "winnow, real": (lambda d: th.Winnow(d, beta=1.5), unit),
    "winnow1": (lambda d: th.Winnow(d, zeroing=True), binary),
    "balanced": (th.BalancedWinnow, binary),
    "balanced, real": (lambda d: th.BalancedWinnow(d, beta=0.1, threshold=1), ball),
    "normalized": (lambda d: th.NormalizedWinnow(d, eta=0.7), ball),
    "normalized, tuned": (lambda d: th.NormalizedWinnow(d, margin=0.3, bias=True), votes),
    "normalized, wild": (lambda d: th.NormalizedWinnow(d, eta=9), votes),
    "normalized, guessing": (th.NormalizedWinnow, votes),
    "signed": (lambda d: th.SignedWinnow(d, margin=Fraction(1, 5), radius=2), ball),
    "signed, guessing": (lambda d: th.SignedWinnow(d, bias=True), votes),
    "elimination": (th.Elimination, binary),
    "elimination, literals": (lambda d: th.Elimination(d, literals=True), binary),
    "conjunction": (th.Conjunction, binary),
    "conjunction, literals": (lambda d: th.Conjunction(d, literals=True), binary),
    "majority": (th.WeightedMajority, votes),
    "majority, abstaining": (lambda d: th.WeightedMajority(d, beta=0.9), opinions),
    "majority, 0": (lambda d: th.WeightedMajority(d, beta=0), votes),
    "majority, by lot": (lambda d: th.RandomizedWeightedMajority(d, seed=3), votes),
    "halving": (lambda d: Halving(Disjunctions(d)), binary),
}


def run_of(learner: Any) -> AuditedRun:
    return AuditedRun.of(learner)


@dataclass(frozen=True)
class Lie:
    """A run with one thing changed in it."""

    run: AuditedRun

    def label(self, update: int) -> Lie:
        """The label of an update, flipped."""
        label = self.run.journal.label.copy()
        label[update] *= -1
        return self._journal(label=label)

    def rows(self, X: Any, y: Any) -> Lie:
        """Other rows altogether, in rounds 10, 20, ..."""
        batch = th.Batch.of(X, y)
        journal = Journal(
            batch.row_start,
            batch.column,
            batch.value,
            batch.label,
            10 * np.arange(1, len(batch) + 1),
            0,
        )
        return Lie(replace(self.run, journal=journal, dual=None, counted=None, scores=None))

    def without(self, update: int) -> Lie:
        """One update left out."""
        kept = [k for k in range(len(self.run.journal)) if k != update]
        journal = self.run.journal
        assert isinstance(journal, th.Batch)
        pairs = list(journal.examples())
        batch = th.Batch.from_examples([pairs[k] for k in kept])
        rounds = self.run.round_number
        assert rounds is not None
        shorter = Journal(
            batch.row_start, batch.column, batch.value, batch.label, rounds[kept].copy(), 0
        )
        return Lie(replace(self.run, journal=shorter))

    def rounds(self, round_number: Any) -> Lie:
        return self._journal(round_number=np.array(round_number, np.int64))

    def field(self, **changes: Any) -> Lie:
        return Lie(replace(self.run, **changes))

    def audit(self, comparator: Any = None, margin: Any = None) -> Audit:
        return audit_run(self.run, comparator, margin)

    def _journal(self, **changes: Any) -> Lie:
        journal = self.run.journal
        assert isinstance(journal, Journal)
        parts = {
            name: getattr(journal, name)
            for name in ("row_start", "column", "value", "label", "round_number", "omitted")
        }
        return Lie(replace(self.run, journal=Journal(**(parts | changes))))


def where(audit: Audit, name: str) -> tuple[int, int | None] | None:
    """The update and the round at which a statement first fails."""
    failure = audit[name].failure
    return None if failure is None else (failure.update, failure.round_number)
