"""`--ignore NAME,...` and its like: one list, however often it is begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from thresher.cli.parsing import lists_joined
from thresher.models.file import load_model


@pytest.mark.parametrize(
    "words",
    [("--ignore", "id", "--ignore", "day"), ("--ignore=id", "--ignore=day"), ("--ignore=id,day",)],
)
def test_a_list_that_is_given_twice_is_one_list(tmp_path: Path, words: tuple[str, ...]) -> None:
    data, model = tmp_path / "a.csv", tmp_path / "m.thr"
    data.write_text("label,id,day,x\n" + "yes,1,2.5,3\nno,2,1,4.5\n" * 3)
    done = run("train", data, *words, "--learner", "perceptron", "-o", model)
    assert done.exit_code == 0, done.stderr
    assert load_model(model).recipe.ignored == ("id", "day")


def test_a_list_without_names_is_asked_for(tmp_path: Path) -> None:
    done = run("train", tmp_path / "a.csv", "-o", tmp_path / "m.thr", "--ignore")
    assert done.exit_code == 2
    assert "'--ignore' requires an argument" in done.stderr


def test_what_stands_behind_two_dashes_is_no_option() -> None:
    words = ["--ignore", "a", "--", "--ignore", "b"]
    assert lists_joined(words, {"--ignore"}) == words
