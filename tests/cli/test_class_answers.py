"""Predicting, testing and looking into models with several classes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import batch_of, class_rows, svmlight
from tests.cli.running import loaded, run
from thresher.models.file import load_model
from thresher.models.one_class import model_of_class

TRAIN, FRESH = class_rows(400), class_rows(60, seed=9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("classes")
    (made / "a.svm").write_text(svmlight(TRAIN))
    (made / "new.svm").write_text(svmlight(FRESH))
    (made / "bare.svm").write_text("\n".join(f"{c}:1" for c in (1, 2)) + "\n")
    for name, words in {
        "arow": ["--learner", "arow:bias=yes"],
        "pa": ["--learner", "multiclass_passive_aggressive"],
        "sure": ["--learner", "committee"],
        "platt": ["--learner", "arow:bias=yes", "--calibrate", "platt"],
        "journal": ["--learner", "perceptron", "--journal"],
        "winnow": ["--learner", "winnow"],
        "two": ["--positive", "red", "--calibrate", "isotonic"],
    }.items():
        output = ["-o", made / f"{name}.thr"]
        assert run("train", made / "a.svm", *output, "--bits", "6", "-q", *words).exit_code == 0
    return made


@pytest.fixture(autouse=True)
def _in_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def lines_of(*words: str) -> list[str]:
    result = run("predict", *words)
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


# ---- predict ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["arow", "pa", "sure", "platt"])
def test_the_lines_are_what_the_learner_says(model: str) -> None:
    learner, rows = loaded(f"{model}.thr"), batch_of(FRESH)
    best = learner.scores(rows).max(axis=1)
    labels = learner.predict(rows).tolist()
    path = f"{model}.thr"
    assert lines_of(path, "new.svm") == labels
    pairs = zip(labels, best.tolist(), strict=True)
    assert lines_of(path, "new.svm", "--scores") == [f"{a}\t{b!r}" for a, b in pairs]
    top = [line.split("\t") for line in lines_of(path, "new.svm", "--top", "2")]
    assert [cells[::2] for cells in top] == learner.predict_top(rows, 2).tolist()
    ordered = np.sort(learner.scores(rows), axis=1)[:, ::-1]
    assert [list(map(float, cells[1::2])) for cells in top] == ordered[:, :2].tolist()


@pytest.mark.parametrize("model", ["sure", "platt"])
def test_probabilities_are_those_of_the_labels(model: str) -> None:
    path, rows = f"{model}.thr", batch_of(FRESH)
    learner = loaded(path)
    sure = learner.predict_proba(rows)
    labels = learner.predict(rows).tolist()
    number = [learner.classes.index(label) for label in labels]
    expected = [f"{a}\t{sure[t, r]!r}" for t, (a, r) in enumerate(zip(labels, number, strict=True))]
    assert lines_of(path, "new.svm", "--probabilities") == [
        line.replace("np.float64(", "").rstrip(")") for line in expected
    ]
    told = [json.loads(x) for x in lines_of(path, "new.svm", "--probabilities", "--json")]
    assert [list(one["probabilities"].values()) for one in told] == sure.tolist()
    both = json.loads(lines_of(path, "new.svm", "--probabilities", "--top", "9", "--json")[0])
    assert len(both["top"]) == 3
    assert sum(one["probability"] for one in both["top"]) == pytest.approx(1.0, abs=1e-12)


def test_a_committee_of_two_classes_has_probabilities_of_both() -> None:
    learner = th.Committee(64)
    rows = batch_of(TRAIN)
    learner.learn(rows, np.where(rows.label == "red", 1, -1))
    sure = learner.predict_proba(rows)
    assert (sure[:, 1] - sure[:, 0]).tolist() == pytest.approx(learner.scores(rows).tolist())
    told = json.loads(lines_of("two.thr", "new.svm", "--probabilities", "--json")[0])
    assert list(told["probabilities"]) == ["not red", "red"]
    label, number = lines_of("two.thr", "new.svm", "--probabilities")[0].split("\t")
    assert float(number) == told["probabilities"][label]


def test_bad_lines_keep_their_place(folder: Path) -> None:
    (folder / "bad.svm").write_text("red 1:1\nred 1:x\nblue 2:1\n")
    lines = lines_of("arow.thr", "bad.svm", "--on-bad", "skip", "--top", "1")
    assert [line.split("\t")[0] == "?" for line in lines] == [False, True, False]
    told = lines_of("arow.thr", "bad.svm", "--on-bad", "skip", "--json")
    assert told[1] == "null"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["arow.thr", "new.svm", "--probabilities"], "--learner arow --calibrate isotonic"),
        (["pa.thr", "new.svm", "--probabilities"], "--learner arow --calibrate isotonic"),
        (["two.thr", "new.svm", "--top", "2"], "this model has two classes"),
    ],
)
def test_what_a_model_does_not_know_is_refused(words: list[str], said: str) -> None:
    result = run("predict", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""


# ---- test ------------------------------------------------------------------------------


def test_figures_are_counted_from_the_predictions(folder: Path) -> None:
    learner, rows = loaded("arow.thr"), batch_of(FRESH)
    said, given = learner.predict(rows), rows.labels
    told = json.loads(run("test", "arow.thr", "new.svm", "--json").stdout)
    assert (told["rows"], told["mistakes"]) == (60, int(np.sum(said != given)))
    for cell in told["confusion"]:
        both = (given == cell["label"]) & (said == cell["predicted"])
        assert cell["rows"] == int(np.sum(both)) > 0
    assert sum(cell["rows"] for cell in told["confusion"]) == 60
    f1 = []
    for one in told["labels"]:
        hits = int(np.sum((given == one["label"]) & (said == one["label"])))
        assert one["precision"] == hits / int(np.sum(said == one["label"]))
        assert one["recall"] == hits / int(np.sum(given == one["label"]))
        f1.append(one["f1"])
        column = learner.scores(rows)[:, learner.classes.index(one["label"])]
        up, down = column[given == one["label"]], column[given != one["label"]]
        wins = np.sum(up[:, None] > down) + np.sum(up[:, None] == down) / 2
        assert one["area_under_roc"] == pytest.approx(wins / (len(up) * len(down)), abs=1e-12)
    assert told["macro"]["f1"] == pytest.approx(sum(f1) / 3, abs=1e-12)


def test_the_table_of_confusions_is_shown_where_it_fits() -> None:
    wide = run("test", "arow.thr", "new.svm").stdout.splitlines()
    assert wide[-4].split() == ["label,", "predicted", "1", "2", "3"]
    narrow = run("test", "arow.thr", "new.svm", columns=22).stdout.splitlines()
    assert "confused most" in narrow
    assert "area under ROC  not given: scores of this learner" in run(
        "test", "pa.thr", "new.svm", "-q"
    ).stdout  # fmt: skip


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_every_line_of_a_test_fits(columns: int) -> None:
    shown = run("test", "arow.thr", "new.svm", columns=columns).stdout.splitlines()
    tables = shown[shown.index("") :]
    assert max(map(len, tables)) <= columns


def test_a_label_that_the_model_does_not_know_is_a_mistake(folder: Path) -> None:
    (folder / "odd.svm").write_text("red 1:1\npurple 1:1\npurple 2:1\n")
    told = json.loads(run("test", "arow.thr", "odd.svm", "--json").stdout)
    assert told["unseen_labels"] == ["purple"]
    assert told["mistakes"] >= 2
    assert told["labels"][-1] == {
        "label": "purple", "precision": None, "recall": 0.0, "f1": 0.0, "rows": 2,
        "area_under_roc": None,
    }  # fmt: skip
    assert "unknown to the model: purple" in run("test", "arow.thr", "odd.svm").stdout


def test_a_label_is_needed_to_test() -> None:
    result = run("test", "arow.thr", "bare.svm")
    assert result.exit_code == 2
    assert "bare.svm:1: found" in result.stderr


# ---- inspect and export ----------------------------------------------------------------


@pytest.mark.parametrize("model", ["arow", "pa", "platt"])
def test_an_explanation_adds_up_to_the_score(model: str) -> None:
    path = f"{model}.thr"
    learner, rows = loaded(path), batch_of(FRESH)
    shown = run("inspect", path, "new.svm", "--explain", "--rows", "60", "--json", "-q")
    assert shown.stderr == ""
    told = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [one["label"] for one in told] == learner.predict(rows).tolist()
    for one in told:
        parts = sum(part["adds"] for part in one["contributions"]) + one["constant"]
        assert parts == pytest.approx(one["score"], abs=1e-9)
        assert one["rival_score"] <= one["score"]


def test_one_class_is_explained_if_asked_for() -> None:
    words = ["inspect", "arow.thr", "--example", "x 1:1 2:1", "--class", "red"]
    told = json.loads(run(*words, "--json").stdout)
    scores = dict(zip(*_scores("arow.thr", {1: 1.0, 2: 1.0}), strict=True))
    assert (told["label"], told["score"]) == ("red", scores["red"])
    assert told["predicted"] == max(scores, key=scores.__getitem__)
    assert "the score of red is" in run(*words).stdout


def _scores(path: str, row: dict[int, float]) -> tuple[list[str], list[float]]:
    learner = loaded(path)
    return list(learner.classes), learner.scores([row])[0].tolist()


def test_every_class_shows_what_speaks_for_it() -> None:
    shown = run("inspect", "arow.thr").stdout
    assert "\nclasses  3\n" in shown
    assert "learner  one_versus_rest: learner AROW(n_features=64, bias=True" in shown
    assert shown.splitlines()[-1] == "--class NAME shows one in full"
    told = json.loads(run("inspect", "arow.thr", "--class", "red", "--json").stdout)
    (red,) = told["classes"]
    weights = loaded("arow.thr").learner_of("red").weights
    assert red["features"][0]["weight"] == weights[red["features"][0]["column"]]
    assert abs(red["features"][0]["weight"]) == np.abs(weights).max()


def test_forms_score_as_the_learner_does() -> None:
    rows = batch_of(FRESH)
    for name in ("arow", "pa", "platt", "journal", "winnow"):
        learner = loaded(f"{name}.thr")
        scores = learner.scores(rows)
        for r, label in enumerate(learner.classes):
            made = learner.linear_form(label).scores(rows)
            assert made.tolist() == pytest.approx(scores[:, r].tolist(), abs=1e-12)


def test_a_class_can_be_exported_as_a_model_of_its_own() -> None:
    model = model_of_class(load_model("arow.thr"), "red")
    assert model.label_names == ("not red", "red")
    assert model.learner == loaded("arow.thr").learner_of("red")
    text = run("export", "arow.thr", "--class", "red", "--top", "2").stdout
    assert "# red if the sum of weight times value is at least 0.0, otherwise not red\n" in text
    agreed = run("export", "arow.thr", "--class", "red", "--to", "json", "new.svm")
    assert "agrees with the model on 60 of 60 rows" in agreed.stderr
    assert run("export", "arow.thr", "--class", "red", "new.svm", "-q").stderr == ""


def test_the_history_of_a_weight_of_a_class() -> None:
    shown = run("inspect", "journal.thr", "--class", "red", "--blame", "3").stdout
    assert "the journal, played again, ends at this weight" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["inspect", "arow.thr", "--class", "mauve"], "its classes are blue, red, green."),
        (["inspect", "two.thr", "--class", "red"], "this model has two classes"),
        (["inspect", "arow.thr", "--blame", "3"], "say of which: --class NAME"),
        (["inspect", "pa.thr", "--class", "red", "--blame", "3"], "one table of weights for all"),
        (["inspect", "sure.thr", "--class", "red", "--blame", "3"], "no list of weights"),
        (["export", "pa.thr", "--class", "red"], "one table of weights for all classes"),
        (["export", "two.thr", "--class", "red"], "this model has two classes"),
        (["trace", "a.svm", "--learner", "multiclass_perceptron"], "a trace shows two"),
        (["test", "arow.thr", "new.svm", "--positive", "red"], "several classes, known by name"),
    ],
)
def test_what_needs_two_classes_says_so(words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_a_committee_shows_what_features_add_alone() -> None:
    shown = run("inspect", "sure.thr", "--class", "red").stdout
    assert "what a feature adds depends on the rest of its row" in shown
    assert "adds alone  with value  feature" in shown


def test_a_committee_of_two_classes_shows_its_members(folder: Path) -> None:
    words = ["--learner", "committee", "--bits", "6", "--positive", "red", "-q"]
    run("train", "a.svm", "-o", "c.thr", *words)
    shown = run("inspect", "c.thr").stdout
    learner = loaded("c.thr")
    for member in learner.members:
        assert f"{member.name:20}" in shown
        assert f"{member.mistakes:,}" in shown
