"""What a race writes to a file: what the name of the file says, or nothing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import noisy_rows, run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(noisy_rows(90))
    return tmp_path


def raced(*words: str) -> str:
    asked = ("--features", "30", "--no-bounds", "--no-plot", "-q")
    result = run("race", "a.svm", *asked, "--learner", "winnow", "--learner", "perceptron", *words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("name", ["curves.csv", "CURVES.CSV", "curves"])
def test_points_as_csv(name: str) -> None:
    raced("-o", name)
    rows = [*csv.DictReader(Path(name).read_text().splitlines())]
    assert {row["learner"] for row in rows} == {"winnow", "perceptron", "commoner label"}
    assert rows[-1]["rounds"] == "90"


def test_json_as_it_is_printed() -> None:
    printed = json.loads(raced("-o", "curves.json", "--json"))
    written = json.loads(Path("curves.json").read_text())
    assert written == printed
    assert written["command"] == "race"
    assert written["learners"][0]["curve"]


def test_a_picture_has_a_line_and_a_name_for_everybody() -> None:
    raced("-o", "curves.svg")
    picture = ElementTree.parse("curves.svg").getroot()
    assert picture.tag == f"{SVG}svg"
    lines = [
        path.attrib
        for path in picture.iter(f"{SVG}path")
        if path.get("stroke-linejoin") and not path.get("stroke-dasharray")
    ]
    assert len(lines) == 3
    assert len({line["stroke"] for line in lines}) == 3
    told = json.loads(raced("--json"))["learners"]
    said = [text.text or "" for text in picture.iter(f"{SVG}text")]
    # The winner is drawn last, on top of the others.
    assert said[-3:] == [f"{one['learner']}: {one['mistakes']}" for one in reversed(told)]


@pytest.mark.parametrize("name", ["curves.jpg", "curves.pdf", "curves.csv.gz"])
def test_what_nobody_writes_is_refused_before_the_race(name: str) -> None:
    result = run("race", "no-such-file.svm", "-o", name)
    assert result.exit_code == 2
    assert f"-o {name}: curves are written as .csv, .html, .json, .png, .svg" in result.stderr
    assert not Path(name).exists()
