"""Threads share the work; what comes out does not depend on how many there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows
from thresher.errors import BadLineError
from thresher.models.evaluation import evaluate
from thresher.models.input_data import InputData
from thresher.models.prediction import Predictions
from thresher.streams import crew


@pytest.fixture(autouse=True)
def _a_row_is_worth_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "WORTH_SHARING", 1)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.svm"
    path.write_text(noisy_rows(400))
    return path


@pytest.fixture
def several(tmp_path: Path) -> Path:
    path = tmp_path / "several.svm"
    path.write_text(svmlight(class_rows(300)))
    return path


THREADS = (1, 2, 3)


@pytest.mark.parametrize("learner", ["committee", "perceptron", "arow"])
@pytest.mark.parametrize("which", ["two", "several"])
def test_scores_and_cards_do_not_depend_on_threads(
    request: pytest.FixtureRequest, which: str, learner: str
) -> None:
    path: Path = request.getfixturevalue(which)
    model = th.train(path, learner, n_features=64)
    scores, cards = [], []
    for threads in THREADS:
        data = InputData(paths=(str(path),), threads=threads, chunk_bytes=500)
        parts = list(Predictions(model, data))
        assert len(parts) > 5
        scores.append(np.concatenate([part.scores for part in parts]).tobytes())
        cards.append(evaluate(model, path, threads=threads, chunk_bytes=500).to_dict())
    assert scores[0] == scores[1] == scores[2]
    assert cards[0] == cards[1] == cards[2]


@pytest.mark.parametrize("learner", ["arow", "perceptron", "winnow"])
def test_classes_learn_the_same_whatever_the_threads(several: Path, learner: str) -> None:
    models = [
        th.train(several, learner, n_features=64, threads=threads, chunk_bytes=1000)
        for threads in THREADS
    ]
    first = models[0].learner
    assert len(first.classes) >= 3
    assert first.n_rounds > first.mistakes > 0
    assert all(model.learner == first for model in models)
    assert len({model.learner.mistakes for model in models}) == 1


def test_all_that_stands_before_a_bad_line_is_scored(two: Path) -> None:
    model = th.train(two, "perceptron", n_features=64)
    lines = two.read_text().splitlines()
    two.write_text("\n".join([*lines[:200], "1 x", *lines[200:]]) + "\n")
    for threads in THREADS:
        data = InputData(paths=(str(two),), threads=threads, chunk_bytes=500)
        scored: list[float] = []
        with pytest.raises(BadLineError, match=r"two\.svm:201"):
            scored.extend(score for part in Predictions(model, data) for score in part.scores)
        assert len(scored) == 200


def _told(race: Any) -> list[dict[str, Any]]:
    return [{**runner.to_dict(), "seconds": None} for runner in race.standings()]


@pytest.mark.parametrize("which", ["two", "several"])
def test_a_race_does_not_depend_on_threads(request: pytest.FixtureRequest, which: str) -> None:
    path: Path = request.getfixturevalue(which)
    names = ["perceptron", "arow", "committee"]
    races = [
        th.race(path, names, n_features=64, threads=threads, chunk_bytes=500) for threads in THREADS
    ]
    assert _told(races[0]) == _told(races[1]) == _told(races[2])
    for one, other in zip(races[0].runners, races[2].runners, strict=True):
        if one.title in names:
            assert one.learner == other.learner


def test_a_learner_leaves_the_race_where_it_would_without_threads(two: Path) -> None:
    lines = two.read_text().splitlines()
    two.write_text("\n".join([*lines[:150], "1 3:-2", *lines[150:]]) + "\n")
    told = [
        _told(th.race(two, ["winnow", "perceptron"], n_features=64, threads=n, chunk_bytes=500))
        for n in THREADS
    ]
    assert told[0] == told[1] == told[2]
    assert told[0][-1]["out_in_round"] == 151


@pytest.mark.parametrize("which", ["two", "several"])
def test_a_grid_does_not_depend_on_threads(request: pytest.FixtureRequest, which: str) -> None:
    path: Path = request.getfixturevalue(which)
    grid = {"r": ["0.01", "1", "100"], "bias": ["yes", "no"]}
    found = [
        th.tune(path, "arow", grid, n_features=64, threads=threads, chunk_bytes=500)
        for threads in THREADS
    ]
    first = found[0]
    for other in found[1:]:
        assert np.array_equal(first.both_wrong(), other.both_wrong())
        for one, same in zip(first.settings, other.settings, strict=True):
            assert (one.out, one.learner) == (same.out, same.learner)


@pytest.mark.parametrize("threads", THREADS)
def test_every_class_learns_what_it_would_learn_alone(threads: int) -> None:
    rng = np.random.default_rng(5)
    rows, label = (rng.random((200, 12)) < 0.3).astype(float), rng.integers(0, 13, 200)
    label[:13] = range(13)
    weight = {n: 1.0 + n for n in range(13)}
    together = th.OneVersusRest(th.AROW(12), classes=[*range(13)], class_weight=weight)
    together.threads = threads
    together.learn(rows, label.tolist())
    for n in range(13):
        alone = th.AROW(12)
        alone.wait_for_class()
        alone.learn(rows, np.where(label == n, 1, -1), importance=np.where(label == n, 1.0 + n, 1))
        assert together.learner_of(n) == alone
