"""Committees whose files have a line for every feature are read: they predict and go on alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.models.forging import forged
from thresher.errors import ModelFileError

OLD = Path(__file__).parent / "committees_by_feature"
SAVED: dict[str, Any] = json.loads((OLD / "expected.json").read_text("utf-8"))


def hexes(scores: Any) -> list[str]:
    return [score.hex() for score in np.asarray(scores).ravel().tolist()]


@pytest.mark.parametrize("name", sorted(SAVED))
def test_scores_are_the_same_before_and_after_more_is_learned(name: str, tmp_path: Path) -> None:
    learner, expected = th.load(OLD / f"{name}.thr"), SAVED[name]
    rows = [{int(i): x for i, x in row.items()} for row in expected["rows"]]
    assert hexes(learner.scores(rows)) == expected["scores"]
    learner.save(tmp_path / "again.thr")
    again = th.load(tmp_path / "again.thr")
    assert again == learner
    for one in (learner, again):
        one.learn(rows, expected["labels"])
        assert hexes(one.scores(rows)) == expected["after"]
        assert one.mistakes == expected["mistakes"]


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("state.0", lambda array: array[:-16]),
        ("state.1.3", lambda array: array[:-1]),
        ("state.1.15", lambda array: array + 6),
        ("state.1.15", lambda array: array * 0),
        ("state.1.14", lambda array: array[:-1]),
        ("state.1.11", lambda array: array * 0),
    ],
)
def test_such_a_file_is_checked_as_all_are(place: str, change: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.thr"
    path.write_bytes((OLD / "narrow.thr").read_bytes())
    forged(path, lambda _, tensors: tensors.update({place: change(tensors[place])}))
    with pytest.raises(ModelFileError):
        th.load(path)
