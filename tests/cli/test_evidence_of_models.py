"""Certificates and models: every learner, the weights to the last bit, signatures, workers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import thresher as th
from tests.cli.running import loaded, run
from thresher.learners.registry import RECORDS
from thresher.models.file import load_model, save_model

RNG = np.random.default_rng(11)


def written(path: Path, labels: tuple[str, ...]) -> None:
    lines = []
    for _ in range(300):
        row = np.flatnonzero(RNG.random(20) < 0.3)
        label = labels[len(set(row.tolist()) & {1, 4, 7}) % len(labels)]
        lines.append(" ".join([label, *(f"{column}:1" for column in row)]))
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    written(folder / "two.svm", ("-1", "+1"))
    written(folder / "three.svm", ("red", "green", "blue"))
    private = Ed25519PrivateKey.generate()
    pem = form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption()
    (folder / "key").write_bytes(private.private_bytes(*pem))
    ssh = form.Encoding.OpenSSH, form.PublicFormat.OpenSSH
    (folder / "key.pub").write_bytes(private.public_key().public_bytes(*ssh) + b" alice")
    return folder


EXTRA = {
    "multiclass_normalized_winnow": ":eta=1/5",
    "multiclass_signed_winnow": ":eta=1/5",
    "normalized_winnow": ":eta=1/5",
}
BY_NAME = [
    record.name for record in RECORDS if record.needs is None and "majority" not in record.name
]


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("data", ["two.svm", "three.svm"])
def test_every_learner_is_trained_certified_and_verified(
    folder: Path, name: str, data: str
) -> None:
    model, certificate = folder / f"{name}-{data}.thr", folder / f"{name}-{data}.json"
    features = ("--features", 20)
    learner = ("--learner", name + EXTRA.get(name, ""))
    assert run("train", folder / data, "-o", model, *learner, *features, "-q").exit_code == 0
    result = run("certify", model, folder / data, "-o", certificate, "-q")
    assert result.exit_code == 0, result.output
    again = run("verify", certificate, folder / data, *features, "--model", model, "--workers", 2)
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[-1].startswith("the claim holds")
    assert str(loaded(model).mistakes) in again.stdout


def test_a_model_whose_weights_were_changed_is_not_certified(folder: Path) -> None:
    path, forged = folder / "honest.thr", folder / "forged.thr"
    words = ("--learner", "perceptron", "--features", 20, "-q")
    run("train", folder / "two.svm", "-o", path, *words)
    run("certify", path, folder / "two.svm", "-o", folder / "honest.json", "-q")
    model = load_model(path)
    state = model.learner.__getstate__()
    dual, *rest = state["state"]
    state["state"] = (-np.asarray(dual), *rest)
    model.learner.__setstate__(state)  # type: ignore[attr-defined]
    save_model(model, forged)
    refused = run("certify", forged, folder / "two.svm")
    assert refused.exit_code == 2
    assert "the learner has numbers that do not come out of this run" in refused.stderr
    verifying = ("verify", folder / "honest.json", folder / "two.svm", "--features", 20)
    assert run(*verifying, "--model", path).exit_code == 0
    noticed = run(*verifying, "--model", forged)
    assert noticed.exit_code == 1
    assert "DIFFERS   state of the model" in noticed.stdout
    assert "give these weights to the last bit" in run("inspect", path).stdout
    assert "GIVE OTHER WEIGHTS" in run("inspect", forged).stdout
    told = json.loads(run("inspect", forged, "--json").stdout)
    assert told["journal"]["explains_the_weights"] is False


def test_a_model_of_several_passes_is_certified_on_its_file(folder: Path) -> None:
    path = folder / "passes.thr"
    run("train", folder / "two.svm", "-o", path, "--features", 20, "--passes", 3, "-q")
    result = run("certify", path, folder / "two.svm", "-o", folder / "passes.json")
    assert result.exit_code == 0, result.output
    assert f"in {3 * 300} rounds" in result.stdout
    typed = result.stderr.splitlines()[-1].removeprefix("Check it: thresher ")
    assert run(*typed.split()).exit_code == 0


def test_certificates_are_signed_and_signers_asked_for(folder: Path) -> None:
    signed, plain = folder / "signed.json", folder / "plain.json"
    words = ("certify", folder / "two.svm", "--features", 20, "-q")
    assert run(*words, "-o", plain).exit_code == 0
    assert run(*words, "-o", signed, "--sign", folder / "key", "--signer", "Al").exit_code == 0
    check = ("--features", 20, "--trusted", folder / "key.pub")
    good = run("verify", signed, folder / "two.svm", *check)
    assert (good.exit_code, "signed    by alice, as 'Al'" in good.stdout) == (0, True)
    nobody = run("verify", plain, folder / "two.svm", *check)
    assert (nobody.exit_code, "no trusted key has signed" in nobody.stdout) == (2, True)
    told = json.loads(run("verify", signed, folder / "two.svm", *check, "--json").stdout)
    assert told["verdict"] == "holds"
    assert told["signers"][0].startswith("by alice")
    bad = run(*words, "-o", signed, "--sign", folder / "two.svm")
    assert bad.exit_code == 2
    assert "no private key" in bad.stderr


def test_train_ends_with_a_line_of_evidence_of_the_first_pass(folder: Path) -> None:
    once = run("train", folder / "two.svm", "-o", folder / "e.thr", "--features", 20)
    line = next(line for line in once.stdout.splitlines() if line.startswith("evidence"))
    mistakes = loaded(folder / "e.thr").mistakes
    assert line.startswith(f"evidence  {mistakes} of 300 wrong before learning; with 95 %")
    words = ("--features", 20, "--passes", 4)
    thrice = run("train", folder / "two.svm", "-o", folder / "e4.thr", *words)
    assert line in thrice.stdout.splitlines()
    more = run("train", folder / "two.svm", "--resume", folder / "e.thr", "-o", folder / "f.thr")
    assert not any(line.startswith("evidence") for line in more.stdout.splitlines())
    told: dict[str, Any] = json.loads(
        run("train", folder / "two.svm", "-o", folder / "e.thr", "--features", 20, "--json").stdout
    )["evidence"]
    assert (told["mistakes"], told["rounds"], told["confidence"]) == (mistakes, 300, 0.95)
    found = th.theory.MeanRiskHoeffding(mistakes, 300, Fraction(1, 60))
    assert told["max_mean_risk"] <= found.max_risk()
