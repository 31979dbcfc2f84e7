"""What programs read: one object on one line, with a head, whatever the command."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import thresher
from tests.cli.running import noisy_rows, run
from thresher.cli.json_result import strict_json
from thresher.cli.main import thresher as thresher_command


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


def _no_json(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def strictly(text: str) -> list[dict[str, Any]]:
    """What every line says, read as JSON has it and not as Python has it."""
    return [json.loads(line, parse_constant=_no_json) for line in text.splitlines()]


COMMANDS = {
    "train": ("a.svm", "-o", "n.thr", "--features", 30),
    "test": ("m.thr", "a.svm"),
    "inspect": ("m.thr",),
    "certify": ("m.thr", "a.svm"),
    "verify": ("c.json", "a.svm", "--features", 30),
    "race": ("a.svm", "--features", 30, "--learner", "winnow"),
    "advise": ("a.svm", "--features", 30),
    "convert": ("a.svm", "-o", "a.vw"),
    "tune": ("a.svm", "--features", 30, "--learner", "arow"),
}

#: Values that are at the edge of what doubles can be.
EDGES = (5e-324, -5e-324, 1e-310, 2.3e-308, 1e100, -1e100, 1.0)
#: With what learners they are met; scalings divide by them.
LEARNERS = (
    *(
        "committee",
        "perceptron",
        "perceptron:average=yes",
        "arow:scaling=l2",
        "arow:scaling=online",
    ),
    *("adagrad:scaling=max", "passive_aggressive:scaling=l1", "p_norm_perceptron:p=64,bias=yes"),
    *("balanced_winnow:scaling=max", "signed_winnow:scaling=online,margin=0.1,radius=1e100"),
    *("multiclass_perceptron:bias=yes", "multiclass_passive_aggressive", "sparse_network"),
)
#: Commands that print JSON about a model and rows.
OF_A_MODEL: dict[str, tuple[object, ...]] = {
    "predict": ("m.thr", "e.jsonl", "--json", "--scores"),
    "test": ("m.thr", "e.jsonl", "--json"),
    "inspect": ("m.thr", "--json"),
    "inspect importances": ("m.thr", "e.jsonl", "--json"),
    "inspect --explain": ("m.thr", "--explain", "e.jsonl", "--json", "--rows", 99),
    "certify": ("m.thr", "e.jsonl", "--json"),
}
#: Commands that print it about rows.
OF_ROWS: dict[str, tuple[object, ...]] = {
    "train": ("e.jsonl", "-o", "n.thr", "--json", "--holdout", 3, "--passes", 2),
    "tune": ("e.jsonl", "--json"),
    "race": ("e.jsonl", "--json", "--tracking", "--window", 4),
    "advise": ("e.jsonl", "--json"),
    "trace": ("e.jsonl", "--to", "json"),
    "convert": ("e.jsonl", "-o", "e.vw", "--json"),
}


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: object) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    result = run(*words, "--json")
    assert result.exit_code in (0, 1), result.stderr
    assert result.stdout.count("\n") == 1
    (found,) = strictly(result.stdout)
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


def test_every_command_that_prints_json_is_looked_at() -> None:
    printing = {
        name
        for name, command in thresher_command.commands.items()
        if any(parameter.name == "as_json" for parameter in command.params)
    }
    looked_at = {*COMMANDS, *OF_ROWS, *(name.partition(" ")[0] for name in OF_A_MODEL)}
    assert printing - {"verify"} <= looked_at
    assert "verify" in COMMANDS


@pytest.fixture
def edges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows with values at the edges, alone, in pairs, and beside plain ones."""
    monkeypatch.chdir(tmp_path)
    rows: list[dict[str, Any]] = []
    for number, (a, b) in enumerate(product(EDGES, repeat=2)):
        rows.append({"label": number % 2, "a": a, "b": b, "c": 1.0})
        rows.append({"label": (number + 1) % 2, "a": a})
    path = tmp_path / "e.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.filterwarnings("error")
def test_what_is_printed_of_a_model_is_json_whatever_the_values(edges: Path, learner: str) -> None:
    made = run("train", edges, "-o", "m.thr", "--learner", learner, "--features", 64, "-q")
    if made.exit_code:
        # Some take no such values at all, and say so.
        assert "found the value" in made.stderr
        return
    for name, words in OF_A_MODEL.items():
        result = run(name.partition(" ")[0], *words)
        assert result.exit_code in (0, 2), (name, result.stderr)
        assert result.exit_code == 0 or name == "certify", (name, result.stderr)
        assert "internal" not in result.stderr
        strictly(result.stdout)


@pytest.mark.parametrize("name", OF_ROWS)
@pytest.mark.filterwarnings("error")
def test_what_is_printed_of_rows_is_json_whatever_the_values(edges: Path, name: str) -> None:
    result = run(name, *OF_ROWS[name])
    assert result.exit_code == 0, result.stderr
    assert strictly(result.stdout)


def test_a_number_beyond_json_is_null() -> None:
    found = {"a": [1.5, float("inf")], "b": {"c": float("nan")}, "d": (-1e999,)}
    assert strictly(strict_json(found)) == [{"a": [1.5, None], "b": {"c": None}, "d": [None]}]
