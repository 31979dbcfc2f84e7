from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.running import noisy_rows, run
from tests.models.slow_area import slow_area
from thresher.cli.scorecard_text import text
from thresher.models.scorecard import Scorecard


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svm").write_text(noisy_rows(300))
    (tmp_path / "b.svm").write_text(noisy_rows(200, seed=9))
    assert run("train", "a.svm", "-o", "m.thr").exit_code == 0
    return tmp_path


def figures_of(*words: str) -> dict[str, Any]:
    result = run("test", "m.thr", *words, "--json")
    assert result.exit_code == 0, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def test_the_figures_are_those_of_a_slow_count(folder: Path) -> None:
    (batch,) = th.read("b.svm")
    said, label = th.load("m.thr").predict(batch), batch.label
    report = figures_of("b.svm")
    assert report["rows"] == 200
    assert report["mistakes"] == int(np.sum(said != label))
    assert report["error"] == report["mistakes"] / 200
    counts = {(cell["label"], cell["predicted"]): cell["rows"] for cell in report["confusion"]}
    both = {
        (str(y), str(p)): int(np.sum((label == y) & (said == p))) for y in (-1, 1) for p in (-1, 1)
    }
    assert counts == both
    for figures, y in zip(report["labels"], (-1, 1), strict=True):
        hits = both[str(y), str(y)]
        assert figures["label"] == str(y)
        assert figures["rows"] == int(np.sum(label == y))
        assert figures["precision"] == hits / int(np.sum(said == y))
        assert figures["recall"] == hits / figures["rows"]
        harmonic = 2 / (1 / Fraction(figures["precision"]) + 1 / Fraction(figures["recall"]))
        assert figures["f1"] == pytest.approx(float(harmonic), rel=1e-12)


def test_the_area_of_a_model_is_that_of_its_scores(folder: Path) -> None:
    (batch,) = th.read("b.svm")
    scores = th.load("m.thr").scores(batch).tolist()
    expected = float(slow_area(scores, (batch.label > 0).tolist()))
    for words in ([], ["--chunk-bytes", "300"]):
        report = figures_of("b.svm", *words)
        assert report["area_under_roc"] == expected
        assert report["area_under_roc_between"] == [expected, expected]


def test_what_cannot_be_said_is_null_and_a_dash(folder: Path) -> None:
    (folder / "one.svm").write_text("1 3:1\n1 7:1\n")
    report = figures_of("one.svm")
    assert report["area_under_roc"] is None
    assert report["labels"][0]["recall"] is None
    result = run("test", "m.thr", "one.svm")
    assert "area under ROC  not defined" in result.stdout
    assert result.stdout.splitlines()[-2].split()[2] == "-"


def test_an_area_known_only_in_part_is_said_to_lie_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thresher.models.scorecard.DISTINCT_SCORES", 1)
    card = Scorecard(("-1", "1"))
    card.add(np.array([1.0, 2.0]), np.array([1, 1]), np.array([1, 0]))
    assert "area under ROC  between 0.000000 and 1.000000" in text(card)


def test_people_get_a_text_that_fits(folder: Path) -> None:
    result = run("test", "m.thr", "b.svm", columns=40)
    assert result.stdout.startswith("rows      200\nmistakes  ")
    assert max(map(len, result.stdout.splitlines())) <= 40


def test_testing_changes_nothing(folder: Path) -> None:
    before = (folder / "m.thr").read_bytes()
    figures_of("a.svm")
    assert (folder / "m.thr").read_bytes() == before


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("", "there is not a single row to test on"),
        ("spam 0:1\n", "found the label spam, expected the label -1 or 1"),
        ("1 x:1\n", "n.svm:1: found"),
    ],
)
def test_what_cannot_be_done_is_said_clearly(folder: Path, lines: str, says: str) -> None:
    (folder / "n.svm").write_text(lines)
    result = run("test", "m.thr", "n.svm", columns=200)
    assert result.exit_code == 2
    assert says in result.stderr


def test_rows_without_a_label_can_be_left_out(folder: Path) -> None:
    (folder / "mail.vw").write_text("1 | a\n-1 | b\n| c\n")
    run("train", "mail.vw", "-o", "m.thr", "--on-bad", "skip")
    result = run("test", "m.thr", "mail.vw", "--on-bad", "skip", "--json")
    assert json.loads(result.stdout)["rows"] == 2
    assert "found no label" in result.stderr
