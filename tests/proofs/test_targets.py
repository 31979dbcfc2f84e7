"""Inequalities about a target hold where the data are what was declared; data or bug, it says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.proofs.runs import ball, binary, votes, whole
from thresher.concepts import Disjunctions
from thresher.errors import AuditError, ComparatorError
from thresher.learners.finite.halving import Halving
from thresher.proofs import AuditedRun, audit_run


def disjunction(rng: np.random.Generator, d: int, r: int, rounds: int) -> tuple[Any, Any]:
    X = binary(rng, rounds, d)
    return X, np.where(X[:, :r].any(axis=1), 1, -1)


@pytest.mark.parametrize(
    "options", [{}, {"beta": Fraction(1, 2)}, {"beta": 2, "threshold": 3}, {"zeroing": True}]
)
def test_winnow_on_disjunctions(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        d = int(rng.integers(2, 20))
        r = int(rng.integers(0, d))
        X, y = disjunction(rng, d, r, 80)
        audit = th.Winnow(d, **options).audit(X, y, comparator=set(range(r)))
        assert audit.holds, audit.first_failure
        assert audit.about_comparator


def test_winnow_on_at_least_k_of_r_with_a_small_step() -> None:
    """u = 1/k on the relevant features, rho = 1 - 1/k, factor 1 + 1/(2k): real weights."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        X = binary(rng, 120, 12)
        y = np.where(X[:, :4].sum(axis=1) >= 2, 1, -1)
        learner = th.Winnow(12, beta=Fraction(1, 4))
        audit = learner.audit(X, y, comparator=dict.fromkeys(range(4), 0.5), margin=0.5)
        assert audit.holds, audit.first_failure
        assert audit.table["loss_of_target"][-1] == 0
        assert audit["W3 budget"].places == len(audit)


def test_winnow_on_real_rows_and_any_labels() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        X, y = rng.random((60, 6)), rng.choice([-1, 1], 60)
        audit = th.Winnow(6, beta=0.5).audit(X, y, comparator=rng.random(6), margin=0.7)
        assert audit.holds, audit.first_failure


def test_the_perceptron_on_separated_rows() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        d = int(rng.integers(1, 8))
        X, u = whole(rng, 60, d), rng.integers(-3, 4, d)
        X = X[X @ u != 0]
        y = np.sign(X @ u)
        for comparator, margin in ((u, 1), (u, None), (u / 3, 0.3)):
            audit = th.Perceptron(d).audit(X, y, comparator=comparator, margin=margin)
            assert audit.holds, audit.first_failure
        audit = th.Perceptron(d).audit(X / 7, y, comparator=u)
        assert audit.holds, audit.first_failure


def test_the_hinge_holds_for_every_comparator_on_every_stream() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        X, y, u = whole(rng, 60, 5), rng.choice([-1, 1], 60), rng.integers(-3, 4, 5)
        audit = th.Perceptron(5).audit(X, y, comparator=u, margin=2)
        assert audit["hinge"].holds
        assert audit["Cauchy-Schwarz"].holds
        assert not audit["margin"].holds


@pytest.mark.parametrize("signed", [False, True])
def test_exponentiated_learners_on_separated_rows(signed: bool) -> None:
    rng = np.random.default_rng(6)
    make: Any = th.SignedWinnow if signed else th.NormalizedWinnow
    for options in ({"margin": 0.1}, {"eta": 0.05}, {}):
        for _ in range(15):
            u = rng.random(6) * (rng.choice([-1, 1], 6) if signed else 1)
            u /= np.abs(u).sum()
            X = ball(rng, 300, 6)
            X = X[np.abs(X @ u) >= 0.1]
            y = np.sign(X @ u)
            audit = make(6, **options).audit(X, y, comparator=3 * u, margin=0.3)
            assert audit.holds, audit.first_failure
            assert np.all(audit.table["divergence"] >= -1e-9)


def test_the_budget_holds_for_every_comparator_on_every_stream() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        X, y = votes(rng, 80, 5), rng.choice([-1, 1], 80)
        audit = th.NormalizedWinnow(5, eta=0.2).audit(X, y, comparator=rng.random(5), margin=0.9)
        assert audit["EG-b budget"].holds
        assert audit["EG-c divergence"].holds


def test_sets_and_version_spaces_keep_their_targets() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        d = int(rng.integers(1, 8))
        r = int(rng.integers(0, d + 1))
        X, y = disjunction(rng, d, r, 40)
        assert th.Elimination(d).audit(X, y, comparator=set(range(r))).holds
        assert Halving(Disjunctions(d)).audit(X, y, comparator=True).holds
        all_on = np.where(X[:, :r].all(axis=1), 1, -1)
        assert th.Conjunction(d).audit(X, all_on, comparator=set(range(r))).holds
        experts = 2 * X - 1
        for beta in (0, 0.25, Fraction(9, 10)):
            learner = th.WeightedMajority(d, beta=beta)
            assert learner.audit(experts, y, comparator=d - 1).holds


