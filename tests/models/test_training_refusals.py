"""What training refuses, in words for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import thresher as th
from tests.models.training_runs import asked, stopped_after
from thresher.errors import (
    BadLineError,
    ParameterError,
    ResumeError,
    StreamFaultError,
    ThresherError,
)
from thresher.models.file import load_model

pytestmark = pytest.mark.usefixtures("training_folder")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"learner": "halving"}, "only a program can give it"),
        ({"learner": "one_versus_rest"}, "say multiclass=True"),
        ({"learner": "calibrated"}, "say calibrate='isotonic'"),
        ({"learner": "winnow:n_features=3"}, "n_features=, vocabulary= and seed="),
        ({"learner": "winnow:beta"}, "learner winnow:beta: 'beta' is not of the form"),
        ({"learner": "perceptron:beta=1"}, "perceptron has no parameter beta"),
        ({"learner": "weighted_majority", "seed": 1}, "leave vocabulary= and seed= out"),
        ({"learner": th.AROW(30), "n_features": 30}, "leave n_features="),
        ({"claim": "riddle"}, "claim riddle: 'riddle' is none of"),
        ({"claim": "disjunction:k=1"}, "no theorem says what Perceptron"),
        ({"learner": "multiclass_perceptron", "positive": 1}, "positive= makes two classes"),
        ({"learner": "multiclass_perceptron", "calibrate": "platt"}, "calibrate= takes one"),
        ({"paths": "colours.svm", "learner": "winnow", "claim": "disjunction:k=1"}, "positive="),
        ({"paths": "-", "passes": 2}, "standard input cannot be read 2 times"),
        ({"passes": 0}, "passes must be a whole number, at least 1"),
        ({"holdout": 1}, "holdout must be a whole number, at least 2"),
        ({"save_every": 5}, "save_to="),
        ({"save_to": "no/m.thr"}, "in a folder that exists"),
        ({"save_to": "a.svm"}, "this is one of the inputs"),
        ({"wrods": (1, 2)}, "must be one of format"),
        ({"skip_rows": 999}, "there are 300 rows, and 999 are to be skipped"),
        ({"resume": "old.thr", "learner": "winnow"}, "and winnow is asked for"),
        ({"resume": "old.thr", "learner": th.Winnow(8)}, "leave learner= out"),
        ({"resume": "old.thr", "n_features": 8}, "the model has n_features 262144"),
        ({"resume": "old.thr", "multiclass": True}, "the model has several classes False"),
        ({"paths": "b.svm", "resume": "half.thr"}, "skip_rows=0"),
    ],
    ids=str,
)
def test_a_refusal_speaks_to_a_program(settings: dict[str, Any], says: str) -> None:
    th.train("a.svm", save_to="old.thr")
    stopped_after(asked(save_to="half.thr"), 2)
    with pytest.raises(ThresherError) as refused:
        th.train(**({"paths": "a.svm"} | settings))
    assert says in str(refused.value)
    assert "--" not in str(refused.value)


def test_a_third_class_that_comes_late_must_be_announced() -> None:
    rows = "".join(f"{k % 2} {k}:1\n" for k in range(1200))
    Path("late.svm").write_text(f"{rows}2 3:1\n")
    with pytest.raises(BadLineError, match=r"late\.svm:1201: .* say multiclass=True"):
        th.train("late.svm")
    assert len(th.train("late.svm", multiclass=True).learner.classes) == 3


def test_a_row_that_counts_more_is_refused_by_its_line() -> None:
    Path("w.vw").write_text("1 1 | a\n-1 2.5 | b\n")
    with pytest.raises(StreamFaultError, match=r"w\.vw:2: .* importance 2\.5, and Elimination"):
        th.train("w.vw", "elimination")
    assert th.train("w.vw", "elimination", ignore_importance=True).learner.n_rounds == 2


def test_an_interrupted_model_asks_for_its_own_data() -> None:
    stopped_after(asked(save_to="m.thr"), 2)
    with pytest.raises(ResumeError, match=r"m\.thr was interrupted while it learned from a\.svm"):
        th.train("b.svm", resume="m.thr")
    half = load_model("m.thr").learner.n_rounds
    assert th.train("b.svm", resume="m.thr", skip_rows=0).learner.n_rounds == half + 250


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"n_features": 0}, "n_features must be a whole number, at least 1"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"threads": 0}, "threads must be a whole number, at least 1"),
        ({"max_bad": -2}, "max_bad must be a whole number, at least 0"),
        ({"passes": None}, "passes must be a whole number"),
        ({"positive": True}, "positive must be a label"),
        ({"positive": [1]}, "positive must be a label"),
        ({"recipe": "text"}, "recipe must be a Recipe"),
        ({"vocabulary": True, "seed": 3}, "a vocabulary does not hash"),
        ({"learner": th.Perceptron}, "learner must be a learner, or the name of one"),
        ({"learner": 5}, "learner must be a learner, or the name of one"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    tmp_path: Path, given: dict[str, Any], says: str
) -> None:
    (tmp_path / "a.svm").write_text("1 0:1\n-1 1:1\n")
    with pytest.raises(ThresherError, match=says):
        th.train(tmp_path / "a.svm", **given)


@pytest.mark.parametrize(
    "paths",
    [
        None, 5, b"a.svm", [[1, 0]], ["a", 5], [], {"a": 1}, np.eye(2), np.array(["a", "b"]),
        pandas.DataFrame({"age": [1], "label": [1]}),
    ],
)  # fmt: skip
def test_what_is_no_path_is_refused_in_words(paths: Any) -> None:
    words = r"paths must be a path, a pattern.* memory go to a learner: th\.Committee\(\)\.learn\(X"
    with pytest.raises(ParameterError, match=f"(?s){words}"):
        th.train(paths)


def test_one_column_may_stand_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("label,junk,x\n1,7,1\n0,8,2\n")
    assert th.train(tmp_path / "a.csv", ignored="junk").recipe.ignored == ("junk",)
