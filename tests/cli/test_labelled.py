from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run


@pytest.fixture
def weighted(tmp_path: Path) -> Path:
    file = tmp_path / "weighted.vw"
    file.write_text("1 1.0 | a\n-1 2.5 | b\n1 | a c\n")
    return file


COMMANDS = (
    ["race", "--no-plot"],
    ["trace"],
    ["certify", "--learner", "winnow", "--features", "64"],
    ["advise"],
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_rows_that_weigh_differently_are_refused_unless_told_otherwise(
    weighted: Path, words: list[str]
) -> None:
    result = run(*words, weighted)
    assert result.exit_code == 2
    assert f"{weighted}:2: this row has importance 2.5" in result.stderr
    assert run(*words, weighted, "--ignore-importance").exit_code == 0


def test_a_certificate_of_weighted_rows_is_verified(weighted: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    made = run("certify", weighted, "--features", 64, "--ignore-importance", "-o", file)
    typed = made.stderr.splitlines()[-1].removeprefix("Check it: thresher ")
    assert run(*typed.split()).exit_code == 0


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_bad_lines_stop_or_are_reported(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "some.svm"
    file.write_text("1 1:1\n-1 x\n-1 2:1\n")
    stopped = run(*words, file)
    assert stopped.exit_code == 2
    assert f"{file}:2: found" in stopped.stderr
    skipped = run(*words, file, "--on-bad", "skip")
    assert skipped.exit_code == 0
    assert "1 bad line was skipped" in skipped.stderr
