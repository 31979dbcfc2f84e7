"""Pairs of features, compared with the slow twin and with what the format of names promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import crossing as slow
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.crossing import (
    JOINT,
    MOST_GROUPS,
    MOST_PAIRS,
    Crossing,
    halves,
    pair_hash,
)
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import cross_rows, is_of_pairs, words_for

PARTS = [b"a", b"b", b"ab", b"a=1", b"a^x", b"b=2", b"b^y", b"c", b"a=", b"ab=1", b"a^", b""]
names = st.lists(st.sampled_from(PARTS), max_size=8)
groups = st.lists(st.tuples(st.sampled_from(PARTS[:5]), st.sampled_from(PARTS[:5])), max_size=4)


@given(names, groups)
def test_pairs_are_those_of_the_slow_twin(found: list[bytes], wanted: slow.Groups) -> None:
    joined = Crossing(wanted).joined(found)
    assert len(set(joined)) == len(joined)
    assert sorted(joined) == sorted(set(slow.joined(found, wanted)))


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1), st.integers(1, 2**31 - 1))
def test_the_column_of_a_pair_is_the_same_in_either_order(one: int, other: int, n: int) -> None:
    assert pair_hash(one, other) % n == slow.column_of_pair(one, other, n)
    assert pair_hash(one, other) == pair_hash(other, one)


def test_few_pairs_of_columns_share_a_hash() -> None:
    hashes = {pair_hash(i, j) for i in range(300) for j in range(i)}
    # Of 44,850 numbers of 32 bits, two or more are expected to be equal with probability .21.
    assert len(hashes) >= 44_850 - 2


def test_the_name_of_a_pair_is_taken_apart_at_its_joint() -> None:
    assert halves(slow.name_of_pair(b"size", b"colour=red")) == (b"colour=red", b"size")
    assert halves(b"size") is None
    assert halves(JOINT.encode()[:-1]) is None
    assert halves(JOINT.encode()) == (b"", b"")


@given(
    st.lists(st.dictionaries(st.integers(0, 40), st.floats(-4, 4), max_size=6), max_size=5),
    st.sampled_from([64, 97]),
)
def test_rows_get_the_products_of_their_values(rows: list[dict[int, float]], n: int) -> None:
    rows = [{c: v for c, v in row.items() if v} for row in rows]
    start = np.cumsum([0, *map(len, rows)])
    column = np.array([c for row in rows for c in sorted(row)], np.int32)
    value = np.array([row[c] for row in rows for c in sorted(row)], np.float64)
    lexicon = Lexicon(NameTable(n, True), False, True, Crossing([]))
    found = cross_rows(start, column, value, lexicon).arrays()[:3]
    for t, row in enumerate(rows):
        named = {str(c).encode(): v for c, v in sorted(row.items())}
        expected = slow.crossed(named, {name: int(name) for name in named}, [], n)
        here = slice(found[0][t], found[0][t + 1])
        assert np.all(np.diff(found[1][here]) > 0)
        got = dict(zip(found[1][here].tolist(), found[2][here].tolist(), strict=True))
        nonzero = {c: v for c, v in expected.items() if abs(v) > 1e-12}
        assert {c: v for c, v in got.items() if abs(v) > 1e-12} == pytest.approx(nonzero)


def test_a_row_with_too_many_pairs_is_refused_and_the_next_one_is_not() -> None:
    sizes = [725, 3, 726, 10_000]
    column = np.concatenate([np.arange(size, dtype=np.int32) for size in sizes])
    lexicon = Lexicon(NameTable(2**20, True), False, True, Crossing([]))
    sink = cross_rows(np.cumsum([0, *sizes]), column, np.ones(len(column)), lexicon)
    assert sink.n_rows == 1
    faults = sink.faults()
    assert faults[:, 0].tolist() == [0, 2, 3]
    assert faults[:, 4].tolist() == [size * (size - 1) // 2 for size in (725, 726, 10_000)]
    assert 724 * 723 // 2 <= MOST_PAIRS < 725 * 724 // 2
    assert all(is_of_pairs(code) for code in faults[:, 3].tolist())
    assert words_for(*faults[2, 3:5].tolist())[0] == "features that make 49,995,000 pairs"


def test_a_product_that_no_number_holds_makes_a_fault() -> None:
    lexicon = Lexicon(NameTable(64, True), False, True, Crossing([]))
    values = np.array([1e200, 1e200])
    sink = cross_rows(np.array([0, 2]), np.array([1, 2], np.int32), values, lexicon)
    assert (sink.n_rows, sink.n_faults) == (0, 1)


def test_names_of_pairs_are_counted_behind_those_of_their_row() -> None:
    counts = NameCounts(100, 10_000, Crossing([(b"a", b"b")]))
    counts.count_row([b"a=1", b"b", b"c"])
    counts.count_row([b"a=1", b"b"])
    counts.count_row([b"c"])
    assert counts.names() == [b"a=1", b"b", b"c", slow.name_of_pair(b"a=1", b"b")]
    assert counts.arrays()[2].tolist() == [2, 2, 2, 2]


def test_columns_without_names_are_called_by_their_numbers() -> None:
    counts = NameCounts(100, 10_000, Crossing([]))
    counts.count_pairs(np.array([0, 3, 4]), np.array([5, 7, 10, 5], np.int32))
    assert counts.names() == [f"{pair}".encode() for pair in ("5 ∧ 7", "10 ∧ 5", "10 ∧ 7")]


def test_a_table_finds_the_column_of_a_pair_by_its_name() -> None:
    lexicon = Lexicon(NameTable(1000, True, 7), False, False, Crossing([]))
    one, other, pair = lexicon.columns_of(lexicon.with_pairs([b"free", b"cash"]))
    assert pair == slow.column_of_pair(int(one or 0), int(other or 0), 1000)


def test_more_groups_than_there_are_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="groups"):
        Crossing([(b"a", b"b")] * (MOST_GROUPS + 1))
