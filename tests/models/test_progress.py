from __future__ import annotations

import numpy as np
import pytest

from thresher.learners.base.rounds import Rounds
from thresher.models.events import PointReached, Refuted
from thresher.models.progress import Progress
from thresher.streams.rows import Rows

NAMES = ("ham", "spam")


def played(n: int, refuted_at: int | None = None) -> tuple[Rounds, Rows]:
    """Rounds of which every third is a mistake, on rows with one feature each."""
    labels = np.where(np.arange(n) % 3 == 0, -1, 1).astype(np.int8)
    rows = Rows(np.arange(n + 1, dtype=np.int64), np.zeros(n, np.int32), np.ones(n))
    return Rounds(np.ones(n), labels, 0.0, refuted_at=refuted_at), rows


def test_there_is_a_point_at_every_power_of_two() -> None:
    progress = Progress()
    assert [type(event) for event in progress.observe(*played(5), NAMES)] == [PointReached] * 3
    assert [point.rounds for point in progress.points] == [1, 2, 4]
    assert [(point.label, point.prediction) for point in progress.points[:2]] == [
        ("ham", "spam"),
        ("spam", "spam"),
    ]


def test_counts_go_on_from_where_a_model_stands() -> None:
    progress = Progress(6, 2)
    (event,) = progress.observe(*played(3), NAMES)
    assert isinstance(event, PointReached)
    point = event.point
    assert (point.rounds, point.mistakes, point.recent_error) == (8, 3, 1 / 2)
    assert (progress.rounds, progress.mistakes) == (9, 3)


@pytest.mark.parametrize(("fell", "place"), [(0, 0), (3, 2), (4, 3), (6, 3)])
def test_a_refutation_comes_after_the_points_before_it(fell: int, place: int) -> None:
    events = [*Progress().observe(*played(7, fell), NAMES)]
    assert events[place] == Refuted(fell)
    assert sum(isinstance(event, Refuted) for event in events) == 1


def test_classes_are_called_by_their_names_and_nothing_known_by_a_dash() -> None:
    number = np.array([0, 1], np.int32)
    rounds = Rounds(np.zeros(2), number, classes=("law", 7), predicted=number - 1)
    rows = Rows(np.arange(3, dtype=np.int64), np.zeros(2, np.int32), np.ones(2))
    progress = Progress()
    assert len([*progress.observe(rounds, rows, ())]) == 2
    assert [(point.label, point.prediction) for point in progress.points] == [
        ("law", "-"),
        ("7", "law"),
    ]
