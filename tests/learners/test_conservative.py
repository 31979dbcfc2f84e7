from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import MAKERS, Maker, N
from thresher.errors import StateError
from thresher.learners.base.conservative import AT_ONCE, Conservative

LINEAR = [maker for maker in MAKERS if maker.linear and isinstance(maker.make(), Conservative)]
CONSERVATIVE = [maker for maker in LINEAR if maker.make().conservative]
VARIED = [
    *((maker.title, maker.make, maker.values) for maker in CONSERVATIVE),
    ("perceptron-decay", lambda **k: th.Perceptron(N, decay=0.1, **k), "signed"),
    ("perceptron-online", lambda **k: th.Perceptron(N, scaling="online", **k), "signed"),
    ("perceptron-no-class", lambda **k: th.Perceptron(N, class_weight=(0.0, 2.0), **k), "signed"),
    ("p-norm-margin", lambda **k: th.PNormPerceptron(N, margin=0.3, **k), "signed"),
    ("winnow-margin", lambda **k: th.Winnow(N, margin=0.5, **k), "real"),
    ("winnow-third", lambda **k: th.Winnow(N, beta="1/3", threshold="7/3", **k), "binary"),
    ("balanced-margin", lambda **k: th.BalancedWinnow(N, margin=0.25, floor="1/8", **k), "binary"),
]


def stream(values: str, n: int, seed: int) -> th.Batch:
    random = np.random.default_rng(seed)
    choices: dict[str, list[float]] = {
        "binary": [0, 1],
        "ternary": [-1, 0, 1],
        "real": [0, 0.25, 1],
        "signed": [-1, 0, 0.5],
    }
    rows = random.choice(choices[values], (n, N))
    target = random.normal(size=N)
    label = np.where((rows @ target > 0) != (random.random(n) < 0.1), 1, -1)
    return th.Batch.of(rows, label)


@pytest.mark.parametrize(("title", "make", "values"), VARIED, ids=[one[0] for one in VARIED])
def test_the_first_change_is_the_first_row_after_which_learning_leaves_another_state(
    title: str, make: Any, values: str
) -> None:
    batch = stream(values, 60, seed=len(title))
    learner = make()
    learner.learn(batch[:20])
    at = 20
    while at < len(batch):
        found = learner.first_change(batch, at)
        stop = len(batch) if found is None else found
        frozen = learner.scores(batch[at:stop])
        before, counts = learner.learned_state(), learner.counts
        rounds = learner.learn(batch[at:stop])
        assert rounds.scores.tobytes() == frozen.tobytes()
        assert str(learner.learned_state()) == str(before)
        assert learner.counts[1:3] == counts[1:3]
        if found is None:
            break
        rounds = learner.learn(batch[stop : stop + 1])
        assert learner.changed_in(rounds).tolist() == [True]
        at = stop + 1


@pytest.mark.parametrize(("title", "make", "values"), VARIED, ids=[one[0] for one in VARIED])
def test_rows_that_changed_a_copy_rebuild_the_run(title: str, make: Any, values: str) -> None:
    batch = stream(values, 80, seed=7 + len(title))
    learner = make()
    learner.learn(batch[:30])
    copy = learner.without_journal()
    rounds = copy.learn(batch[30:])
    changed = np.flatnonzero(copy.changed_in(rounds))
    whole = learner.copy()
    whole.learn(batch[30:])
    learner.learn_changes(batch[30:].taken(changed), changed + 30, copy.counts)
    assert learner == whole
    if "journal_bytes" in learner.parameters:
        assert learner.journal.round_number.tolist() == whole.journal.round_number.tolist()


@pytest.mark.parametrize(("row", "label", "changes"), [([0.5, 0], -1, True), ([1, 0.5], 1, False)])
def test_on_the_margin_a_negative_row_changes_winnow_and_a_positive_one_does_not(
    row: list[float], label: int, changes: bool
) -> None:
    learner, batch = th.Winnow(2, threshold=1, margin=0.5), th.Batch.of([row], [label])
    assert (learner.first_change(batch) is not None) == changes
    learner.learn(batch)
    assert bool(np.any(learner.dual)) == changes


def test_a_copy_without_a_journal_has_the_numbers_and_keeps_no_rows() -> None:
    learner = th.Perceptron(N)
    learner.learn(stream("signed", 40, seed=1))
    assert len(learner.journal)
    copy = learner.without_journal()
    copy.learn(stream("signed", 40, seed=2))
    assert len(copy.journal) == 0
    assert len(learner.journal)
    learner.learn(stream("signed", 40, seed=2))
    assert copy.dual.tolist() == learner.dual.tolist()


def test_a_row_far_down_is_found_and_the_rows_before_start_are_not_asked() -> None:
    n = 2 * AT_ONCE + 3
    label = np.ones(n, np.int8)
    label[[5, n - 1]] = -1
    batch = th.Batch.of(np.ones((n, 1)), label)
    learner = th.Perceptron(1)
    assert (learner.first_change(batch), learner.first_change(batch, 6)) == (5, n - 1)
    assert learner.first_change(batch[:0]) is None
    assert learner.n_rounds == 0


@pytest.mark.parametrize(
    "learner",
    [th.Perceptron(3, average=True), th.Winnow(3, literals=True), th.AROW(3), th.AdaGrad(3)],
    ids=str,
)
def test_a_learner_that_may_change_in_any_round_says_so(learner: Any) -> None:
    assert not learner.conservative
    with pytest.raises(StateError, match="may change in any round"):
        learner.first_change(th.Batch.of([[1]], [1]))


def test_changes_that_are_none_here_are_refused() -> None:
    learner = th.Perceptron(1)
    batch = th.Batch.of([[1]], [+1])
    with pytest.raises(StateError, match="do something else here"):
        learner.learn_changes(batch, np.array([0]), (1, 1, 0, 0))


def test_the_makers_that_are_conservative_are_those_that_the_contract_calls_so() -> None:
    found = {maker.title for maker in CONSERVATIVE}
    assert {"perceptron", "perceptron-bias", "perceptron-margin", "perceptron-grows"} <= found
    eager: list[Maker] = [maker for maker in LINEAR if maker.make().changes_in_most_rounds]
    assert eager
    assert not {maker.title for maker in eager} & found
