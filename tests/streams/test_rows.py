"""Rows as a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import thresher as th
from thresher import Batch
from thresher.errors import RowError, UnsoundBatchError
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


@pytest.mark.parametrize(
    ("part", "dtype", "message"),
    [
        ("indices", np.float64, "column numbers .* found an array of float64"),
        ("indptr", np.float32, "starts of rows .* found an array of float32"),
        ("data", "datetime64[s]", "real numbers, found a matrix of datetime64"),
        ("data", "timedelta64[s]", "real numbers, found a matrix of timedelta64"),
        ("data", np.complex128, "real numbers, found a matrix of complex128"),
        ("data", object, "real numbers, found a matrix of object"),
    ],
)
def test_a_matrix_of_what_is_no_number_is_refused(part: str, dtype: Any, message: str) -> None:
    matrix = csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    setattr(matrix, part, getattr(matrix, part).astype(dtype))
    learner = th.Perceptron(3)
    with pytest.raises(UnsoundBatchError, match=message):
        learner.learn(matrix, [1, -1])
    with pytest.raises(UnsoundBatchError, match=message):
        learner.predict(matrix)
    assert learner == th.Perceptron(3)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64, np.int64])
def test_column_numbers_of_other_widths_are_those_that_they_are(dtype: Any) -> None:
    matrix = csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    expected = Rows.of(matrix)
    matrix.indices = matrix.indices.astype(dtype)
    assert Rows.of(matrix) == expected
    matrix.indices = np.array([0, 2**32 - 1, 1], np.int64).astype(dtype)
    with pytest.raises(RowError, match="4294967295"):
        Rows.of(matrix)


def test_a_matrix_has_room_for_all_columns() -> None:
    rows = Rows.of(FEATURES)
    assert rows.to_scipy(4).shape == rows.to_scipy().shape == (3, 4)
    with pytest.raises(
        UnsoundBatchError, match="rows have 4 columns, and the matrix is to have 3"
    ) as caught:
        rows.to_scipy(3)
    assert caught.value.remedy == "Give n_features=4 or more, or none."


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [(1, 2), [3, 4], [5, 6, 7]]])
def test_rows_of_different_lengths_are_told_by_row(rows: list[Any]) -> None:
    with pytest.raises(UnsoundBatchError, match=f"row {len(rows) - 1} has a length of [13], and"):
        Rows.of(rows)
