"""No file makes a learner whose scores are not numbers: large weights are refused when it loads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learners.makers import MAKERS, Maker, stream
from tests.models.forging import Tensors, places, put_together, replaced, taken_apart
from thresher.errors import ModelFileError, ThresherError
from thresher.models.file import load_model

#: Around the ends of doubles and of floats, and what only overflows when it is summed.
LARGE = (1.7e308, 1e308, 1e300, 1e250, 1e209, 1e200, 1e160, 1e120, 3e38, 1e30, 1e19, 710.0)


def _forgeries(description: Any, tensors: Tensors) -> Iterator[tuple[str, Any, Tensors]]:
    """The model with large numbers in each array and in each number of its state."""
    for name, array in tensors.items():
        if array.dtype.kind not in "fiu" or not array.size:
            continue
        # Whole numbers are stored as such, and may be stored otherwise.
        kind = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
        alternating = np.where(np.arange(array.size) % 2, -1.0, 1.0).reshape(array.shape)
        for large in LARGE:
            for signs in (np.ones(array.shape), -np.ones(array.shape), alternating):
                with np.errstate(over="ignore"):
                    filled = (signs * large).astype(kind)
                yield f"{name} {large}", description, tensors | {name: filled}
    for at in places(description["learner"]):
        value: Any = description["learner"]
        for key in at:
            value = value[key]
        if type(value) is float:
            for large in LARGE:
                for number in (large, -large):
                    forged = replaced(description["learner"], at, number)
                    yield f"{at} {number}", description | {"learner": forged}, tensors


@pytest.mark.parametrize("maker", MAKERS, ids=str)
def test_whatever_loads_scores_finite_numbers(maker: Maker, tmp_path: Path) -> None:
    learner = maker.make()
    table, labels = stream(maker)
    learner.learn(table, labels)
    path = tmp_path / "honest.thr"
    learner.save(path)
    description, tensors = taken_apart(path)
    refused = taken = 0
    for what, changed, arrays in _forgeries(description, tensors):
        put_together(tmp_path / "forged.thr", changed, arrays)
        try:
            forged = load_model(tmp_path / "forged.thr").learner
        except ModelFileError:
            refused += 1
            continue
        taken += 1
        for rows in _extreme_rows(forged, table):
            try:
                scores = np.asarray(forged.scores(rows))
            except ThresherError:
                continue
            assert np.all(np.isfinite(scores)), f"{what}: {scores}"
    assert refused > taken or not tensors


def _extreme_rows(learner: Any, table: Any) -> Iterator[Any]:
    """The rows of a stream, and the largest that the learner takes, of either sign."""
    yield table
    domain = learner.domain
    highest = 1e100 if domain is None else min(domain.highest, 1e100)
    lowest = -1e100 if domain is None else max(domain.lowest, -1e100)
    n = np.asarray(table).shape[1]
    yield np.full((1, n), highest)
    yield np.full((1, n), lowest)
    yield np.where(np.arange(n) % 2, lowest, highest)[None, :]
