from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.models.slow_area import slow_area
from thresher.models.ranking import Ranking

ROWS = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=40).filter(
    lambda rows: len({up for _, up in rows}) == 2
)


@given(ROWS, st.integers(1, 10))
def test_the_area_counts_pairs_and_ties_by_half_however_the_rows_come(
    rows: list[tuple[int, bool]], size: int
) -> None:
    scores, positive = [float(s) for s, _ in rows], [up for _, up in rows]
    ranking = Ranking(limit=100)
    for first in range(0, len(rows), size):
        part = slice(first, first + size)
        ranking.add(np.array(scores[part]), np.array(positive[part]))
    area = ranking.area()
    assert area is not None
    assert area[0] == area[1] == float(slow_area(scores, positive))


@given(ROWS, st.integers(1, 10), st.integers(1, 6))
def test_beyond_the_limit_the_area_lies_between_the_two_numbers(
    rows: list[tuple[int, bool]], size: int, limit: int
) -> None:
    scores, positive = [float(s) for s, _ in rows], [up for _, up in rows]
    ranking = Ranking(limit=limit)
    for first in range(0, len(rows), size):
        part = slice(first, first + size)
        ranking.add(np.array(scores[part]), np.array(positive[part]))
    area = ranking.area()
    assert area is not None
    assert area[0] <= float(slow_area(scores, positive)) <= area[1]
    if len(set(scores)) <= limit:
        assert area[0] == area[1]


@given(ROWS, st.integers(1, 10), st.integers(1, 6))
def test_beyond_the_limit_it_does_not_matter_how_the_rows_were_cut(
    rows: list[tuple[int, bool]], size: int, limit: int
) -> None:
    scores, positive = np.array([float(s) for s, _ in rows]), np.array([up for _, up in rows])
    whole, pieces = Ranking(limit=limit), Ranking(limit=limit)
    whole.add(scores, positive)
    for first in range(0, len(rows), size):
        part = slice(first, first + size)
        pieces.add(scores[part], positive[part])
    assert pieces.area() == whole.area()
    assert pieces.curve() == whole.curve()
    assert pieces.bins(3) == whole.bins(3)
    assert sum(found.rows for found in whole.bins(3)) == len(rows)
