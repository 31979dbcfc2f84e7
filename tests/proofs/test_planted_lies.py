"""Each statement fails, in the right round, when the run it speaks about is not honest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.proofs.runs import KINDS, Lie, where
from thresher.concepts import Disjunctions
from thresher.learners.finite.halving import Halving
from thresher.proofs import AuditedRun, audit_run
from thresher.proofs.targets import DeclaredTarget

WITH_MISTAKES_ONLY = [
    kind for kind in KINDS if not kind.startswith(("majority", "halving", "elim", "conj"))
]


#: Learners whose last weights do not depend on every update.
FORGETFUL = {"winnow1", "normalized, guessing", "signed, guessing"}


def honest(kind: str, rounds: int = 80) -> AuditedRun:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(3)
    learner: Any = make(6)
    learner.learn(generate(rng, rounds, 6), rng.choice([-1, 1], rounds))
    return AuditedRun.of(learner)


def winnow_lie(**parameters: Any) -> Lie:
    return Lie(AuditedRun("winnow", 4, th.Batch.of(np.zeros((0, 4)), []), parameters))


@pytest.mark.parametrize("kind", WITH_MISTAKES_ONLY)
def test_a_flipped_label_is_found_in_its_round(kind: str) -> None:
    run = honest(kind)
    assert audit_run(run).sound
    rounds = run.round_number
    assert rounds is not None
    for update in range(0, len(run.journal), 3):
        lie = Lie(run).label(update).audit()
        negative = run.journal.label[update] > 0
        name = "false positives score at least" if negative else "false negatives score below"
        found = where(lie, name)
        assert found == (update, rounds[update]) or _tie(lie, update), kind
        assert not lie["counts"].holds
        if kind not in FORGETFUL:
            assert not lie["journal explains weights"].holds


def _tie(audit: Any, update: int) -> bool:
    """Scores within rounding of the threshold may be on either side."""
    return abs(float(audit.table["score"][update])) < 1e-9


@pytest.mark.parametrize("kind", [k for k in KINDS if not k.startswith("halving")])
def test_a_missing_update_leaves_weights_unexplained(kind: str) -> None:
    run = honest(kind, 2 if kind == "majority, 0" else 80)
    noticed = [
        not Lie(run).without(update).audit()["journal explains weights"].holds
        for update in range(len(run.journal))
    ]
    # A set that only shrinks, and a new guess, keep no trace of some updates.
    shrinks = kind.startswith(("elim", "conj", "majority, 0")) or kind in FORGETFUL
    assert any(noticed) if shrinks else all(noticed)


@pytest.mark.parametrize("kind", KINDS)
def test_rounds_out_of_order_are_found(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(3)
    learner = make(6)
    learner.learn(generate(rng, 80, 6), rng.choice([-1, 1], 80))
    run = (
        AuditedRun.of(learner)
        if kind != "halving"
        else AuditedRun("halving", 6, learner.journal, {"concepts": learner.concepts})
    )
    assert run.round_number is not None
    rounds = run.round_number.copy()
    rounds[1] = rounds[0]
    assert where(Lie(run).rounds(rounds).audit(), "order of rounds") == (1, rounds[0])


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "majority, by lot"])
def test_wrong_counters_are_found(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(9)
    learner = make(6)
    learner.learn(generate(rng, 5, 6), rng.choice([-1, 1], 5))
    if kind == "halving":
        learner = make(6)
        learner.learn([{0: 1}, {1: 1}], [-1, 1])
        assert learner.audit()["counts"].holds
        learner._false = (learner.false_negatives + 1, learner.false_positives)
        assert not learner.audit()["counts"].holds
        return
    run = AuditedRun.of(learner)
    assert run.counted is not None
    wrong = replace(run, counted=(run.counted[0] + 1, run.counted[1]))
    statement = audit_run(run)["counts"] if kind != "majority, abstaining" else None
    if statement is not None:
        assert statement.holds
        assert not audit_run(wrong)["counts"].holds


@pytest.mark.parametrize("kind", ["perceptron", "winnow", "signed", "majority", "conjunction"])
def test_a_score_that_the_journal_does_not_give_is_found_in_its_round(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(3)
    learner = make(6)
    rounds = learner.learn(generate(rng, 80, 6), rng.choice([-1, 1], 80))
    scores = rounds.scores[learner.journal.round_number]
    assert audit_run(AuditedRun.of(learner, None, scores)).sound
    scores[4] += 0.01
    lie = audit_run(AuditedRun.of(learner, None, scores))
    assert where(lie, "scores") == (4, learner.journal.round_number[4])


def test_a_wrong_step_is_found() -> None:
    run = honest("winnow")
    assert not audit_run(replace(run, parameters={"beta": 2})).sound
    assert not audit_run(replace(run, parameters={"threshold": 1})).sound


def test_the_squared_norm_of_rows_that_were_no_mistakes_grows_too_fast() -> None:
    lie = Lie(AuditedRun("perceptron", 2, th.Batch.of(np.zeros((0, 2)), []))).rows(
        [[1, 0]] * 5, [-1] * 5
    )
    audit = lie.audit(comparator=[-1, 0], margin=1)
    assert where(audit, "squared norm") == (1, 20)
    failure = audit["squared norm"].failure
    assert failure is not None
    assert (failure.left, failure.right) == (4, 2)
    assert where(audit, "hinge") == (1, 20)


def test_u1_fails_for_features_out_of_range_and_for_weights_from_elsewhere() -> None:
    assert where(
        winnow_lie().rows([[1, 0, 0, 0], [2, 0, 0, 0]], [1, 1]).audit(), "U1 total weight"
    ) == (1, 20)
    run = honest("winnow")
    assert run.dual is not None
    other = audit_run(replace(run, dual=run.dual[::-1] + 1))
    assert not other["U1 total weight"].holds


def test_u2_and_u3_fail_for_updates_that_were_no_mistakes() -> None:
    full, one = [1, 1, 1, 1], [1, 0, 0, 0]
    audit = winnow_lie().rows([one, full], [1, 1]).audit()
    assert where(audit, "U2 promotion") == (1, 20)
    audit = winnow_lie().rows([full, one], [-1, -1]).audit()
    assert where(audit, "U3 demotion") == (1, 20)


def test_u4_fails_when_too_little_weight_is_left() -> None:
    audit = winnow_lie(threshold=6).rows([[1, 1, 1, 1], [0, 0, 0, 1]], [-1, -1]).audit()
    assert where(audit, "U4 remainder") == (0, 10)


def test_u5_fails_for_a_weight_above_the_ceiling() -> None:
    audit = winnow_lie().rows([[1, 0, 0, 0]] * 4, [1] * 4).audit()
    assert where(audit, "U5 ceiling") == (2, 30)
    failure = audit["U5 ceiling"].failure
    assert failure is not None
    assert (failure.left, failure.right) == (8, 8)


def test_u6_fails_for_more_demotions_than_can_be_paid_for() -> None:
    audit = winnow_lie().rows([[1, 1, 1, 1]] * 3, [-1] * 3).audit()
    assert where(audit, "U6 false positives") == (1, 20)
    zeroing = winnow_lie(zeroing=True).rows([[1, 1, 1, 1]] * 2, [-1] * 2).audit()
    assert where(zeroing, "U6 false positives") == (1, 20)


def test_too_many_promotions_of_an_honest_target_are_a_bug() -> None:
    audit = winnow_lie().rows([[1, 0, 0, 0]] * 4, [1] * 4).audit(comparator={0})
    for name in ("promotions", "relevant weights"):
        failure = audit[name].failure
        assert failure is not None
        assert (failure.update, failure.round_number, failure.cause) == (2, 30, "bug")
    lie = winnow_lie().rows([[1, 0, 0, 0]] * 90, [1] * 90).audit(comparator={0})
    assert where(lie, "W3 budget") is not None


def test_w3_fails_for_features_out_of_range() -> None:
    audit = winnow_lie().rows([[1, 0, 0, 0], [3, 0, 0, 0]], [1, 1]).audit(comparator={0: 1.0})
    assert where(audit, "W3 drop") == (1, 20)


def test_the_normaliser_of_a_row_that_was_no_mistake_is_too_large() -> None:
    run = AuditedRun("normalized_winnow", 2, th.Batch.of(np.zeros((0, 2)), []), {"eta": 0.5})
    audit = Lie(run).rows([[-1, 1], [1, 1], [1, 1]], [1, 1, 1]).audit(comparator=[1, 1], margin=1)
    assert where(audit, "EG-a normaliser") == (1, 20)
    assert where(audit, "EG-a potential") == (1, 20)
    assert where(audit, "margin") == (0, 10)
    repeated = Lie(run).rows([[1, -1]] * 40, [1] * 40).audit(comparator=[1, 0], margin=1)
    assert where(repeated, "EG-b budget") is not None
    assert where(repeated, "EG-b decrease") is not None
    failure = repeated["EG-b decrease"].failure
    assert failure is not None
    assert failure.cause == "bug"
    wide = Lie(run).rows([[4, -4]], [1]).audit()
    assert where(wide, "EG-a normaliser") == (0, 10)


@pytest.mark.parametrize(("algorithm", "y"), [("elimination", [-1, -1]), ("conjunction", [1, 1])])
def test_a_set_that_does_not_shrink_is_found(algorithm: str, y: list[int]) -> None:
    run = AuditedRun(algorithm, 3, th.Batch.of(np.zeros((0, 3)), []))
    assert where(Lie(run).rows([[1, 1, 0], [1, 1, 0]], y).audit(), "shrinking") == (1, 20)


def test_a_majority_that_was_no_majority_is_found() -> None:
    learner = th.WeightedMajority(4)
    votes = [[1, 1, 1, -1], [1, 1, -1, -1], [-1, 1, 1, 1], [1, 1, 1, -1]]
    scores = learner.learn(votes, [1] * 4).scores[learner.journal.round_number]
    run = AuditedRun.of(learner, None, scores)
    assert audit_run(run, comparator=1).holds
    scores[2] = -1.0
    lie = audit_run(replace(run, scores=scores), comparator=1)
    assert where(lie, "cost of a mistake") == (2, 2)
    worse = audit_run(replace(run, scores=np.full(4, -1.0)), comparator=1)
    assert where(worse, "majority") == (0, 0)
    many = th.WeightedMajority(2)
    many.learn([[1, -1]] * 20, [1] * 20)
    all_wrong = replace(AuditedRun.of(many), scores=np.full(20, -1.0))
    found = where(audit_run(all_wrong, comparator=0), "expert")
    assert found == (2, 2)


def test_a_version_space_that_does_not_shrink_or_halve_is_found() -> None:
    learner = Halving(Disjunctions(3))
    scores = learner.learn([{0: 1, 2: 1}, {1: 1}], [-1, +1]).scores
    assert learner._audit(None, scores).sound
    concepts = {"concepts": learner.concepts}
    run = AuditedRun("halving", 3, th.Batch.of(np.zeros((0, 3)), []), concepts)
    twice = Lie(run).rows([[1, 0, 0], [1, 0, 0]], [-1, -1])
    assert where(twice.audit(), "shrinking") == (1, 20)
    gentle = Lie(run).rows([[1, 1, 0]], [+1]).field(scores=np.array([-1.0])).audit()
    assert where(gentle, "halving") == (0, 10)
    assert where(gentle, "version space") == (0, 10)


def test_inequalities_that_hold_for_every_comparator_catch_wrong_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No journal can break these: what is wrong must be a norm or an entropy."""
    X, y = [[3, 1], [1, 2], [-1, 2]], [-1, -1, 1]
    assert th.Perceptron(2).audit(X, y, comparator=[-1, 0])["Cauchy-Schwarz"].holds
    monkeypatch.setattr(DeclaredTarget, "norm_squared", property(lambda self: Fraction(1, 100)))
    assert not th.Perceptron(2).audit(X, y, comparator=[-1, 0])["Cauchy-Schwarz"].holds
    monkeypatch.setattr("thresher.proofs.potentials.exponentiated.log", lambda z: -9.0)
    lie = th.NormalizedWinnow(2, eta=1).audit([[-1, 1]], [-1], comparator=[1, 0])
    assert not lie["EG-c divergence"].holds
    monkeypatch.setattr("thresher.proofs.potentials.winnow_targets.log", lambda z: -9.0)
    lie = th.Winnow(2).audit([[1, 0]], [1], comparator={0})
    assert not lie["W3 divergence"].holds
