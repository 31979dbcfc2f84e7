"""`thresher certify` of rows that count more than others: advice that can be followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

LINES = [f"{1 + t % 3} {1 + t % 2}.5 |f a{t % 3} b{t % 5} c{t % 7}\n" for t in range(60)]
ADVICE = "Use --ignore-importance if the model was trained with it."


@pytest.fixture
def several(tmp_path: Path) -> Path:
    path = tmp_path / "several.vw"
    path.write_text("".join(LINES))
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.vw"
    path.write_text("".join(("-1" if line[0] == "2" else "1") + line[1:] for line in LINES))
    return path


@pytest.mark.parametrize("learner", ["perceptron", "committee", "arow"])
def test_a_model_that_learned_weights_has_no_certificate(two: Path, learner: str) -> None:
    model = two.with_suffix(".thr")
    assert run("train", two, "--learner", learner, "-o", model).exit_code == 0
    for more in ([], ["--ignore-importance"]):
        refused = run("certify", model, two, *more)
        assert refused.exit_code == 2
        # It is told at once, and no option is recommended that leads nowhere.
        assert "a certificate does not say how much" in refused.stderr
        assert "Train with --ignore-importance to get one." in refused.stderr


@pytest.mark.parametrize("learner", ["perceptron", "committee", "arow"])
@pytest.mark.parametrize("kind", ["two", "several"])
def test_a_model_that_ignored_weights_has_one_as_it_is_told(
    kind: str, learner: str, request: pytest.FixtureRequest
) -> None:
    data: Path = request.getfixturevalue(kind)
    model, words = data.with_suffix(".thr"), ["--learner", learner, "--ignore-importance"]
    assert run("train", data, *words, "-o", model).exit_code == 0
    refused = run("certify", model, data)
    assert (refused.exit_code, ADVICE in refused.stderr) == (2, True)
    certificate = data.with_suffix(".json")
    assert run("certify", model, data, "--ignore-importance", "-o", certificate).exit_code == 0
    assert run("verify", certificate, data).exit_code == 0


def test_several_classes_that_learned_weights_are_told_why_the_replay_differs(
    several: Path,
) -> None:
    model = several.with_suffix(".thr")
    assert run("train", several, "--learner", "arow", "-o", model).exit_code == 0
    refused = run("certify", model, several)
    assert (refused.exit_code, ADVICE in refused.stderr) == (2, True)
    refused = run("certify", model, several, "--ignore-importance")
    assert refused.exit_code == 2
    assert "learned with other weights than 1 have no certificate" in refused.stderr


def test_a_run_of_its_own_takes_the_option(two: Path) -> None:
    refused = run("certify", two, "--learner", "perceptron")
    assert "--ignore-importance gives every row the weight 1." in refused.stderr
    assert run("certify", two, "--learner", "perceptron", "--ignore-importance").exit_code == 0
