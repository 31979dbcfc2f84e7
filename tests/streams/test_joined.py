"""Batches put together again."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.errors import LabelError
from thresher.streams import Batch, load_mushrooms


@pytest.mark.parametrize("size", [1, 99, 400, 1000])
def test_batches_joined_are_the_stream_they_were_cut_from(size: int) -> None:
    stream = load_mushrooms(order=1)[0][:400]
    pieces = [stream[first : first + size] for first in range(0, len(stream), size)]
    assert Batch.joined(pieces) == stream


def test_no_batches_make_an_empty_one() -> None:
    assert len(Batch.joined([])) == 0


def test_rows_keep_their_importance_and_those_without_count_once() -> None:
    weighted = Batch.of([[1, 0], [0, 1]], [1, -1], importance=[2.0, 0.5])
    plain = Batch.of([[1, 1]], [1])
    found = Batch.joined([weighted, plain])
    assert found.importance is not None
    assert found.importance.tolist() == [2.0, 0.5, 1.0]
    assert Batch.joined([plain, plain]).importance is None


def test_labels_that_are_names_are_joined_too() -> None:
    batch = Batch.of_classes(np.eye(3), ["a", "b", "c"])
    assert Batch.joined([batch[:1], batch[1:]]) == batch
    other = Batch.of_classes(np.eye(3), ["b", "a", "c"])
    with pytest.raises(LabelError, match="different numbers"):
        Batch.joined([batch, other])
