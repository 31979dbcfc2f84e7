from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import batch_of, class_rows, svmlight
from tests.cli.running import noisy_rows, run
from thresher.errors import BadLineError, LabelError, SourceError, StreamFaultError
from thresher.models import scoring
from thresher.models.evaluation import Evaluation, evaluate
from thresher.models.events import Progressed, Warned
from thresher.models.file import load_model
from thresher.models.input_data import InputData
from thresher.models.scorecard import Scorecard

FRESH = class_rows(60, seed=9)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "two.svm").write_text(noisy_rows(300))
    (folder / "twonew.svm").write_text(noisy_rows(80, seed=9))
    (folder / "several.svm").write_text(svmlight(class_rows(400)))
    (folder / "new.svm").write_text(svmlight(FRESH))
    (folder / "odd.svm").write_text("red 1:1\npurple 1:1\nmauve 2:1\npurple 2:1\n")
    (folder / "bad.svm").write_text("red 1:1\nred x\nblue 2:1\n")
    for name, data, words in (
        ("two", "two.svm", []),
        ("red", "several.svm", ["--positive", "red"]),
        ("several", "several.svm", []),
        ("joint", "several.svm", ["--learner", "multiclass_passive_aggressive"]),
    ):
        output = ["-o", folder / f"{name}.thr", "--bits", "6", "-q"]
        assert run("train", folder / data, *output, *words).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _in_the_folder(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made)


CASES = [
    ("two", "twonew.svm"),
    ("red", "new.svm"),
    ("several", "new.svm"),
    ("several", "odd.svm"),
    ("joint", "odd.svm"),
]


def as_json(card: Scorecard) -> Any:
    return json.loads(json.dumps(card.to_dict()))


@pytest.mark.parametrize(("name", "data"), CASES)
def test_the_card_is_the_document_of_the_command(name: str, data: str) -> None:
    told = json.loads(run("test", f"{name}.thr", data, "--json").stdout)
    assert (told.pop("command"), told.pop("thresher")) == ("test", th.__version__)
    assert told["rows"] > 0
    model = load_model(f"{name}.thr")
    assert as_json(evaluate(model, data)) == told
    assert as_json(evaluate(model, InputData(paths=(data,), chunk_bytes=60))) == told


@pytest.mark.parametrize("name", ["red", "several", "joint"])
def test_rows_in_memory_are_judged_like_those_of_a_file(name: str) -> None:
    model = load_model(f"{name}.thr")
    told = as_json(evaluate(model, "new.svm"))
    labels = [label for label, _ in FRESH]
    batch = batch_of(FRESH)
    for X, y in ((batch, None), (batch, labels), (batch.to_scipy(64), np.array(labels))):
        assert as_json(evaluate(model, X, y)) == told


def test_labels_of_a_program_are_read_as_in_a_file() -> None:
    model = load_model("two.thr")
    (batch,) = th.read("twonew.svm")
    told = as_json(evaluate(model, "twonew.svm"))
    signs = batch.label.tolist()
    for y in (None, signs, [str(sign) for sign in signs], np.array(signs, float)):
        assert as_json(evaluate(model, batch, y)) == told
    learner = model.learner
    for y in (signs, [sign > 0 for sign in signs], [int(sign > 0) for sign in signs]):
        assert evaluate(th.Model(learner=learner), batch, y).mistakes == told["mistakes"]


def test_a_batch_that_has_signs_needs_no_names() -> None:
    model = load_model("red.thr")
    (batch,) = th.read("new.svm", positive="red")
    assert as_json(evaluate(model, batch)) == as_json(evaluate(model, "new.svm"))


