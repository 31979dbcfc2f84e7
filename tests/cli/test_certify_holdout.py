"""`thresher certify` of models that were trained with --holdout."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.running import run
from thresher.models.choice import LearnerChoice
from thresher.models.file import load_model
from thresher.models.history import holdout_of

RNG = np.random.default_rng(3)
X = (RNG.random((300, 8)) < 0.4).astype(int)
Y = np.where((X[:, 0] + X[:, 3] > 0) ^ (RNG.random(300) < 0.1), 1, -1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = [
        f"{y:+d} " + " ".join(f"{i}:1" for i in np.flatnonzero(row))
        for row, y in zip(X, Y, strict=True)
    ]
    file = tmp_path / "rows.svm"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_model_trained_with_a_holdout_is_certified_with_what_it_did_not_learn(
    tmp_path: Path, data: Path
) -> None:
    model, certificate = tmp_path / "rows.thr", tmp_path / "rows.cert.json"
    words = ["--learner", "arow", "--features", "8", "--holdout", "10", "-o", model]
    assert run("train", data, *words).exit_code == 0
    learner = load_model(model).learner
    assert learner.n_rounds == 270
    told = run("certify", model, data, "-o", certificate, "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    wrong = int(np.count_nonzero(learner.predict(X[9::10]) != Y[9::10]))
    assert (found["rounds"], found["held_out"], found["held_out_mistakes"]) == (270, 30, wrong)
    assert 0 < found["risks"]["HoldoutRisk"] < 1
    checked = run("verify", certificate, data, "--model", model)
    assert checked.exit_code == 0
    assert f"{wrong} of 30 rows held out wrong, as claimed" in checked.stdout
    assert "no part in training or choosing the model" in checked.stdout


def test_a_run_is_certified_with_rows_held_out_of_it(tmp_path: Path, data: Path) -> None:
    certificate = tmp_path / "run.cert.json"
    words = ["--learner", "perceptron", "--features", "8", "--holdout", "7", "-o", certificate]
    assert run("certify", data, *words).exit_code == 0
    claim = th.Certificate.load(certificate)
    assert (claim.held_out_every, claim.held_out) == (7, 42)
    learner = th.Perceptron(8)
    kept = (np.arange(300) + 1) % 7 != 0
    learner.learn(X[kept], Y[kept])
    assert claim.mistakes == learner.mistakes
    wrong = np.count_nonzero(learner.predict(X[~kept]) != Y[~kept])
    assert claim.held_out_mistakes == wrong
    assert run("verify", certificate, data).exit_code == 0


def test_what_was_held_out_need_not_be_said_again_but_must_not_be_said_wrongly(
    tmp_path: Path, data: Path
) -> None:
    model = tmp_path / "rows.thr"
    run("train", data, "--learner", "arow", "--holdout", "10", "-o", model)
    assert holdout_of(load_model(model).history) == 10
    assert run("certify", model, data, "--holdout", "10").exit_code == 0
    other = run("certify", model, data, "--holdout", "9")
    assert other.exit_code == 2
    assert "rounds" in other.stderr


def test_several_passes_over_the_same_rows_are_refused_with_a_reason(
    tmp_path: Path, data: Path
) -> None:
    model = tmp_path / "rows.thr"
    run("train", data, "--learner", "arow", "--holdout", "10", "--passes", "3", "-o", model)
    refused = run("certify", model, data, "--holdout", "10")
    assert refused.exit_code == 2
    assert "they had a part in choosing it" in refused.stderr
    assert run("certify", model, data).exit_code == 2


def largest_risk(wrong: int, rows: int, delta: Fraction) -> Fraction:
    """The largest risk with which so few mistakes have a probability of delta, to 2^-60 above."""
    low, high = Fraction(0), Fraction(1)
    while wrong < rows and high - low > Fraction(1, 2**60):
        risk = (low + high) / 2
        heads = (comb(rows, m) * risk**m * (1 - risk) ** (rows - m) for m in range(wrong + 1))
        low, high = (risk, high) if sum(heads) >= delta else (low, risk)
    return high


@pytest.mark.parametrize(
    ("n", "every", "classes", "learner"),
    [
        *((60, 3, 2, "perceptron"), (3, 3, 2, "perceptron"), (2, 2, 2, "winnow")),
        *((60, 3, 4, "arow"), (61, 6, 4, "multiclass_perceptron"), (120, 3, 2, "committee")),
        *((60, 59, 3, "committee"), (60, 60, 2, "arow")),
    ],
)
@pytest.mark.parametrize("upside_down", [False, True])
def test_every_figure_is_what_an_outsider_finds(
    tmp_path: Path, n: int, every: int, classes: int, learner: str, upside_down: bool
) -> None:
    """Rows held out may all be labelled wrongly, or have a class that nobody has seen."""
    random = np.random.default_rng(n + every)
    points = random.integers(0, 2, (n, 6))
    held = (np.arange(n) + 1) % every == 0
    number = (points[:, 0] + 2 * points[:, 1]) % classes
    number[held & upside_down] = (number[held & upside_down] + 1) % classes
    names: list[Any] = [-1, 1] if classes == 2 else [f"c{c}" for c in range(classes + 1)]
    if classes > 2 and held[-1]:
        number[-1] = classes
    labels = np.array([names[c] for c in number])
    file, certificate = tmp_path / "rows.svm", tmp_path / "rows.json"
    file.write_text(
        "".join(
            f"{label} {' '.join(f'{i}:1' for i in np.flatnonzero(row))}\n"
            for row, label in zip(points, labels, strict=True)
        )
    )
    words = ["--learner", learner, "--features", 6, "--holdout", every, "--delta", "1/10"]
    told = run("certify", file, *words, "--json", "-o", certificate)
    assert told.exit_code == 0, told.stderr
    found = json.loads(told.stdout)
    alone = LearnerChoice.parse(learner).create(n_features=6)
    if classes > 2 and not alone.several:
        alone = th.OneVersusRest(alone)  # type: ignore[arg-type]  # one of two classes
    mistakes = alone.learn(points[~held], labels[~held]).mistakes
    wrong = sum(p != y for p, y in zip(alone.predict(points[held]), labels[held], strict=True))
    assert (found["rounds"], found["mistakes"]) == (np.count_nonzero(~held), mistakes)
    assert (found["held_out"], found["held_out_mistakes"]) == (np.count_nonzero(held), wrong)
    exact = largest_risk(wrong, int(np.count_nonzero(held)), Fraction(1, 10))
    assert Fraction(found["risks"]["HoldoutRisk"]) - exact + Fraction(1, 2**52) >= 0
    assert found["risks"]["HoldoutRisk"] == pytest.approx(float(exact), rel=1e-12)
    assert run("verify", certificate, file).exit_code == 0


def test_where_no_row_is_held_out_nothing_is_said_of_them(tmp_path: Path, data: Path) -> None:
    told = run("certify", data, "--learner", "perceptron", "--features", "8", "--holdout", "301")
    assert told.exit_code == 0
    assert "no row was held out: every 301th of 300" in told.stdout
    assert "HoldoutRisk" not in told.stdout


def test_models_without_a_holdout_are_written_as_ever(tmp_path: Path, data: Path) -> None:
    model = tmp_path / "rows.thr"
    run("train", data, "--learner", "arow", "-o", model)
    assert "holdout" not in load_model(model).history[0].document()
    assert holdout_of(load_model(model).history) is None
