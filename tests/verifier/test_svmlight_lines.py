from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scripts.odd_svmlight import a_line
from tests.reference import svmlight_lines as reference
from thresher.verifier.compiled.svmlight_lines import scan_lines
from thresher.verifier.readers.label_names import one_spelling

N_COLUMNS = 1000
odd_lines = st.integers(0, 2**32).map(lambda seed: a_line(random.Random(seed)))
texts = st.lists(odd_lines, max_size=8).map(b"".join)

#: Label and features of a row, its values to the bit.
Row = tuple[str, list[tuple[int, str]]]


def as_compared(row: reference.Row) -> Row:
    label, features = row
    return label, [(column, value.hex()) for column, value in features.items()]


def scanned(text: bytes, one_based: bool) -> tuple[list[Row], int, int | None]:
    """Rows, the number of lines, and the number of the line that is refused."""
    start, column, value, label, written, lines, n_lines, fault = scan_lines(
        text, 0, N_COLUMNS, one_based
    )
    assert len(lines) == len(written) == len(set(written))
    pairs = [(c, v.hex()) for c, v in zip(column.tolist(), value.tolist(), strict=True)]
    bounds = zip(start[:-1].tolist(), start[1:].tolist(), label.tolist(), strict=True)
    rows = [(written[number].decode(), pairs[a:b]) for a, b, number in bounds]
    return rows, n_lines, None if fault is None else n_lines


def assert_scanned_as_by_the_twin(text: bytes, one_based: bool) -> None:
    rows, n_lines, refused = scanned(text, one_based)
    # A mark at the start is for the reader of files to take off.
    expected = list(reference.read_lines(reference.MARK + text, N_COLUMNS, one_based))
    first_bad = next((number for number, row in expected if row is None), None)
    assert refused == first_bad
    sound = expected if first_bad is None else [e for e in expected if e[0] < first_bad]
    assert rows == [as_compared(row) for _, row in sound if row is not None]
    if refused is None:
        assert n_lines == text.count(b"\n") + (text != b"" and not text.endswith(b"\n"))


@given(texts, st.booleans())
@settings(max_examples=500)
def test_odd_lines_are_read_as_the_slow_twin_reads_them(text: bytes, one_based: bool) -> None:
    assert_scanned_as_by_the_twin(text, one_based)


@given(st.binary(max_size=60), st.booleans())
@example(b"", False)
@example(b"\n\n", False)
@example(b"1\r", False)
@example(b"1 5:1\x0c6:1", False)
def test_any_bytes_are_read_as_the_slow_twin_reads_them(text: bytes, one_based: bool) -> None:
    assert_scanned_as_by_the_twin(text, one_based)


@given(st.lists(st.integers(0, 60), max_size=50, unique=True), st.integers(1, 3))
@settings(max_examples=300)
def test_a_row_is_sorted_and_zeros_are_left_out(columns: list[int], kinds: int) -> None:
    text = b"1 " + b" ".join(b"%d:%d" % (c, c % kinds) for c in columns) + b"\n"
    assert_scanned_as_by_the_twin(text, False)


@given(st.permutations(range(30)), st.integers(0, 29), st.integers(0, 30))
def test_an_index_that_is_there_twice_is_noticed(columns: list[int], again: int, at: int) -> None:
    columns = [*columns[:at], again, *columns[at:]]
    text = b"1 " + b" ".join(b"%d:1" % c for c in columns) + b"\n"
    *_, n_lines, fault = scan_lines(text, 0, 100, False)
    assert (n_lines, fault) == (1, (7, 0, 0, again))


@pytest.mark.parametrize("far", [1000, 2**31, 2**32 + 5, 2**63 + 5, 2**64 + 5, 10**40 + 5])
@pytest.mark.parametrize("zeros", [b"", b"0" * 50])
def test_an_index_is_too_large_however_large_it_is(far: int, zeros: bytes) -> None:
    assert scan_lines(b"1 %b%d:1" % (zeros, far), 0, 1000, False)[-1] == (4, 0, 2, 0)
    assert scan_lines(b"1 %b999:1" % zeros, 0, 1000, False)[-1] is None


@pytest.mark.parametrize("length", range(1, 41))
def test_a_line_that_is_cut_off_anywhere_is_read_as_the_slow_twin_reads_it(length: int) -> None:
    assert_scanned_as_by_the_twin(b"1 123:1 456:1 789:1 800:0.25 900:1 999:1\n"[:length], False)


def test_work_goes_on_where_one_says() -> None:
    text = b"1 x\n-1 4:1\n"
    fault = scan_lines(text, 0, 10, False)[-1]
    assert fault == (3, 0, 2, 0)
    start, column, _, _, written, lines, n_lines, fault = scan_lines(text, 4, 10, False)
    assert (start.tolist(), column.tolist(), written, lines) == ([0, 1], [4], [b"-1"], [1])
    assert (n_lines, fault) == (1, None)


@pytest.mark.parametrize(("start", "n_columns"), [(-1, 10), (3, 10), (0, -1), (0, 2**31)], ids=str)
def test_what_lies_outside_is_not_touched(start: int, n_columns: int) -> None:
    with pytest.raises(ValueError, match="the start lies in the text"):
        scan_lines(b"1\n", start, n_columns, False)


def test_many_labels_keep_their_numbers() -> None:
    text = b"".join(b"label%d\n" % (k * 7 % 3000) for k in range(9000))
    *_, label, written, lines, _, _ = scan_lines(text, 0, 1, False)
    assert [written[number] for number in label.tolist()] == text.split()
    assert lines == list(range(1, 3001))


@given(st.one_of(odd_lines.map(lambda line: line.split(b" ")[0]), st.binary(max_size=20)))
@settings(max_examples=500)
def test_labels_have_the_one_spelling_that_the_slow_twin_gives_them(text: bytes) -> None:
    label = text.decode("utf-8", "replace")
    assert one_spelling(label) == reference.name_of(label)
