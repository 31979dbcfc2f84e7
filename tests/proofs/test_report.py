"""What an audit shows, what it costs, and that its columns are those of a plain replay."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.proofs.runs import KINDS
from thresher.errors import AuditError, JournalTruncatedWarning
from thresher.proofs import AuditedRun, audit_run

STREAMS = st.lists(
    st.tuples(st.lists(st.integers(0, 1), min_size=4, max_size=4), st.sampled_from([-1, 1])),
    min_size=1,
    max_size=40,
)


@given(STREAMS, st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(7, 3)]))
def test_winnow_is_replayed_weight_by_weight(stream: Any, beta: Fraction) -> None:
    X, y = [x for x, _ in stream], [label for _, label in stream]
    w, rows = [Fraction(1)] * 4, []
    for t, (x, label) in enumerate(stream):
        score = sum(a * b for a, b in zip(w, x, strict=True))
        if (score >= 4) != (label > 0):
            w = [a * (1 + beta) ** (label * b) for a, b in zip(w, x, strict=True)]
            rows.append((t, score, sum(w), w))
    audit = th.Winnow(4, beta=beta).audit(X, y)
    assert audit.table["round"].tolist() == [row[0] for row in rows]
    assert audit.table["score"].tolist() == [row[1] for row in rows]
    assert audit.table["total_weight"].tolist() == [row[2] for row in rows]
    for i in range(4):
        assert audit.weight_of(i).tolist() == [row[3][i] for row in rows]
    assert audit.sound


@given(STREAMS)
def test_the_perceptron_is_replayed_weight_by_weight(stream: Any) -> None:
    w, rows = [0] * 4, []
    for t, (x, label) in enumerate(stream):
        score = sum(a * b for a, b in zip(w, x, strict=True))
        if (score >= 0) != (label > 0):
            w = [a + label * b for a, b in zip(w, x, strict=True)]
            rows.append((t, score, sum(a * a for a in w), w))
    audit = th.Perceptron(4).audit([x for x, _ in stream], [label for _, label in stream])
    assert audit.table["score"].tolist() == [row[1] for row in rows]
    assert audit.table["norm_squared"].tolist() == [row[2] for row in rows]
    for i in range(4):
        assert audit.weight_of(i).tolist() == [row[3][i] for row in rows]


@pytest.mark.parametrize("kind", ["normalized", "normalized, guessing", "signed, guessing"])
def test_exponentiated_learners_are_replayed_weight_by_weight(kind: str) -> None:
    make, generate = KINDS[kind]
    rng = np.random.default_rng(11)
    X, y = generate(rng, 150, 5), rng.choice([-1, 1], 150)
    audit = make(5).audit(X, y)
    learner = make(5)
    after = []
    for x, label in zip(X, y, strict=True):
        before = learner.mistakes
        phase = learner.phase
        learner.learn([x], [label])
        if learner.mistakes > before:
            # A refuted guess is thrown away with its last update.
            after.append(learner.weights if learner.phase == phase else None)
    assert len(audit) == len(after) > 20
    for k, weights in enumerate(after):
        if weights is not None:
            found = [audit.weight_of(i)[k] for i in range(5)]
            assert np.allclose(found, weights, atol=1e-10)


def test_a_run_that_did_not_begin_at_zero_is_audited_from_where_it_began() -> None:
    rng = np.random.default_rng(12)
    X, y = rng.integers(0, 2, (60, 4)), rng.choice([-1, 1], 60)
    start = np.array([2.0, -1.0, 0.0, 3.0])
    u = {0: 1, 2: 2}
    for learner in (
        th.Perceptron(4),
        th.Winnow(4),
        th.BalancedWinnow(4),
        th.NormalizedWinnow(4, eta=0.3),
        th.SignedWinnow(4, eta=0.3),
    ):
        warm = learner.with_dual(start)
        warm.learn(X, y)
        comparator = None if warm.name == "balanced_winnow" else u
        audit = warm.audit(comparator=comparator, start=start)
        assert audit.sound, audit.first_failure
        bugs = [c for c in audit.about_comparator if c.failure and c.failure.cause == "bug"]
        assert bugs == []
        assert not warm.audit()["journal explains weights"].holds
        again = learner.audit(X, y, start=start)
        assert again.table["score"].tolist() == audit.table["score"].tolist()
    with pytest.raises(AuditError, match="from its beginning"):
        th.WeightedMajority(4).audit(start=start)
    with pytest.raises(AuditError, match="must be finite"):
        th.Winnow(4).audit(start=[0, 0, 0, -np.inf])


def test_a_truncated_journal_is_audited_as_far_as_it_goes() -> None:
    learner = th.Winnow(4, journal_bytes=60)
    with pytest.warns(JournalTruncatedWarning):
        learner.learn([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [1] * 4)
    audit = learner.audit(comparator={0, 1, 2, 3})
    assert (len(audit), audit.omitted, audit.complete) == (2, 2, False)
    assert audit.holds
    assert "2 later ones are not in the journal" in str(audit)
    names = {check.name for check in audit.invariants}
    assert not names & {"counts", "journal explains weights", "U1 total weight"}


def test_a_journal_and_parameters_are_enough() -> None:
    learner = th.Winnow(4, beta=2, threshold=5)
    rng = np.random.default_rng(13)
    learner.learn(rng.integers(0, 2, (80, 4)), rng.choice([-1, 1], 80))
    alone = audit_run(AuditedRun("winnow", 4, learner.journal, {"beta": 2, "threshold": 5}))
    full = learner.audit()
    assert alone.table.keys() == full.table.keys()
    for name in full.table:
        assert alone.table[name].tolist() == full.table[name].tolist()
    assert alone.sound


def test_a_plain_batch_is_a_journal_without_rounds() -> None:
    audit = audit_run(AuditedRun("winnow", 2, th.Batch.of([[1, 1]] * 2, [-1, -1]), {}))
    failure = audit["U3 demotion"].failure
    assert failure is not None
    assert (failure.update, failure.round_number) == (1, None)
    assert "at update 1: -1/2 against -1; bug" in str(failure)


def test_an_empty_journal_is_audited() -> None:
    for kind, (make, _) in KINDS.items():
        audit = make(3).audit()
        assert (len(audit), audit.holds) == (0, True), kind
        assert str(audit).startswith(f"{audit.algorithm}: 0 updates audited")


def test_the_text_shows_both_ends_of_a_long_table_and_every_statement() -> None:
    learner = th.Perceptron(3)
    rng = np.random.default_rng(14)
    audit = learner.audit(rng.integers(-3, 4, (200, 3)), rng.choice([-1, 1], 200))
    lines = str(audit).splitlines()
    assert lines[0] == f"perceptron: {len(audit)} updates audited"
    assert lines[1].split() == list(audit.table)
    assert f"... {len(audit) - 24} more" in lines
    assert len(lines) == 2 + 24 + 1 + len(audit.invariants)
    assert lines[2].split()[0] == str(audit.table["round"][0])
    with pytest.raises(KeyError, match="no statement 'magic' was checked"):
        audit["magic"]


def test_the_earliest_failure_comes_first_and_the_whole_run_last() -> None:
    X = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]]
    audit = th.Winnow(4).audit(X, [1, 1, -1], comparator={0})
    assert audit.first_failure is not None
    assert audit.first_failure.name == "relevant features promoted"
    learner = th.Winnow(4)
    learner.learn(X, [1, 1, -1])
    run = AuditedRun("winnow", 4, learner.journal, dual=np.ones(4))
    only_dual = audit_run(run)
    assert only_dual.first_failure is not None
    assert only_dual.first_failure.failure is not None
    assert only_dual.first_failure.failure.update == -1
    assert "in the run as a whole" in str(only_dual)


@pytest.mark.parametrize(
    "kind", [k for k in KINDS if not k.startswith("halving") and "literals" not in k]
)
def test_the_cost_is_that_of_the_journal(kind: str) -> None:
    """Memory for a million weights is a few vectors of them, never one for each update."""
    make, _ = KINDS[kind]
    d, rows = 200_000, 60
    learner: Any = make(d)
    rng = np.random.default_rng(15)
    X = [{int(i): 1.0 for i in rng.integers(0, d, 5)} for _ in range(rows)]
    learner.learn(X, rng.choice([-1, 1], rows))
    tracemalloc.start()
    try:
        audit = learner.audit()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert audit.sound
    # 8 bytes * d = 1.6 MB; a dense table of the updates would take 96 MB.
    assert peak < 16e6


def test_the_length_of_the_stream_does_not_matter() -> None:
    learner = th.Winnow(50)
    X = np.eye(50)[:, :50]
    for _ in range(40):
        learner.learn(X, np.where(np.arange(50) < 3, 1, -1))
    before = len(learner.audit())
    for _ in range(400):
        learner.learn(X, np.where(np.arange(50) < 3, 1, -1))
    assert learner.n_rounds == 22_000
    assert len(learner.audit()) == before == 18
