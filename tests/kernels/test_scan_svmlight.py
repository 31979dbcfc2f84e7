from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reference import scan_svmlight as reference
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.scan_svmlight import scan, use_widest
from thresher.streams.formats.svmlight import Svmlight
from thresher.streams.recipe import Recipe
from thresher.streams.rows import Facts, Rows, ones

N_COLUMNS = 1000

tokens = st.sampled_from(
    [
        b"1", b"-1", b"+1", b"spam", b"2:1", b"3:1", b"17:1", b"5:0.5", b"999:1", b"1000:1",
        b"0:1", b"7:0", b"8:-0.0", b"9:1e400", b"9:-1e400", b"9:nan", b"9:inf", b"9:0x10", b"9:1_0",
        b"4:1e-400", b"4:1.", b"4:.5", b"4:", b":4", b":", b"4:4:4", b"4", b"-4:1", b"+4:1",
        b"1099511627776:1", b"12345678:1", b"123456789:1", b"99999999999999999999999999:1",
        b"0000000005:2", b"qid:7", b"qid:", b"qid", b"#", b"# 3:1", b"3:1#x", b"\0", b"3:1\0",
        b"3\0:1", b"\xff", b"\xc3\xa9", b"3:\xff", b"a\x01b", b"a\x7f", b"11:1048576",
        b"11:1048577", b"11:-3", b"21:1e5", b"21:0.1", b"21:123456789012345678901234567890",
    ]
)  # fmt: skip
blanks = st.sampled_from([b" ", b" ", b" ", b"\t", b"  ", b" \t "])
ends = st.sampled_from([b"\n", b"\n", b"\r\n", b" \n", b"\r\r\n", b"\r"])
lines = st.builds(
    lambda start, parts, end: start + b"".join(a + b for a, b in parts)[:-1] + end,
    st.sampled_from([b"", b"", b" "]),
    st.lists(st.tuples(tokens, blanks), max_size=8),
    ends,
)
#: Long rows of plain features, with one token somewhere that may be anything.
plain = st.builds(
    lambda label, columns, odd, at: (
        b" ".join(
            [label, *(b"%d:1" % c for c in columns[:at]), odd, *(b"%d:1" % c for c in columns[at:])]
        )
        + b"\n"
    ),
    st.sampled_from([b"1", b"-1"]),
    st.lists(st.integers(0, 999), max_size=60, unique=True).map(sorted),
    tokens,
    st.integers(0, 60),
)
blocks = st.lists(st.one_of(lines, plain), max_size=8).map(b"".join)


def assert_scanned_as_by_the_twin(
    block: bytes, one_based: bool, n_columns: int = N_COLUMNS
) -> None:
    expected = reference.scan(block, n_columns, one_based)
    try:
        # Features one by one, and several at once where the processor can.
        for wide in (False, True):
            use_widest(wide)
            assert_scanned_as_expected(block, one_based, n_columns, expected)
    finally:
        use_widest(True)


def assert_scanned_as_expected(
    block: bytes, one_based: bool, n_columns: int, expected: reference.Scan
) -> None:
    room, most_values = len(expected.rows) + len(expected.faults) + 1, len(block) // 4 + 1
    places = np.full((9, room), -7)
    label = np.full(room, -7, np.int32)
    column = np.full(most_values, -7, np.int32)
    value = np.full(most_values, np.nan)
    found = scan(block, n_columns, one_based, places, label, column, value)
    assert found is not None
    (n_lines, n_rows, n, n_faults), names, has_values, facts = found
    assert n_lines == expected.n_lines
    if room > 1:
        short = places[:, :-1].copy(), label[:-1]
        assert scan(block, n_columns, one_based, *short, column.copy(), value.copy()) is None
    column, value = column[:n], value[:n] if has_values else np.ones(n)
    row_start, (line, start, stop) = places[0, : n_rows + 1], places[1:4, :n_rows]
    label = label[:n_rows]
    assert list(map(tuple, places[4:, :n_faults].T.tolist())) == expected.faults
    assert line.tolist() == [row.line for row in expected.rows]
    assert start.tolist() == [row.start for row in expected.rows]
    assert stop.tolist() == [row.stop for row in expected.rows]
    assert [names[number] for number in label] == [row.label for row in expected.rows]
    # The check accepts the rows, changes nothing, and finds the same facts.
    checked = Rows(row_start, column, value)
    assert [list(row.items()) for row in checked] == [
        list(row.features.items()) for row in expected.rows
    ]
    assert np.array_equal(checked.column, column)
    assert np.array_equal(checked.value.view(np.int64), value.view(np.int64))
    known = Facts(checked.n_features, checked.integral, checked.lowest, checked.highest)
    assert Facts(*facts) == known
    assert names == list(dict.fromkeys(names))


