"""Exports by the name of their form."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli import export as command
from thresher.errors import ExportError, ParameterError
from thresher.export import (
    FORMS,
    exported,
    rule_of,
    rule_to_sql,
    to_c,
    to_js,
    to_json,
    to_onnx,
    to_sql,
    to_text,
)
from thresher.models.model import Model
from thresher.streams import Rows


@pytest.fixture
def model() -> Model:
    learner = th.Winnow(4, threshold=2).with_dual([3.0, 1.0, 0.0, -2.0])
    return Model(learner=learner)


def test_the_command_knows_every_form() -> None:
    assert command.FORMS == FORMS


def test_every_form_is_what_its_own_function_writes(model: Model) -> None:
    rule = rule_of(model, 2, 0.5)
    expected = {
        "text": to_text(model, 2).encode(),
        "json": to_json(model, 2).encode(),
        "c": to_c(model, "m", 2).encode(),
        "onnx": to_onnx(model, 2),
        "js": to_js(model, 2).encode(),
        "rule": rule.text(model).encode(),
        "sql": to_sql(model, "rows", 2).encode(),
    }
    assert expected.keys() == {*FORMS}
    for form, content in expected.items():
        reach = 0.5 if form == "rule" else None
        made = exported(model, form, top=2, reach=reach, prefix="m", table="rows")
        assert made.content == content
        assert made.rule == (rule if form == "rule" else None)
    made = exported(model, "sql", top=2, reach=0.5)
    assert (made.content, made.rule) == (rule_to_sql(rule, model).encode(), rule)


def test_an_export_says_what_it_predicts(model: Model) -> None:
    rows = Rows.of([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
    assert exported(model).predicts(rows).tolist() == (model.learner.predict(rows) > 0).tolist()
    shortened = exported(model, top=1)
    # What is not kept weighs 1 again, as if no update had touched it.
    assert shortened.predicts(rows).tolist() == [True, False, True, False]
    assert exported(model, "rule").predicts(rows).tolist() == [True, True, False, False]


def test_a_calibrated_learner_is_exported_as_the_learner_it_is() -> None:
    learner = th.Calibrated(th.Elimination(3, literals=True), "platt")
    learner.learn([[1, 1, 0], [0, 1, 0]], [1, -1])
    rule = rule_of(Model(learner=learner))
    assert rule.exact is True
    assert rule.literals == learner.learner.formula.literals  # type: ignore[union-attr]


def test_a_form_that_nobody_knows_is_refused(model: Model) -> None:
    with pytest.raises(ParameterError, match="text or json or c"):
        exported(model, "java")


@pytest.mark.parametrize("learner", [th.Winnow(2), th.Committee(2)], ids=["linear", "committee"])
def test_of_several_classes_a_rule_is_of_one(learner: th.Winnow) -> None:
    several = Model(learner=th.OneVersusRest(learner, classes=["a", "b"]))
    with pytest.raises(ExportError, match="take the model of one"):
        exported(several, "rule")
    rows = Rows.of([[1, 0], [0, 1], [1, 1], [0, 0]])
    predicted = several.learner.predicted_numbers(several.learner.scores(rows)).tolist()
    assert exported(several, "json").predicts(rows).tolist() == predicted


def test_before_a_class_was_seen_there_is_nothing_to_export() -> None:
    for learner in (th.OneVersusRest(th.Committee(2)), th.MulticlassPerceptron(2)):
        for form in set(FORMS) - {"rule"}:
            with pytest.raises(ExportError, match="not seen a class"):
                exported(Model(learner=learner), form)


def test_a_committee_says_which_forms_hold_it() -> None:
    model = Model(learner=th.Committee(3))
    for form in ("text", "onnx", "sql"):
        with pytest.raises(ExportError, match="as C, JavaScript or JSON"):
            exported(model, form)
    with pytest.raises(ExportError, match="exported whole"):
        exported(model, "c", top=3)
