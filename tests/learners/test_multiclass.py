"""Manners of the learners with several classes."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    JournalTruncatedWarning,
    LabelError,
    ParameterError,
    StateError,
)

N = 6
Make = Callable[..., Any]

TABLES: list[Make] = [
    lambda n=N, **k: th.MulticlassPerceptron(n, bias=True, **k),
    lambda n=N, **k: th.MulticlassPerceptron(n, update="uniform", **k),
    lambda n=N, **k: th.MulticlassPassiveAggressive(n, **k),
    lambda n=N, **k: th.MulticlassSignedWinnow(n, eta=0.7, **k),
    lambda n=N, **k: th.MulticlassNormalizedWinnow(n, margin=0.2, update="uniform", **k),
    lambda n=N, **k: th.SparseNetwork(n, threshold=1.0, **k),
]
MAKERS: list[Make] = [
    *TABLES,
    lambda n=N, **k: th.OneVersusRest(th.Perceptron(n), **k),
    lambda n=N, **k: th.OneVersusRest(th.Winnow(n or N, threshold=1), **k),
    lambda n=N, **k: th.OneVersusRest(th.Calibrated(th.AROW(n)), **k),
]
NAMES = ["perceptron", "uniform", "pa", "signed", "normalized", "network", "ovr", "ovr-winnow"]
NAMES += ["ovr-calibrated"]


def stream(seed: int, n_rows: int = 40) -> tuple[list[dict[int, float]], list[str | int]]:
    rng = np.random.default_rng(seed)
    rows = [
        {int(i): float(rng.choice([1.0, 0.5])) for i in np.flatnonzero(rng.random(N) < 0.5)}
        for _ in range(n_rows)
    ]
    labels: list[str | int] = [("ham", "spam", 3, "4")[int(r)] for r in rng.integers(0, 4, n_rows)]
    return rows, labels


def play(learner: Any, rows: list[dict[int, float]], labels: list[str | int]) -> None:
    for row, label in zip(rows, labels, strict=True):
        learner.learn_one(row, label)


everyone = pytest.mark.parametrize("make", MAKERS, ids=NAMES)


@everyone
@given(st.integers(0, 50), st.lists(st.integers(0, 40), max_size=4))
@settings(max_examples=20)
def test_how_a_stream_is_cut_makes_no_difference(make: Make, seed: int, cuts: list[int]) -> None:
    rows, labels = stream(seed)
    whole, pieces = make(), make()
    rounds = whole.learn(rows, labels)
    found: list[Any] = []
    edges = [0, *sorted(cuts), len(rows)]
    for a, b in pairwise(edges):
        found += pieces.learn(rows[a:b], labels[a:b]).predictions.tolist()
    assert found == rounds.predictions.tolist()
    assert pieces == whole
    assert pieces.mistakes == rounds.mistakes == np.count_nonzero(rounds.mistaken)


@everyone
def test_one_row_at_a_time_is_the_same_and_predicts_what_it_would_answer(make: Make) -> None:
    rows, labels = stream(1)
    whole, single = make(), make()
    rounds = whole.learn(rows, labels)
    for row, label, predicted in zip(rows, labels, rounds.predictions, strict=True):
        scores = single.scores_one(row)
        assert single.predict_one(row) == single.predict([row])[0] == predicted
        assert single.predict_top_one(row, 2) == single.predict_top([row], 2)[0].tolist()
        assert list(scores.values()) == single.scores([row])[0].tolist()
        assert tuple(scores) == single.classes
        assert single.learn_one(row, label) == predicted
    assert single == whole


@everyone
def test_a_class_that_was_never_seen_is_a_mistake_and_can_be_predicted_then(make: Make) -> None:
    learner = make()
    assert learner.predict_one({0: 1.0}) is None
    assert learner.predict([{0: 1.0}]).tolist() == [None]
    assert learner.scores([{0: 1.0}]).shape == (1, 0)
    assert learner.predict_top([{0: 1.0}], 3).shape == (1, 0)
    rounds = learner.learn([{0: 1.0}, {0: 1.0}, {1: 1.0}], ["a", "a", "b"])
    assert rounds.predictions.tolist() == [None, "a", "a"]
    assert rounds.mistaken.tolist() == [True, False, True]
    if rounds.changed is not None:
        assert rounds.changed[[0, 2]].tolist() == [True, True]
    assert rounds.labels.tolist() == ["a", "a", "b"]
    assert learner.classes == ("a", "b")


@pytest.mark.parametrize("make", MAKERS[:7], ids=NAMES[:7])
def test_among_equals_the_class_that_came_first_is_predicted(make: Make) -> None:
    learner = make(classes=["z", "a", "m"])
    row = {0: 1.0}
    assert learner.predict_one(row) == "z"
    assert learner.predict_top_one(row, 3) == ["z", "a", "m"]
    assert learner.predict_top([row], 2).tolist() == [["z", "a"]]
    assert learner.learn([row], ["z"]).predictions.tolist() == ["z"]


@everyone
def test_the_best_few_are_those_of_the_largest_scores(make: Make) -> None:
    rows, labels = stream(2)
    learner = make()
    learner.learn(rows, labels)
    scores = learner.scores(rows)
    top = learner.predict_top(rows, 9)
    assert top.shape == (len(rows), 4)
    for row, placed in zip(scores, top.tolist(), strict=True):
        by_label = dict(zip(learner.classes, row.tolist(), strict=True))
        expected = sorted(
            by_label, key=lambda label: (-by_label[label], learner.classes.index(label))
        )
        assert placed == expected
    assert learner.predict(rows).tolist() == top[:, 0].tolist()
    with pytest.raises(ParameterError, match="k must be a whole number"):
        learner.predict_top(rows, 0)


FAULTS: list[tuple[Any, Any, type[Exception]]] = [
    ([{0: 1.0}, {N: 1.0}], ["x", "y"], DimensionError),
    ([{0: 1.0}, {0: 1e101}], ["x", "y"], FeatureRangeError),
    ([{0: 1.0}, {1: 1.0}], ["x", 1.5], LabelError),
    ([{0: 1.0}, {1: 1.0}], ["x", None], LabelError),
    ([{0: 1.0}, {1: 1.0}], ["x", ("a", "b")], LabelError),
    ([{0: 1.0}, {1: 1.0}], ["x"], LabelError),
    ([{0: 1.0}, {1: 1.0}], None, LabelError),
]


@everyone
@pytest.mark.parametrize(("rows", "labels", "error"), FAULTS)
def test_a_batch_with_a_fault_leaves_no_trace(
    make: Make, rows: Any, labels: Any, error: type[Exception]
) -> None:
    for started in (False, True):
        learner = make()
        if started:
            learner.learn(*stream(3, 10))
        before = learner.copy()
        with pytest.raises(error):
            learner.learn(rows, labels)
        assert learner == before
        assert learner.classes == before.classes


@everyone
def test_a_single_row_with_a_fault_leaves_no_trace(make: Make) -> None:
    learner = make()
    learner.learn(*stream(3, 10))
    before = learner.copy()
    for row, label in (({N: 1.0}, "new"), ({0: 1e101}, "new"), ({0: 1.0}, 0.5)):
        with pytest.raises((DimensionError, FeatureRangeError, LabelError)):
            learner.learn_one(row, label)
    assert learner == before


@pytest.mark.parametrize("make", MAKERS[:7], ids=NAMES[:7])
def test_names_find_the_same_weights_in_batches_and_alone(make: Make) -> None:
    growing = make(None)
    growing.learn([{"free": 1, "cash": 1}, {"lunch": 1}], ["spam", "ham"])
    again = make(None)
    again.learn_one({"free": 1, "cash": 1}, "spam")
    again.learn_one({"lunch": 1}, "ham")
    assert again == growing
    with pytest.raises(LabelError):
        growing.learn([{"other": 1}], [2.5])
    assert again == growing
    assert growing.predict_one({"free": 1, "never": 1}) == growing.predict_one({"free": 1})
    hashed = make(64)
    hashed.learn([{"free": 1, "cash": 1}, {"lunch": 1}], ["spam", "ham"])
    assert hashed.scores([{"free": 1}]).tolist() == growing.scores([{"free": 1}]).tolist()


def test_labels_are_texts_and_whole_numbers_however_they_are_spelled() -> None:
    learner: Any = th.MulticlassPerceptron(2)
    table = [[1, 0], [0, 1]]
    learner.learn(table, np.array([1, 2], np.int8))
    learner.learn(table, np.array([1.0, 2.0]))
    learner.learn(table, [np.int64(1), np.float64(2)])
    learner.learn(table, [True, 2])
    assert learner.classes == (1, 2)
    learner.learn(table, np.array(["1", "b"]))
    assert learner.classes == (1, 2, "1", "b")
    assert {type(label) for label in learner.classes} == {int, str}
    learner.learn(th.Batch.of(table, [1, -1]))
    assert learner.classes == (1, 2, "1", "b", -1)
    with pytest.raises(LabelError, match=r"found 1\.5 of type float"):
        learner.learn(table, [1, 1.5])
    with pytest.raises(ParameterError, match="labels that differ"):
        th.MulticlassPerceptron(2, classes=["a", "b", "a"])


@pytest.mark.parametrize("make", TABLES, ids=NAMES[:6])
@given(st.integers(0, 60))
@settings(max_examples=25)
def test_the_journal_replayed_is_the_learner(make: Make, seed: int) -> None:
    rows, labels = stream(seed)
    learner, again = make(), make()
    rounds = learner.learn(rows, labels)
    journal = learner.journal
    assert journal.complete
    assert journal.round_number.tolist() == np.flatnonzero(rounds.changed).tolist()
    assert journal.labels.tolist() == [labels[t] for t in journal.round_number]
    again.learn(journal, journal.labels)
    assert again.classes == learner.classes
    assert again.weights.tobytes() == learner.weights.tobytes()
    assert again.updates == learner.updates
    assert len(journal[2:5]) == len(journal.label[2:5])


def test_a_full_journal_keeps_a_prefix_counts_the_rest_and_says_so_once() -> None:
    rows, labels = stream(5)
    whole, small = th.MulticlassPerceptron(N), th.MulticlassPerceptron(N, journal_bytes=300)
    none = th.MulticlassPerceptron(N, journal_bytes=0)
    whole.learn(rows, labels)
    none.learn(rows, labels)
    with pytest.warns(JournalTruncatedWarning, match="reached 300 bytes"):
        small.learn(rows, labels)
    small.learn(rows, labels)
    kept, journal = len(small.journal), whole.journal
    assert 0 < kept < len(journal)
    assert list(small.journal) == list(journal)[:kept]
    assert small.journal.label.tolist() == journal.label[:kept].tolist()
    assert none.journal.omitted == len(journal)
    one_by_one = th.MulticlassPerceptron(N, journal_bytes=300)
    with pytest.warns(JournalTruncatedWarning):
        play(one_by_one, rows, labels)
    assert one_by_one.journal.round_number.tolist() == small.journal.round_number.tolist()
    assert repr(small.journal).startswith(f"Journal(first {kept} updates, ")


@pytest.mark.parametrize("make", MAKERS[:8], ids=NAMES[:8])
def test_copied_pickled_or_saved_it_goes_on_as_before(make: Make, tmp_path: Path) -> None:
    learner = make()
    learner.learn(*stream(6))
    learner.save(tmp_path / "model.thr")
    twins = [learner.copy(), pickle.loads(pickle.dumps(learner)), th.load(tmp_path / "model.thr")]
    learner.save(tmp_path / "bare.thr", journal=False)
    bare = th.load(tmp_path / "bare.thr")
    assert bare != learner
    assert all(twin == learner for twin in twins)
    assert all(twin != make() for twin in twins)
    rows, labels = stream(7)
    rounds = learner.learn([*rows, {0: 1.0}], [*labels, "late"])
    assert all(twin != learner for twin in twins)
    for twin in twins:
        again = twin.learn([*rows, {0: 1.0}], [*labels, "late"])
        assert again.scores.tobytes() == rounds.scores.tobytes()
        assert twin == learner
    again = bare.learn([*rows, {0: 1.0}], [*labels, "late"])
    assert again.scores.tobytes() == rounds.scores.tobytes()
    assert learner.started_anew() == make()


def test_it_says_what_it_is() -> None:
    learner = th.MulticlassPerceptron(3, classes=["a"])
    learner.learn([[1, 0, 0]], ["b"])
    shown = "MulticlassPerceptron(n_features=3, classes=('a',)): 2 classes, 1 rounds, 1 mistakes"
    assert repr(learner) == shown
    assert repr(learner.learn([[0, 1, 0]], ["b"])) == "Rounds(1 rounds, 1 mistakes)"
    pair = th.OneVersusRest(th.Winnow(3))
    assert repr(pair) == "OneVersusRest(Winnow(n_features=3)): 0 classes, 0 rounds, 0 mistakes"
    with pytest.raises(StateError, match="table of duals"):
        learner.with_dual([1.0])
    with pytest.raises(StateError, match="no dual vector"):
        pair.with_dual([1.0])


REFUSED: list[tuple[Make, str]] = [
    (lambda: th.MulticlassPerceptron(3, update="best"), "'max' or 'uniform'"),
    (lambda: th.MulticlassPerceptron(0), "n_features must be"),
    (lambda: th.MulticlassPassiveAggressive(3, "PA-III"), "'PA' or 'PA-I' or 'PA-II'"),
    (lambda: th.MulticlassPassiveAggressive(3, C=0.0), "C must be"),
    (lambda: th.MulticlassSignedWinnow(3), "given, or margin in its place"),
    (lambda: th.MulticlassSignedWinnow(3, eta=1, margin=1), "and not both"),
    (lambda: th.MulticlassSignedWinnow(3, eta=-1), "eta must be a positive"),
    (lambda: th.MulticlassSignedWinnow(3, margin=2), "above 0 and at most 1"),
    (lambda: th.SparseNetwork(3, beta=0.0), "beta must be"),
    (lambda: th.SparseNetwork(3, threshold=-1.0), "threshold must be"),
    (lambda: th.OneVersusRest("perceptron"), "a two-class learner"),  # type: ignore[arg-type]
    (lambda: th.OneVersusRest(th.MulticlassPerceptron()), "a two-class learner"),  # type: ignore[arg-type]
    (lambda: th.OneVersusRest(th.Perceptron(1)).learner_of("x"), "one of its classes"),
    (lambda: th.OneVersusRest(th.Perceptron(1)).predict_proba([[1]]), "calibrated to give"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_parameters_that_make_no_sense_are_refused(make: Make, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


@everyone
def test_predictions_in_threads_see_the_learner_between_two_batches(make: Make) -> None:
    rows, labels = stream(8, 30)
    learner, states = make(), [make()]
    for _ in range(6):
        after = states[-1].copy()
        after.learn(rows, labels)
        states.append(after)
    allowed = {state.scores(rows).tobytes() for state in states}
    seen: list[bytes] = []

    def watch() -> None:
        for _ in range(20):
            seen.append(learner.scores(rows).tobytes())

    threads = [threading.Thread(target=watch) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(6):
        learner.learn(rows, labels)
    for thread in threads:
        thread.join()
    assert set(seen) <= allowed
    assert learner == states[-1]


@pytest.mark.parametrize("make", TABLES)
def test_the_weights_of_a_class_are_its_line_of_the_table(make: Make) -> None:
    learner = make()
    learner.learn([{0: 1.0, 3: 0.5}, {1: 1.0}, {3: 1.0}, {0: 0.5, 1: 1.0}], ["a", "b", 3, "a"])
    for r, label in enumerate(learner.classes):
        weights, constant = learner.weights_of(label)
        assert weights.tolist() == learner.weights[r].tolist()
        assert constant == learner.bias_weights[r]
    with pytest.raises(ParameterError, match="one of its classes"):
        learner.weights_of("c")


def test_names_may_be_those_of_whoever_reads_the_stream() -> None:
    table = th.Perceptron()._engine.names
    table.vocabulary["x"] = 0
    learner = th.OneVersusRest(th.Perceptron())
    learner.share_names(table)
    learner.learn([{"x": 1, "y": 1}, {"z": 1}], ["a", "b"])
    assert dict(table.vocabulary) == {"x": 0, "y": 1, "z": 2}
    assert learner.n_features == 3
    for other in (th.Perceptron(4)._engine.names, th.Winnow(4)._engine.names):
        with pytest.raises(StateError, match="not the one that the learner asks for"):
            th.OneVersusRest(th.Perceptron()).share_names(other)
    with pytest.raises(StateError, match="not the one"):
        learner.share_names(th.Perceptron()._engine.names)


def test_committees_for_each_class_give_probabilities() -> None:
    rows = [{0: 1.0}, {1: 1.0}, {2: 1.0}] * 20
    learner = th.OneVersusRest(th.Committee(3))
    learner.learn(rows, ["a", "b", "c"] * 20)
    sure = learner.predict_proba(rows[:3])
    own = np.stack([learner.learner_of(x).predict_proba(rows[:3])[:, 1] for x in "abc"], axis=1)
    assert sure.tolist() == (own / own.sum(axis=1, keepdims=True)).tolist()
    assert learner.takes_importance == th.Committee(3).takes_importance


def test_one_versus_rest_reports_by_how_much_the_best_class_exceeds_its_threshold() -> None:
    learner = th.OneVersusRest(th.Winnow(4, threshold=3), classes=["a", "b"])
    rows: list[dict[str | int, float]] = [{0: 1.0, 1: 1.0}, {1: 1.0, 2: 1.0, 3: 1.0}, {0: 1.0}] * 3
    for row, label in zip(rows, "abbabaabb", strict=True):
        best = learner.scores([row]).max()
        assert learner.learn([row], [label]).scores.tolist() == [best]
