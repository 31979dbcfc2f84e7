"""Files in the lab: what was read, what is wrong with it, and what was learned from it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import thresher as th
from tests.cli.running import run
from thresher.lab import files
from thresher.lab.files import read_file
from thresher.lab.programs import program
from thresher.lab.quality import explained, quality
from thresher.lab.shelf import Shelf
from thresher.verifier import Certificate

MAIL = "".join(
    f"{label}\t{words}\n"
    for label, words in [("spam", "free cash now"), ("ham", "lunch at noon"), ("ham", "see you")]
    * 20
)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("binary.csv", bytes(range(128, 256)) * 50, "not UTF-8 text. The lab reads text"),
        ("image.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "The lab reads text"),
        ("empty.csv", b"", "not a single row"),
        ("header.csv", b"a,b,label\n", "not a single row"),
        ("nolabel.csv", b"age,height\n3,4\n5,6\n", "columns are age, height. Say below"),
        ("long.csv", b"a,b,label\n" + b"x" * (34 << 20), "a line of 35651584 bytes"),
    ],
)
def test_a_wrong_file_is_told_what_is_wrong(
    lab: TestClient, shelf: Shelf, name: str, content: bytes, words: str
) -> None:
    answer = lab.post("api/data", params={"name": name}, content=content)
    told = answer.json()
    assert answer.status_code == 400
    assert words in told["error"]
    assert name in told["error"]
    assert shelf.folder not in told["error"]
    # Nothing breaks: the next file is read.
    assert lab.post("api/data", params={"name": "a.csv"}, content=b"a,label\n1,x\n2,y\n").is_success


def test_a_file_without_label_is_read_once_the_column_is_named(lab: TestClient) -> None:
    content = b"age,kind\n3,a\n5,b\n4,a\n"
    told = lab.post("api/data", params={"name": "t.csv"}, content=content).json()
    key = told["fields"]["key"]
    again = lab.get("api/data/again", params={"key": key, "said": '{"label_field": "kind"}'}).json()
    assert (again["look"]["rows"], again["look"]["positive"]) == (3, "b")
    assert again["look"]["command"] == "thresher train t.csv --label-field kind"


@pytest.mark.parametrize(
    "said", ["[]", "no json", '{"path": "/etc/passwd"}', '{"ignored": "a"}', '{"format": 3}']
)
def test_nothing_else_can_be_said_about_a_file(lab: TestClient, said: str) -> None:
    told = lab.post("api/data", params={"name": "a.csv"}, content=b"a,label\n1,x\n2,y\n").json()
    answer = lab.get("api/data/again", params={"key": told["key"], "said": said})
    assert answer.status_code == 400


def test_one_of_several_classes_can_be_chosen(lab: TestClient) -> None:
    content = b"age,label\n3,a\n5,b\n4,c\n6,a\n"
    told = lab.post("api/data", params={"name": "t.csv"}, content=content).json()
    assert told["look"]["several"] is True
    assert told["look"]["counts"] == {"a": 2, "b": 1, "c": 1}
    again = lab.get(
        "api/data/again", params={"key": told["key"], "said": '{"positive": "a"}'}
    ).json()
    assert again["look"]["several"] is False
    assert again["look"]["positive"] == "a"


def test_a_file_longer_than_memory_is_cut_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_VALUES", 10)
    path = tmp_path / "long.svm"
    path.write_text("1 0:1\n-1 1:1\n" * 400_000)
    found = read_file(str(path), "long.svm", {})
    assert found.look.cut
    assert found.look.rows < 800_000


def test_columns_beyond_all_memory_are_bad_lines(lab: TestClient) -> None:
    content = b"1 2000000000:1\n-1 1:1\n1 300000:1\n"
    look = lab.post("api/data", params={"name": "wide.svm"}, content=content).json()["look"]
    assert (look["rows"], look["features"], look["bad_lines"]) == (2, 300001, 1)
    assert "2000000000" in look["bad"][0]


@pytest.fixture
def mail(shelf: Shelf, tmp_path: Path) -> Shelf:
    path = tmp_path / "mail.tsv"
    path.write_text(MAIL)
    shelf.keep("k", read_file(str(path), "mail.tsv", {}, "k"))
    return shelf


def test_figures_are_those_of_the_scores_before_the_labels(mail: Shelf) -> None:
    run = mail.run("file:k", "committee")
    told = quality(run)
    positive = run.batch.label > 0
    assert told.mistakes == run.learner.mistakes
    assert sum(map(sum, told.confusion)) == told.rounds == 60
    assert told.confusion[1][0] + told.confusion[0][1] == told.mistakes
    above = run.scores[positive][:, None] - run.scores[~positive][None, :]
    assert told.area == pytest.approx(float(np.mean((above > 0) + (above == 0) / 2)))
    # Trapezia under the curve, ties included, are the same area.
    x, y = np.array(told.roc).T
    assert float(np.trapezoid(y, x)) == pytest.approx(told.area)
    assert sum(one.rows for one in told.calibration) == 60
    mean = sum(one.rows * one.came for one in told.calibration) / 60
    assert mean == pytest.approx(positive.mean())
    assert {one.name for one in told.weights[0].for_} & {"free", "cash", "now"}
    # The committee keeps no journal; the Perceptron does.
    assert not told.journal
    assert quality(mail.run("file:k", "perceptron")).journal


def test_equal_scores_are_one_step_of_the_roc_curve(mail: Shelf) -> None:
    run = mail.run("file:k", "perceptron")
    assert len({*run.scores.tolist()}) < len(run)
    told = quality(run)
    x, y = np.array(told.roc).T
    assert float(np.trapezoid(y, x)) == pytest.approx(told.area)
    assert len(told.roc) == 1 + len({*run.scores.tolist()})


def test_a_row_is_explained_as_it_was_before_its_label(mail: Shelf) -> None:
    run = mail.run("file:k", "perceptron")
    why = explained(run, 31)
    assert why["total"] == run.scores[30]
    assert sum(part["adds"] for part in why["parts"]) + why["constant"] == why["total"]
    assert why["label"] == "spam"


def test_the_model_is_the_one_that_train_writes(
    lab: TestClient, mail: Shelf, tmp_path: Path
) -> None:
    answer = lab.get("api/data/model?key=k&learner=arow:bias=yes")
    saved = tmp_path / "model.thr"
    saved.write_bytes(answer.content)
    model = th.Model.load(saved)
    twin = th.train(tmp_path / "mail.tsv", "arow:bias=yes")
    assert model.learner == twin.learner
    assert model.label_names == ("ham", "spam")


#: A line that cannot be read, and a label that must be named.
AGES = b"age,weight,kind\n" + b"3,4,a\n5,6,b\n1\n4,<i>,a\n6,1,b\n" * 9


@pytest.fixture
def ages(lab: TestClient) -> str:
    """A file that came through the browser, read as somebody said."""
    told = lab.post("api/data", params={"name": "my ages.csv"}, content=AGES).json()
    key: str = told["fields"]["key"]
    said = '{"label_field": "kind", "positive": "a", "ignored": ["weight"]}'
    assert lab.get("api/data/again", params={"key": key, "said": said}).json()["look"]["positive"]
    return key


def test_the_report_is_that_of_the_run_and_tells_nobody_where_the_file_was(
    lab: TestClient, ages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = {"key": ages, "learner": "perceptron"}
    page = lab.get("api/data/report", params=of).text
    monkeypatch.chdir(tmp_path)
    Path("my_ages.csv").write_bytes(AGES)
    said: dict[str, Any] = {"label_field": "kind", "positive": "a", "ignored": ("weight",)}
    model = th.train("my_ages.csv", "perceptron", on_bad="skip", **said)
    commands = lab.get("api/data/elsewhere", params=of).json()["commands"]
    twin = th.Report.of(model, "my_ages.csv", on_bad="skip", commands=commands)
    assert twin.facts["data"]["is"] == "run"
    assert page == twin.html()


@pytest.mark.parametrize("learner", ["committee", "arow:bias=yes"])
def test_commands_and_program_make_the_model_elsewhere(
    lab: TestClient, ages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learner: str
) -> None:
    of = {"key": ages, "learner": learner}
    kept = lab.get("api/data/model", params=of).content
    told = lab.get("api/data/elsewhere", params=of).json()
    monkeypatch.chdir(tmp_path)
    Path("my_ages.csv").write_bytes(AGES)
    exec(told["python"], {})
    assert Path("model.thr").read_bytes() == kept
    learned = th.Model.load("model.thr").learner
    Path("model.thr").unlink()
    for one in told["commands"]:
        assert run(*shlex.split(one)[1:]).exit_code == 0
    assert th.Model.load("model.thr").learner == learned
    assert "9, the first: my_ages.csv:4" in Path("report.html").read_text()


def test_the_program_of_step_reads_the_file_as_was_said(
    shelf: Shelf,
    ages: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_ages.csv").write_bytes(AGES)
    made = shelf.run(f"file:{ages}", "perceptron")
    exec(program(made), {})
    assert capsys.readouterr().out.splitlines()[0] == str(made.mistakes)


def test_the_certificate_is_one_that_verify_takes(lab: TestClient, mail: Shelf) -> None:
    answer = lab.get("api/data/certificate?stream=file:k&learner=perceptron")
    run = mail.run("file:k", "perceptron")
    assert th.verify(Certificate.from_json(answer.text), run.batch).holds


def test_a_file_read_otherwise_forgets_its_runs(lab: TestClient) -> None:
    content = b"age,label\n3,a\n5,b\n4,a\n6,b\n"
    key = lab.post("api/data", params={"name": "t.csv"}, content=content).json()["key"]
    of = {"stream": f"file:{key}", "learner": "perceptron"}
    before = lab.get("api/step", params=of).json()
    lab.get("api/data/again", params={"key": key, "said": '{"positive": "a"}'})
    after = lab.get("api/step", params=of).json()
    assert (before["labels"], after["labels"]) == (["a", "b"], ["b", "a"])


def test_a_file_wider_than_the_lab_takes_is_told_so(lab: TestClient) -> None:
    given = lab.post("api/data", params={"name": "w.svm"}, content=b"1 16777215:1\n-1 2:1\n")
    assert given.json()["look"]["rows"] == 2
    stream = f"file:{given.json()['key']}"
    answer = lab.get("api/step", params={"stream": stream, "learner": "winnow"})
    assert answer.status_code == 400
    assert "w.svm has 16,777,216 features" in answer.json()["error"]
    assert "16,777,216 features" in lab.get(f"api/race?stream={stream}&learner=winnow").text


def test_long_names_are_cut_wherever_they_are_shown(lab: TestClient) -> None:
    content = f"{'x' * 100_000},label\n1,{'y' * 50_000}\n2,no\n".encode()
    key = lab.post("api/data", params={"name": "t.csv"}, content=content).json()["key"]
    asked = {"stream": f"file:{key}", "learner": "perceptron"}
    for path in ("step/page", "step/rounds", "data/quality", "data/row", "step/evidence"):
        answer = lab.get(f"api/{path}", params=asked)
        assert answer.status_code == 200, path
        assert "x" * 81 not in answer.text, path
        assert "y" * 81 not in answer.text, path
    assert "(100,000 characters)" in lab.get("api/step/rounds", params=asked).text


def test_the_program_names_a_file_whose_name_has_blanks(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "my 'own' mail.csv"
    path.write_text("a,label\n1,x\n2,y\n")
    shelf.keep("k", read_file(str(path), path.name, {}, "k"))
    assert f"file_stream({path.name!r})" in program(shelf.run("file:k", "perceptron"))
