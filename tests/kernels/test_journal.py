from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.journal import Journal
from thresher.kernels.rows.journal import JournalBuffer

Row = list[tuple[int, float]]
values = st.sampled_from([1.0, 1.0, 1.0, 2.5, -1.0])
rows = st.lists(st.tuples(st.integers(0, 9), values), max_size=4)
streams = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), max_size=15)


def filled(limit: int, stream: list[tuple[Row, int]]) -> tuple[JournalBuffer, Journal]:
    buffer, twin = JournalBuffer(limit), Journal(limit)
    for t, (row, label) in enumerate(stream):
        column = np.array([i for i, _ in row], np.int32)
        value = np.array([x for _, x in row], np.float64)
        buffer.append_row(column, value, label, 3 * t)
        twin.append(row, label, 3 * t)
    return buffer, twin


def kept(buffer: JournalBuffer) -> list[tuple[Row, int, int]]:
    start, column, value, label, round_number = buffer.arrays()
    cut = list(zip(start[:-1].tolist(), start[1:].tolist(), strict=True))
    row = [list(zip(column[a:b].tolist(), value[a:b].tolist(), strict=True)) for a, b in cut]
    return list(zip(row, label.tolist(), round_number.tolist(), strict=True))


@given(st.integers(0, 400), streams)
def test_the_journal_is_its_slow_twin_at_any_limit(
    limit: int, stream: list[tuple[Row, int]]
) -> None:
    buffer, twin = filled(limit, stream)
    assert kept(buffer) == twin.rows
    assert (len(buffer), buffer.omitted, buffer.nbytes) == (
        len(twin.rows),
        twin.omitted,
        twin.nbytes(),
    )
    assert buffer.nbytes <= limit


@given(st.integers(0, 400), streams, streams)
def test_a_restored_journal_goes_on_as_the_one_that_was_saved(
    limit: int, first: list[tuple[Row, int]], second: list[tuple[Row, int]]
) -> None:
    whole, _ = filled(limit, first + second)
    saved, _ = filled(limit, first)
    restored = copy(saved)
    assert restored == saved
    for t, (row, label) in enumerate(second, len(first)):
        column = np.array([i for i, _ in row], np.int32)
        restored.append_row(column, np.array([x for _, x in row], np.float64), label, 3 * t)
    assert kept(restored) == kept(whole)
    assert (restored.omitted, restored.nbytes) == (whole.omitted, whole.nbytes)
    assert restored == whole
    assert (restored == saved) == (
        len(restored) == len(saved) and restored.omitted == saved.omitted
    )


@pytest.mark.parametrize(("limit", "told"), [(16, True), (17, False), (0, False)])
def test_a_limit_that_was_reached_is_told_once_unless_it_was_asked_for(
    limit: int, told: bool
) -> None:
    buffer, _ = filled(limit, [([], 1)])
    assert [buffer.warn_once(), buffer.warn_once()] == [told, False]


def journal_of(n: int, value: float = 1.0) -> JournalBuffer:
    buffer = JournalBuffer(1 << 20)
    for k in range(n):
        buffer.append_row(np.array([k], np.int32), np.array([value]), 1, k)
    return buffer


@pytest.mark.parametrize("value", [1.0, 2.0])
def test_a_copy_and_its_original_go_their_own_ways(value: float) -> None:
    """They share memory, so that a copy is quick; neither must write into what both hold."""
    one = journal_of(5, value)
    two = copy(one)
    assert one == two
    one.append_row(np.array([7], np.int32), np.array([3.0]), -1, 9)
    two.append_row(np.array([8], np.int32), np.array([1.0]), 1, 8)
    three = copy(one)
    three.append_row(np.array([9], np.int32), np.array([4.0]), 1, 10)
    ones = [value] * 5
    for journal, columns, values in (
        (one, [7], [*ones, 3.0]),
        (two, [8], [*ones, 1.0]),
        (three, [7, 9], [*ones, 3.0, 4.0]),
    ):
        arrays = journal.arrays()
        assert arrays[1].tolist() == [0, 1, 2, 3, 4, *columns]
        assert arrays[2].tolist() == values


def test_what_was_shown_stays_when_the_journal_goes_on() -> None:
    journal = journal_of(3)
    parts = journal.parts()
    assert parts[2] is None
    before = [part.tolist() for part in parts if part is not None]
    for k in range(3, 3000):
        journal.append_row(np.array([k], np.int32), np.array([0.5]), -1, k)
    assert [part.tolist() for part in parts if part is not None] == before
    with pytest.raises(ValueError, match="read-only"):
        parts[1][0] = 9
