"""Matrices of ones are learned before their values are checked, and nobody can tell."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

import thresher as th
from thresher.errors import DimensionError, ThresherError
from thresher.kernels.rows import check_rows
from thresher.learners.base import learning_ahead

ROWS, FEATURES = 60, 30

LEARNERS: dict[str, Callable[[], th.Perceptron]] = {
    "stated": lambda: th.Perceptron(FEATURES),
    "growing": lambda: th.Perceptron(),
    "bias": lambda: th.Perceptron(FEATURES, bias=True),
    "growing with a bias": lambda: th.Perceptron(bias=True),
    "no journal": lambda: th.Perceptron(FEATURES, journal_bytes=0),
    "short journal": lambda: th.Perceptron(FEATURES, journal_bytes=300),
    "margin": lambda: th.Perceptron(FEATURES, margin=2),
    "class weights": lambda: th.Perceptron(FEATURES, class_weight={1: 3}),
}
every_learner = pytest.mark.parametrize("make", LEARNERS.values(), ids=LEARNERS)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small matrices count as large, and be learned in several parts."""
    monkeypatch.setattr(learning_ahead, "LARGE", 1)
    monkeypatch.setattr(learning_ahead, "FIRST", 8)
    monkeypatch.setattr(learning_ahead, "BLOCK", 64)


