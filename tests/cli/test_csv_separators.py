"""`--separator CHAR`: what stands between the fields of a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from thresher.models.file import load_model


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("label\ta,b\n" + "1\t2\n0\t-1\n" * 5)


@pytest.mark.parametrize("typed", ["\t", r"\t", "tab"])
def test_a_tab_can_be_typed(typed: str) -> None:
    result = run("train", "a.csv", "-o", "m.thr", "-q", "--separator", typed)
    assert result.exit_code == 0, result.stderr
    recipe = load_model("m.thr").recipe
    assert (recipe.separator, recipe.numeric) == ("\t", ("a,b",))


@pytest.mark.parametrize("typed", ["\t|", "tabs", "", "é", '"', "\n"])
def test_a_separator_is_one_character(typed: str) -> None:
    result = run("train", "a.csv", "-o", "m.thr", "-q", "--separator", typed)
    assert result.exit_code == 2
    assert "separator must be one character of ASCII" in result.stderr
