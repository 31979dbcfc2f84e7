"""Certificates about the final model, from rows that it has not learned."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.concepts import Disjunctions
from thresher.errors import CertificateError, NotCertifiableError, ParameterError, RunMismatchError
from thresher.theory import Disjunction, HoldoutRisk

RNG = np.random.default_rng(12)
BITS = (RNG.random((400, 6)) < 0.4).astype(float)
TARGET = np.where((BITS[:, 0] > 0) | (BITS[:, 3] > 0), 1, -1)
NOISY = np.where(RNG.random(400) < 0.1, -TARGET, TARGET)
KINDS = np.array(["a", "b", "c"])[(BITS[:, 0] + BITS[:, 3]).astype(int)]
EVERY = 7

LEARNERS: dict[str, tuple[Callable[[], Any], Any]] = {
    "perceptron": (lambda: th.Perceptron(bias=True), NOISY),
    "average": (lambda: th.Perceptron(average=True, scaling="l2"), NOISY),
    "winnow": (lambda: th.Winnow(6), TARGET),
    "literals": (lambda: th.Winnow(6, literals=True), TARGET),
    "signed": (lambda: th.SignedWinnow(6, bias=True), TARGET),
    "p-norm": (lambda: th.PNormPerceptron(6), NOISY),
    "pa": (lambda: th.PassiveAggressive(), NOISY),
    "arow": (lambda: th.AROW(scaling="online"), NOISY),
    "adagrad": (lambda: th.AdaGrad(loss="logistic"), NOISY),
    "modified": (lambda: th.ModifiedBalancedWinnow(6), NOISY),
    "elimination": (lambda: th.Elimination(6), NOISY),
    "conjunction": (lambda: th.Conjunction(6), NOISY),
    "majority": (lambda: th.WeightedMajority(6), NOISY),
    "halving": (lambda: th.Halving(Disjunctions(6)), TARGET),
    "committee": (lambda: th.Committee(), NOISY),
    "calibrated": (lambda: th.Calibrated(th.AROW()), NOISY),
    "several classes": (lambda: th.MulticlassPerceptron(), KINDS),
    "network": (lambda: th.SparseNetwork(), KINDS),
    "one versus rest": (lambda: th.OneVersusRest(th.AROW()), KINDS),
}


def held(rows: int, every: int = EVERY) -> Any:
    return (np.arange(rows) + 1) % every == 0


def certified(make: Callable[[], Any], X: Any, y: Any) -> tuple[Any, th.Certificate]:
    learner, out = make(), held(len(y))
    learner.learn(X[~out], y[~out])
    return learner, th.certify(learner, X, y, holdout=EVERY)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_a_certificate_from_rows_held_out(name: str) -> None:
    make, y = LEARNERS[name]
    learner, certificate = certified(make, BITS, y)
    out = held(400)
    predicted = learner.predict(BITS[out])
    assert certificate.held_out_mistakes == int(np.count_nonzero(predicted != y[out]))
    assert (certificate.rounds, certificate.learned, certificate.held_out) == (400, 343, 57)
    assert certificate.mistakes == learner.mistakes
    risk = next(risk for risk in certificate.risks if risk.theorem == "HoldoutRisk")
    assert certificate.delta is not None
    expected = HoldoutRisk(certificate.held_out_mistakes, 57, certificate.delta)
    assert risk.allows == expected.max_risk()
    again = th.Certificate.from_json(certificate.to_json())
    for workers in (1, 2):
        assert th.verify(again, BITS, y, model=learner, workers=workers).holds


def test_the_text_says_what_was_counted_and_what_is_assumed_of_rows_held_out() -> None:
    _, certificate = certified(lambda: th.AROW(), BITS, NOISY)
    wrong = certificate.held_out_mistakes
    assert f"{wrong} of 57 rows held out are wrong" in str(certificate)
    premise = "rows held out are independent draws from one source, and had no part in training"
    assert premise in str(certificate)
    text = str(th.verify(certificate, BITS, NOISY))
    assert f"{wrong} of 57 rows held out wrong, as claimed" in text
    assert f"that {premise} or choosing the model; then" in text
    assert "the risk of the model is at most" in text


def test_a_shared_check_finds_the_same_mistakes_among_rows_held_out() -> None:
    X, y = np.tile(BITS, (8, 1)), np.tile(TARGET, 8)
    _, certificate = certified(lambda: th.Winnow(6), X, y)
    assert certificate.learned > 1024
    assert th.verify(certificate, X, y, workers=2) == th.verify(certificate, X, y)
    assert th.verify(certificate, X, y, workers=2).holds


@pytest.mark.parametrize(
    "lie",
    [
        {"held_out_mistakes": 0},
        {"held_out_every": EVERY + 1},
        {"held_out_every": None, "held_out_mistakes": None},
        {"held_out_every": 2},
    ],
)
def test_lies_about_rows_held_out_are_noticed(lie: dict[str, Any]) -> None:
    _, certificate = certified(lambda: th.Perceptron(), BITS, NOISY)
    assert certificate.held_out_mistakes
    # A liar leaves the list of mistaken rounds out: it would be too long or too short.
    verdict = th.verify(replace(certificate, seal="", mistaken_rounds=None, **lie), BITS, NOISY)
    assert not verdict.holds
    assert verdict.status == "does not hold"


def test_fewer_mistakes_with_the_risk_that_would_follow_from_them_are_noticed() -> None:
    _, certificate = certified(lambda: th.Perceptron(), BITS, NOISY)
    assert certificate.delta is not None
    theorem = HoldoutRisk(0, 57, certificate.delta)
    risks = tuple(
        replace(risk, quantities=theorem.measured(), allows=theorem.max_risk())
        if risk.theorem == "HoldoutRisk"
        else risk
        for risk in certificate.risks
    )
    forged = replace(certificate, held_out_mistakes=0, risks=risks, seal="")
    verdict = th.verify(forged, BITS, NOISY)
    assert verdict.status == "does not hold"
    assert "CLAIMED are 0 of 57 rows held out wrong" in str(verdict)


def test_a_row_held_out_that_was_learned_after_all_is_noticed() -> None:
    learner = th.Perceptron()
    learner.learn(BITS, NOISY)
    with pytest.raises(RunMismatchError, match="400"):
        th.certify(learner, BITS, NOISY, holdout=EVERY)


def test_a_change_in_a_row_held_out_is_noticed() -> None:
    _, certificate = certified(lambda: th.Winnow(6), BITS, TARGET)
    labels = TARGET.copy()
    labels[EVERY - 1] *= -1
    assert not th.verify(certificate, BITS, labels).holds


def test_a_class_that_only_rows_held_out_have_is_a_mistake() -> None:
    names = KINDS.astype(object)
    names[EVERY - 1] = "never learned"
    learner, certificate = certified(lambda: th.MulticlassPerceptron(), BITS, names)
    assert "never learned" not in learner.classes
    assert certificate.classes is not None
    assert certificate.classes[-1] == "never learned"
    assert certificate.held_out_mistakes
    assert th.verify(certificate, BITS, names).holds


def test_theorems_are_about_the_rows_that_were_learned() -> None:
    y = TARGET.copy()
    # The only labels that no disjunction explains are among the rows held out.
    y[held(400)] *= -1
    _, certificate = certified(lambda: th.Winnow(6), BITS, y)
    assert certificate.theorem == "WinnowDisjunction"
    assert certificate.held_out_mistakes == 57
    assert th.verify(certificate, BITS, y).holds
    learner = th.Winnow(6)
    learner.learn(BITS[~held(400)], y[~held(400)])
    declared = th.certify(learner, BITS, y, holdout=EVERY, claim=Disjunction(k=2, n=6))
    assert declared.kind == "a priori"
    assert th.verify(declared, BITS, y).holds


def test_without_the_data_rows_held_out_are_not_known() -> None:
    learner, certificate = certified(lambda: th.Perceptron(), BITS, NOISY)
    for given in ({}, {"journal": learner.journal}):
        verdict = th.verify(certificate, **given)
        assert not verdict.holds
        assert any("held out" in what for what in verdict.unchecked)


@pytest.mark.parametrize("holdout", [1, 0, -3, True, 2.5])
def test_one_row_in_fewer_than_two_cannot_be_held_out(holdout: Any) -> None:
    with pytest.raises(ParameterError, match="holdout"):
        th.certify(th.Perceptron(6), BITS, TARGET, holdout=holdout)


def test_rows_cannot_be_held_out_of_a_journal_or_of_draws() -> None:
    learner = th.Perceptron(6)
    learner.learn(BITS, TARGET)
    with pytest.raises(NotCertifiableError, match="journal"):
        th.certify(learner, holdout=EVERY, claim=Disjunction(k=2, n=6))
    by_lot = th.RandomizedWeightedMajority(6)
    by_lot.learn(2 * BITS - 1, TARGET)
    with pytest.raises(NotCertifiableError, match="by lot"):
        th.certify(by_lot, 2 * BITS - 1, TARGET, holdout=EVERY)


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("data", "held_out_every", 1),
        ("data", "held_out_every", None),
        ("run", "held_out_mistakes", None),
        ("run", "held_out_mistakes", -1),
    ],
)
def test_a_document_that_contradicts_itself_is_refused(
    section: str, field: str, value: Any
) -> None:
    _, certificate = certified(lambda: th.Perceptron(), BITS, NOISY)
    document = json.loads(certificate.to_json())
    document[section][field] = value
    with pytest.raises(CertificateError, match="held_out"):
        th.Certificate.from_json(json.dumps(document))
