"""Runs that rounding decided: what is called exact is exact, and nothing is refuted by rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.forgeries import Run
from thresher.certifier import identity
from thresher.errors import CertificateError, NotCertifiableError
from thresher.theory import Separator
from thresher.verifier.measures.margins import Margins, squared_norms
from thresher.verifier.measures.premises import longest_rows
from thresher.verifier.readers.labelled_rows import read_rows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.exponentiated import exponentiated_bases
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.statement import Statement
from thresher.verifier.witness import Comparator

#: Values next to each other, far apart, below the normal doubles, and whose products vanish.
VALUES = {
    "decimals": [0.1, 0.2, 0.3, 0.7, -0.1, -0.3, 1.0, -1.0, 0.0],
    "far apart": [1e16, 1.0, -1.0, -1e16, 3.0, 0.0],
    "vanishing products": [1e-162, 3e-162, -2e-162, 1e-200, 1.0, -1.0, 0.0],
    "subnormal": [5e-324, -5e-324, 1e-310, 1.0, -1.0, 0.0, 1e-160],
    "largest": [1e100, -1e100, 1e-100, 1.0, 0.1, 0.0],
    "half a double": [2.0**-26 + 2.0**-40, 2.0**26, -(2.0**26), 1.0, -1.0, 2.0**-27],
}


def on_paper(learner: Any, X: Any, y: Any) -> tuple[list[int], list[int]]:
    """Mistaken and updating rounds of the algorithm in fractions."""
    algorithm, given = identity(learner)
    bias, margin = Fraction(bool(given.get("bias", False))), Fraction(given.get("margin") or 0)
    bases, threshold = [WeightBase(None)], Fraction(0)
    budgets: list[int] = []
    if algorithm.name == "winnow":
        bases, threshold = [WeightBase(1 + Fraction(given["beta"]))], Fraction(given["threshold"])
    elif algorithm.name != "perceptron":
        bases, budgets = exponentiated_bases(read_rows(X, y), given)
    mistaken: list[int] = []
    updates: list[int] = []
    phase, spent = 0, 0
    z = [Fraction(0)] * (X.shape[1] + 1)
    for t, label in enumerate(y.tolist()):
        x = [*map(Fraction, X[t].tolist()), bias]
        score = sum(a * b for a, b in zip(x, z, strict=True))
        if algorithm.name == "perceptron":
            positive, inside = score >= 0, margin > 0 and label * score <= margin
        else:
            terms = [(a, b) for a, b in zip(x, z, strict=True) if a]
            if algorithm.name == "signed_winnow":
                terms += [(-a, -b) for a, b in terms]
            positive = bases[phase].sign([*terms, (-threshold, Fraction(0))]) >= 0
            inside = False
        wrong = positive != (label > 0)
        mistaken += [t] * wrong
        if wrong or inside:
            updates.append(t)
            z = [b + label * a for a, b in zip(x, z, strict=True)]
            spent += 1
            if budgets and spent > budgets[phase]:
                phase, spent, z = phase + 1, 0, [Fraction(0)] * len(z)
    return mistaken, updates


def learners(rng: np.random.Generator, n: int) -> list[Any]:
    bias = bool(rng.integers(2))
    return [
        th.Perceptron(n, bias=bias),
        th.Perceptron(n, bias=bias, margin=float(rng.choice([0.3, 1e-200]))),
        th.Winnow(n, beta=Fraction(1, 3), threshold=Fraction(13, 10)),
        th.SignedWinnow(n, bias=bias),
        th.SignedWinnow(n, eta=Fraction(1, 3), bias=bias),
        th.NormalizedWinnow(n, eta=0.3, bias=bias),
    ]


@pytest.mark.parametrize("kind", VALUES)
def test_a_run_called_exact_is_the_run_in_fractions(kind: str) -> None:
    rng = np.random.default_rng(7)
    proven = 0
    for _ in range(60):
        n, rounds = int(rng.integers(1, 4)), int(rng.integers(4, 14))
        y = rng.choice([-1, 1], size=rounds)
        rows = rng.choice(VALUES[kind], size=(rounds, n))
        for learner in learners(rng, n):
            X = rows if learner.name == "perceptron" else np.clip(rows, -1, 1)
            X = np.abs(X) if learner.name == "winnow" else X
            run = ReplayedRun.of(*identity(learner), read_rows(X, y))
            if run.same_on_paper:
                proven += 1
                found = run.replay.mistaken.tolist(), run.replay.updates.tolist()
                assert found == on_paper(learner, X, y), (learner.parameters, X.tolist(), y)
    assert proven > 20


@pytest.mark.parametrize("kind", VALUES)
def test_margins_losses_and_norms_are_those_of_fractions(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, rounds = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        X, y = rng.choice(VALUES[kind], size=(rounds, n)), rng.choice([-1, 1], size=rounds)
        weights = rng.choice([1, -1, 3, 2**20, -(2**20), 0, 2**20 - 1], size=n).tolist()
        bias, below = int(rng.choice([0, 1, -(2**20)])), int(rng.choice([1, 3, 10**20]))
        rows, stream = [list(map(Fraction, row)) for row in X.tolist()], read_rows(X, y)
        scores = [sum(a * b for a, b in zip(row, weights, strict=True)) + bias for row in rows]
        exact = [int(s) * Fraction(score) / below for s, score in zip(y, scores, strict=True)]
        level = abs(exact[0])
        found = Margins(stream, Comparator(tuple(range(n)), tuple(weights), bias, below))
        assert found.smallest() == min(exact)
        assert found.hinge_loss(level) == sum(max(Fraction(0), level - m) for m in exact)
        assert found.squared_hinge_loss(level) == sum(max(Fraction(0), level - m) ** 2
                                                      for m in exact)  # fmt: skip
        assert found.errors() == sum(
            (score >= 0) != (s > 0) for score, s in zip(scores, y, strict=True)
        )
        norms = [sum(x * x for x in row) for row in rows]
        assert squared_norms(stream, False) == norms
        assert max(squared_norms(longest_rows(stream), False)) == max(norms)


@pytest.mark.parametrize("seed", range(12))
def test_a_run_that_may_have_rounded_refutes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    claim = Separator(margin=Fraction(10**16), radius=Fraction(4 * 10**16))
    refused = 0
    for _ in range(12):
        X, y = rng.choice(VALUES["far apart"], size=(40, 3)), rng.choice([-1, 1], size=40)
        learner = th.Perceptron(3)
        learner.learn(X, y)
        run = ReplayedRun.of(*identity(learner), read_rows(X, y))
        theorem = run.algorithm.allowance(run.parameters, claim)
        assert theorem is not None
        if run.same_on_paper or run.mistakes <= theorem.max_mistakes():
            continue
        refused += 1
        with pytest.raises(NotCertifiableError, match="neither refuted nor confirmed"):
            th.certify(learner, X, y, claim=claim)
        honest = Run(learner, X, y, th.certify(learner, X, y, delta=None))
        quantities = {"margin": f"{10**16}", "norm": 2, "radius": f"{4 * 10**16}", "signed": 1}
        forged = honest.document | {
            "kind": "refutation",
            "witness": None,
            "claim": {"concept": "Separator", "quantities": quantities},
            "bounds": [Statement.of(theorem).document("max_mistakes")],
        }
        assert honest.verdict(forged) == "could not tell"
    assert refused


@pytest.mark.parametrize("tiny", [1e-20, 1e-50, 1e-100, 1e-160, 1e-200, 1e-300, 1e-310, 5e-324])
def test_margins_too_small_for_words_are_left_unsaid(tiny: float) -> None:
    for learner in (th.SignedWinnow(2), th.NormalizedWinnow(2), th.SignedWinnow(2, bias=True)):
        X, y = np.array([[tiny, 0.0], [0.0, tiny]]), np.array([-1, -1])
        learner.learn(X, y)
        assert th.verify(th.certify(learner, X, y, delta=None), X, y).holds


def test_what_several_classes_are_compared_by_is_rounded_and_nobody_calls_it_exact() -> None:
    # Of the last row both classes have the same score, 6/5 + 1 + 5/6 less the threshold. Added up
    # in another order it is a little more for the wrong one, which on paper comes second.
    X, y = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]), [*"aabaa"]
    learner = th.OneVersusRest(th.Winnow(3, Fraction(1, 5), 3), classes=["a", "b"])
    assert np.flatnonzero(learner.learn(X, y).mistaken).tolist() == [2, 4]
    a = [th.Winnow(3, Fraction(1, 5), 3) for _ in "ab"]
    for winnow, name in zip(a, "ab", strict=True):
        winnow.learn(X[:4], [1 if one == name else -1 for one in y[:4]])
    exact = [sum(Fraction(6, 5) ** int(z) for z in winnow.dual.tolist()) for winnow in a]
    assert exact[0] == exact[1]
    certificate = th.certify(learner, X, y)
    assert certificate.arithmetic == "float64"
    assert th.verify(certificate, X, y).holds


@pytest.mark.parametrize(
    ("inner", "arithmetic"),
    [
        (lambda: th.Perceptron(3), "exact"),
        (lambda: th.Elimination(3), "exact"),
        (lambda: th.Winnow(3), "float64"),
        (lambda: th.Calibrated(th.BalancedWinnow(3)), "float64"),
        (lambda: th.NormalizedWinnow(3, eta=0.5), "float64"),
        (lambda: th.SignedWinnow(3, eta=0.5), "float64"),
    ],
)
def test_sums_of_rows_are_exact_for_several_classes_and_sums_of_powers_are_not(
    inner: Any, arithmetic: str
) -> None:
    X, y = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 3), [*"abc"] * 3
    learner = th.OneVersusRest(inner())
    learner.learn(X, y)
    assert th.certify(learner, X, y).arithmetic == arithmetic


def test_experts_for_each_class_have_no_certificate_since_their_scores_are_not_replayed() -> None:
    X, y = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 3), [*"abc"] * 3
    learner = th.OneVersusRest(th.WeightedMajority(3))
    assert learner.learn(X, y).mistakes == 3
    with pytest.raises(CertificateError, match="does not follow its scores"):
        th.certify(learner, X, y)