def test_a_demoted_relevant_feature_is_the_fault_of_the_data() -> None:
    X = [[1, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 0, 0]]
    audit = th.Winnow(4).audit(X, [1, -1, -1, 1], comparator={0})
    failure = audit["relevant features demoted"].failure
    assert failure is not None
    assert (failure.round_number, failure.left, failure.right) == (2, 1, 0)
    assert (failure.cause, failure.why) == ("data", "declared relevant and active: [0]")
    assert audit.sound
    assert not audit.holds


def test_a_false_negative_without_a_relevant_feature_is_the_fault_of_the_data() -> None:
    audit = th.Winnow(4).audit([[1, 0, 0, 0], [0, 1, 0, 0]], [1, 1], comparator={0})
    failure = audit["relevant features promoted"].failure
    assert failure is not None
    assert (failure.update, failure.round_number, failure.cause) == (1, 1, "data")
    assert audit.first_failure is audit["relevant features promoted"]


def test_too_many_promotions_after_a_contradiction_are_the_fault_of_the_data() -> None:
    rows = [[1, 0, 0, 0]] * 2 + [[0, 1, 0, 0]]
    audit = th.Winnow(4).audit(rows, [1, 1, 1], comparator={0})
    failure = audit["promotions"].failure
    assert failure is not None
    assert (failure.round_number, failure.left, failure.right) == (2, 3, 2)
    assert (failure.cause, failure.why) == ("data", "a row so far contradicts the disjunction")


def test_a_wrong_margin_is_found_in_the_round_that_breaks_it() -> None:
    X, y = [[3, 0], [0, 3], [-1, 2], [5, -1]], [-1, -1, 1, -1]
    audit = th.Perceptron(2).audit(X, y, comparator=[-1, 0], margin=2)
    rounds = audit.table["round"].tolist()
    failure = audit["margin"].failure
    assert failure is not None
    assert failure.round_number is not None
    assert failure.round_number in rounds
    assert failure.left == -(y[failure.round_number]) * X[failure.round_number][0]
    assert failure.cause == "data"
    total = audit["inner product"].failure
    assert total is not None
    assert (total.update, total.cause) == (failure.update, "data")
    assert total.left < total.right == 2 * (total.update + 1)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["elimination", "conjunction"])
def test_a_contradicted_target_is_named_before_it_is_lost(name: str) -> None:
    learner: Any = th.Elimination(3) if name == "elimination" else th.Conjunction(3)
    X, y = [[1, 1, 0], [1, 1, 0]], [-1, -1] if name == "elimination" else [1, 1]
    target = {0} if name == "elimination" else {2}
    audit = learner.audit(X, y, comparator=target)
    assert {check.name for check in audit.about_comparator if not check.holds} == {
        "target labels",
        "target kept",
    }
    failure = audit["target kept"].failure
    assert failure is not None
    assert (failure.round_number, failure.cause) == (0, "data")


def test_labels_of_no_concept_empty_the_version_space() -> None:
    audit = Halving(Disjunctions(2)).audit([{}, {0: 1}, {0: 1}], [-1, 1, -1], comparator=True)
    failure = audit["realisable"].failure
    assert failure is not None
    assert (failure.round_number, failure.left, failure.cause) == (2, 0, "data")
    assert audit.sound


@pytest.mark.parametrize(
    ("learner", "comparator", "says"),
    [
        (th.Winnow(3), {3}, "3 is not a column"),
        (th.Winnow(3), [1, 2, 3, 4], "4 weights for 3 columns"),
        (th.Winnow(3), {0: -1}, "must not be negative"),
        (th.Winnow(3), ["a"], "must be finite numbers"),
        (th.NormalizedWinnow(3), {0: -1}, "use SignedWinnow"),
        (th.NormalizedWinnow(3), [0, 0, 0], "all its weights are zero"),
        (th.BalancedWinnow(3), [1], "no inequality about Balanced Winnow"),
        (th.Elimination(3), [1, 0], "must be a set of columns"),
        (th.WeightedMajority(3), {1}, "must be the number of an expert"),
        (Halving(Disjunctions(2)), {1}, "must be True"),
    ],
)
def test_a_comparator_that_makes_no_sense_is_refused(
    learner: Any, comparator: Any, says: str
) -> None:
    with pytest.raises(ComparatorError, match=says):
        learner.audit(comparator=comparator)


def test_a_learner_without_a_potential_is_refused() -> None:
    with pytest.raises(AuditError, match="no potential is known for 'oracle'"):
        audit_run(AuditedRun("oracle", 1, th.Batch.of([[1]], [1])))
