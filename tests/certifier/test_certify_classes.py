"""Certificates of learners over finite classes, and of majorities by lot; and lies."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.verifier.strategies import CONCEPTS, WIDTH
from thresher.certifier.class_data import class_data
from thresher.concepts import (
    ConceptClass,
    DecisionLists,
    Disjunctions,
    TruthTable,
    all_functions,
    littlestone_dimension,
    singletons,
    thresholds,
)
from thresher.errors import CertificateError, NotCertifiableError, RunMismatchError
from thresher.learners.finite.weighted_majority import draws
from thresher.streams.batch import Batch
from thresher.verifier.replays.concept_classes import class_size, table_bits, written_out
from thresher.verifier.replays.littlestone import Dimensions, dimension_of
from thresher.verifier.replays.weighted_majority import draw

POINTS = list(product([0, 1], repeat=WIDTH))


def certified(learner: Any, X: Any, y: Any) -> th.Certificate:
    learner.learn(X, y)
    return th.certify(learner, X, y)


@pytest.mark.parametrize("concepts", CONCEPTS, ids=str)
def test_the_verifier_writes_out_the_same_functions(concepts: ConceptClass) -> None:
    data = class_data(concepts)
    ours = written_out(data)
    assert class_size(data) == len(ours.members) == concepts.size
    columns = [ours.says(ours.members, np.flatnonzero(x).astype(np.int32)) for x in POINTS]
    found = sorted(map(tuple, np.array(columns).T.tolist()))
    assert found == sorted(tuple(concept(x) for x in POINTS) for concept in concepts)


@pytest.mark.parametrize(
    "concepts", [*CONCEPTS, singletons(9), thresholds(10), all_functions(3)], ids=str
)
def test_the_verifier_finds_the_same_dimensions(concepts: ConceptClass) -> None:
    table = TruthTable.of(concepts)
    assert dimension_of(class_data(table)) == littlestone_dimension(table)


def test_concepts_that_agree_everywhere_have_dimension_zero() -> None:
    assert Dimensions(np.array([[1, 0], [1, 0], [1, 0]], bool)).of(0b111) == 0


def test_a_class_that_fits_is_quoted_with_its_theorem() -> None:
    X, y = [[1, 0, 1], [0, 1, 0], [0, 1, 1]], [-1, 1, 1]
    halving = certified(th.Halving(Disjunctions(3)), X, y)
    assert (halving.theorem, halving.allowed, halving.kind) == ("HalvingClass", 3, "hindsight")
    optimal = certified(th.StandardOptimal(singletons(8)), np.eye(8)[:3], [-1, -1, 1])
    assert (optimal.theorem, optimal.allowed, optimal.mistakes) == ("OptimalLearner", 1, 1)


@pytest.mark.parametrize("make", [th.Halving, th.StandardOptimal])
def test_mistakes_beyond_the_bound_need_a_class_that_does_not_fit(make: Any) -> None:
    """Labels that contradict every prediction: in the end no concept is left, and that is said."""
    learner = make(Disjunctions(3))
    X = np.random.default_rng(4).integers(0, 2, (12, 3))
    y: list[int] = []
    for row in X:
        x = {i: 1 for i in range(3) if row[i]}
        y.append(-learner.predict_one(x))
        learner.learn_one(x, y[-1])
    assert learner.mistakes == 12
    certificate = th.certify(learner, X, y)
    assert (certificate.kind, certificate.theorem) == ("count", None)
    assert certificate.emptied_in_round == learner.emptied_in_round
    assert certificate.emptied_in_round is not None
    verdict = th.verify(certificate, X, y)
    assert verdict.holds
    assert f"fits the first {certificate.emptied_in_round} rounds" in str(verdict)
    lie = replace(certificate, emptied_in_round=None, seal="")
    assert [f.what for f in th.verify(lie, X, y).differences] == ["emptied in round"]


def test_a_bound_is_not_quoted_for_a_class_that_does_not_fit() -> None:
    X, y = [[1, 0, 1], [0, 1, 0], [0, 1, 0]], [-1, 1, -1]
    honest = certified(th.Halving(Disjunctions(3)), X, y)
    fits = certified(th.Halving(Disjunctions(3)), X[:2], y[:2])
    lie = replace(honest, bounds=fits.bounds, kind="hindsight", seal="")
    assert "bounds" in {finding.what for finding in th.verify(lie, X, y).differences}
    assert not th.verify(lie, X, y).holds


def test_a_larger_class_cannot_be_passed_off_as_a_smaller_one() -> None:
    X, y = [[1, 0, 1], [0, 1, 0]], [-1, 1]
    honest = certified(th.Halving(Disjunctions(3)), X, y)
    small = {"class": "Disjunctions", "n_variables": 3, "k": 1, "negations": False}
    verdict = th.verify(replace(honest, parameters={"concepts": small}, seal=""), X, y)
    assert "HalvingClass.n_concepts" in {finding.what for finding in verdict.differences}


TABLE = {"class": "TruthTable", "n_variables": 2, "points": None, "rows": ["60"]}
SETS = {"class": "Disjunctions", "n_variables": 9, "k": 2, "negations": False}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, r"concepts\.class must be"),
        ({"class": "Oracle"}, r"concepts\.class must be"),
        (TABLE | {"rows": []}, r"rows must be at least one concept"),
        (TABLE | {"rows": ["61"]}, r"rows\[0\] must be 4 bits, filled up with zeros"),
        (TABLE | {"rows": ["60", "6000"]}, r"rows\[1\] must be 4 bits"),
        (TABLE | {"rows": ["6"]}, r"bytes in hexadecimal"),
        (TABLE | {"n_variables": 10**9}, r"n_variables must be at most 22"),
        (TABLE | {"points": [[0], [0]], "rows": ["40"]}, r"points must be different"),
        (TABLE | {"points": [[1, 0]], "rows": ["80"]}, r"points\[0\] must be strictly incr"),
        (TABLE | {"points": [[2]], "rows": ["80"]}, r"points\[0\] must be strictly incr"),
        (TABLE | {"points": [], "rows": ["00"]}, r"points must be different"),
        (SETS | {"k": 10}, r"k must be at most 9"),
        (SETS | {"k": None, "n_variables": 10**6}, r"n_variables must be at most 64"),
        (SETS | {"k": None, "n_variables": 25}, r"at most 16777216 numbers"),
        (SETS | {"k": 10**6, "n_variables": 10**7}, r"n_variables must be at most 1048576"),
        (SETS | {"k": 10**6, "n_variables": 10**6, "negations": True}, r"at most 16777216"),
        (SETS | {"k": 0, "n_variables": 10**12}, r"n_variables must be at most 1048576"),
        (SETS | {"r": 1}, r"concepts\.r is unknown"),
        (
            {"class": "CountingThresholds", "n_variables": 3, "r": 2, "at_least": 3},
            r"at_least must be at most 2",
        ),
    ],
)
def test_a_class_that_is_none_is_refused_by_the_place(data: dict[str, Any], says: str) -> None:
    certificate = certified(th.Halving(Disjunctions(2)), [[1, 0]], [1])
    document = json.loads(certificate.to_json())
    document["learner"]["parameters"]["concepts"] = data
    with pytest.raises(CertificateError, match=says):
        th.Certificate.from_json(json.dumps(document))


def test_a_class_too_large_to_be_written_out_is_not_certified() -> None:
    learner = th.Halving(DecisionLists(15, k=2))
    learner.learn([{0: 1}], [1])
    with pytest.raises(NotCertifiableError, match="bits; the limit is 4194304"):
        th.certify(learner, [{0: 1}], [1])


def test_a_table_of_a_class_keeps_the_order_of_its_bits() -> None:
    bits = np.random.default_rng(5).integers(0, 2, (20, 32)).astype(bool)
    assert np.array_equal(table_bits(class_data(TruthTable(bits))), bits)


def test_a_run_that_was_another_is_refused() -> None:
    learner = th.Halving(Disjunctions(2))
    learner.learn([[1, 0], [1, 0]], [1, -1])
    with pytest.raises(RunMismatchError):
        th.certify(learner, [[1, 0], [1, 0]], [1, 1])
    with pytest.raises(NotCertifiableError, match="journal of Halving"):
        th.certify(learner)
    with pytest.raises(NotCertifiableError, match="Leave the witness out"):
        th.certify(learner, [[1, 0], [1, 0]], [1, -1], witness=[1, 0])


@pytest.mark.parametrize("seed", [0, 5, 2**64 - 1])
def test_the_verifier_draws_the_same_numbers(seed: int) -> None:
    assert [draw(seed, t) for t in range(200)] == draws(seed, 0, 200).tolist()


def test_a_single_run_by_lot_may_exceed_the_average() -> None:
    """Two experts who disagree: the average is at most ln 4, and some draws lose more often."""
    X, y = [[1, -1], [1, -1], [1, -1]], [1, 1, 1]
    counts = set()
    for seed in range(60):
        certificate = certified(th.RandomizedWeightedMajority(2, seed=seed), X, y)
        assert certificate.kind == "expectation"
        assert certificate.expected == pytest.approx(2 * log(2))
        assert th.verify(certificate, X, y).holds
        counts.add(certificate.mistakes)
    assert max(counts) > 2 * log(2)


def test_lies_about_a_run_by_lot_are_named() -> None:
    rng = np.random.default_rng(6)
    X = rng.choice([-1, 1], (60, 5))
    y = X[:, 0] * np.where(rng.random(60) < 0.1, -1, 1)
    honest = certified(th.RandomizedWeightedMajority(5, Fraction(1, 3), seed=9), X, y)
    assert honest.witness is not None
    assert honest.witness.comparator.columns == (0,)
    learner = th.RandomizedWeightedMajority(5, Fraction(1, 3), seed=9)
    learner.learn(X, y)
    given = th.certify(learner, X, y, witness=[0, 1, 0, 0, 0])
    assert given.expected is not None
    assert honest.expected is not None
    assert given.expected > honest.expected
    assert th.verify(given, X, y).holds
    mean = honest.expectations[0]
    lies = {
        "false positives": replace(honest, false_positives=(honest.false_positives or 0) + 1),
        "expectations": replace(honest, expectations=()),
        "RandomizedMajorityBest allows": replace(honest, expectations=(replace(mean, allows=1.0),)),
        "bounds": replace(honest, bounds=(replace(mean, allows=99),)),
    }
    for what, lie in lies.items():
        verdict = th.verify(lie.resealed(), X, y)
        assert not verdict.holds
        assert what in {finding.what for finding in verdict.differences}
    for kind in ("count", "hindsight", "a priori", "refutation"):
        assert not th.verify(replace(honest, kind=kind, seal=""), X, y).holds


def test_a_batch_of_two_classes_keeps_both_for_a_learner_of_several() -> None:
    rows = Batch.of([[1, 0], [0, 1], [1, 1]] * 4, [-1, 1, 1] * 4)
    learner = th.MulticlassPerceptron()
    learner.learn(rows)
    assert learner.classes == (-1, 1)
    assert learner.journal.label.tolist() == [rows.label[t] for t in learner.journal.round_number]
    certificate = th.certify(learner, rows)
    assert certificate.mistakes == learner.mistakes
    assert set(certificate.classes or ()) == {"-1", "1"}
    assert th.verify(certificate, rows).holds
