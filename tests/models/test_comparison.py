"""Learners side by side over files, without a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows
from thresher.errors import ParameterError, RequestError, SourceError, StreamFaultError
from thresher.models.comparison import Comparison, race
from thresher.models.events import LeftRace, Progressed, Understood, Warned
from thresher.models.input_data import InputData
from thresher.models.usual_learners import BASELINE, USUAL_LEARNERS, USUAL_MULTICLASS_LEARNERS
from thresher.theory import Disjunction


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    file = tmp_path / "noisy.svm"
    file.write_text(noisy_rows(600))
    return file


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    file = tmp_path / "odd.svm"
    file.write_text("# head\n1 0:1\n-1 x\n-1 1:0.5\n1 0:-2 3:1\n-1 1:1\n")
    return file


def test_learners_in_a_race_over_a_file_do_what_they_would_do_alone(noisy: Path) -> None:
    alone = th.Winnow(32)
    for batch in th.read(noisy, n_features=32):
        alone.learn(batch)
    racing = th.Winnow(32)
    result = race(noisy, {"mine": racing, "p": th.Perceptron(32)})
    assert racing == alone
    assert {r.title: r.curve.mistakes for r in result.runners}["mine"] == alone.mistakes
    assert [runner.title for runner in result.runners] == ["mine", "p", BASELINE]


def test_learners_may_be_named_with_their_parameters(noisy: Path) -> None:
    data = InputData(paths=(str(noisy),), n_features=32)
    named = race(data, ["winnow:beta=1/2", "arow"], hindsight=False)
    given = race(data, {"winnow:beta=1/2": th.Winnow(32, beta=0.5), "arow": th.AROW(32)})
    mistakes = [[r.curve.mistakes for r in result.runners] for result in (named, given)]
    assert mistakes[0] == mistakes[1]


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        (noisy_rows(60), USUAL_LEARNERS),
        (svmlight(class_rows(60)), USUAL_MULTICLASS_LEARNERS),
    ],
)
def test_nobody_named_means_the_usual_learners_for_these_classes(
    tmp_path: Path, text: str, usual: tuple[str, ...]
) -> None:
    (tmp_path / "some.svm").write_text(text)
    data = InputData(paths=(str(tmp_path / "some.svm"),), n_features=64)
    result = race(data, hindsight=False)
    assert [runner.title for runner in result.runners] == [*usual, BASELINE]


def test_events_say_what_is_read_how_far_it_is_and_who_left(odd: Path) -> None:
    data = InputData(paths=(str(odd),), on_bad=("skip", None), n_features=8)
    comparison = Comparison(data, {"w": th.Winnow(8), "p": th.Perceptron(8)})
    events = list(comparison)
    size = odd.stat().st_size
    left = LeftRace(
        "w",
        3,
        f"{odd}:5",
        "Winnow needs features in [0, 1], feature 0 is -2.0. Scale or binarise the features first.",
    )
    assert events[:3] == [
        Understood("svmlight", "labels -1/1: 1 counts as +1"),
        Progressed(4, size, size),
        left,
    ]
    assert isinstance(events[3], Warned)
    assert events[3].text.startswith("1 bad line was skipped")
    assert comparison.places == {"w": f"{odd}:5"}
    heard: list[object] = []
    race(data, {"w": th.Winnow(8), "p": th.Perceptron(8)}, on_event=heard.append)
    assert heard == events


def test_somebody_leaves_once_however_the_file_is_cut(odd: Path) -> None:
    data = InputData(paths=(str(odd),), on_bad=("skip", None), chunk_bytes=1)
    left = [e for e in Comparison(data, {"w": th.Winnow(8)}) if isinstance(e, LeftRace)]
    assert [(e.round_number, e.place) for e in left] == [(3, f"{odd}:5")]


@pytest.mark.parametrize("claim", ["disjunction:k=1", Disjunction(k=1, n=32)])
def test_a_claim_may_be_written_or_given(noisy: Path, claim: str | Disjunction) -> None:
    data = InputData(paths=(str(noisy),), n_features=32)
    result = race(data, {"winnow": th.Winnow(32)}, claim=claim)
    (winnow, _) = result.runners
    assert (winnow.theorem, winnow.allowed) == ("WinnowDisjunction", 13)
    assert winnow.refuted_in is not None


def test_a_learner_that_bounds_its_own_mistakes_shows_the_bound(noisy: Path) -> None:
    committee = th.Committee(32)
    result = race(noisy, {"c": committee, "arow": th.AROW(32)})
    first, second, _ = result.runners
    assert first.theorem == "LogarithmicLoss"
    assert first.allowed is not None
    assert committee.mistakes <= first.allowed <= committee.bound().max_mistakes()
    assert second.allowed is None


def test_what_cannot_be_raced_is_refused_in_the_words_of_a_program(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("# nothing\n")
    with pytest.raises(SourceError, match="there is no row to race on"):
        race(tmp_path / "empty.svm")
    (tmp_path / "colours.svm").write_text(svmlight(class_rows(60)))
    with pytest.raises(RequestError, match="positive= makes two"):
        race(tmp_path / "colours.svm", claim="disjunction:k=1")
    (tmp_path / "weighted.vw").write_text("1 1.0 | a\n-1 2.5 | b\n")
    with pytest.raises(StreamFaultError, match=r"vw:2: .*2\.5.* ignore_importance=True"):
        race(tmp_path / "weighted.vw")
    assert race(tmp_path / "weighted.vw", ["perceptron"], ignore_importance=True).rounds == 2
    with pytest.raises(ParameterError, match="a file, several files, or an InputData"):
        race([[1, 0]])


def test_too_many_classes_leave_no_room_for_a_large_learner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.runner.MUCH_MEMORY", 10_000)
    (tmp_path / "colours.svm").write_text(svmlight(class_rows(60)))
    data = InputData(paths=(str(tmp_path / "colours.svm"),), n_features=64)
    large, small, _ = race(data, ["committee", "arow"]).runners
    assert (large.out_for, large.out_in) == ("memory", 1)
    assert large.out is not None
    assert "--" not in large.out
    assert small.out is None


def test_names_may_have_titles_and_one_name_is_enough(noisy: Path) -> None:
    titled = race(noisy, {"w": "winnow:beta=1/2", "a": th.AROW(32)}, n_features=32)
    alone = race(noisy, "winnow:beta=1/2", n_features=32)
    mistakes = {runner.title: runner.curve.mistakes for runner in titled.standings()}
    assert {"w", "a"} < mistakes.keys()
    assert alone.runners[0].curve.mistakes == mistakes["w"]


@pytest.mark.parametrize("learner", [7, None, object()])
def test_what_is_no_learner_cannot_race(noisy: Path, learner: Any) -> None:
    with pytest.raises(ParameterError, match="learners that have seen nothing, or names"):
        race(noisy, {"x": learner})


def test_a_learner_that_has_learned_cannot_race(noisy: Path) -> None:
    learned = th.Perceptron(32)
    learned.learn([{0: 1.0}], [1])
    with pytest.raises(ParameterError, match="that have seen nothing"):
        race(noisy, {"x": learned})


def test_a_learner_of_several_classes_races_on_two(noisy: Path) -> None:
    result = race(noisy, ["multiclass_perceptron", "winnow"], n_features=32)
    several, two = result.runners[:2]
    assert several.to_dict()["false_negatives"] is None
    assert two.to_dict()["false_negatives"] is not None
    assert several.curve.rounds == two.curve.rounds == 600
