from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

# Rows of a lecture on Winnow with the target "x1 or x4", columns counted from 1.
CYCLE = "+1 1:1 3:1\n-1 2:1 3:1\n+1 2:1 3:1 4:1\n-1\n"


@pytest.fixture
def lecture(tmp_path: Path) -> Path:
    file = tmp_path / "lecture.svm"
    file.write_text(CYCLE * 5)
    return file


WINNOW = ("--learner", "winnow", "--features", 5, "--one-based")


def test_the_table_of_the_lecture(lecture: Path) -> None:
    result = run("trace", lecture, *WINNOW, "--rounds", ":6", "--quiet")
    assert result.stdout.splitlines() == [
        "t  example    score  said  label  wrong  weights",
        "1  1 3            2    -1     +1    yes  1: 1 -> 2, 3: 1 -> 2",
        "2  2 3            3    -1     -1",
        "3  2 3 4          4    -1     +1    yes  2: 1 -> 2, 3: 2 -> 4, 4: 1 -> 2",
        "4  (nothing)      0    -1     -1",
        "5  1 3            6    +1     +1",
        "6  2 3            6    +1     -1    yes  2: 2 -> 1, 3: 4 -> 2",
    ]


def test_where_there_is_room_the_table_follows_the_proof(lecture: Path) -> None:
    result = run("trace", lecture, *WINNOW, "--rounds", ":6", "--quiet", columns=100)
    lines = [line.replace("4: 1 -> 2", "...") for line in result.stdout.splitlines()]
    # n = 5, and the threshold too: a promotion adds less than 5, a demotion takes 5/2 or more.
    assert lines == [
        "t  example    score  said  label  wrong  potential  bound  weights",
        "1  1 3            2    -1     +1    yes          7     10  1: 1 -> 2, 3: 1 -> 2",
        "2  2 3            3    -1     -1                 7     10",
        "3  2 3 4          4    -1     +1    yes         11     15  2: 1 -> 2, 3: 2 -> 4, ...",
        "4  (nothing)      0    -1     -1                11     15",
        "5  1 3            6    +1     +1                11     15",
        "6  2 3            6    +1     -1    yes          8   25/2  2: 2 -> 1, 3: 4 -> 2",
    ]


