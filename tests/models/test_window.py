"""The error of the last rounds, however the stream was cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.models.events import PointReached
from thresher.models.progress import Progress
from thresher.models.window import Stretch, WindowError

rounds = st.lists(st.booleans(), max_size=40)


@given(rounds, st.integers(1, 12), st.lists(st.integers(0, 40), max_size=6))
def test_it_is_what_a_look_at_all_rounds_finds(
    mistaken: list[bool], size: int, cuts: list[int]
) -> None:
    window = WindowError(size)
    for part in np.split(np.array(mistaken, bool), sorted(min(c, len(mistaken)) for c in cuts)):
        window.add(part)
    last = mistaken[-size:]
    assert window.error == (sum(last) / len(last) if last else None)
    whole = [(sum(mistaken[t : t + size]), t) for t in range(len(mistaken) - size + 1)]
    if not whole:
        assert window.worst is window.best is None
        return
    most, first = max(whole, key=lambda found: (found[0], -found[1]))
    assert window.worst == Stretch(first + 1, first + size, most / size)
    fewest, first = min(whole)
    assert window.best == Stretch(first + 1, first + size, fewest / size)


def test_points_of_progress_tell_it_and_nothing_is_said_without_a_window() -> None:
    batch = th.Batch.of([[1.0]] * 8, [-1, -1, -1, -1, 1, 1, 1, 1])
    with_window, without = Progress(window=2), Progress()
    played = th.Perceptron(1).learn(batch)
    points = [
        [
            event.point
            for event in progress.observe(played, batch, ("a", "b"))
            if isinstance(event, PointReached)
        ]
        for progress in (with_window, without)
    ]
    mistaken = played.mistaken
    for told, plain in zip(*points, strict=True):
        last = mistaken[max(0, told.rounds - 2) : told.rounds]
        assert told.window_error == np.mean(last)
        assert plain.window_error is None
        assert told.to_dict() == plain.to_dict() | {"window_error": told.window_error}
        assert "window_error" not in plain.to_dict()


@pytest.mark.parametrize("several", [False, True])
def test_a_scorecard_tells_it(several: bool) -> None:
    learner: Any = th.MulticlassPerceptron(1, classes=["a", "b"]) if several else th.Perceptron(1)
    model = th.Model(learner=learner)
    y = ["a", "b", "b", "b"] if several else [1, -1, -1, -1]
    card = model.test([[1.0]] * 4, y, window=2)
    assert card.window is not None
    assert (card.error, card.window.error) == (0.75, 1.0)
    assert card.to_dict()["window"]["best"] == {"first": 1, "last": 2, "error": 0.5}
    assert "window" not in model.test([[1.0]] * 4, y).to_dict()


@pytest.mark.parametrize("window", [0, -1, 1.5, "many"])
def test_a_window_has_at_least_one_round(window: Any) -> None:
    with pytest.raises(th.errors.ParameterError, match="window"):
        th.Model(learner=th.Perceptron(1)).test([[1.0]], [1], window=window)