def stream(seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    matrix = csr_array((rng.random((ROWS, FEATURES)) < 0.3).astype(float))
    matrix = csr_array(
        (matrix.data, matrix.indices.astype(np.int32), matrix.indptr), shape=matrix.shape
    )
    return matrix, rng.choice(np.array([-1, 1], np.int8), ROWS)


def usual(learner: th.Perceptron, X: Any, y: Any, patch: pytest.MonkeyPatch) -> Any:
    """What the learner says when everything is checked first."""
    with patch.context() as here:
        here.setattr(learning_ahead, "LARGE", 1 << 60)
        return learner.learn(X, y)


def same(one: th.Perceptron, other: th.Perceptron) -> bool:
    """Whether two learners have the same state, in the same bits, and will go on alike."""
    return (
        one == other
        and one.weights.tobytes() == other.weights.tobytes()
        and one.journal == other.journal
        and (one.n_rounds, one.mistakes) == (other.n_rounds, other.mistakes)
    )


@every_learner
@pytest.mark.filterwarnings("ignore::thresher.errors.JournalTruncatedWarning")
def test_what_is_learned_ahead_is_what_is_learned(
    make: Callable[[], th.Perceptron], monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead, known = make(), make()
    for seed in range(3):
        X, y = stream(seed)
        rounds, expected = ahead.learn(X, y), usual(known, X, y, monkeypatch)
        assert rounds.scores.tobytes() == expected.scores.tobytes()
        assert rounds.mistakes == expected.mistakes
        assert same(ahead, known)


@every_learner
def test_this_way_is_open_for(make: Callable[[], th.Perceptron]) -> None:
    assert learning_ahead.learn_ahead(make(), *stream()) is not None


#: What the last value, or the columns of the last row, are instead.
VALUES = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "two": 2.0, "half": 0.5, "zero": 0.0}
COLUMNS: dict[str, Callable[[Any], Any]] = {
    "unsorted": lambda own: own[::-1],
    "twice": lambda own: [own[0], *own[:-1]],
    "negative": lambda own: [-1, *own[1:]],
    "too large": lambda own: [*own[:-1], FEATURES],
    "far too large": lambda own: [*own[:-1], 2**31 - 1],
}
LABELS: dict[str, Callable[[Any], Any]] = {
    "a label": lambda label: np.append(label[:-1], 7),
    "too few labels": lambda label: label[:-1],
    "labels of two dimensions": lambda label: label.reshape(1, -1),
}


def fault(name: str) -> tuple[Any, Any]:
    """A stream of ones with something else near its end."""
    X, y = stream(3)
    value, column, last = X.data.copy(), X.indices.copy(), X.indptr[-2]
    value[-1] = VALUES.get(name, 1.0)
    column[last:] = COLUMNS.get(name, list)(column[last:].tolist())
    X.data, X.indices = value, column
    return X, LABELS.get(name, np.array)(y)


@every_learner
@pytest.mark.parametrize("name", [*VALUES, *COLUMNS, *LABELS])
@pytest.mark.filterwarnings("ignore::thresher.errors.JournalTruncatedWarning")
def test_what_else_is_in_the_last_row_is_treated_as_ever(
    name: str, make: Callable[[], th.Perceptron], monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead, known = make(), make()
    for learner in (ahead, known):
        learner.learn(*stream(1))
    X, y = fault(name)
    told: list[object] = []
    for learn in (ahead.learn, lambda X, y: usual(known, X, y, monkeypatch)):
        try:
            told.append(learn(X, y).scores.tobytes())
        except ThresherError as error:
            told.append((type(error), str(error)))
    assert told[0] == told[1]
    assert same(ahead, known)
    # Whatever is hidden would show sooner or later.
    for seed in (4, 5):
        assert ahead.learn(*stream(seed)).mistakes == known.learn(*stream(seed)).mistakes
    assert same(ahead, known)


def test_a_matrix_of_one_row_is_looked_at() -> None:
    X = csr_array(np.ones((1, FEATURES)))
    X.indices = np.append(X.indices[:-1], 10**6).astype(np.int32)
    learner = th.Perceptron(FEATURES)
    with pytest.raises(DimensionError):
        learner.learn(X, np.array([-1], np.int8))
    assert same(learner, th.Perceptron(FEATURES))


@pytest.mark.parametrize("problem", [MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["join", "start", "values"])
def test_an_interrupt_and_want_of_memory_leave_the_learner_as_it_was(
    where: str, problem: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner, untouched, known = (th.Perceptron(FEATURES, bias=True) for _ in range(3))
    X, y = stream()
    usual(known, X, y, monkeypatch)

    def fails(*given: Any) -> Any:
        raise problem

    with monkeypatch.context() as here:
        if where == "values":
            # In the other thread, where it is nobody's to catch.
            columns = check_rows.inspect_columns
            failing = SimpleNamespace(inspect_values=fails, inspect_columns=columns)
            here.setattr(learning_ahead, "check_rows", failing)
            here.setattr("threading.excepthook", lambda _: None)
        else:
            here.setattr(Thread, where, fails)
        if problem is KeyboardInterrupt and where != "values":
            with pytest.raises(KeyboardInterrupt):
                learner.learn(X, y)
            assert same(learner, untouched)
            return
        # The usual way, on which nothing fails.
        learner.learn(X, y)
    assert same(learner, known)


def test_matrices_of_other_kinds_take_the_usual_way() -> None:
    X, y = stream()
    wide = csr_array(X)
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    thin = csr_array(X)
    thin.data = np.repeat(X.data, 2)[::2]
    values = csr_array(X)
    values.data = X.data * 2
    learner = th.Perceptron(FEATURES)
    for other in (wide, thin, values, X.tocsc(), X.toarray(), X.astype(np.float32), [{"a": 1}]):
        assert learning_ahead.learn_ahead(learner, other, y) is None
    assert same(learner, th.Perceptron(FEATURES))
    averaged = th.Perceptron(FEATURES, average=True)
    for other_learner in (averaged, th.AROW(FEATURES), th.Winnow(FEATURES), th.Committee(FEATURES)):
        assert learning_ahead.learn_ahead(other_learner, X, y) is None


def test_arrays_that_may_not_be_written_to_and_matrices_of_the_old_kind_are_taken() -> None:
    X, y = stream()
    for array in (X.data, X.indices, X.indptr, y):
        array.setflags(write=False)
    for matrix in (X, csr_matrix(X)):
        assert learning_ahead.learn_ahead(th.Perceptron(FEATURES), matrix, y) is not None


def test_a_journal_that_was_shown_before_a_batch_is_undone_stays_as_it_was() -> None:
    learner = th.Perceptron(FEATURES)
    learner.learn(*stream(1))
    shown, rows = learner.journal, list(learner.journal)
    with pytest.raises(ThresherError):
        learner.learn(*fault("nan"))
    learner.learn(*stream(2))
    assert list(shown) == rows
