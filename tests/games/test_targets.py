"""Targets label exactly and notice every round that contradicts them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import ParameterError
from thresher.games import PlantedStream, Quorum, Separator, conjunction, disjunction, greedy_winnow
from thresher.games.assemble import joined, of_dicts, of_matrix, of_sets
from thresher.games.numbers import exact, promotions
from thresher.streams import Batch

sets_of_features = st.frozensets(st.integers(0, 9), max_size=6)
values = st.floats(-4, 4, width=32).filter(bool) | st.sampled_from([0.1, -0.1, 1e-300, 0.3])
rows_of_floats = st.dictionaries(st.integers(0, 5), values, max_size=6)
fractions = st.fractions(-3, 3, max_denominator=9) | st.floats(-2, 2).map(Fraction)


def flipped(batch: Batch, t: int) -> Batch:
    """The batch with the label of one round turned."""
    label = batch.label.copy()
    label[t] = -label[t]
    return Batch(batch.row_start, batch.column, batch.value, label)


@given(
    st.lists(sets_of_features, max_size=8),
    sets_of_features.filter(lambda s: len(s) > 1),
    st.integers(0, 7),
    st.integers(0, 6),
)
def test_at_least_counts_true_literals(
    rows: list[frozenset[int]], relevant: frozenset[int], count: int, negated: int
) -> None:
    features = sorted(relevant)
    target = Quorum(count, tuple(features[negated:]), tuple(features[:negated]))
    expected = []
    for on in rows:
        true = sum(i in on for i in target.plain) + sum(i not in on for i in target.negated)
        expected.append(1 if true >= count else -1)
    assert target.labels(of_sets((on, 1) for on in rows)).tolist() == expected


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (disjunction([0, 3]), "x0 or x3"),
        (conjunction([1]), "x1"),
        (Quorum(1, (2,), (5,)), "x2 or not x5"),
        (Quorum(0, ()), "always"),
        (disjunction([]), "never"),
        (Separator({}), "0 >= 0"),
        (Separator({0: -1, 7: Fraction(1, 3)}, threshold=2), "- x0 + 1/3*x7 >= 2"),
        (Separator({i: 1 for i in range(13)}), "13 weights >= 0"),
    ],
)
def test_a_target_can_be_read(target: Quorum | Separator, text: str) -> None:
    assert str(target) == text


def test_the_empty_conjunction_is_always_true_and_the_empty_disjunction_never() -> None:
    batch = of_sets([([], 1), ([4], 1)])
    assert conjunction([]).labels(batch).tolist() == [1, 1]
    assert disjunction([]).labels(batch).tolist() == [-1, -1]


@given(
    st.lists(rows_of_floats, min_size=1, max_size=6),
    st.dictionaries(st.integers(0, 6), fractions, max_size=5),
    fractions,
    st.fractions(0, 2, max_denominator=9),
)
def test_a_separator_decides_as_fractions_do(
    rows: list[dict[int, float]],
    weights: dict[int, Fraction],
    threshold: Fraction,
    margin: Fraction,
) -> None:
    target = Separator(weights, threshold, margin)
    scores = [
        sum(weights.get(i, Fraction(0)) * Fraction(v) for i, v in x.items()) - threshold
        for x in rows
    ]
    batch = of_dicts(zip(rows, (1 if s >= 0 else -1 for s in scores), strict=True))
    assert target.labels(batch).tolist() == batch.label.tolist()
    near = [t for t, s in enumerate(scores) if abs(s) < margin]
    assert target.contradictions(batch).tolist() == near
    assert target.margin_of(batch) == min(abs(s) for s in scores)
    for t in range(len(rows)):
        assert t in target.contradictions(flipped(batch, t))


def test_a_tie_that_floats_would_miss_is_decided_exactly() -> None:
    batch = of_dicts([({0: 0.1, 1: 0.2, 2: 0.3}, 1), ({0: 2.0**60, 1: 1.0, 2: -(2.0**60)}, 1)])
    tenth = Fraction(0.1) + Fraction(0.2) - Fraction(0.3)
    assert tenth > 0
    target = Separator({0: 1, 1: 1, 2: -1}, threshold=tenth)
    assert target.labels(batch).tolist()[0] == 1
    assert Separator({0: 1, 1: 1, 2: -1}, threshold=tenth + Fraction(1, 10**40)).labels(
        batch
    ).tolist() == [-1, 1]
    cancelling = Separator({0: 1, 1: 1, 2: 1}, threshold=1, margin=0)
    assert cancelling.labels(batch).tolist() == [-1, 1]


def test_one_flipped_label_in_a_stream_is_noticed() -> None:
    stream = greedy_winnow(16, 1)
    assert stream.consistent
    for t in range(len(stream)):
        lie = replace(stream, batch=flipped(stream.batch, t))
        assert not lie.consistent
        assert lie.contradictions().tolist() == [t]


def test_a_wrong_target_is_noticed() -> None:
    stream = greedy_winnow(16, 1)
    assert not replace(stream, target=disjunction([1])).consistent
    assert not replace(stream, target=disjunction([0, 1])).consistent
    assert not replace(stream, target=disjunction([])).consistent


def test_a_stream_without_a_target_contradicts_nothing() -> None:
    stream = replace(greedy_winnow(4, 1), target=None)
    assert stream.consistent
    assert repr(stream) == "PlantedStream('greedy-winnow', 4 rounds, 4 mistakes forced)"


@given(st.lists(st.lists(st.tuples(rows_of_floats, st.sampled_from([-1, 1])), max_size=4)))
def test_joining_batches_keeps_their_rows(parts: list[list[tuple[dict[int, float], int]]]) -> None:
    whole = joined(of_dicts(part) for part in parts)
    assert list(whole.examples()) == [
        (dict(sorted(x.items())), y) for part in parts for x, y in part
    ]


def test_dense_rows_keep_their_columns() -> None:
    batch = of_matrix(np.array([[1.0, 0.0], [0.0, -2.0]]), [1, -1])
    assert list(batch.examples()) == [({0: 1.0}, 1), ({1: -2.0}, -1)]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), "one", None, "1/0"])
def test_what_is_no_number_is_refused(number: float | str) -> None:
    with pytest.raises(ParameterError, match="a game: margin must be a finite number"):
        exact("a game", "margin", number)


@given(st.fractions(Fraction(11, 10), 9), st.fractions(0, 10**6))
def test_promotions_is_the_smallest_sufficient_power(factor: Fraction, threshold: Fraction) -> None:
    K = promotions(factor, threshold)
    assert factor**K >= threshold
    assert K == 0 or factor ** (K - 1) < threshold


def test_pieces_are_equal_parts_in_order() -> None:
    stream: PlantedStream = replace(greedy_winnow(4, 1), shards=2)
    first, second = stream.pieces()
    assert joined((first, second)) == stream.batch
