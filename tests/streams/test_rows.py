"""Rows as a sequence."""

from __future__ import annotations

import numpy as np
import pytest

from thresher import Batch
from thresher.streams.rows import Rows

FEATURES: list[dict[int, float]] = [{0: 1.0, 3: -2.5}, {}, {2: 4.0}]


@pytest.mark.parametrize("rows", [Rows.of(FEATURES), Batch.of(FEATURES, [1, -1, 1])], ids=type)
def test_one_row_is_a_dict_found_as_in_a_list(rows: Rows) -> None:
    for place in range(-3, 3):
        assert rows[place] == FEATURES[place]
    assert rows[np.int64(2)] == {2: 4.0}
    assert list(rows[1:]) == FEATURES[1:]
    for beyond in (3, -4):
        with pytest.raises(IndexError, match="there are 3 of them"):
            rows[beyond]
    with pytest.raises(TypeError):
        rows["1"]  # type: ignore[call-overload]


def test_no_row_is_the_first_of_none() -> None:
    with pytest.raises(IndexError, match="there is no row 0; there are 0 of them"):
        Rows.of(np.zeros((0, 2)))[0]
