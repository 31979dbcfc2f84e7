"""What is said besides the answer: on a cluster the same as on one machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run


@pytest.fixture
def place(cluster: Any) -> tuple[str, ...]:
    return "--cluster", cluster.scheduler_address


def objects(number: int) -> str:
    own = {f"c{number}": 1} if number else {}
    return "".join(json.dumps({"label": k % 2, "a": k % 3} | own) + "\n" for k in range(40))


def both(command: str, words: tuple[Any, ...], place: tuple[str, ...], shards: int) -> list[str]:
    """What a command says to standard error, on one machine and on a cluster."""
    parts = () if command == "race" else ("--shards", shards)
    found = [run(command, *words, "-q", *more) for more in ((), (*place, *parts))]
    assert [result.exit_code for result in found] == [0, 0], found[1].stderr
    return [result.stderr for result in found]


@pytest.mark.parametrize("command", ["train", "test", "predict", "convert", "race"])
def test_headers_of_all_files_are_told(
    tmp_path: Path, place: tuple[str, ...], command: str
) -> None:
    texts = "".join(f"ham\tsee you at {k}\nspam\tcash {k} times now\n" for k in range(20))
    for number in range(4):
        (tmp_path / f"part-{number}.tsv").write_text(f"label\ttext\n{texts}")
    files, path = tmp_path / "part-*.tsv", tmp_path / "m.thr"
    assert run("train", files, "-o", path, "-q").exit_code == 0
    words: dict[str, tuple[Any, ...]] = {
        "train": (files, "-o", tmp_path / "n.thr"),
        "convert": (files, "-o", tmp_path / "out.jsonl"),
        "race": (files,),
    }
    alone, apart = both(command, words.get(command, (path, files)), place, 3)
    assert apart == alone
    assert alone.count("is a header, and no row") == 4


@pytest.mark.parametrize("shards", [1, 4])
def test_columns_that_are_not_read_are_told_of_every_file_in_order(
    tmp_path: Path, place: tuple[str, ...], shards: int
) -> None:
    for number in range(4):
        (tmp_path / f"part-{number}.jsonl").write_text(objects(number))
    path = tmp_path / "m.thr"
    assert run("train", tmp_path / "part-0.jsonl", "-o", path, "-q").exit_code == 0
    alone, apart = both("test", (path, tmp_path / "part-*.jsonl"), place, shards)
    assert apart == alone
    told = [line.partition("column ")[2][:4] for line in alone.splitlines()]
    assert told == ["'c1'", "'c2'", "'c3'"]


def test_another_format_is_told_of_the_first_file_alone(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    (tmp_path / "old.svm").write_text("1 0:1\n0 1:1\n" * 20)
    for number in range(3):
        (tmp_path / f"new-{number}.vw").write_text("1 | 0\n0 | 1\n" * 20)
    path = tmp_path / "m.thr"
    assert run("train", tmp_path / "old.svm", "-o", path, "-q").exit_code == 0
    alone, apart = both("test", (path, tmp_path / "new-*.vw"), place, 3)
    assert apart == alone
    assert alone.count("was read as vw") == 1


def test_a_race_says_that_rows_are_sorted(tmp_path: Path, place: tuple[str, ...]) -> None:
    file = tmp_path / "sorted.svm"
    file.write_text("1 0:1\n" * 300 + "0 1:1\n" * 300)
    alone, apart = both("race", (file, "--learner", "perceptron"), place, 1)
    assert apart == alone
    assert "rows with the same label stand together" in alone


@pytest.mark.parametrize("mode", ["mixing", "exact"])
@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("1 0:1\n1 1:1\n", (), "every row has the label 1"),
        ("1 0:1\n0 1:1\n", ("--positive", 7), "no row has the label 7, which counts as +1"),
        (
            "1 0:1\n1 1:1\n",
            ("--positive", 1, "--class-weight", "not 1:5"),
            "no row has the label not 1, which was given a weight",
        ),
        ("1 0:1\n0 1:1", (), "one.svm: the last line has no end: was the file complete?"),
    ],
)
def test_training_says_what_is_odd_about_the_data(
    tmp_path: Path,
    place: tuple[str, ...],
    mode: str,
    text: str,
    words: tuple[Any, ...],
    said: str,
) -> None:
    (tmp_path / "one.svm").write_text(text)
    (tmp_path / "two.svm").write_text("1 0:1 2:1\n")
    given = (tmp_path / "*.svm", "-o", tmp_path / "m.thr", "--learner", "perceptron", *words)
    results = [run("train", *given, "-q", *more) for more in ((), (*place, "--mode", mode))]
    assert [result.exit_code for result in results] == [0, 0], results[1].stderr
    assert said in results[0].stderr
    assert results[1].stderr == results[0].stderr


def test_an_end_that_another_shard_has_is_none(tmp_path: Path, place: tuple[str, ...]) -> None:
    file = tmp_path / "m.svm"
    file.write_text("1 0:1\n0 1:1\n" * 30)
    words = ("--shards", 3, "--learner", "perceptron", "-q")
    result = run("train", file, "-o", tmp_path / "m.thr", *words, *place)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_shard_of_several_files_is_shown_with_the_last(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    for number in range(3):
        (tmp_path / f"part-{number}.svm").write_text("1 0:1\n0 1:1\n" * 10)
    words = ("--shards", 1, "--learner", "perceptron", "-q")
    result = run("train", tmp_path / "part-*.svm", "-o", tmp_path / "m.thr", *words, *place)
    first, last = tmp_path / "part-0.svm", tmp_path / "part-2.svm"
    assert f"shard 1   1  {first} to {last}\n" in result.stdout
