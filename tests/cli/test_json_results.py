"""What programs read: one object on one line, with a head, whatever the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import thresher
from tests.cli.running import noisy_rows, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("json")
    (made / "a.svm").write_text(noisy_rows(60))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        words = ("--learner", "perceptron", "--features", 30, "-q")
        assert run("train", "a.svm", "-o", "m.thr", *words).exit_code == 0
        assert run("certify", "m.thr", "a.svm", "-o", "c.json", "-q").exit_code == 0
    return made


COMMANDS = {
    "train": ("a.svm", "-o", "n.thr", "--features", 30),
    "test": ("m.thr", "a.svm"),
    "inspect": ("m.thr",),
    "certify": ("m.thr", "a.svm"),
    "verify": ("c.json", "a.svm", "--features", 30),
    "race": ("a.svm", "--features", 30, "--learner", "winnow"),
    "advise": ("a.svm", "--features", 30),
    "convert": ("a.svm", "-o", "a.vw"),
}


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: object) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    result = run(*words, "--json")
    assert result.exit_code in (0, 1), result.stderr
    assert result.stdout.count("\n") == 1
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_result_is_one_object_on_one_line_that_says_what_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    found = told(folder, monkeypatch, name, *COMMANDS[name])
    assert [*found.items()][:2] == [("command", name), ("thresher", thresher.__version__)]
    assert isinstance(found.get("learner", ""), str)
    for count in ("rows", "rounds", "mistakes"):
        assert isinstance(found.get(count, 0), int)


def test_advice_has_one_shape_from_figures_and_from_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--features", 100, "--relevant", 3, "--active", 9)
    figures = told(folder, monkeypatch, "advise", *words)
    data = told(folder, monkeypatch, "advise", *COMMANDS["advise"])
    assert figures["recommended"] == figures["advice"]["choice"]["command_line"]
    assert data["recommended"] in {one["learner"] for one in data["race"]}
    assert {*figures} <= {*data}
    names = [promise["learner"] for promise in figures["advice"]["promises"]]
    assert "halving" in names
    assert all(name == name.lower() for name in names)
