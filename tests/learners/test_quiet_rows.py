from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import thresher as th
from tests.learners.test_conservative import CONSERVATIVE, VARIED, stream
from thresher.learners.base import linear_learner, quiet_rows

ROWS = 400


@pytest.fixture(autouse=True)
def few_rows_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_rows, "WORTH_SHARING", ROWS)


@pytest.fixture
def passed_over(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows were passed over, call by call."""
    found: list[int] = []
    true: Any = quiet_rows._pass_over

    def noting(*given: Any) -> int:
        found.append(true(*given))
        return found[-1]

    monkeypatch.setattr(quiet_rows, "_pass_over", noting)
    return found


def everything(learner: Any) -> tuple[Any, ...]:
    journal = learner.journal
    return learner.counts, journal.round_number.tolist(), str(learner.learned_state())


@pytest.mark.parametrize(("title", "make", "values"), VARIED, ids=[one[0] for one in VARIED])
@pytest.mark.parametrize("noise", [0, 1])
def test_threads_change_nothing_of_what_is_learned(
    title: str, make: Any, values: str, noise: int, passed_over: list[int]
) -> None:
    rows = stream(values, ROWS, seed=len(title))
    alone, shared = make(), make()
    shared.threads = 3
    # Labels that it gives itself are learned without a change; a few others are not.
    alone.learn(rows)
    shared.learn(rows)
    label: NDArray[np.int8] = alone.predict(rows)
    label[-7 * noise :][:noise] *= -1
    again = th.Batch.from_rows(rows, label)
    for _ in range(4):
        # As if there had been no change for long, whatever there was.
        shared._quiet = ROWS
        first, second = alone.learn(again), shared.learn(again)
        assert first.scores.tobytes() == second.scores.tobytes()
        assert everything(alone) == everything(shared)
    assert alone == shared
    assert len(passed_over) == 4


def test_learners_of_every_kind_are_tried() -> None:
    tried = {type(maker.make()).__name__ for maker in CONSERVATIVE}
    assert {"Perceptron", "PNormPerceptron", "Winnow", "SignedWinnow", "Conjunction"} <= tried


def test_rows_are_shared_once_as_many_before_them_changed_nothing(passed_over: list[int]) -> None:
    learner = th.Perceptron(2)
    learner.threads = 2
    label = np.ones(ROWS, np.int8)
    right = th.Batch.of(np.ones((ROWS, 2)), label)
    learner.learn(right)
    assert (learner._quiet, passed_over) == (ROWS, [])
    learner.learn(right)
    assert (learner._quiet, passed_over) == (2 * ROWS, [ROWS])
    label[300] = -1
    rounds = learner.learn(th.Batch.of(np.ones((ROWS, 2)), label))
    assert passed_over == [ROWS, 300]
    assert np.flatnonzero(rounds.mistaken).tolist() == [300, 301]
    assert learner.journal.round_number.tolist() == [2 * ROWS + 300, 2 * ROWS + 301]
    assert (learner._quiet, learner.n_rounds) == (0, 3 * ROWS)
    learner.learn(right)
    assert passed_over == [ROWS, 300]


def test_updates_that_the_journal_leaves_out_and_those_within_the_margin_are_changes() -> None:
    learner = th.Perceptron(1, margin=1.5, journal_bytes=0)
    learner.threads = 2
    learner.learn(th.Batch.of(np.ones((ROWS, 1)), np.ones(ROWS, np.int8)))
    assert (learner.mistakes, learner.journal.omitted, learner._quiet) == (0, 2, 0)


def test_a_mistake_that_weighs_nothing_is_no_quiet_round() -> None:
    learner = th.Perceptron(1, class_weight=(0.0, 1.0))
    learner.threads = 2
    learner.learn(th.Batch.of(np.ones((ROWS, 1)), np.full(ROWS, -1, np.int8)))
    assert (learner.mistakes, learner.dual.tolist(), learner._quiet) == (ROWS, [0.0], 0)


def test_scores_that_exact_arithmetic_settles_are_counted_once(passed_over: list[int]) -> None:
    rows = np.tile([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]], (ROWS // 2, 1))
    label = np.ones(ROWS, np.int8)

    def made() -> th.Winnow:
        # Two weights of a third make up the threshold, which no double is.
        return th.Winnow(3, beta="1/3", threshold="8/3").with_dual([1, 1, 1])

    for wrong in ([], [ROWS - 1]):
        label[wrong] = -1
        batch = th.Batch.of(rows, label)
        alone, shared = made(), made()
        shared.threads, shared._quiet = 2, ROWS
        alone.learn(batch)
        shared.learn(batch)
        assert alone.close_calls > 0
        assert alone == shared
    assert passed_over == [ROWS, 0]


def test_ctrl_c_waits_until_all_of_a_batch_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = th.Perceptron(1)
    learner.threads, learner._quiet = 2, ROWS
    label = np.ones(ROWS, np.int8)
    label[200] = -1
    true: Any = quiet_rows._learn

    def interrupted(*given: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        true(*given)

    monkeypatch.setattr(quiet_rows, "_learn", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            learner.learn(th.Batch.of(np.ones((ROWS, 1)), label))
    finally:
        signal.signal(signal.SIGINT, before)
    assert (learner.n_rounds, learner.mistakes) == (ROWS, 2)


@pytest.mark.parametrize("learner", [th.AROW(2), th.Perceptron(2, average=True)], ids=str)
def test_learners_that_change_in_any_round_share_nothing(
    learner: Any, passed_over: list[int]
) -> None:
    learner.threads, learner._quiet = 2, ROWS
    learner.learn(th.Batch.of(np.ones((ROWS, 2)), np.ones(ROWS, np.int8)))
    assert passed_over == []


def test_for_a_few_rows_no_thread_is_started(passed_over: list[int]) -> None:
    learner = th.Perceptron(1)
    learner.threads, learner._quiet = 2, ROWS
    learner.learn(th.Batch.of(np.ones((ROWS - 1, 1)), np.ones(ROWS - 1, np.int8)))
    assert passed_over == []


def test_a_few_rows_are_scored_without_work_being_handed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner = th.Perceptron(1)
    learner.threads = 2
    monkeypatch.setattr(linear_learner, "at_once", None)
    assert len(learner.predict(np.ones((255, 1)))) == 255
    with pytest.raises(TypeError):
        learner.predict(np.ones((256, 1)))


def test_rows_with_importance_are_played_one_by_one(passed_over: list[int]) -> None:
    learner = th.Perceptron(1)
    learner.threads, learner._quiet = 2, ROWS
    batch = th.Batch.of(np.ones((ROWS, 1)), np.ones(ROWS, np.int8), importance=np.full(ROWS, 2.0))
    learner.learn(batch)
    assert passed_over == []