def test_in_a_pipe_nothing_is_cut(lecture: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    (lecture.parent / "long.vw").write_text("1 | " + " ".join(f"word{k}" for k in range(60)))
    done = subprocess.run(
        [sys.executable, "-m", "thresher", "trace", lecture.parent / "long.vw", "-q"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = done.stdout.splitlines()[1:]
    assert "..." not in line
    assert all(f"word{k}" in line.split() for k in range(60))


@pytest.mark.parametrize(
    ("learner", "potential", "bound"),
    [
        (["--learner", "halving"], ["24", "4", "2", "2"], ["32", "16", "16", "16"]),
        # The dimension of all disjunctions of 5 variables is 5: each may be needed or not.
        (["--learner", "StandardOptimal"], ["4", "2", "1", "1"], ["5", "4", "4", "4"]),
    ],
)
def test_learners_over_finite_classes_show_what_is_left(
    lecture: Path, learner: list[str], potential: list[str], bound: list[str]
) -> None:
    words = [*learner, "--concepts", "disjunctions", "--features", 5, "--rounds", ":4"]
    result = run("trace", lecture, *words, "--to", "json")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [round_["potential"] for round_ in told] == potential
    assert [round_["bound"] for round_ in told] == bound
    assert told[0]["changes"] == {"concepts": ["32", "24"]}
    named = run("trace", lecture, *words, "--all-weights", "--to", "json").stdout.splitlines()[2]
    assert json.loads(named)["weights"] == ["x1 or x4", "x0 or x1 or x4"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--learner", "halving", "--concepts", "disjuctions"], "Did you mean 'disjunctions'?"),
        (["--learner", "halving", "--concepts", "disjunctions:k=x"], "k is a whole number"),
        (["--learner", "halving", "--concepts", "disjunctions:z=1"], "unexpected keyword"),
        (["--concepts", "disjunctions"], "--concepts goes with --learner halving"),
    ],
)
def test_classes_that_cannot_be_had_are_refused(lecture: Path, words: list[str], told: str) -> None:
    result = run("trace", lecture, "--features", 5, *words)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("beta", "mistakes", "final"),
    [
        ("1", 7, ["4", "1/2", "2", "4", "1"]),
        ("1/2", 3, ["9/4", "3/2", "27/8", "3/2", "1"]),
        ("2", 1, ["3", "1", "3", "1", "1"]),
        ("13/5", 1, ["18/5", "1", "18/5", "1", "1"]),
    ],
)
def test_golden_runs_of_winnow(lecture: Path, beta: str, mistakes: int, final: list[str]) -> None:
    result = run("trace", lecture, *WINNOW, "--beta", beta, "--all-weights", "--to", "json")
    rounds = [json.loads(line) for line in result.stdout.splitlines()]
    assert sum(one["mistake"] for one in rounds) == mistakes
    assert rounds[-1]["weights"] == final


def test_the_golden_run_of_the_perceptron(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text(CYCLE * 6)
    words = ("--bias", "--features", 5, "--one-based", "--all-weights", "--to", "json")
    result = run("trace", tmp_path / "x.svm", *words)
    rounds = [json.loads(line) for line in result.stdout.splitlines()]
    assert sum(one["mistake"] for one in rounds) == 11
    assert rounds[-1]["weights"] == ["2", "-1", "1", "3", "0", "-1"]


def test_the_golden_run_of_elimination(lecture: Path) -> None:
    words = ("--learner", "elimination", "--features", 5, "--one-based", "--only-mistakes")
    result = run("trace", lecture, *words, "--to", "json")
    (only,) = map(json.loads, result.stdout.splitlines())
    assert (only["round"], only["changes"]) == (2, {"2": ["1", "0"], "3": ["1", "0"]})


def test_markdown(lecture: Path) -> None:
    result = run(
        "trace", lecture, *WINNOW, "--rounds", "10:11", "--all-weights", "--to", "markdown"
    )
    assert result.stdout.splitlines() == [
        "| round | example | score | prediction | label | mistake | potential | bound | weights |",
        "|---|---|---|---|---|---|---|---|---|",
        "| 10 | 2 3 | 5 | +1 | -1 | yes | 19/2 | 15 | 4 1/2 2 2 1 |",
        "| 11 | 2 3 4 | 9/2 | -1 | +1 | yes | 14 | 20 | 4 1 4 4 1 |",
    ]


def test_csv_reads_back(lecture: Path) -> None:
    result = run("trace", lecture, *WINNOW, "--only-mistakes", "--to", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["round"] for row in rows] == ["1", "3", "6", "9", "10", "11", "14"]
    assert rows[1]["weights"] == "2: 1 -> 2, 3: 2 -> 4, 4: 1 -> 2"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--rounds", "3:5"], [3, 4, 5]),
        (["--rounds", "18:"], [18, 19, 20]),
        (["--rounds", "100:200"], []),
        (["--only-mistakes", "--rounds", "9:"], [9, 10, 11, 14]),
        (["--limit", "2"], [1, 2]),
        (["--only-mistakes", "--limit", "2"], [1, 3]),
    ],
)
@pytest.mark.parametrize("chunk", [20, 10**6])
def test_which_rounds_are_shown(
    lecture: Path, words: list[str], shown: list[int], chunk: int
) -> None:
    result = run("trace", lecture, *WINNOW, *words, "--to", "json", "--chunk-bytes", chunk)
    rounds = [json.loads(line)["round"] for line in result.stdout.splitlines()]
    assert (rounds, result.exit_code) == (shown, 0)


def test_a_long_stream_is_cut_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "long.svm").write_text(CYCLE * 100)
    result = run("trace", tmp_path / "long.svm", *WINNOW)
    assert len(result.stdout.splitlines()) == 101
    assert "Stopped after 100 rounds" in result.stderr
    whole = run("trace", tmp_path / "long.svm", *WINNOW, "--limit", 1000)
    assert "Stopped" not in whole.stderr


def test_nothing_is_cut_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "long.svm").write_text(CYCLE * 100)
    words = [sys.executable, "-m", "thresher", "trace", str(tmp_path / "long.svm")]
    words += map(str, WINNOW)
    around = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=around)
    assert len(done.stdout.splitlines()) == 1 + CYCLE.count("\n") * 100
    assert "Stopped" not in done.stderr


def test_a_narrow_terminal_keeps_what_matters(lecture: Path) -> None:
    result = run("trace", lecture, *WINNOW, "--rounds", ":3", columns=44)
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 44
    assert lines[0].split() == ["t", "example", "said", "label", "weights"]
    assert lines[3].endswith("...")


def test_values_other_than_one_are_shown(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("-1 3:0.5 7:2\n")
    result = run("trace", tmp_path / "x.svm", "--features", 8, "--quiet")
    assert "3:0.5 7:2" in result.stdout
    assert "3: 0 -> -0.5, 7: 0 -> -2" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rounds", "5:3"], "range of rounds"),
        (["--rounds", "x"], "range of rounds"),
        (["--to", "xml"], "xml"),
        (["--learner", "nobody"], "nobody"),
    ],
)
def test_what_is_asked_for_wrongly_is_refused(lecture: Path, words: list[str], said: str) -> None:
    result = run("trace", lecture, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_row_the_learner_cannot_take_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("1 1:1\n-1 2:7\n")
    result = run("trace", tmp_path / "x.svm", "--learner", "winnow", "--features", 5)
    assert result.exit_code == 2
    assert "x.svm:2: Winnow needs features in [0, 1], feature 2 is 7.0" in result.stderr
