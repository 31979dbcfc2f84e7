from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.name_counts import Counts
from thresher.kernels.scanning.name_counts import LONGEST_NAME, NameCounts

names = st.sampled_from([b"", b"a", b"bb", b"ccc", b"dddd", b"e" * 30, b"f" * 600]) | st.binary(
    min_size=1, max_size=2
)
rows = st.lists(st.lists(names, max_size=12), max_size=12)


def shown(counts: NameCounts) -> tuple[dict[bytes, int], int]:
    return dict(zip(counts.names(), counts.arrays()[2].tolist(), strict=True)), counts.dropped


@given(rows, st.integers(0, 9), st.sampled_from([0, 8, 40, 10**6]))
def test_what_is_kept_and_dropped_is_what_the_slow_twin_keeps_and_drops(
    rows: list[list[bytes]], limit: int, max_bytes: int
) -> None:
    counts, twin = NameCounts(limit, max_bytes), Counts(limit, max_bytes)
    for row in rows:
        counts.count_row(row)
        twin.count_row(row)
        assert shown(counts) == (twin.rows, twin.dropped)
        assert counts.names() == list(twin.rows)
        assert len(counts) <= max(limit, 0)
        assert len(counts.arrays()[0]) <= max_bytes


@given(rows, rows, st.integers(1, 9), st.sampled_from([8, 40, 10**6]))
def test_a_table_that_was_stored_goes_on_as_if_nothing_had_happened(
    first: list[list[bytes]], then: list[list[bytes]], limit: int, max_bytes: int
) -> None:
    whole, before = NameCounts(limit, max_bytes), NameCounts(limit, max_bytes)
    for row in first + then:
        whole.count_row(row)
    for row in first:
        before.count_row(row)
    after = NameCounts(limit, max_bytes)
    after.restore(*before.arrays(), before.dropped)
    for row in then:
        after.count_row(row)
    assert shown(after) == shown(whole)
    assert after.names() == whole.names()


def test_the_names_in_most_rows_stay_and_the_older_among_equals() -> None:
    counts = NameCounts(4, 10**6)
    for row in ([b"a", b"b"], [b"b", b"c"], [b"d"]):
        counts.count_row(row)
    counts.count_row([b"e"])
    assert shown(counts) == ({b"a": 1, b"b": 2, b"e": 1}, 2)


many = st.sampled_from([1, 2, 1022, 1023, 1024, 2047, 2**20 - 1, 2**20, 2**20 + 1023, 2**40, 2**62])


@given(st.lists(many, min_size=1, max_size=24), st.sampled_from([24, 60, 10**6]))
def test_names_in_very_many_rows_are_ranked_alike(rows: list[int], max_bytes: int) -> None:
    names = [b"%d" % k for k in range(len(rows))]
    counts, twin = NameCounts(len(rows), max_bytes), Counts(len(rows), max_bytes)
    if len(text := b"".join(names)) > max_bytes:
        return
    stop = np.cumsum([len(name) for name in names])
    counts.restore(np.frombuffer(text, np.uint8), stop, np.array(rows), 0)
    twin.rows = dict(zip(names, rows, strict=True))
    for row in ([b"new", b"0"], [b"newer"]):
        counts.count_row(row)
        twin.count_row(row)
        assert shown(counts) == (twin.rows, twin.dropped)


def test_a_name_nobody_could_read_is_not_kept() -> None:
    counts = NameCounts(4, 10**6)
    counts.count_row([b"x" * LONGEST_NAME, b"y" * (LONGEST_NAME + 1)])
    assert shown(counts) == ({b"x" * LONGEST_NAME: 1}, 1)


def test_a_row_of_more_names_than_wait_at_once_is_one_row() -> None:
    names = [f"name {k % 700}".encode() for k in range(2100)]
    counts = NameCounts(1000, 10**6)
    counts.count_row(names)
    counts.count_row(names[:5])
    assert counts.names() == names[:700]
    assert counts.arrays()[2].tolist() == [2] * 5 + [1] * 695
