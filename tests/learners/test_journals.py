"""The journal of updates is the model."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import JOURNALED, Maker, stream
from thresher.errors import JournalTruncatedWarning

every_learner = pytest.mark.parametrize("maker", JOURNALED, ids=str)


def replayed(maker: Maker, journal: Any) -> Any:
    fresh = maker.make()
    if maker.title.endswith("literals"):
        # Its rows are spelled out over literals; the variables are the first half of them.
        rows = [{i: v for i, v in row.items() if i < fresh.n_variables} for row in journal]
        fresh.learn(rows, journal.label)
    else:
        fresh.learn(journal)
    return fresh


@every_learner
def test_the_journal_replayed_rebuilds_the_learner(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    learner = maker.make()
    rounds = learner.learn(table, labels)
    journal = learner.journal
    assert journal.complete
    fresh = replayed(maker, journal)
    if maker.linear:
        n = len(fresh.dual)
        if maker.grows:
            assert learner.bias_weight == fresh.bias_weight
            n -= 1
        assert fresh.dual[:n].tobytes() == learner.dual[:n].tobytes()
        assert len(fresh.journal) == len(journal)
    else:
        assert fresh.version_space_size == learner.version_space_size
    if "mean" in maker.title:
        # Mistakes are those of the mean; the weights of the moment decide on updates.
        assert learner.mistakes != len(journal)
    elif maker.eager:
        assert set(np.flatnonzero(rounds.mistaken).tolist()) < set(journal.round_number.tolist())
    elif "majority" not in maker.title and maker.linear:
        assert journal.round_number.tolist() == np.flatnonzero(rounds.mistaken).tolist()
        assert fresh.mistakes == learner.mistakes == len(journal)


@every_learner
def test_a_prefix_of_the_journal_rebuilds_the_learner_as_it_was(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    early, late = maker.make(), maker.make()
    early.learn(table[:80], labels[:80])
    late.learn(table, labels)
    kept = len(early.journal)
    assert late.journal[:kept].digest() == early.journal.digest()
    assert late.journal.round_number[:kept].tolist() == early.journal.round_number.tolist()
    assert np.all(late.journal.round_number[kept:] >= 80)


@every_learner
def test_a_journal_that_is_full_warns_once_keeps_a_prefix_and_counts(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    whole = maker.make()
    whole.learn(table, labels)
    limit = 17 + 12 * len(next(iter(whole.journal)))
    small = maker.make(journal_bytes=limit)
    with pytest.warns(JournalTruncatedWarning, match=f"{limit}"):
        scores = small.learn(table, labels).scores
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small.learn(table[:40], labels[:40])
        whole.learn(table[:40], labels[:40])
    assert scores.tobytes() == maker.make().learn(table, labels).scores.tobytes()
    journal = small.journal
    assert not journal.complete
    assert 0 < len(journal) < len(whole.journal)
    assert journal.omitted + len(journal) == len(whole.journal)
    assert list(journal.examples()) == list(whole.journal.examples())[: len(journal)]
    assert f"first {len(journal)} updates, {journal.omitted} later ones omitted" in repr(journal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small.copy().learn(table, labels)


@pytest.mark.parametrize("maker", [m for m in JOURNALED if m.linear], ids=str)
def test_one_row_at_a_time_the_warning_comes_with_the_row_that_did_not_fit(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    learner = maker.make(journal_bytes=30)

    def one_by_one() -> None:
        for row, label in zip(table, labels.tolist(), strict=True):
            learner.learn_one({int(i): float(row[i]) for i in np.flatnonzero(row)}, label)

    with pytest.warns(JournalTruncatedWarning) as told:
        one_by_one()
    assert len(told) == 1
    assert told[0].filename == __file__


@every_learner
def test_without_a_journal_nothing_is_kept_and_nothing_said(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    learner, other = maker.make(journal_bytes=0), maker.make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = learner.learn(table, labels).scores
    assert scores.tobytes() == other.learn(table, labels).scores.tobytes()
    assert len(learner.journal) == 0
    assert learner.journal.omitted == len(other.journal)


def test_the_memory_of_a_journal_is_bounded() -> None:
    learner = th.Perceptron(50, journal_bytes=10_000)
    with pytest.warns(JournalTruncatedWarning):
        learner.learn(np.tile(np.eye(50), (100, 1)), np.repeat([-1, 1] * 50, 50))
    assert learner.mistakes == 5000
    assert learner.journal.nbytes <= 2 * 10_000
    assert learner._engine.journal.nbytes <= 10_000


def test_rows_of_ones_after_other_rows_are_kept_as_they_were() -> None:
    learner = th.Perceptron(6)
    learner.learn([[2, 0, 0, 0, 0, 0]], [-1])
    learner.learn([[0, 1, 1, 1, 1, 1]], [-1])
    learner.learn([[0, 0, 0.5, 0, 0, 0]], [1])
    assert list(learner.journal) == [{0: 2.0}, dict.fromkeys(range(1, 6), 1.0), {2: 0.5}]


def test_a_snapshot_does_not_follow_the_learner() -> None:
    learner = th.Perceptron(2)
    learner.learn([[1, 0]], [-1])
    snapshot = learner.journal
    learner.learn([[0, 1]], [-1])
    assert (len(snapshot), len(learner.journal)) == (1, 2)
    assert repr(snapshot) == "Journal(1 updates)"
    with pytest.raises(ValueError, match="read-only"):
        snapshot.round_number[0] = 5


def test_rows_of_ones_after_other_rows_are_kept_with_their_values() -> None:
    learner = th.Perceptron(4)
    learner.learn([{0: 2.0, 1: 3.0}], [-1])
    learner.learn([{2: 1.0, 3: 1.0}], [-1])
    kept = [({0: 2.0, 1: 3.0}, -1), ({2: 1.0, 3: 1.0}, -1)]
    assert list(learner.journal.examples()) == kept
