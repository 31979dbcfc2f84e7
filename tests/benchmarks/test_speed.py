from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import thresher as th
from benchmarks import speed, timing
from benchmarks.bare_pass import BarePass, NoCompilerError
from benchmarks.stream import N_FEATURES, PER_ROW, labels_that_fool, made_stream, named_rows
from benchmarks.timing import Ratio, Times


class Rival:
    """What the benchmark asks of scikit-learn and River, and nothing else."""

    def __init__(self, **parameters: object) -> None:
        self.seen = 0

    def fit(self, X: Any, y: Any) -> None:
        self.seen = X.shape[0]

    def predict_one(self, features: dict[str, float]) -> bool:
        return len(features) < PER_ROW

    def learn_one(self, features: dict[str, float], truth: bool) -> None:
        self.seen += isinstance(truth, bool)


def test_without_rivals_it_says_so_and_measures_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speed, "optional", lambda module: None)
    speed.main(["--quick"])
    printed = capsys.readouterr().out
    assert "MISSING scikit-learn: not installed" in printed
    assert "MISSING River: not installed" in printed
    assert "speed of learn(Batch), bare loop = 1" in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_with_rivals_every_claim_has_a_line_and_is_in_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(speed, "optional", lambda module: SimpleNamespace(Perceptron=Rival))
    speed.main(["--quick", "--uniform", "--real", "--json", str(tmp_path / "found.json")])
    printed = capsys.readouterr().out
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert found["missing"] == []
    assert len(found["ratios"]) == 14
    assert all(ratio["claim"] in printed for ratio in found["ratios"])
    assert all(len(times["wall_seconds"]) == 2 for times in found["times"])
    assert max(map(len, printed.splitlines())) <= 100


def test_without_a_compiler_the_bare_loop_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> BarePass:
        raise NoCompilerError("no C compiler was found")

    monkeypatch.setattr(speed, "optional", lambda module: None)
    monkeypatch.setattr(speed, "BarePass", refused)
    report = speed.Report(repeat=1)
    speed.measure_arrays(report, made_stream(20))
    assert report.missing[0] == "the bare loop: no C compiler was found"
    assert not any("bare" in ratio.claim for ratio in report.ratios)
    assert "learn(Batch)" in capsys.readouterr().out


@pytest.mark.parametrize("uniform", [False, True])
def test_a_stream_has_the_promised_shape_and_is_the_same_again(uniform: bool) -> None:
    stream = made_stream(500, uniform=uniform)
    assert set(np.diff(stream.batch.row_start)) == {PER_ROW}
    assert stream.batch.n_features <= N_FEATURES
    assert set(stream.label.tolist()) == {-1, 1}
    assert stream.batch == made_stream(500, uniform=uniform).batch
    assert stream.batch != made_stream(500, uniform=uniform, seed=1).batch


def test_words_are_skewed_and_uniform_features_are_not() -> None:
    def commonest(uniform: bool) -> int:
        return int(np.bincount(made_stream(2_000, uniform=uniform).batch.column).max())

    assert commonest(uniform=False) > 50
    assert commonest(uniform=True) < 10


def test_named_rows_hold_the_values_under_strings_of_their_own() -> None:
    batch = th.Batch.from_examples([({1: 0.5}, 1), ({1: 0.25, 3: 1.0}, -1)])
    first, second = named_rows(batch)
    assert (first, second) == ({"word1": 0.5}, {"word1": 0.25, "word3": 1.0})
    assert next(iter(first)) is not next(iter(second))


def test_the_bare_loop_computes_the_scores_of_the_learner_to_the_bit() -> None:
    stream = made_stream(300, real=True)
    learner = th.Perceptron(N_FEATURES)
    assert learner.learn(stream.batch).mistakes > 0
    bare = BarePass()(stream.batch, learner.weights)
    assert bare.tobytes() == learner.scores(stream.batch).tobytes()


@pytest.mark.parametrize("last", [False, True])
def test_fooled_learners_err_in_the_chosen_rounds_only(last: bool) -> None:
    rows = made_stream(200).batch
    wrong = np.arange(200) % 7 == 2
    wrong[-1] = last
    for make in (th.Perceptron, th.Winnow):
        batch = labels_that_fool(make(N_FEATURES), rows, wrong)
        assert make(N_FEATURES).learn(batch).mistaken.tolist() == wrong.tolist()


def test_contestants_take_turns_and_the_first_turn_does_not_count() -> None:
    order = []

    def contestant(name: str) -> timing.Contestant:
        return lambda: lambda: order.append(name)

    times = timing.by_turns({"a": contestant("a"), "b": contestant("b")}, rounds=1, repeat=2)
    assert order == ["a", "b"] * 3
    assert [len(t.wall) for t in times.values()] == [2, 2]


@pytest.mark.parametrize(("ratio", "text"), [(0.756, "0.76"), (34.56, "34.6"), (1234.5, "1,234")])
def test_a_ratio_is_printed_with_about_three_digits(ratio: float, text: str) -> None:
    assert timing.brief(ratio) == text


def test_a_ratio_compares_medians_and_spreads_over_turns() -> None:
    slow = Times("slow", 10, (2.0, 4.0, 90.0), (2.0, 4.0, 8.0))
    fast = Times("fast", 10, (1.0, 1.0, 30.0), (1.0, 2.0, 3.0))
    ratio = Ratio("slow over fast", slow, fast, aim=4.0)
    assert (ratio.value, ratio.by_processor, ratio.quartiles) == (4.0, 2.0, (2.5, 3.5))
    assert ratio.met
    assert not Ratio("too slow", slow, fast, aim=3.9, at_most=True).met
    assert slow.cells() == ("slow", "4,000.0", "2,000.0", "3,000.0 - 47,000.0", "400,000,000", "")
