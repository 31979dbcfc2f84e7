"""A stream like text: its rows, its target, and that it does not depend on how it is cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thresher import Perceptron
from thresher.errors import ParameterError
from thresher.games import words
from thresher.games.words import Words


def test_rows_have_one_of_each_of_some_pairs() -> None:
    stream = Words(rounds=300, n_features=64, active=20, seed=5)
    batch = stream.batch()
    assert np.diff(batch.row_start).tolist() == [20] * 300
    pair_of = np.empty(64, int)
    pair_of[stream._places(0)] = np.arange(64) // 2
    for row in batch:
        assert len({int(pair_of[column]) for column in row}) == 20


def test_without_noise_the_target_labels_every_row() -> None:
    stream = Words(rounds=500, n_features=256, active=15, tilt=1.0)
    batch = stream.batch()
    scores = np.add.reduceat(stream.weights()[batch.column].astype(int), batch.row_start[:-1])
    assert (np.sign(scores) == batch.label).all()
    assert set(scores.tolist()) == {-15, 15}


def test_a_part_of_a_stream_is_that_part_of_every_longer_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "BLOCK", 16)
    settings: dict[str, Any] = {"n_features": 100, "active": 7, "real": True, "drift": (20, 37)}
    long = Words(rounds=50, **settings).batch()
    short = Words(rounds=25, **settings).batch()
    assert long[:25] == short
    endless = Words(**settings).blocks()
    assert next(endless) == long[:16]
    assert next(endless) == long[16:32]


def test_a_drift_draws_a_new_target_and_leaves_the_rows_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "BLOCK", 16)
    plain = Words(rounds=64, n_features=100, active=9, tilt=1.0)
    moved = Words(rounds=64, n_features=100, active=9, tilt=1.0, drift=(24,))
    assert moved.batch()[:24] == plain.batch()[:24]
    assert (moved.batch().label == plain.batch().label).all()
    assert (moved.weights(0) == plain.weights()).all()
    after = moved.batch()[24:]
    scores = np.add.reduceat(moved.weights(1)[after.column].astype(int), after.row_start[:-1])
    assert (np.sign(scores) == after.label).all()


def test_seeds_differ_and_no_stream_has_no_rows() -> None:
    one, other = (Words(rounds=5, n_features=50, active=3, seed=s).batch() for s in (0, 1))
    assert one != other
    assert len(Words(rounds=0, n_features=50, active=3).batch()) == 0


def test_a_perceptron_errs_less_where_the_label_tilts_more() -> None:
    mistakes = [
        Perceptron(n_features=2**10).learn(
            Words(rounds=2000, n_features=2**10, active=25, tilt=tilt).batch()
        ).mistakes
        for tilt in (0.0, 0.5, 1.0)
    ]  # fmt: skip
    assert mistakes == sorted(mistakes, reverse=True)


@pytest.mark.parametrize(
    "wrong",
    [{"n_features": 7}, {"active": 0}, {"tilt": 2.0}, {"rounds": -1}, {"drift": (5, 5)}],
)
def test_parameters_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Words(**wrong)