@given(blocks, st.booleans())
@settings(max_examples=400)
def test_lines_are_read_as_the_slow_twin_reads_them(block: bytes, one_based: bool) -> None:
    assert_scanned_as_by_the_twin(block, one_based)


@given(st.binary(max_size=60), st.booleans())
@example(b"", False)
@example(b"\n\n", False)
@example(b"1\r", False)
@example(b"1 5:1\x0c6:1", False)
def test_any_bytes_are_read_as_the_slow_twin_reads_them(block: bytes, one_based: bool) -> None:
    assert_scanned_as_by_the_twin(block, one_based)


@given(st.lists(st.integers(0, 999), max_size=80), st.booleans())
def test_an_unsorted_row_is_sorted_unless_an_index_is_there_twice(
    columns: list[int], ones: bool
) -> None:
    block = b"1 " + b" ".join(b"%d:%d" % (c, 1 if ones else c) for c in columns) + b"\n"
    assert_scanned_as_by_the_twin(block, False)


@given(st.lists(st.integers(0, 30), max_size=30).map(sorted), st.booleans())
def test_an_index_that_is_there_twice_in_a_row_is_noticed(columns: list[int], ones: bool) -> None:
    block = b"1 " + b" ".join(b"%d:%d" % (c, 1 if ones else 2) for c in columns) + b" 999:1\n"
    assert_scanned_as_by_the_twin(block, False)


#: One place of a text, and what becomes of the byte there.
changes = st.tuples(
    st.integers(0, 999), st.sampled_from([*b"0123456789::::  \n\t\r#+-./;a\x00\xff"]), st.booleans()
)


@given(
    st.lists(
        st.lists(st.integers(1, 10).flatmap(lambda n: st.integers(0, 10**n)), max_size=40),
        max_size=3,
    ),
    st.booleans(),
    st.lists(changes, max_size=2),
    st.sampled_from([10, 10**4, 10**8, 2**31 - 1]),
    st.booleans(),
)
@settings(max_examples=400)
@example([[12345678, 123456789, 99999999]], False, [], 2**31 - 1, True)
@example([[1, 2, 3, 4, 5, 6, 7, 8, 9] * 9], True, [], 10, True)
def test_plain_features_of_all_lengths_are_read_whatever_stands_among_them(
    rows: list[list[int]],
    in_order: bool,
    changed: list[tuple[int, int, bool]],
    n_columns: int,
    one_based: bool,
) -> None:
    rows = [sorted(set(row)) for row in rows] if in_order else rows
    texts = (b"1 " + b" ".join(b"%d:1" % index for index in row) for row in rows)
    block = bytearray(b"\n".join(texts) + b"\n")
    for at, byte, insert in changed:
        place = at % len(block)
        block[place : place + (not insert)] = bytes((byte,))
    assert_scanned_as_by_the_twin(bytes(block), one_based, n_columns)


@pytest.mark.parametrize("length", range(1, 41))
def test_a_line_that_is_cut_off_anywhere_is_read_as_the_slow_twin_reads_it(length: int) -> None:
    assert_scanned_as_by_the_twin(b"1 123:1 456:1 789:1 800:0.25 900:1 999:1\n"[:length], False)


def test_blocks_of_shorter_and_longer_lines_find_room() -> None:
    format_ = Svmlight(Recipe(), NameTable(1000, True))
    long = b"1 " + b" ".join(b"%d:1" % n for n in range(1000)) + b"\n"
    for block in (long * 3, b"1\n" * 500, b":\n" * 2000, long, b"\n" * 5000, b"1 2:1\n" * 3000):
        expected = reference.scan(block, 1000, False)
        found = format_.scan("f", block, 1)
        assert found.line.tolist() == [row.line for row in expected.rows]
        assert (len(found.bad), found.n_lines) == (len(expected.faults), expected.n_lines)


def test_arrays_that_are_too_small_for_a_block_are_refused() -> None:
    one = np.empty((9, 5), np.int64), np.empty(5, np.int32)
    with pytest.raises(ValueError, match="room"):
        scan(b"1 2:1 3:1\n", 10, False, *one, np.empty(2, np.int32), np.empty(3))
    with pytest.raises(ValueError, match="room"):
        scan(b"", 10, False, one[0][:, :0].copy(), one[1], np.empty(3, np.int32), np.empty(3))


def test_values_are_left_out_only_when_all_of_them_are_one() -> None:
    format_ = Svmlight(Recipe(), NameTable(10, True))
    plain = format_.scan("f", b"1 2:1 3:1\n-1 4:1.0\n", 1).value
    assert np.shares_memory(plain, ones(1))
    mixed = format_.scan("f", b"1 2:1 3:1\n-1 4:0.5 5:1\n", 1).value
    assert mixed.tolist() == [1.0, 1.0, 0.5, 1.0]
