"""What every learner does, whatever its algorithm."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.learners.makers import LINEAR, MAKERS, REAL, SIGNED, Maker, stream
from thresher.streams import Batch, Rows

every_learner = pytest.mark.parametrize("maker", MAKERS, ids=str)
every_linear_learner = pytest.mark.parametrize("maker", LINEAR, ids=str)


def dicts(table: Any) -> list[dict[int, float]]:
    return [{int(i): float(row[i]) for i in np.flatnonzero(row)} for row in table]


def played(maker: Maker, n_rows: int = 60) -> tuple[Any, bytes]:
    table, labels = stream(maker, n_rows)
    learner = maker.make()
    return learner, learner.learn(table, labels).scores.tobytes()


@every_learner
@given(cuts=st.lists(st.integers(0, 60), max_size=8))
@settings(max_examples=10)
def test_batches_of_any_size_give_the_same_bits(maker: Maker, cuts: list[int]) -> None:
    table, labels = stream(maker)
    whole, scores = played(maker)
    learner, pieces = maker.make(), []
    bounds = [0, *sorted(cuts), len(table)]
    for a, b in pairwise(bounds):
        pieces.append(learner.learn(table[a:b], labels[a:b]).scores)
    assert np.concatenate(pieces).tobytes() == scores
    assert learner == whole


@every_linear_learner
def test_empty_rows_give_the_same_bits_beside_fractions(maker: Maker) -> None:
    # Rows of whole numbers may be learned in another way than those that have fractions beside.
    last = 0.5 if maker.values in (REAL, SIGNED) else 1.0
    rows: list[dict[int, float]] = [{}, {0: 1.0}, {}, {1: last}]
    labels = [1, -1, 1, -1]
    whole, learner = maker.make(), maker.make()
    whole.learn(rows, labels)
    for row, label in zip(rows, labels, strict=True):
        learner.learn([row], [label])
    assert learner == whole


@every_learner
def test_dicts_row_by_row_give_the_same_bits(maker: Maker) -> None:
    table, labels = stream(maker)
    whole, scores = played(maker)
    learner, found, predicted = maker.make(), [], []
    for row, label in zip(dicts(table), labels.tolist(), strict=True):
        found.append(learner.scores([row])[0])
        predicted.append(learner.learn_one(row, label))
    assert np.array(found).tobytes() == scores
    assert predicted == [1 if s >= whole.threshold else -1 for s in np.frombuffer(scores)]
    assert learner == whole


FORMATS: dict[str, Any] = {
    "csr": scipy.sparse.csr_array,
    "csr matrix": scipy.sparse.csr_matrix,
    "csc": scipy.sparse.csc_array,
    "coo": scipy.sparse.coo_array,
    "lil": scipy.sparse.lil_array,
    "fortran": np.asfortranarray,
    "list": lambda table: table.tolist(),
    "dicts": dicts,
    "generator": lambda table: (row for row in dicts(table)),
    "rows": Rows.of,
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "every second row of twice as many": lambda table: np.repeat(table, 2, axis=0)[::2],
}


@every_learner
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_gives_the_same_bits(maker: Maker, form: str) -> None:
    table, labels = stream(maker)
    whole, scores = played(maker)
    learner = maker.make()
    assert learner.learn(FORMATS[form](table), labels).scores.tobytes() == scores
    assert learner == whole
    assert learner.predict(FORMATS[form](table)).tobytes() == whole.predict(table).tobytes()


@every_learner
@pytest.mark.parametrize("form", [list, np.array, polars.Series, pandas.Series, iter], ids=str)
def test_every_form_of_labels_gives_the_same_bits(maker: Maker, form: Any) -> None:
    table, labels = stream(maker)
    for given_labels in (labels.tolist(), (labels > 0).tolist(), (labels > 0).astype(int).tolist()):
        learner = maker.make()
        assert learner.learn(table, form(given_labels)).scores.tobytes() == played(maker)[1]


@every_learner
def test_a_batch_brings_its_labels_along(maker: Maker) -> None:
    table, labels = stream(maker)
    learner = maker.make()
    assert learner.learn(Batch.of(table, labels)).scores.tobytes() == played(maker)[1]


@every_linear_learner
def test_a_round_without_update_changes_only_the_number_of_rounds(maker: Maker) -> None:
    learner, _ = played(maker)
    voting = "majority" in maker.title
    for row in dicts(stream(maker, seed=1)[0]):
        before, updates = learner.copy(), len(learner.journal)
        prediction = learner.predict_one(row)
        wrong_experts = voting and any(x * prediction < 0 for x in row.values())
        assert learner.learn_one(row, prediction) == prediction
        assert learner.mistakes == before.mistakes
        assert learner.n_rounds == before.n_rounds + 1
        silent = maker.journaled and len(learner.journal) == updates
        if not maker.eager and not wrong_experts and maker.title != "random-majority":
            assert silent
        if silent:
            n = len(before.dual) - (before.n_features < learner.n_features)
            assert learner.dual[:n].tobytes() == before.dual[:n].tobytes()


@every_learner
def test_learning_leaves_what_it_was_given_alone(maker: Maker) -> None:
    table, labels = stream(maker)
    matrix, few = scipy.sparse.csr_array(table), labels.astype(np.int8)
    batch = Batch.of(matrix, few)
    digest, kept = batch.digest(), (table.copy(), matrix.copy())
    learner = maker.make()
    learner.learn(batch)
    learner.learn(matrix, few)
    learner.learn(table, few)
    assert batch.digest() == digest
    assert np.array_equal(table, kept[0])
    assert (matrix != kept[1]).nnz == 0
    # And it may be written to afterwards, as before.
    for array in (table, matrix.data, matrix.indices, matrix.indptr, few):
        array[:1] = array[:1]


@every_learner
def test_an_empty_batch_changes_nothing(maker: Maker) -> None:
    learner, _ = played(maker)
    before, (table, _) = learner.copy(), stream(maker)
    wide = np.zeros((0, table.shape[1] + 1))
    empty: list[Any] = [[], np.zeros((0, 3)), wide, scipy.sparse.csr_array((0, 3))]
    for nothing in empty:
        assert len(learner.learn(nothing, [])) == 0
        assert len(learner.predict(nothing)) == 0
    assert learner == before
    # Nor is a table too narrow because nothing was wider.
    assert learner.predict(table).tolist() == before.predict(table).tolist()


@every_learner
def test_a_fresh_learner_predicts(maker: Maker) -> None:
    learner = maker.make()
    table, _ = stream(maker)
    assert set(learner.predict(table).tolist()) <= {-1, 1}
    assert learner.predict_one({}) in (-1, 1)
    assert (learner.n_rounds, learner.mistakes, len(learner.journal)) == (0, 0, 0)
    assert learner == maker.make()


@every_learner
def test_predictions_are_those_the_next_round_makes(maker: Maker) -> None:
    learner, _ = played(maker, 30)
    table, labels = stream(maker, seed=2)
    for row, label in zip(dicts(table), labels.tolist(), strict=True):
        expected = learner.predict([row]).tolist()
        assert [learner.predict_one(row)] == expected
        assert learner.learn([row], [label]).predictions.tolist() == expected


@every_learner
def test_looking_changes_nothing(maker: Maker) -> None:
    learner, _ = played(maker)
    before = learner.copy()
    table, _ = stream(maker, seed=3)
    learner.predict(table)
    learner.scores(scipy.sparse.csr_array(table))
    learner.predict_one({0: 1.0})
    learner.journal, repr(learner)
    assert learner == before


@every_learner
@pytest.mark.parametrize(
    "twin_of",
    [lambda x: x.copy(), copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))],
    ids=["copy", "copy.copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("stop", [0, 25, 60])
def test_a_copy_goes_on_to_the_same_bits_and_neither_hears_of_the_other(
    maker: Maker, twin_of: Any, stop: int
) -> None:
    table, labels = stream(maker)
    learner = maker.make()
    learner.learn(table[:stop], labels[:stop])
    twin = twin_of(learner)
    assert twin == learner
    assert type(twin) is type(learner)
    more, answers = stream(maker, seed=4)
    ours = learner.learn(more, answers).scores.tobytes()
    if learner.mistakes:
        assert twin != learner
    assert twin.learn(more, answers).scores.tobytes() == ours
    assert twin == learner
    assert repr(twin) == repr(learner)
    assert twin.journal == learner.journal


@every_learner
def test_a_state_that_was_taken_does_not_follow_the_learner(maker: Maker) -> None:
    learner, _ = played(maker, 20)
    before, saved, kept = learner.copy(), learner.__reduce_ex__(4), learner.journal
    learner.learn(*stream(maker, seed=6))
    make, arguments, state = saved[:3]
    restored = make(*arguments)
    if hasattr(restored, "__setstate__"):
        restored.__setstate__(state)
    else:
        restored.__dict__.update(state)
    assert before.journal == kept
    if maker.linear:
        assert restored == before
        assert restored.journal == kept
    assert learner != before


@every_linear_learner
def test_a_learner_equals_another_only_to_the_last_bit(maker: Maker) -> None:
    learner, _ = played(maker)
    table, labels = stream(maker)
    same, other = maker.make(), maker.make()
    same.learn(table, labels)
    other.learn(table[:-1], labels[:-1])
    assert learner == same
    assert learner != other
    assert learner != "a learner"
    moved = learner.dual
    moved[0] = 0.0 if maker.title.startswith(("elim", "conj")) else moved[0] + 1.0
    assert learner.with_dual(learner.dual) == learner.with_dual(learner.dual)
    if moved[0] != learner.dual[0]:
        assert learner.with_dual(moved) != learner.with_dual(learner.dual)


@every_learner
def test_a_learner_says_what_it_is_and_what_it_did(maker: Maker) -> None:
    learner, _ = played(maker)
    assert repr(learner).startswith(type(learner).__name__ + "(")
    if maker.linear:
        assert repr(learner).endswith(f"): 60 rounds, {learner.mistakes} mistakes")


@every_learner
def test_the_counts_are_those_of_the_rounds(maker: Maker) -> None:
    table, labels = stream(maker)
    learner = maker.make()
    first, second = learner.learn(table, labels), learner.learn(table, labels)
    assert learner.n_rounds == 120
    for count in ("mistakes", "false_negatives", "false_positives"):
        assert getattr(learner, count) == getattr(first, count) + getattr(second, count)
    assert learner.mistakes == learner.false_negatives + learner.false_positives
    assert maker.title == "halving" or maker.title == "standard-optimal" or first.mistakes > 0


def test_the_weights_score_the_rows() -> None:
    for maker in LINEAR:
        odd = ("conjunction", "random-majority", "committee", "committee-grows")
        if maker.title.endswith("literals") or maker.title in odd:
            continue
        if maker.title == "mbw" or "scaling" in repr(maker.make()):
            continue
        learner, _ = played(maker)
        table, _ = stream(maker, seed=5)
        weights = learner.weights
        if isinstance(learner, th.WeightedMajority):
            weights = weights / max(weights.sum(), 1e-300)
        found = learner.scores(table)
        assert found == pytest.approx(table @ weights + learner.bias_weight, rel=1e-12, abs=1e-12)
