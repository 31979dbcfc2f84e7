from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from tests.cli.running import noisy_rows
from thresher.models.holdout import TOGETHER, Holdout
from thresher.streams.batch import Batch


@pytest.fixture(scope="module")
def stream() -> Batch:
    rows, labels = [], []
    for line in noisy_rows(2_000).splitlines():
        label, *pairs = line.split()
        labels.append(int(label))
        rows.append({int(pair.split(":")[0]): 1.0 for pair in pairs})
    return Batch.of(rows, labels)


def slow(stream: Batch, every: int) -> tuple[th.Perceptron, int]:
    """Row by row: those held out wait until a block is full, or the pass is over."""
    learner = th.Perceptron(n_features=30)
    waiting: list[tuple[dict[int, float], int]] = []
    mistakes = 0
    for place, (row, label) in enumerate(stream.examples(), start=1):
        if place % every == 0:
            waiting.append((row, label))
        else:
            learner.learn_one(row, label)
        if len(waiting) == TOGETHER or place == len(stream):
            mistakes += sum(learner.predict_one(x) != y for x, y in waiting)
            waiting = []
    return learner, mistakes


@pytest.mark.parametrize("every", [2, 3, 700])
@pytest.mark.parametrize("size", [1, 7, 600, 2_000])
def test_rows_held_out_wait_for_their_block_however_the_stream_is_cut(
    stream: Batch, every: int, size: int
) -> None:
    learner, held = th.Perceptron(n_features=30), Holdout(every)
    for first in range(0, len(stream), size):
        for part, _ in held.parts(stream[first : first + size], learner):
            learner.learn(part)
    error = held.finish_pass(learner)
    expected, mistakes = slow(stream, every)
    assert learner == expected
    assert (held.rows, held.mistakes) == (len(stream) // every, mistakes)
    assert error == mistakes / held.rows


def test_the_rows_of_a_part_are_said(stream: Batch) -> None:
    held = Holdout(3)
    ((part, rows),) = held.parts(stream[:7], th.Perceptron(n_features=30))
    assert rows.tolist() == [0, 1, 3, 4, 6]
    assert part == stream.taken(rows)


def test_a_new_pass_begins_to_count_anew(stream: Batch) -> None:
    held, learner = Holdout(2), th.Perceptron(n_features=30)
    for _ in range(2):
        held.start_pass()
        for part, _ in held.parts(stream[:5], learner):
            learner.learn(part)
        held.finish_pass(learner)
        assert held.rows == 2


def test_rows_taken_are_those_rows(stream: Batch) -> None:
    rows = np.array([5, 6, 100, 1999])
    examples = list(stream.examples())
    assert list(stream.taken(rows).examples()) == [examples[row] for row in rows.tolist()]
    assert len(stream.taken(rows[:0])) == 0


def run_of(
    stream: Batch, passes: int, held: Holdout, learner: th.Perceptron
) -> list[th.Perceptron]:
    """The learner after each of some passes."""
    after = []
    for number in range(1, passes + 1):
        held.start_pass()
        for part, _ in held.parts(stream, learner):
            learner.learn(part)
        held.finish_pass(learner, more=number < passes)
        after.append(learner.copy())
    return after


@pytest.mark.parametrize("every", [3, 11])
def test_the_learner_after_the_best_pass_is_kept(stream: Batch, every: int) -> None:
    learner, held = th.Perceptron(n_features=30), Holdout(every)
    after = run_of(stream[:300], 6, held, learner)
    errors = [error for error in held.errors if error is not None]
    assert len(errors) == 6
    assert len(set(errors)) > 1
    assert held.best_pass == errors.index(min(errors)) + 1
    assert held.chosen(learner) == after[held.best_pass - 1]


def test_the_last_pass_is_not_copied_when_it_is_the_best(stream: Batch) -> None:
    learner, held = th.Perceptron(n_features=30), Holdout(5)
    run_of(stream[:300], 1, held, learner)
    assert held.chosen(learner) is learner
    assert held.state.best is None


@pytest.mark.parametrize(
    ("n", "cut"),
    # A block of rows held out is full after 3 * TOGETHER rows: once within a pass of 900.
    [(300, cut) for cut in (0, 1, 299, 300, 301, 777, 1200)]
    + [(900, 850), (900, 1700), (900, 900)],
)
def test_a_run_in_two_parts_chooses_as_one_does(stream: Batch, n: int, cut: int) -> None:
    rows, passes = stream[:n], 5
    whole = Holdout(3)
    expected = run_of(rows, passes, whole, th.Perceptron(n_features=30))

    learner, first = th.Perceptron(n_features=30), Holdout(3)
    for t in range(cut):
        if t % n == 0:
            first.start_pass()
        for part, _ in first.parts(rows[t % n : t % n + 1], learner):
            learner.learn(part)
        # Whoever is interrupted at the end of a pass may or may not have heard of it.
        if t % n == n - 1 and t + 1 < cut:
            first.finish_pass(learner, more=True)

    second, left = Holdout(3, first.state), cut
    for number in range(1, passes + 1):
        seen = min(n, left)
        left -= seen
        second.start_pass()
        second.pass_over(rows[:seen])
        for part, _ in second.parts(rows[seen:], learner):
            learner.learn(part)
        second.finish_pass(learner, more=number < passes)
    assert second.errors == whole.errors
    assert second.chosen(learner) == expected[(whole.best_pass or 0) - 1]
