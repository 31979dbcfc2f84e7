"""Journals: none contradicts a true count, and none vouches for a false one."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.forgeries import BITS, CLASSES, EITHER, MAKERS, NOISY, honest, run_of
from thresher.theory import Disjunction

SILENT_CLASS = {-1: 0, 1: 1}
#: Learners whose journals do not show every mistake, and rows on which some are hidden.
HIDING: list[Any] = [
    lambda: th.Perceptron(4, class_weight=SILENT_CLASS),
    lambda: th.Perceptron(4, average=True, bias=True),
    lambda: th.PassiveAggressive(4, class_weight=SILENT_CLASS),
    lambda: th.AROW(4, class_weight=SILENT_CLASS),
    lambda: th.AdaGrad(4, class_weight=SILENT_CLASS, average=True),
    lambda: th.SignedWinnow(4, eta=0.3, class_weight=SILENT_CLASS),
    lambda: th.BalancedWinnow(4, class_weight=SILENT_CLASS),
    lambda: th.PNormPerceptron(4, p=3.0, class_weight=SILENT_CLASS),
    lambda: th.Winnow(4, threshold=1, class_weight=SILENT_CLASS),
    lambda: th.Calibrated(th.Perceptron(4, class_weight=SILENT_CLASS)),
    lambda: th.Calibrated(th.Perceptron(4, average=True)),
    lambda: th.Committee(4),
]


@pytest.mark.parametrize("at", range(len(HIDING)))
def test_a_journal_that_hides_mistakes_contradicts_nothing(at: int) -> None:
    run = run_of(HIDING[at](), BITS, NOISY)
    assert th.verify(run.certificate, BITS, NOISY).holds
    verdict = th.verify(run.certificate, journal=run.learner.journal)
    assert verdict.status == "could not tell", verdict


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_but_the_stream_makes_a_claim_hold(name: str) -> None:
    run = honest(name)
    assert th.verify(run.certificate).status == "could not tell"
    journal = run.learner.journal
    if journal is not None:
        assert th.verify(run.certificate, journal=journal).status == "could not tell"


def test_journals_of_several_classes_are_not_taken_for_two() -> None:
    for learner in (
        th.MulticlassPerceptron(4), th.MulticlassPerceptron(4, classes=["c", "a", "b"]),
        th.MulticlassPassiveAggressive(4), th.MulticlassSignedWinnow(4, margin=0.1),
        th.SparseNetwork(4), th.MulticlassNormalizedWinnow(4, eta=0.3),
    ):  # fmt: skip
        for rows in (40, 2, 1):
            fresh = learner.started_anew()
            run = run_of(fresh, BITS[:rows], CLASSES[:rows])
            verdict = th.verify(run.certificate, journal=fresh.journal)
            assert verdict.status == "could not tell"


def forged_journals() -> list[SimpleNamespace]:
    """The journal of a Perceptron with one thing changed in each."""
    journal = honest("perceptron").learner.journal
    arrays = ("row_start", "column", "value", "label", "round_number")
    kept = {name: np.array(getattr(journal, name)) for name in arrays}
    lies: list[dict[str, Any]] = [
        {"label": -kept["label"]},
        {"label": np.roll(kept["label"], 1)},
        {"value": kept["value"] * 2},
        {"value": -kept["value"]},
        {"column": (kept["column"] + 1) % 4},
        {"round_number": kept["round_number"] + 1},
        {"round_number": kept["round_number"][::-1].copy()},
    ]
    last = int(kept["row_start"][-2])
    lies.append(
        {
            "row_start": kept["row_start"][:-1],
            "column": kept["column"][:last],
            "value": kept["value"][:last],
            "label": kept["label"][:-1],
            "round_number": kept["round_number"][:-1],
        }
    )
    nothing = {name: kept[name][:0] for name in arrays[1:]}
    lies.append({"row_start": kept["row_start"][:1], **nothing})
    twice = {name: np.concatenate([kept[name], kept[name]]) for name in arrays[1:]}
    start = np.concatenate([kept["row_start"], kept["row_start"][1:] + kept["row_start"][-1]])
    lies.append({"row_start": start, **twice})
    return [SimpleNamespace(**kept | lie) for lie in lies]


@pytest.mark.parametrize("at", range(10))
def test_a_changed_journal_is_noticed(at: int) -> None:
    run, journal = honest("perceptron"), forged_journals()[at]
    try:
        alone = th.verify(run.certificate, journal=journal).status
    except th.errors.ThresherError:
        alone = "does not hold"
    assert alone == "does not hold"
    verdict = th.verify(run.certificate, run.X, run.y, journal=journal)
    assert "journal given" in {finding.what for finding in verdict.differences}


def test_a_journal_beside_its_own_rows_is_compared_with_them() -> None:
    learner = th.Winnow(4)
    learner.learn(BITS, EITHER)
    certificate = th.certify(learner, claim=Disjunction(k=2, n=4))
    assert th.verify(certificate, journal=learner.journal).holds
    at = learner.journal.round_number
    assert th.verify(certificate, BITS[at], EITHER[at], learner.journal).holds
    other = th.Winnow(4)
    other.learn(BITS[::-1], EITHER[::-1])
    assert not th.verify(certificate, BITS[at], EITHER[at], other.journal).holds


@pytest.mark.parametrize("name", ["committee", "arow", "adagrad", "weighted majority", "by lot"])
def test_all_rounds_are_not_passed_off_as_the_mistakes_of_a_longer_run(name: str) -> None:
    run = honest(name)
    forged = replace(run.certificate, scope="mistake rounds", risks=(), delta=None).resealed()
    assert th.verify(forged, run.X, run.y).status == "does not hold"


def test_a_comparator_for_mistakes_alone_is_said_to_be_assumed() -> None:
    learner = th.Perceptron(4, bias=True)
    learner.learn(BITS, EITHER)
    certificate = th.certify(learner, witness=[1, 1, 0, 0, -0.5])
    verdict = th.verify(certificate, journal=learner.journal)
    assert verdict.holds
    assert "that the comparator was chosen before the run" in str(verdict)
