"""Names find their weights by a vocabulary or by a hash, and a learner may grow."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import thresher as th
from tests.learners.makers import NAMED, Maker, stream
from tests.reference.murmur3 import hash_bytes
from thresher.errors import NameTableFullError, UnsoundBatchError

every_named_learner = pytest.mark.parametrize("maker", NAMED, ids=str)
WORDS = ["free", "cash", "naïve", "消息", "a", "🌾"]


def named(table: Any) -> list[dict[str, float]]:
    # Backwards, so that the order of a dict is not the order of the columns.
    return [{WORDS[i]: float(row[i]) for i in np.flatnonzero(row)[::-1]} for row in table]


@every_named_learner
def test_names_in_a_vocabulary_are_columns_in_order_of_appearance(maker: Maker) -> None:
    table, labels = stream(maker)
    learner, numbered = maker.make(names=th.Vocabulary()), maker.make()
    rows = named(table)
    column: dict[str, int] = {}
    for row in rows:
        for word in row:
            column.setdefault(word, len(column))
    renumbered = [{column[word]: x for word, x in row.items()} for row in rows]
    scores = learner.learn(rows, labels).scores
    assert scores.tobytes() == numbered.learn(renumbered, labels).scores.tobytes()
    assert learner.vocabulary == column
    assert [learner.column_of(word) for word in WORDS] == [column.get(word) for word in WORDS]
    assert learner.dual.tobytes() == numbered.dual.tobytes()
    one_by_one = maker.make(names=th.Vocabulary())
    for row, label in zip(rows, labels.tolist(), strict=True):
        one_by_one.learn_one(row, label)
    assert one_by_one == learner
    assert learner.with_dual(learner.dual).vocabulary == column


@pytest.mark.parametrize("maker", [m for m in NAMED if not m.grows], ids=str)
def test_hashed_names_are_columns_by_their_hash(maker: Maker) -> None:
    table, labels = stream(maker)
    learner, numbered = maker.make(names=th.Hashed(seed=1)), maker.make()
    n = 6
    where = {word: hash_bytes(word.encode(), 1) % n for word in WORDS}
    assert {word: learner.column_of(word) for word in WORDS} == where
    assert len(set(where.values())) < n
    distinct = {column: word for word, column in where.items()}
    rows = [{w: x for w, x in row.items() if w in distinct.values()} for row in named(table)]
    renumbered = [{where[word]: x for word, x in row.items()} for row in rows]
    scores = learner.learn(rows, labels).scores
    assert scores.tobytes() == numbered.learn(renumbered, labels).scores.tobytes()
    assert learner.vocabulary == {}


def test_names_that_collide_add_up_or_the_strongest_counts() -> None:
    assert th.Perceptron(1).with_dual([1.0]).score_one({"a": 2.0, "b": -0.5}) == 1.5
    assert th.Winnow(1).score_one({"a": 1.0, "b": 0.25}) == 1.0
    assert th.BalancedWinnow(1).with_dual([1.0]).score_one({"a": -1.0, "b": 0.5}) == -1.5


@every_named_learner
def test_a_name_never_seen_weighs_nothing_and_is_not_kept(maker: Maker) -> None:
    learner = maker.make(names=th.Vocabulary())
    learner.learn(named(stream(maker)[0]), stream(maker)[1])
    before = learner.copy()
    known = {"free": 1.0}
    assert learner.score_one({**known, "stranger": 1.0}) == learner.score_one(known)
    assert learner.scores([{**known, "stranger": 1.0}]).tolist() == learner.scores([known]).tolist()
    assert learner == before


def test_a_full_vocabulary_says_so_and_learns_nothing() -> None:
    learner = th.Winnow(2, names=th.Vocabulary())
    learner.learn_one({"a": 1.0}, 1)
    before = learner.copy()
    with pytest.raises(NameTableFullError, match=r"'c' would be name number 3.*2 weights"):
        learner.learn_one({"b": 1.0, "c": 1.0}, 1)
    with pytest.raises(NameTableFullError, match="'c'"):
        learner.learn([{"b": 1.0}, {"c": 1.0}], [1, 1])
    assert learner == before
    assert learner.learn_one({"b": 1.0}, 1) == -1


@pytest.mark.parametrize("bias", [False, True])
def test_a_perceptron_that_grows_is_one_that_was_large_from_the_start(bias: bool) -> None:
    generator = np.random.default_rng(0)
    grown, fixed = th.Perceptron(bias=bias), th.Perceptron(5000, bias=bias)
    for t in range(300):
        row = {int(i): 1.0 for i in generator.integers(0, 10 * t + 5, 4)}
        label = int(generator.choice([-1, 1]))
        assert grown.scores([row]).tolist() == fixed.scores([row]).tolist()
        assert grown.predict_one(row) == fixed.predict_one(row)
        assert grown.learn_one(row, label) == fixed.learn_one(row, label)
    n = grown.n_features
    assert n < 5000
    assert grown.weights.tolist() == fixed.weights[:n].tolist()
    assert grown.bias_weight == fixed.bias_weight
    assert not fixed.weights[n:].any()
    assert (grown.bias_weight != 0.0) == bias
    assert grown.copy() == grown


def test_a_perceptron_that_grows_predicts_on_features_it_has_not_met() -> None:
    learner = th.Perceptron(bias=True)
    learner.learn([{0: 1.0}], [-1])
    assert learner.scores([{0: 1.0}, {7: 1.0}, {0: 1.0, 10**6: 1.0}, {}]).tolist() == [
        -2,
        -1,
        -2,
        -1,
    ]
    assert learner.score_one({7: 1.0}) == -1.0
    assert learner.n_features == 1


def test_any_mapping_is_a_row_and_nothing_else_is() -> None:
    row = MappingProxyType({"free": 1, "cash": 2})
    learner, twin = th.Perceptron(8), th.Perceptron(8)
    assert learner.learn_one(row, -1) == twin.learn_one(dict(row), -1)
    assert learner == twin
    assert learner.predict_one(row) == twin.predict_one(dict(row)) == -1
    with pytest.raises(UnsoundBatchError, match="a dict from feature to value, found list"):
        learner.learn_one([1, 2], +1)  # type: ignore[arg-type]
    assert learner == twin


@pytest.mark.parametrize(
    "row", [Counter("aab"), OrderedDict(a=2, b=1), defaultdict(int, a=2, b=1)], ids=repr
)
@pytest.mark.parametrize(
    "make",
    [th.Perceptron, th.Committee, th.MulticlassPerceptron, lambda: th.OneVersusRest(th.AROW())],
    ids=["two", "mixed", "several", "each"],
)
def test_any_kind_of_dict_is_a_row(make: Any, row: dict[str, float]) -> None:
    learner, plain = make(), make()
    rows: list[Any] = [row, {"c": 1}]
    learner.learn(rows, [1, 0])
    plain.learn([{"a": 2, "b": 1}, {"c": 1}], [1, 0])
    assert learner.learn_one(row, 0) == plain.learn_one({"a": 2, "b": 1}, 0)
    assert learner == plain
    assert learner.predict([row]).tolist() == plain.predict([{"a": 2, "b": 1}]).tolist()
    assert learner.predict_one(row) == plain.predict_one({"a": 2, "b": 1})


def test_a_series_of_dicts_has_rows() -> None:
    learner = th.Perceptron()
    rows = pd.Series([{"a": 1.0}, {"b": 2.0}])
    learner.learn(rows, [0, 0])
    assert learner.vocabulary == {"a": 0, "b": 1}
    assert learner.predict(rows.to_numpy()).tolist() == learner.predict(rows).tolist()


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([{"a", "b"}], "found set. Of a set of names, {name: 1 for name in row} is one"),
        ([{"a": 1}, None], "a row is a dict from feature to value, found NoneType"),
        (None, "rows are expected, found one NoneType"),
        (pl.DataFrame({"a": [1]}).lazy(), "rows are expected, found one LazyFrame"),
    ],
    ids=["sets", "a hole", "nothing", "lazy"],
)
def test_what_is_no_row_is_called_by_its_name(rows: Any, what: str) -> None:
    with pytest.raises(UnsoundBatchError, match=re.escape(what)):
        th.Perceptron().learn(rows, [0])
