"""The manners of the learners over finite classes."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from thresher.concepts import Disjunctions, ListedConcepts, TruthTable
from thresher.errors import (
    ConceptError,
    DimensionError,
    FeatureRangeError,
    JournalTruncatedWarning,
    ParameterError,
    UnknownPointError,
    UnsoundBatchError,
)
from thresher.learners.finite.halving import Halving
from thresher.learners.finite.standard_optimal import StandardOptimal
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.streams import Batch

every_learner = pytest.mark.parametrize("make", [Halving, StandardOptimal])
Make = Callable[..., VersionSpaceLearner]
Row = tuple[int, ...]

streams = st.lists(
    st.tuples(st.tuples(*[st.integers(0, 1)] * 3), st.sampled_from([-1, 1])), max_size=10
)


def dense(stream: list[tuple[Row, int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array([x for x, _ in stream], np.int64).reshape(len(stream), 3)


def sparse(x: Row) -> dict[int, float]:
    return {i: 1.0 for i, value in enumerate(x) if value}


@every_learner
@given(stream=streams, cut=st.integers(0, 10))
def test_whole_in_parts_or_row_by_row_is_all_the_same(
    make: Make, stream: list[tuple[Row, int]], cut: int
) -> None:
    X, y = dense(stream), [label for _, label in stream]
    whole, parts, single = (make(Disjunctions(3, negations=True)) for _ in range(3))
    rounds = whole.learn(X, y)
    pieces = [parts.learn(X[:cut], y[:cut]), parts.learn(X[cut:], y[cut:])]
    predictions = [single.learn_one(sparse(x), label) for x, label in stream]
    assert np.concatenate([piece.scores for piece in pieces]).tolist() == rounds.scores.tolist()
    assert predictions == rounds.predictions.tolist()
    assert whole == parts == single
    assert whole.n_rounds == len(stream)
    assert whole.mistakes == rounds.mistakes == whole.false_negatives + whole.false_positives
    assert whole.false_negatives == rounds.false_negatives


@every_learner
@given(stream=streams)
def test_every_form_of_input_gives_the_same_rounds(
    make: Make, stream: list[tuple[Row, int]]
) -> None:
    X, y = dense(stream), [label for _, label in stream]
    dicts = [sparse(x) for x, _ in stream]
    batch = Batch.of(X, y)
    forms = [(batch,), (X, y), (csr_array(X), y), (csr_matrix(X), y), (dicts, y)]
    outcomes = []
    for form in forms:
        learner = make(Disjunctions(3))
        outcomes.append((learner.learn(*form).scores.tolist(), learner))
    assert all(outcome == outcomes[0] for outcome in outcomes)


@every_learner
@given(stream=streams)
def test_scores_and_predictions_foretell_the_round_and_learn_nothing(
    make: Make, stream: list[tuple[Row, int]]
) -> None:
    learner = make(Disjunctions(3))
    for x, label in stream:
        before = learner.copy()
        score, prediction = learner.scores([sparse(x)])[0], learner.predict_one(sparse(x))
        assert learner == before
        rounds = learner.learn([sparse(x)], [label])
        assert (rounds.scores[0], rounds.predictions[0]) == (score, prediction)


@every_learner
@given(stream=streams)
def test_the_journal_rebuilds_the_version_space(make: Make, stream: list[tuple[Row, int]]) -> None:
    learner, replayed = make(Disjunctions(3)), make(Disjunctions(3))
    rounds = learner.learn(dense(stream), [label for _, label in stream])
    changed = np.flatnonzero(rounds.survivors < rounds.version_space).tolist()
    expected = [(sparse(stream[t][0]), stream[t][1]) for t in changed]
    assert list(learner.journal.examples()) == expected
    replayed.learn(learner.journal)
    assert list(replayed.consistent()) == list(learner.consistent())
    assert list(replayed.journal.examples()) == expected
    assert learner.journal.round_number.tolist() == changed


def test_a_full_journal_says_so_once_and_counts_on() -> None:
    # The first row takes 17 + 4 bytes; nothing else fits, not even the short row at the end.
    learner = Halving(Disjunctions(4), journal_bytes=29)
    learner.learn([{0: 1}], [-1])
    with pytest.warns(JournalTruncatedWarning, match="full at journal_bytes=29 after 1 rows"):
        learner.learn([{1: 1, 2: 1}], [1])
    learner.learn([{1: 1}, {2: 1}], [-1, 1])
    assert (len(learner.journal), learner.journal.omitted) == (1, 3 - 1)
    assert (learner.n_rounds, learner.version_space_size) == (4, 2)
    exact = Halving(Disjunctions(4), journal_bytes=21)
    exact.learn([{0: 1}], [-1])
    assert (len(exact.journal), exact.journal.omitted) == (1, 0)
    two_of_three = Halving(Disjunctions(4), journal_bytes=50)
    with pytest.warns(JournalTruncatedWarning, match="after 2 rows"):
        two_of_three.learn([{0: 1}, {1: 1}, {2: 1}], [-1, -1, -1])
    assert (len(two_of_three.journal), two_of_three.journal.omitted) == (2, 1)
    with pytest.raises(ParameterError, match="journal_bytes must be"):
        Halving(Disjunctions(4), journal_bytes=-1)


def test_a_warning_turned_into_an_error_comes_after_the_learning() -> None:
    learner = Halving(Disjunctions(3), journal_bytes=1)
    with pytest.raises(JournalTruncatedWarning):
        learner.learn([{0: 1}, {1: 1}], [-1, -1])
    assert (learner.n_rounds, learner.version_space_size, learner.journal.omitted) == (2, 2, 2)


@every_learner
@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        ({1: 0.5}, FeatureRangeError, r"\{0, 1\}: row 1, feature 1 is 0.5"),
        ({1: -1}, FeatureRangeError, "row 1, feature 1 is -1.0"),
        ({0: 1, 2: 2}, FeatureRangeError, "row 1, feature 2 is 2.0"),
        ({0: 1, 3: 1}, DimensionError, "row 1, feature 3: found 1.0, but the .* has 3 variables"),
    ],
)
def test_a_bad_row_is_named_and_nothing_of_its_batch_is_learned(
    make: Make, bad: dict[int, float], error: type[Exception], message: str
) -> None:
    learner = make(Disjunctions(3))
    learner.learn([{0: 1}], [-1])
    before = learner.copy()
    with pytest.raises(error, match=message):
        learner.learn([{1: 1}, bad, {}], [1, 1, -1])
    with pytest.raises(error, match=message):
        learner.predict([{1: 1}, bad])
    assert learner == before


@every_learner
def test_a_row_that_is_no_point_of_the_table_is_named(make: Make) -> None:
    learner = make(TruthTable([[0, 1], [1, 0]], points=[[1, 0], [0, 1]]))
    before = learner.copy()
    with pytest.raises(UnknownPointError, match=r"row 2: .* equal to 1 are \[0, 1\]"):
        learner.learn([{0: 1}, {1: 1}, {0: 1, 1: 1}], [1, -1, 1])
    assert learner == before


def test_a_function_that_misbehaves_in_the_middle_of_a_batch_leaves_the_learner_alone() -> None:
    def moody(x: tuple[int, ...]) -> int:
        return 7 if all(x) else x[0]

    learner = Halving([moody, any], n_variables=2)
    before = learner.copy()
    with pytest.raises(ConceptError, match="'moody' answered 7"):
        learner.learn([{0: 1}, {0: 1, 1: 1}], [1, 1])
    assert learner == before


@every_learner
def test_a_copy_goes_its_own_way_and_a_pickle_comes_back_equal(make: Make) -> None:
    learner = make(Disjunctions(3))
    learner.learn([{0: 1, 1: 1}], [1])
    other = learner.copy()
    assert other == learner
    other.learn([{1: 1}], [-1])
    assert other != learner
    assert (learner.n_rounds, learner.version_space_size, len(learner.journal)) == (1, 6, 1)
    restored = pickle.loads(pickle.dumps(other))
    assert restored == other
    assert restored.learn_one({2: 1}, -1) == other.learn_one({2: 1}, -1)
    assert restored == other


def test_learners_are_equal_only_when_everything_is() -> None:
    base = Halving(Disjunctions(2))
    assert base == Halving(Disjunctions(2))
    assert base != Halving(Disjunctions(2, k=1))
    assert base != Halving(Disjunctions(2), journal_bytes=99)
    assert base != StandardOptimal(Disjunctions(2))
    waited = base.copy()
    waited.learn([{}], [-1])
    assert list(waited.consistent()) == list(base.consistent())
    assert waited != base
    one_way, other_way = base.copy(), base.copy()
    one_way.learn([{0: 1}, {1: 1}], [-1, -1])
    other_way.learn([{1: 1}, {0: 1}], [-1, -1])
    assert list(one_way.consistent()) == list(other_way.consistent())
    assert one_way != other_way
    with pytest.raises(TypeError, match="unhashable"):
        hash(base)


def test_the_repr_shows_the_class() -> None:
    assert repr(Halving(Disjunctions(2, k=1))) == (
        "Halving(Disjunctions(n_variables=2, k=1, negations=False))"
    )
    assert repr(Halving(ListedConcepts([any], 2), journal_bytes=8)) == (
        "Halving(ListedConcepts(1 concepts, n_variables=2), journal_bytes=8)"
    )


def test_a_hundred_thousand_concepts_learn_a_thousand_rounds_from_any_start() -> None:
    concepts = Disjunctions(85, k=3)
    rows = (np.random.default_rng(1).random((1000, 85)) < 0.05).astype(float)
    labels = np.where(rows[:, [4, 40, 80]].any(axis=1), 1, -1)
    learner = Halving(concepts)
    assert learner.learn(rows, labels).mistakes <= concepts.size.bit_length() - 1
    assert "x4 or x40 or x80" in {concept.name for concept in learner.consistent()}


def test_a_name_is_refused_with_who_would_take_it() -> None:
    learner = Halving(Disjunctions(3))
    with pytest.raises(UnsoundBatchError, match=r"'free' is a name.*integer keys.*Halving"):
        learner.learn_one({"free": 1.0}, 1)  # type: ignore[dict-item]
    assert learner.n_rounds == 0
