"""Small streams of all kinds: after every epoch the replay has the bits of the learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.certifier.mixed import combined_identity
from thresher.cluster.mixing import change_between, mixed
from thresher.verifier import read_rows, state_digest
from thresher.verifier.mixed_runs.replay import Replayed
from thresher.verifier.mixed_runs.source import ShardsInMemory

N = 9
Row = dict[int, float]
Stream = list[tuple[Row, Any]]
FEW = (("arow", 1.0, "scaled"), ("adagrad", 0.3, "presence"), ("means", 1.0, "presence"))
MADE: dict[str, Callable[[], Any]] = {
    "committee": lambda: th.Committee(N),
    "committee, few": lambda: th.Committee(N, FEW),
    "committee, weights": lambda: th.Committee(N, class_weight={-1: 2.5, 1: 0.1}),
    "committee, no weight": lambda: th.Committee(N, class_weight={-1: 0, 1: 0.1}),
    "committee, no weight for few": lambda: th.Committee(N, FEW, class_weight={-1: 0, 1: 0.1}),
    "arow": lambda: th.AROW(N, bias=True),
    "each: arow": lambda: th.OneVersusRest(th.AROW(N, bias=True)),
    "each: arow, plain": lambda: th.OneVersusRest(th.AROW(N)),
    "each: arow, weights": lambda: th.OneVersusRest(th.AROW(N), class_weight={"a": 0, "b": 3}),
    "each: adagrad": lambda: th.OneVersusRest(th.AdaGrad(N, scaling="online")),
    "each: perceptron": lambda: th.OneVersusRest(th.Perceptron(N), classes=["c", "z"]),
    "each: signed winnow": lambda: th.OneVersusRest(th.SignedWinnow(2 * N, eta=0.3)),
    "each: committee": lambda: th.OneVersusRest(th.Committee(N)),
    "each: committee, few": lambda: th.OneVersusRest(th.Committee(N, FEW), classes=["c", "z"]),
    "each: committee, weights": lambda: th.OneVersusRest(
        th.Committee(N), class_weight={"a": 0.5, "b": 3}
    ),
    "each: committee, no weight": lambda: th.OneVersusRest(
        th.Committee(N), class_weight={"a": 0, "b": 3}
    ),
    "multiclass perceptron": lambda: th.MulticlassPerceptron(N, bias=True),
    "multiclass passive-aggressive": lambda: th.MulticlassPassiveAggressive(N, classes=["c"]),
    "multiclass normalized winnow": lambda: th.MulticlassNormalizedWinnow(N, eta=0.5),
    "multiclass signed winnow": lambda: th.MulticlassSignedWinnow(N, eta=900, update="uniform"),
}
#: Their features are at most 1.
SMALL = [name for name in MADE if "winnow" in name]


def streams(name: str) -> st.SearchStrategy[list[Stream]]:
    """Rows of up to five shards: tables and sparse rows, with empty ones, some shards empty."""
    values = [1.0, -0.5, 0.25] if name in SMALL else [1.0, -2.0, 0.5, 3.0, 1e-310, 1e-20, 7e9]
    value = st.sampled_from(values)
    sparse = st.dictionaries(st.integers(0, N - 1), value, max_size=4)
    table = st.lists(value, min_size=3, max_size=3).map(lambda own: dict(enumerate(own)))
    signs = name.startswith(("committee", "arow"))
    label = st.sampled_from([-1, 1] if signs else ["a", "b", "c", "late"])
    shard = st.lists(st.tuples(sparse | table, label), max_size=7)
    return st.lists(shard, min_size=1, max_size=5)


def epochs_of(learner: Any, shards: Sequence[Stream], epochs: int) -> list[tuple[Any, str]]:
    """Mistakes of shards and the digest of the learner after each epoch, by the learners."""
    found = []
    for _ in range(epochs):
        before, changes = learner.shared_numbers(), []
        for shard in shards:
            own = learner.copy()
            if shard:
                own.learn([row for row, _ in shard], [label for _, label in shard])
            changes.append(change_between(before, own.shared_numbers()))
        learner = learner.with_shared(mixed(before, changes))
        mistakes = tuple(change.mistakes for change in changes)
        found.append((mistakes, state_digest(learner.learned_state())))
    return found


@pytest.mark.parametrize("name", MADE)
@settings(deadline=None, max_examples=25)
@given(data=st.data(), epochs=st.integers(1, 3))
def test_a_replay_has_the_bits_of_the_learners_after_every_epoch(
    name: str, data: st.DataObject, epochs: int
) -> None:
    assert_same_bits(MADE[name](), data.draw(streams(name)), epochs)


def assert_same_bits(learner: Any, shards: Sequence[Stream], epochs: int) -> None:
    algorithm, parameters, _ = combined_identity(learner)
    every = [one for shard in shards for one in shard]
    classes = ("late", "c", "b", "a") if algorithm.several else None
    rows = read_rows([row for row, _ in every], [label for _, label in every], classes)
    rounds = tuple(map(len, shards))
    source = ShardsInMemory(rows)
    source.cut(rounds)
    played = Replayed(algorithm, parameters, source, rounds).epochs()
    found = [(one.mistakes, one.digest) for one in islice(played, epochs)]
    assert found == epochs_of(learner, shards, epochs)


WITH_MANY_FEATURES: list[Callable[[], Any]] = [
    lambda: th.MulticlassPerceptron(40),
    lambda: th.MulticlassSignedWinnow(40, eta=0.5),
    lambda: th.OneVersusRest(th.Perceptron(40)),
    lambda: th.OneVersusRest(th.Committee(40, FEW)),
]


@pytest.mark.parametrize("make", WITH_MANY_FEATURES)
def test_features_whose_weights_come_back_to_nothing_are_no_exception(
    make: Callable[[], Any],
) -> None:
    """Rows of ones that no weights fit: duals go up and down, and are 0 again and again."""
    random = np.random.default_rng(5)
    shards: list[Stream] = [
        [
            (
                dict.fromkeys(random.choice(40, 2, replace=False).tolist(), 1.0),
                "abc"[random.integers(3)],
            )
            for _ in range(n)
        ]
        for n in (60, 40)
    ]
    assert_same_bits(make(), shards, 4)


@pytest.mark.parametrize("columns", [(60, 50), (100, 60), (900, 300), (1100, 3)])
@pytest.mark.parametrize("several", [False, True])
def test_members_leave_with_the_columns_of_all_shards(
    columns: tuple[int, int], several: bool
) -> None:
    shards: list[Stream] = [
        [
            ({2 * c + 2000 * s: 1.0, 2 * c + 2000 * s + 1: 2.0}, 1 - 2 * (c % 3 == s))
            for c in range(n // 2)
        ]
        for s, n in enumerate(columns)
    ]
    learner: Any = th.Committee(n_features=4000)
    if several:
        learner = th.OneVersusRest(learner)
        shards = [[(row, "abc"[label]) for row, label in shard] for shard in shards]
    assert_same_bits(learner, shards, 2)
