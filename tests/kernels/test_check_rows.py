from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference import check_rows as reference
from thresher.kernels.rows import check_rows

Rows = list[list[tuple[int, float]]]

indices = st.integers(0, 5) | st.sampled_from([-1, 2**31 - 1])
values = st.sampled_from([1.0, 0.0, -0.0, 2.0, -3.0, 0.5, 2.0**20, 2.0**20 + 1, 1e300, 5e-324])
sound_rows = st.lists(
    st.dictionaries(st.integers(0, 9), values, max_size=4).map(lambda row: sorted(row.items())),
    max_size=5,
)
any_rows = st.lists(st.lists(st.tuples(indices, values | st.floats()), max_size=3), max_size=4)


def inspect(rows: Rows) -> tuple[int, int, int, bool, float, float]:
    pairs = [pair for row in rows for pair in row]
    return check_rows.inspect(
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array([index for index, _ in pairs], np.int32),
        np.array([value for _, value in pairs], np.float64),
    )


@given(sound_rows)
@example([])
@example([[], []])
@example([[(0, 1.0)], [(1, 0.0)]])
def test_sound_rows_are_described_as_by_the_slow_twin(rows: Rows) -> None:
    assert inspect(rows) == reference.inspect(rows)
    assert reference.inspect(rows)[0] == -1


@given(any_rows)
@example([[(0, 1.0)], [(1, 1.0), (1, 1.0)]])
@example([[(2, 1.0), (1, 1.0)]])
@example([[(0, math.nan)]])
@example([[(0, 1.0)], [], [(0, -math.inf)], [(-1, 1.0)]])
def test_the_first_unsound_row_is_the_one_the_slow_twin_finds(rows: Rows) -> None:
    assert inspect(rows)[0] == reference.inspect(rows)[0]


@pytest.mark.parametrize(
    ("value", "integral"),
    [(2.0**20, True), (-(2.0**20), True), (2.0**20 + 1, False), (0.5, False), (-7.0, True)],
)
def test_integral_means_whole_and_at_most_two_to_the_twentieth(
    value: float, integral: bool
) -> None:
    assert inspect([[(0, value)]])[3] is integral


@pytest.mark.parametrize("at", [0, 700_000, 2**20 + 3])
def test_rows_that_two_threads_look_at_are_described_by_both(at: int) -> None:
    row_start = np.arange(0, 2**20 + 5, 4)
    column = np.tile(np.arange(4, dtype=np.int32), 2**18 + 1)
    value = np.ones(2**20 + 4)
    assert check_rows.inspect(row_start, column, value) == (-1, 3, 0, True, 1.0, 1.0)
    for found, facts in [
        (0.5, (-1, 3, 0, False, 0.5, 1.0)),
        (7.0, (-1, 3, 0, True, 1.0, 7.0)),
        (0.0, (-1, 3, 1, True, 0.0, 1.0)),
    ]:
        value[at] = found
        assert check_rows.inspect(row_start, column, value) == facts
    value[at] = math.nan
    assert check_rows.inspect(row_start, column, value)[0] == at // 4
    value[0] = math.inf
    assert check_rows.inspect(row_start, column, value)[0] == 0


@given(
    st.lists(st.lists(st.integers(0, 6), max_size=3).map(sorted), max_size=4),
    st.data(),
)
def test_a_frame_is_found_sound_or_at_fault_as_by_the_slow_twin(
    rows: list[list[int]], data: st.DataObject
) -> None:
    row_start = [0]
    for row in rows:
        row_start.append(row_start[-1] + len(row))
    column = [index for row in rows for index in row]
    label = data.draw(st.lists(st.integers(-2, 2), min_size=len(rows), max_size=len(rows)))
    # Some numbers are changed, so that rows lie about where they end, or columns fall.
    wild = st.integers(-1, 9) | st.sampled_from([2**31 - 1, -(2**31)])
    for numbers in (row_start, column):
        for place in data.draw(st.lists(st.integers(0, max(len(numbers) - 1, 0)), max_size=2)):
            if numbers:
                numbers[place] = data.draw(wild)
    found = check_rows.inspect_frame(
        np.array(row_start, np.int64), np.array(column, np.int32), np.array(label, np.int32), 2
    )
    at_fault, largest = reference.inspect_frame(row_start, column, label, 2)
    assert found[0] == at_fault
    assert found[1] == largest or at_fault >= 0


def test_a_frame_has_one_start_more_than_rows() -> None:
    with pytest.raises(ValueError, match="2 rows have 3 starts, found 2"):
        check_rows.inspect_frame(
            np.zeros(2, np.int64), np.empty(0, np.int32), np.zeros(2, np.int32), 1
        )
