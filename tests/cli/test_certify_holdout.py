"""`thresher certify` of models that were trained with --holdout."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.running import run
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


def test_models_without_a_holdout_are_written_as_ever(tmp_path: Path, data: Path) -> None:
    model = tmp_path / "rows.thr"
    run("train", data, "--learner", "arow", "-o", model)
    assert "holdout" not in load_model(model).history[0].document()
    assert holdout_of(load_model(model).history) is None
