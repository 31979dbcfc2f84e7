"""Statements about new data: by no other theorem, for no other delta, of no other hypothesis."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import thresher as th
from tests.attacks.forgeries import BITS, CLASSES, EITHER, VOTES, run_of
from thresher.theory import (
    HoldoutRisk,
    MeanRiskAnytime,
    MeanRiskHoeffding,
    MeanRiskKl,
    MeanRiskKlPrior,
    StreakRisk,
)
from thresher.verifier.measures.risk import stated
from thresher.verifier.readers.labelled_rows import read_rows

AVERAGED: list[Any] = [
    th.Perceptron(4, average=True),
    th.Perceptron(4, average=True, bias=True),
    th.Perceptron(4, average=True, scaling="l2"),
    th.Perceptron(4, average=True, class_weight={-1: 2, 1: 1}),
    th.PassiveAggressive(4, average=True),
    th.AROW(4, average=True),
    th.AdaGrad(4, average=True),
    th.AdaGrad(4, average=True, loss="logistic"),
    th.Calibrated(th.Perceptron(4, average=True)),
    th.Calibrated(th.AROW(4, average=True)),
]


@pytest.mark.parametrize("at", range(len(AVERAGED)))
def test_a_mean_of_weights_is_no_hypothesis_that_stays(at: int) -> None:
    learner = AVERAGED[at].started_anew()
    X, y = BITS.tolist() * 3, EITHER.tolist() * 3
    run = run_of(learner, X, y, delta=0.05)
    assert "StreakRisk" not in {risk.theorem for risk in run.certificate.risks}
    forged = stated(StreakRisk(run.certificate.updates, 1, Fraction(1, 20)))
    assert forged is not None
    lie = replace(run.certificate, risks=(*run.certificate.risks, forged)).resealed()
    assert th.verify(lie, X, y).status == "does not hold"


def test_nor_is_it_inside_another_learner() -> None:
    learner = th.OneVersusRest(th.Perceptron(4, average=True))
    run = run_of(learner, BITS, CLASSES, delta=0.05)
    assert {risk.theorem for risk in run.certificate.risks} & {"StreakRisk"} == set()


def forgeries(certificate: th.Certificate) -> list[tuple[Any, ...]]:
    """Risks that the run does not have."""
    rounds, mistakes, twentieth = certificate.rounds, certificate.mistakes, Fraction(1, 20)
    mean, *rest = certificate.risks
    theorems = [
        MeanRiskKl(0, rounds, twentieth),
        MeanRiskKl(mistakes, rounds, Fraction(999999, 1000000)),
        MeanRiskKl(mistakes, 10**6, twentieth),
        MeanRiskAnytime(mistakes, rounds, twentieth),
        MeanRiskHoeffding(mistakes, rounds, twentieth),
        MeanRiskKlPrior(mistakes, rounds, twentieth),
        StreakRisk(0, rounds, twentieth),
        HoldoutRisk(0, rounds, twentieth),
    ]
    made = [(stated(theorem), *rest) for theorem in theorems]
    made += [(mean, mean, *rest), (*rest, mean), (), (replace(mean, allows=0.0), *rest)]
    return made


@pytest.mark.parametrize("at", range(12))
def test_no_other_risk_is_believed(at: int) -> None:
    run = run_of(th.Perceptron(4, bias=True), BITS, EITHER, delta=0.05)
    risks = forgeries(run.certificate)[at]
    if risks == run.certificate.risks:
        pytest.fail("this is the truth")
    lie = replace(run.certificate, risks=risks).resealed()
    try:
        assert th.verify(lie, BITS, EITHER).status == "does not hold"
    except th.errors.CertificateError:
        assert not risks


@pytest.mark.parametrize("delta", ["1/2", "999999/1000000", "1/1000000", "1/19", "3/60"])
def test_another_delta_is_another_statement(delta: str) -> None:
    run = run_of(th.Perceptron(4, bias=True), BITS, EITHER, delta=0.05)
    changed = replace(run.certificate, delta=Fraction(delta)).resealed()
    held = th.verify(changed, BITS, EITHER).holds
    assert held == (Fraction(delta) == Fraction(1, 20))


def test_the_confidence_is_always_shown() -> None:
    run = run_of(th.Perceptron(4, bias=True), BITS, EITHER, delta=Fraction(999999, 1000000))
    verdict = th.verify(run.certificate, BITS, EITHER)
    assert verdict.holds
    assert "with confidence 0.0001 %" in str(verdict)


def test_draws_and_journals_have_no_risks() -> None:
    lots = run_of(th.RandomizedWeightedMajority(4, seed=1), VOTES, EITHER, delta=0.05)
    assert lots.certificate.risks == ()
    mean = stated(MeanRiskKl(lots.certificate.mistakes, 40, Fraction(1, 20)))
    assert mean is not None
    for version in (1, 2):
        lie = replace(
            lots.certificate,
            version=version,
            risks=(mean,),
            delta=Fraction(1, 20) if version == 2 else None,
            data_digest=read_rows(VOTES, EITHER).digest()
            if version == 1
            else lots.certificate.data_digest,
        ).resealed()
        assert th.verify(lie, VOTES, EITHER).status == "does not hold"
