from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from thresher import demo
from thresher.learners.base.rounds import Rounds
from thresher.streams import Batch, load_mushrooms


def wrong_at(*rounds: int) -> demo.Contestant:
    """A contestant that is wrong in these rounds of the stream and right in all others."""

    def learn(stream: Batch) -> Rounds:
        scores = stream.label.astype(np.float64) - 0.5
        scores[list(rounds)] *= -1
        return Rounds(scores, stream.label, 0.0)

    return learn


@pytest.fixture
def stream() -> Batch:
    label = np.array([1, 1, 1, -1, -1, -1, 1, -1], np.int8)
    column = np.zeros(8, np.int32)
    return Batch(np.arange(9, dtype=np.int64), column, np.ones(8), label)


def test_a_line_counts_mistakes_by_kind_and_by_half(stream: Batch) -> None:
    line = demo.Line("fake", wrong_at(0, 1, 3, 6)(stream), seconds=0.004)
    assert line.cells() == ("fake", "4", "", "3", "1", "25.00%", "2,000")
    assert replace(line, allowed=1234).cells()[2] == "1,234"


def test_the_table_is_aligned(stream: Batch) -> None:
    rounds = wrong_at(0)(stream)
    lines = [demo.Line("a", rounds, 1.0), demo.Line("a long name", rounds, 0.001)]
    assert demo.table(lines).splitlines() == [
        "learner      mistakes  allowed  missed  alarms  last half  rounds/s",
        "a                   1                1       0      0.00%         8",
        "a long name         1                1       0      0.00%     8,000",
    ]


def test_the_race_runs_everyone_on_the_whole_stream(stream: Batch) -> None:
    lines = demo.race(stream, {"one": wrong_at(2), "none": wrong_at()})
    assert [(line.name, line.rounds.mistakes) for line in lines] == [("one", 1), ("none", 0)]
    assert all(line.seconds > 0 for line in lines)


def test_the_finding_names_the_best_and_its_last_mistake(stream: Batch) -> None:
    lines = demo.race(stream, {"worse": wrong_at(0, 1, 2), "better": wrong_at(1, 5)})
    assert demo.finding(lines) == (
        "better was wrong 2 times in 8 rounds, for the last time in round 6."
    )


def test_the_finding_says_nothing_of_a_last_mistake_where_there_is_none(stream: Batch) -> None:
    lines = demo.race(stream, {"perfect": wrong_at()})
    assert demo.finding(lines) == "perfect was wrong 0 times in 8 rounds."


def test_the_commoner_answer_never_looks_at_the_label_it_predicts(stream: Batch) -> None:
    rounds = demo.commoner_answer(stream)
    assert rounds.scores.tolist() == [0, 1, 2, 3, 2, 1, 0, 1]
    assert rounds.predictions.tolist() == [1, 1, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("arguments", [[], ["--order", "20"]])
def test_the_demo_fits_a_terminal(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    demo.main(arguments)
    printed = capsys.readouterr().out.splitlines()
    assert max(map(len, printed)) <= 80
    assert printed[0].startswith("5,644 mushrooms ")
    assert printed[-1].endswith(".")
    counts = [line.split() for line in printed if line.startswith(("Winnow", "Perceptron"))]
    assert [name for name, *_ in counts] == ["Winnow", "Perceptron"]
    assert all(int(made) <= int(allowed) <= 4 * int(made) for _, made, allowed, *_ in counts)


def test_every_contestant_starts_fresh_and_sees_every_mushroom() -> None:
    stream, names = load_mushrooms()
    first, second = (
        {
            line.name: line.rounds.scores.tobytes()
            for line in demo.race(stream, demo.contestants(demo.learners(len(names))))
        }
        for _ in range(2)
    )
    assert first == second
    assert all(len(scores) == 8 * len(stream) for scores in first.values())


def test_the_demo_ends_with_a_report_and_says_where_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    demo.main(["--report", str(page)])
    assert capsys.readouterr().out.splitlines()[-1] == str(page)
    text = page.read_text("utf-8")
    assert "61 made</text>" in text
    assert "92 allowed</text>" in text
