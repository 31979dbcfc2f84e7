"""Declared classes that the data are not of, and classes that truly fit: neither is refuted."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.forgeries import BITS, EITHER, VOTES, run_of
from thresher.certifier import identity
from thresher.errors import NotCertifiableError, ThresherError
from thresher.theory import (
    Committee,
    Concept,
    Conjunction,
    Disjunction,
    Experts,
    KOfR,
    Separator,
)
from thresher.verifier.measures.limits import Limits
from thresher.verifier.statement import Claim, Statement

PERCEPTRON = th.Perceptron(4, bias=True)
SILENT = np.where(np.arange(40) % 5 == 0, 0, 1)[:, None] * VOTES
HALF = Fraction(1, 2)
ODD: list[tuple[Any, Any, Concept]] = [
    (th.Winnow(4), BITS, Disjunction(k=1, n=2)),
    (th.Winnow(4), BITS, Disjunction(k=3, n=2)),
    (th.Winnow(4), BITS, KOfR(k=0, r=2, n=4)),
    (th.Winnow(4, beta=Fraction(1, 4)), BITS, KOfR(k=3, r=2, n=4)),
    (th.Winnow(4), BITS * 0.5, Disjunction(k=2, n=4)),
    (th.Elimination(4), BITS, Disjunction(k=1, n=3)),
    (th.Elimination(4, literals=True), BITS, Disjunction(k=1, n=3)),
    (th.Conjunction(4), BITS, Conjunction(k=2, n=3)),
    (PERCEPTRON, BITS * 3, Disjunction(k=2, n=4)),
    (PERCEPTRON, -BITS, KOfR(k=1, r=2, n=4)),
    (PERCEPTRON, BITS, Separator(margin=HALF, radius=Fraction(1))),
    (PERCEPTRON, BITS, Separator(margin=HALF, radius=2 - Fraction(1, 10**300))),
    (PERCEPTRON, BITS, Separator(margin=HALF, norm=3, radius=2)),
    (PERCEPTRON, BITS, Separator(margin=HALF, radius=2, signed=7)),
    (PERCEPTRON, VOTES * 0.1, Separator(margin=HALF, radius=Fraction(1, 5))),
    (th.SignedWinnow(4, eta=0.3), VOTES * 0.1, Separator(HALF, 1, Fraction(1, 10))),
    (th.WeightedMajority(4), SILENT, Experts(n=4)),
    (th.WeightedMajority(4), VOTES[:, :3], Experts(n=4)),
    (th.Perceptron(4), SILENT, Committee(k=3, n=4)),
    (th.Perceptron(4), VOTES, Committee(k=5, n=4)),
    (th.Perceptron(), VOTES, Committee(k=3, n=4)),
    (th.NormalizedWinnow(4, eta=0.3), VOTES * 0.5, Experts(n=4)),
]


@pytest.mark.parametrize("at", range(len(ODD)))
@pytest.mark.parametrize("kind", ["a priori", "refutation"])
def test_data_of_another_kind_than_the_claim_are_not_judged(at: int, kind: str) -> None:
    learner, X, claim = ODD[at]
    learner = learner.started_anew()
    learner.learn(X, EITHER)
    theorem = identity(learner)[0].allowance(identity(learner)[1], claim)
    with pytest.raises(NotCertifiableError):
        th.certify(learner, X, EITHER, claim=claim)
    run = run_of(learner.started_anew(), X, EITHER)
    said = [] if theorem is None else [Statement.of(theorem).document("max_mistakes")]
    forged = run.document | {"kind": kind, "bounds": said, "witness": None}
    quantities = {name: str(v) if isinstance(v, Fraction) else v
                  for name, v in Claim.of(claim).quantities.items()}  # fmt: skip
    forged["claim"] = {"concept": type(claim).__name__, "quantities": quantities}
    found = run.verdict(forged)
    if theorem is None:
        assert found in ("does not hold", "refused")
        return
    missed, false = run.certificate.false_negatives, run.certificate.false_positives
    exceeded = Limits.of(theorem).exceeded(np.array([missed]), np.array([false]))[0]
    within = run.certificate.mistakes <= theorem.max_mistakes()
    # The count itself may contradict what is said of it; the class is not judged.
    said_right = exceeded if kind == "refutation" else within
    assert found == ("could not tell" if said_right else "does not hold")


def fitting(rng: np.random.Generator, kind: int) -> tuple[Concept, Any, Any, list[Any]]:
    """A class, rows and labels that a target of it explains, and learners for them."""
    claim: Concept
    n = int(rng.integers(2, 6))
    k = int(rng.integers(1, n + 1))
    chosen = rng.permutation(n)[:k]
    beta, step = Fraction(1, int(rng.integers(1, 9))), Fraction(1, int(rng.integers(1, 9)))
    if kind < 3:
        pool = np.array(list(product([0.0, 1.0], repeat=n)))
        need = (1, k, int(rng.integers(1, k + 1)))[kind]
        claim = (Disjunction(k=k, n=n), Conjunction(k=k, n=n), KOfR(k=need, r=k, n=n))[kind]
        labels = np.where(pool[:, chosen].sum(axis=1) >= need, 1, -1)
        return claim, pool, labels, [
            th.Winnow(n), th.Winnow(n, beta=beta, threshold=int(rng.integers(1, 9))),
            th.Winnow(n, zeroing=True), th.Elimination(n, literals=bool(rng.integers(2))),
            th.Conjunction(n), th.Perceptron(n, bias=True), th.SignedWinnow(n, bias=True),
            th.SignedWinnow(n, eta=step, bias=True), th.Perceptron(n, bias=True, margin=0.5),
            th.Winnow(n, literals=True), th.NormalizedWinnow(n, eta=step, literals=True),
        ]  # fmt: skip
    pool = np.array(list(product([-1.0, 1.0], repeat=n)))
    scores = pool[:, chosen].sum(axis=1)
    claim = Committee(k=k, n=n) if kind == 3 else Separator(Fraction(1, k), 1, Fraction(1), 0)
    return claim, pool[scores != 0], np.where(scores[scores != 0] > 0, 1, -1), [
        th.Perceptron(n), th.NormalizedWinnow(n, eta=step), th.NormalizedWinnow(n),
        th.SignedWinnow(n, margin=step), th.SignedWinnow(n), th.Perceptron(n, margin=1.0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", range(5))
def test_a_class_that_fits_is_not_refuted_by_the_worst_order_of_rows(kind: int) -> None:
    rng = np.random.default_rng(kind)
    judged = 0
    for _ in range(6):
        claim, pool, labels, learners = fitting(rng, kind)
        for learner in learners:
            try:
                algorithm, parameters = identity(learner)
            except ThresherError:
                continue
            theorem = algorithm.allowance(parameters, claim)
            if theorem is None:
                continue
            judged += 1
            for _ in range(300):
                wrong = np.flatnonzero(learner.predict(pool) != labels)
                if not len(wrong):
                    break
                at = int(rng.choice(wrong))
                learner.learn(pool[at : at + 1], labels[at : at + 1])
            counts = (np.array([c]) for c in (learner.false_negatives, learner.false_positives))
            assert not Limits.of(theorem).exceeded(*counts)[0], (claim, learner.parameters)
    assert judged >= 10


def test_theorems_are_asked_about_all_of_the_literals() -> None:
    learner = th.Winnow(4, literals=True)
    learner.learn(BITS, EITHER, claim=Disjunction(k=2, n=4))
    certificate = th.certify(learner, BITS, EITHER, claim=Disjunction(k=2, n=4))
    assert certificate.bounds[0].quantities["n_features"] == 8
    assert th.verify(certificate, BITS, EITHER).holds
    other = th.NormalizedWinnow(4, eta=0.3, literals=True)
    with pytest.raises(NotCertifiableError, match="no theorem says"):
        other.learn(BITS, EITHER, claim=Disjunction(k=2, n=4))


def test_witnesses_of_another_shape_make_no_theorem_apply() -> None:
    run = run_of(th.Perceptron(4, bias=True), BITS, EITHER)
    changes: list[dict[str, Any]] = [
        {"level": "1/2"}, {"rho": "1/2"}, {"bias": 0}, {"columns": [], "numerators": []},
        {"denominator": 7}, {"errors": None}, {"errors": 1}, {"level": "0"}, {"level": "-1"},
        {"columns": [9], "numerators": [1]},
    ]  # fmt: skip
    for change in changes:
        forged = run.document
        forged["witness"] |= change
        assert run.verdict(forged) in ("does not hold", "refused"), change
