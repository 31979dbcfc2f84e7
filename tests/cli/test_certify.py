from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.models.file import save_model
from thresher.models.model import Model
from thresher.streams import load_mushrooms
from thresher.streams.recipe import Recipe


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some mushrooms, and a model trained on them."""
    folder = tmp_path_factory.mktemp("certify")
    stream = load_mushrooms(order=1)[0][:800]
    rows = (
        " ".join([f"{label:+d}", *(f"{column}:1" for column in row)])
        for row, label in stream.examples()
    )
    (folder / "data.svm").write_text("\n".join(rows) + "\n")
    learner = th.Winnow(98)
    learner.learn(stream)
    model = Model(learner=learner, recipe=Recipe(format="svmlight"))
    save_model(model, folder / "model.thr")
    return folder


WINNOW = ("--learner", "winnow", "--features", 98)


def test_a_run_is_certified_and_the_certificate_holds(folder: Path) -> None:
    file = folder / "run.json"
    result = run("certify", folder / "data.svm", *WINNOW, "-o", file)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "winnow: 48 mistakes in 800 rounds"
    assert lines[1] == "WinnowDisjunction allows 92 (hindsight)"
    assert lines[-1] == "compared with 22, 23, 26, 83, 87"
    typed = result.stderr.splitlines()[-1].removeprefix("Check it: thresher ")
    assert typed == f"verify {file} {folder / 'data.svm'} --features 98"
    assert run(*typed.split()).exit_code == 0


def test_a_model_is_certified_on_the_data_it_was_trained_on(folder: Path) -> None:
    result = run("certify", folder / "model.thr", folder / "data.svm", "--json")
    told = json.loads(result.stdout)
    assert (told["mistakes"], told["allowed"], told["kind"]) == (48, 92, "hindsight")


def test_what_it_says_to_type_reads_the_data_as_it_was_read(tmp_path: Path) -> None:
    file, certificate = tmp_path / "mail.vw", tmp_path / "run.json"
    file.write_text("spam | free cash\nham | cash meeting\nspam | free lunch\n" * 5)
    words = ("--positive", "spam", "--bits", 5, "--seed", 3, "--format", "vw", "-o", certificate)
    typed = run("certify", file, *words).stderr.splitlines()[-1].removeprefix("Check it: thresher ")
    assert typed.split()[3:] == [
        "--format", "vw", "--positive", "spam", "--features", "32", "--seed", "3"
    ]  # fmt: skip
    assert run(*typed.split()).exit_code == 0
    model = tmp_path / "mail.thr"
    trained = run("train", file, "-o", model, "--vocabulary", "--positive", "spam", "-q")
    assert trained.exit_code == 0
    result = run("certify", model, file, "-o", certificate)
    typed = result.stderr.splitlines()[-1].removeprefix("Check it: thresher ")
    assert "--vocabulary" in typed
    assert run(*typed.split()).exit_code == 0
    assert run("verify", certificate, file, "--positive", "ham", "--vocabulary").exit_code == 1


def test_a_model_is_not_certified_on_other_data(folder: Path) -> None:
    other = folder / "other.svm"
    other.write_text("".join((folder / "data.svm").read_text().splitlines(keepends=True)[:-1]))
    result = run("certify", folder / "model.thr", other)
    assert result.exit_code == 2
    assert "played rounds: 800, a replay of the stream given has 799" in result.stderr


def test_the_journal_of_a_model_needs_a_claim(folder: Path) -> None:
    result = run("certify", folder / "model.thr")
    assert result.exit_code == 2
    assert "a claim" in result.stderr
    result = run("certify", folder / "model.thr", "--claim", "disjunction:k=5", "--json")
    assert json.loads(result.stdout)["kind"] == "a priori"


def test_a_refuted_claim_has_the_status_1(folder: Path) -> None:
    file = folder / "refuted.json"
    words = (*WINNOW, "--claim", "disjunction:k=1", "-o", file)
    result = run("certify", folder / "data.svm", *words)
    assert result.exit_code == 1
    assert "(refutation)" in result.stdout
    assert run("verify", file, folder / "data.svm").exit_code == 0
    kept = run("certify", folder / "data.svm", *WINNOW, "--claim", "disjunction:k=5")
    assert (kept.exit_code, "(a priori)" in kept.stdout) == (0, True)


@pytest.mark.parametrize("witness", ["22,23,26,83,87", "22=1,23=1,26=1,83=1,87=1.0"])
def test_a_comparator_may_be_brought_along(folder: Path, witness: str) -> None:
    result = run("certify", folder / "data.svm", *WINNOW, "--witness", witness, "--json")
    assert json.loads(result.stdout)["allowed"] == 92


def test_a_comparator_that_bounds_nothing_is_told(folder: Path) -> None:
    told = "warning: --witness 22,cash: by this comparator no theorem bounds the mistakes"
    words = ("certify", folder / "data.svm", "--learner", "perceptron", "--bits", 18)
    result = run(*words, "--witness", "22,cash", "-q")
    assert (result.exit_code, told in result.stderr) == (0, True)
    assert "warning" not in run(*words).stderr


def test_a_comparator_may_weigh_the_constant_feature(folder: Path) -> None:
    words = ("--learner", "perceptron", "--bias", "--features", 98)
    witness = "22=1,23=1,26=1,83=1,87=1,bias=-1/2"
    result = run("certify", folder / "data.svm", *words, "--witness", witness)
    assert "bias (-1), over 2" in result.stdout
    assert "22 (2), 23 (2)" in result.stdout


def test_the_certificate_itself_may_go_to_standard_output(folder: Path) -> None:
    result = run("certify", folder / "data.svm", *WINNOW, "-o", "-")
    certificate = th.Certificate.from_json(result.stdout)
    assert (certificate.mistakes, certificate.learner) == (48, "winnow")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["data.svm", *WINNOW, "--claim", "disjunction:k=1,q=2"], "q=2"),
        (["data.svm", "--features", "98", "--claim", "disjunction:k=1"], "no theorem says"),
        (["data.svm", *WINNOW, "--witness", "400"], "no feature '400'"),
        (["data.svm", *WINNOW, "--delta", "2"], "--delta 2"),
        (["data.svm", *WINNOW, "-o", "no/such/folder/x.json"], "no/such/folder"),
        (["model.thr", "data.svm", "--learner", "winnow"], "has its learner"),
        (["nowhere.svm", *WINNOW], "nowhere.svm"),
        (["nowhere.thr"], "nowhere.thr"),
        (
            [
                "data.svm",
                "--learner",
                "balanced_winnow",
                "--features",
                "98",
                "--claim",
                "disjunction:k=5",
            ],
            "no theorem",
        ),
    ],
)
def test_what_cannot_be_certified_is_refused(folder: Path, words: list[str], said: str) -> None:
    paths = [folder / word if str(word).endswith((".svm", ".thr")) else word for word in words]
    result = run("certify", *paths)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_stream_that_is_too_long_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.gathering.MOST_ROWS", 500)
    result = run("certify", folder / "data.svm", *WINNOW)
    assert result.exit_code == 2
    assert "more than 500 rows" in result.stderr
    assert "Certify a part of it, or the journal of a trained model with a claim." in result.stderr


def test_a_learner_that_cannot_take_the_data_says_where(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("1 1:1\n-1 2:7\n")
    result = run("certify", tmp_path / "x.svm", "--learner", "winnow", "--features", 5)
    assert result.exit_code == 2
    assert "x.svm:2: Winnow needs features in [0, 1], feature 2 is 7.0" in result.stderr


def test_a_file_without_rows_is_nothing_to_certify(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("# nothing\n\n")
    result = run("certify", tmp_path / "empty.svm", "-o", tmp_path / "c.json")
    assert result.exit_code == 2
    assert "there is not a single row to certify" in result.stderr
    assert not (tmp_path / "c.json").exists()
