"""A theorem is quoted for the learner it is about, and for no variation of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.certifier import identity
from thresher.errors import NotCertifiableError, RunMismatchError
from thresher.theory import Disjunction, PerceptronThickMargin, Separator
from thresher.verifier import ALGORITHMS, Certificate

BITS = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]] * 6)
TARGET = np.where(BITS[:, 0] > 0, 1, -1)

VARIED: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "margin": (lambda: th.Perceptron(4, margin=1), {"PerceptronThickMargin"}),
    "decay": (lambda: th.Perceptron(4, decay=0.1), set()),
    "average": (lambda: th.Perceptron(4, average=True), set()),
    "class weight": (lambda: th.Perceptron(4, class_weight=(1, 2)), set()),
    "scaling": (lambda: th.Perceptron(4, scaling="l2"), set()),
    "margin and scaling": (lambda: th.Perceptron(4, margin=1, scaling="max"), set()),
    "winnow, margin": (lambda: th.Winnow(4, margin=1), {"WinnowThickThresholds"}),
    "winnow, floor": (lambda: th.Winnow(4, floor=0.25), set()),
    "winnow, weights": (lambda: th.Winnow(4, class_weight=(2, 1)), set()),
    "signed, weights": (lambda: th.SignedWinnow(4, margin=0.2, class_weight=(2, 1)), set()),
    "p-norm": (lambda: th.PNormPerceptron(4, bias=True), {"PNorm"}),
    "p-norm, margin": (lambda: th.PNormPerceptron(4, margin=0.5), {"PNorm"}),
    "p-norm, scaling": (lambda: th.PNormPerceptron(4, scaling="l1"), set()),
    "arow": (lambda: th.AROW(4), set()),
    "passive-aggressive": (lambda: th.PassiveAggressive(4), {"PassiveAggressiveCapped"}),
    "pa, weights": (lambda: th.PassiveAggressive(4, class_weight=(1, 2)), set()),
    "pa, average": (lambda: th.PassiveAggressive(4, average=True, variant="PA"), set()),
    "adagrad, scaling": (lambda: th.AdaGrad(4, scaling="l2"), set()),
    "adagrad": (lambda: th.AdaGrad(4), set()),
    "modified": (lambda: th.ModifiedBalancedWinnow(4), set()),
}


@pytest.mark.parametrize("name", VARIED)
def test_a_varied_learner_is_certified_by_what_is_about_it(name: str) -> None:
    make, theorems = VARIED[name]
    learner = make()
    learner.learn(BITS, TARGET)
    certificate = th.certify(learner, BITS, TARGET)
    assert {statement.theorem for statement in certificate.bounds} == theorems
    assert certificate.kind == ("hindsight" if theorems else "count")
    read = Certificate.from_json(certificate.to_json())
    assert read.parameters == certificate.parameters
    verdict = th.verify(read, BITS, TARGET)
    assert verdict.holds, verdict


def test_novikoff_is_not_about_a_thick_margin() -> None:
    thin, thick = th.Perceptron(4), th.Perceptron(4, margin=1)
    thin.learn(BITS, TARGET)
    thick.learn(BITS, TARGET)
    honest, quoted = th.certify(thick, BITS, TARGET), th.certify(thin, BITS, TARGET)
    assert quoted.bounds[-1].theorem == "Novikoff"
    lie = replace(honest, bounds=quoted.bounds).resealed()
    verdict = th.verify(lie, BITS, TARGET)
    assert not verdict.holds
    assert "bounds" in {finding.what for finding in verdict.differences}


@pytest.mark.parametrize("option", ["margin", "decay", "average", "class_weight", "scaling"])
def test_an_option_that_is_kept_quiet_is_found_out(option: str) -> None:
    given: dict[str, Any] = {
        "margin": 3,
        "decay": 0.5,
        "average": True,
        "class_weight": (1, 3),
        "scaling": "l1",
    }
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 3, (60, 4)), rng.choice([-1, 1], 60)
    varied = th.Perceptron(4, **{option: given[option]})
    varied.learn(X, y)
    certificate = th.certify(varied, X, y)
    plain = ALGORITHMS["perceptron"].optional[option]
    lie = replace(certificate, parameters={**certificate.parameters, option: plain}).resealed()
    assert th.verify(certificate, X, y).holds
    assert not th.verify(lie, X, y).holds


def test_rows_of_different_importance_are_not_certified() -> None:
    learner = th.Perceptron(4)
    learner.learn(BITS, TARGET, importance=np.linspace(0.5, 2, len(BITS)))
    with pytest.raises(NotCertifiableError, match="count more than others"):
        th.certify(learner, BITS, TARGET)


def test_a_separator_allows_a_thick_margin_more() -> None:
    thick = th.Perceptron(4, margin=1)
    algorithm, parameters = identity(thick)
    claim = Separator(margin=Fraction(1, 2), radius=2)
    assert algorithm.allowance(parameters, claim) == PerceptronThickMargin(
        radius_squared=4, comparator_norm_squared=1, margin=Fraction(1, 2), thickness=1
    )
    assert algorithm.allowance({**parameters, "scaling": "l2"}, claim) is None
    winnow, given = identity(th.Winnow(4, margin=1))
    assert winnow.allowance(given, Disjunction(k=1, n=4)) is None


def test_what_format_1_left_out_is_completed_and_left_out_again() -> None:
    record = ALGORITHMS["perceptron"]
    document = {"n_features": 3, "bias": False}
    record.check(document, "$")
    parameters = record.parsed(document)
    assert record.is_textbook(parameters)
    assert parameters["margin"] == 0
    assert parameters["scaling"] is None
    assert record.plain(parameters, 1) == document
    assert set(record.plain(parameters, 2)) == set(record.parameters)
    assert record.plain({**parameters, "margin": Fraction(1)}, 1) == {**document, "margin": "1"}


@pytest.mark.parametrize("name", ["Perceptron", "AROW", "SignedWinnow", "PNormPerceptron"])
def test_weights_that_the_stream_does_not_explain_are_not_certified(name: str) -> None:
    learner = getattr(th, name)(4)
    learner.learn(BITS, TARGET)
    saved = learner.__getstate__()
    dual, *rest = saved["state"]
    # A change far too small to change a prediction of this stream.
    forged = learner.started_anew()
    dual[-1] += 2.0**-40
    forged.__setstate__({**saved, "state": (dual, *rest)})
    th.certify(learner, BITS, TARGET)
    with pytest.raises(RunMismatchError, match="in its state other numbers"):
        th.certify(forged, BITS, TARGET)


@pytest.mark.parametrize("name", ["average", "class weight 0"])
def test_a_journal_that_lacks_mistakes_is_no_evidence_of_their_number(name: str) -> None:
    options: dict[str, Any] = {"average": True} if name == "average" else {"class_weight": (0, 1)}
    learner = th.Perceptron(4, **options)
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 4)), rng.choice([-1, 1], 80)
    learner.learn(X, y)
    with pytest.raises(NotCertifiableError, match="does not show every mistake"):
        th.certify(learner, claim=Separator(margin=1))
    certificate = th.certify(learner, X, y)
    assert len(learner.journal) != learner.mistakes
    verdict = th.verify(certificate, journal=learner.journal)
    assert verdict.consistent, verdict
    assert verdict.replayed is None