@pytest.mark.parametrize("together", [1, 5, 7])
@pytest.mark.parametrize(("name", "data"), CASES)
def test_the_card_does_not_depend_on_how_many_rows_are_scored_together(
    name: str, data: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_model(f"{name}.thr")
    whole = as_json(evaluate(model, data))
    counted: list[int] = []
    scores = type(model.learner).scores

    def counting(self: Any, X: Any) -> Any:
        if self is model.learner:
            counted.append(len(X))
        return scores(self, X)

    monkeypatch.setattr(type(model.learner), "scores", counting)
    monkeypatch.setattr(scoring, "SCORES_TOGETHER", together)
    assert as_json(evaluate(model, data)) == whole
    assert sum(counted) == whole["rows"]
    columns = 3 if model.learner.several else 1
    assert max(counted) == max(1, together // columns)


def test_a_label_is_looked_up_once_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    number_of = Scorecard.number_of

    def counting(self: Scorecard, label: str) -> int:
        asked.append(label)
        return number_of(self, label)

    monkeypatch.setattr(Scorecard, "number_of", counting)
    evaluate(load_model("several.thr"), "new.svm")
    assert sorted(asked) == ["blue", "green", "red"]


def test_labels_that_the_model_does_not_know_are_mistakes_of_their_own() -> None:
    card = evaluate(load_model("several.thr"), "odd.svm")
    assert card.unseen == ["purple", "mauve"]
    assert sum(rows for (label, _), rows in card.confusion.items() if label == "purple") == 2
    assert card.mistakes >= 3
    assert [area is None for area in card.areas()] == [True, False, True]


def test_two_classes_know_no_third() -> None:
    with pytest.raises(BadLineError, match="found the label blue, expected the label -1 or 1"):
        evaluate(load_model("two.thr"), "new.svm")
    with pytest.raises(LabelError, match=r"^row 1: found the label red, expected the label -1"):
        evaluate(load_model("two.thr"), [[1], [1]], [1, "red"])
    with pytest.raises(LabelError, match="give y"):
        evaluate(load_model("two.thr"), [[1], [1]])
    with pytest.raises(LabelError, match="found 1 labels for 2 rows"):
        evaluate(load_model("two.thr"), [[1], [1]], [1])


def test_a_test_tells_how_far_it_is_and_what_was_left_out() -> None:
    data = InputData(paths=("bad.svm",), on_bad=("skip", None), chunk_bytes=1)
    evaluation = Evaluation(load_model("several.thr"), data)
    *progress, last = evaluation
    assert isinstance(last, Warned)
    assert last.text.startswith("1 bad line was skipped, the first: bad.svm:2")
    assert [event.rows for event in progress if isinstance(event, Progressed)] == [1, 1, 2]
    size = Path("bad.svm").stat().st_size
    assert progress[-1] == Progressed(2, size, size)
    assert evaluation.card.rows == 2
    heard: list[object] = []
    evaluate(load_model("several.thr"), data, on_event=heard.append)
    assert heard == [*progress, last]


def test_no_row_at_all_is_no_test() -> None:
    Path("empty.svm").write_text("x y\n")
    data = InputData(paths=("empty.svm",), on_bad=("skip", None))
    heard: list[object] = []
    with pytest.raises(SourceError, match=r"empty.svm: there is not a single row to test on"):
        evaluate(load_model("several.thr"), data, on_event=heard.append)
    assert isinstance(heard[-1], Warned)


def test_a_row_that_does_not_fit_is_named() -> None:
    model = th.Model(learner=th.Winnow(n_features=4))
    with pytest.raises(StreamFaultError, match=r"^row 1: "):
        evaluate(model, [[1, 0], [0, 7]], [1, -1])


def test_positive_is_for_two_classes() -> None:
    several = th.Model(learner=th.OneVersusRest(th.Perceptron(n_features=64)))
    for model in (load_model("several.thr"), several):
        with pytest.raises(LabelError, match="tells several classes apart by name"):
            evaluate(model, InputData(paths=("new.svm",), positive="red"))


def test_two_classes_are_a_case_of_several() -> None:
    # The empty row changes no learner: it only makes "ham" known before "spam" comes, so that
    # from then on the learners of both see the same rows, with opposite signs.
    rows: list[dict[int, float]] = [{}]
    labels = ["ham"]
    for line in noisy_rows(300).splitlines():
        sign, *on = line.split()
        labels.append("spam" if sign == "1" or len(labels) == 1 else "ham")
        rows.append({int(cell.split(":")[0]): 1.0 for cell in on})
    two = th.AdaGrad(n_features=30)
    two.learn(rows, np.where(np.array(labels) == "spam", 1, -1))
    both = th.OneVersusRest(th.AdaGrad(n_features=30))
    both.learn(rows, labels)
    assert both.classes == ("ham", "spam")
    signs = [1 if label == "spam" else -1 for label in labels[1:]]
    card = evaluate(th.Model(learner=two), rows[1:], signs)
    several = evaluate(th.Model(learner=both), rows[1:], labels[1:])
    assert 0 < card.mistakes == several.mistakes
    assert card.counts == several.counts
    assert card.area == several.area
    assert card.macro() == several.macro()
