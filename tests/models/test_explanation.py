"""Why rows have their scores: of two classes and of several, by names, columns, files and lines."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.export.models import WEIGHED, asked, trained
from tests.learners.makers import Maker
from tests.models.classes import SEVERAL, labelled
from thresher.cli.explanation_report import explanation_text
from thresher.cli.model_report import summary_text
from thresher.errors import BadLineError, ExportError
from thresher.learners.base.explanation import Explanation
from thresher.models.events import Explained, MoreRows, Warned
from thresher.models.example import explain_line
from thresher.models.explained_rows import explanations
from thresher.models.explanation import explain
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.summary import summary
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe


def total(why: Explanation) -> float:
    others = sum(other.adds for other in why.others)
    return sum(part.adds for part in why.contributions) + why.constant + others


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_the_parts_of_a_score_add_up_to_it(maker: Maker) -> None:
    model, rows = trained(maker), asked(maker)
    for row, score in zip(rows, model.learner.scores(rows).tolist(), strict=True):
        why = explain(model, row)
        assert why.score == score
        assert total(why) == pytest.approx(score, rel=1e-9, abs=1e-9)
        parts = [abs(part.adds) for part in why.contributions]
        assert parts == sorted(parts, reverse=True)
        assert why.predicted == ("+1" if score >= model.learner.threshold else "-1")
        assert (why.label, why.rival, why.rival_score) == ("+1", "-1", None)
        assert why.threshold == model.learner.threshold


@pytest.mark.parametrize("learner", SEVERAL, ids=lambda learner: learner.plain_name)
@pytest.mark.parametrize("label", [None, "green"])
def test_of_several_classes_one_score_is_taken_apart(learner: Any, label: str | None) -> None:
    learner = learner.copy()
    learner.learn(*labelled())
    model, fresh = Model(learner=learner), labelled(seed=9)[0]
    for row, scores in zip(fresh, learner.scores(fresh), strict=True):
        why = explain(model, dict(enumerate(row.tolist())), label)
        by_class = dict(zip(learner.classes, scores.tolist(), strict=True))
        assert why.predicted == max(by_class, key=by_class.__getitem__)
        assert why.label == (label or why.predicted)
        assert why.score == by_class.pop(why.label)
        assert why.rival_score == max(by_class.values()) == by_class[why.rival or ""]
        assert total(why) == pytest.approx(why.score, abs=1e-9)
        assert why.threshold is None


def test_names_and_columns_are_two_ways_to_say_a_row() -> None:
    learner = th.Perceptron(16)
    learner.learn([{"free": 1, "cash": 2}, {"meeting": 1}], [-1, 1])
    model = Model(learner=learner, labels=LabelScheme("ham", "spam"))
    row = {"free": 2.0, "cash": 1.0}
    why = explain(model, row)
    assert (why.predicted, why.label, why.rival) == ("spam", "ham", "spam")
    column = {name: learner.column_of(name) or 0 for name in row}
    by_column = explain(model, {column[name]: value for name, value in row.items()})
    assert [part.names for part in why.contributions] == [("cash",), ("free",)]
    assert [part.names for part in by_column.contributions] == [
        (str(column["cash"]),),
        (str(column["free"]),),
    ]
    assert why.score == by_column.score == learner.score_one(row) == -4.0


def test_names_that_share_a_column_are_named_together() -> None:
    learner = th.Perceptron(1)
    learner.learn([{"a": 1}], [-1])
    (part,) = explain(Model(learner=learner), {"a": 1, "b": 1}).contributions
    assert (part.names, part.value) == (("a", "b"), 2.0)


def test_what_a_vocabulary_does_not_know_adds_nothing_and_is_not_learned() -> None:
    learner = th.Perceptron()
    learner.learn([{"a": 1}], [-1])
    why = explain(Model(learner=learner), {"a": 1, "zebra": 5})
    assert [part.names for part in why.contributions] == [("a",)]
    assert dict(learner.vocabulary) == {"a": 0}


def test_a_calibrated_learner_over_literals_is_explained_over_variables() -> None:
    learner = th.Calibrated(th.Elimination(3, literals=True), "platt")
    learner.learn([[1, 1, 0], [0, 1, 0], [0, 0, 1]], [1, -1, -1])
    why = explain(Model(learner=learner), {0: 1.0})
    assert why.score == learner.score_one({0: 1.0}) == total(why)
    assert [part.names for part in why.contributions] == [("0",)]
    assert why.predicted == "+1"
    assert why.probability == learner.probability_one({0: 1.0})


def test_the_only_class_has_no_rival() -> None:
    learner = th.MulticlassPerceptron(2, classes=["only"])
    why = explain(Model(learner=learner), {0: 1.0})
    assert (why.predicted, why.rival, why.rival_score) == ("only", None, None)


def test_classes_that_a_program_numbered_are_found_by_number_and_by_name() -> None:
    learner = th.MulticlassPerceptron(2, classes=[1, 2])
    model = Model(learner=learner)
    assert explain(model, {0: 1.0}, 2) == explain(model, {0: 1.0}, "2")
    assert explain(model, {0: 1.0}, 2).label == "2"


@pytest.mark.parametrize(
    ("learner", "label", "says"),
    [
        (th.Perceptron(2), "red", "label='red': the model has two classes"),
        (th.MulticlassPerceptron(2), None, "has not seen a class yet"),
        (th.MulticlassPerceptron(2, classes=["a"]), "b", "no class 'b'; its classes are a."),
    ],
)
def test_what_cannot_be_explained_is_said(learner: Any, label: str | None, says: str) -> None:
    with pytest.raises(ExportError, match=re.escape(says)):
        explain(Model(learner=learner), {0: 1.0}, label)


# ---- files and lines -------------------------------------------------------------------


@pytest.fixture
def model() -> Model:
    learner = th.Perceptron(64)
    learner.learn([{"a": 1, "b": 1}, {"b": 1}], [-1, 1])
    return Model(learner=learner, recipe=Recipe(format="vw"))


def test_rows_of_files_stand_where_they_stand(model: Model, tmp_path: Path) -> None:
    (tmp_path / "x.vw").write_text("1 | a:2\n\n1 | b a\n")
    data = InputData(paths=(str(tmp_path / "x.vw"),))
    events = list(explanations(model, data))
    assert [event.place for event in events if isinstance(event, Explained)] == [
        f"{tmp_path / 'x.vw'}:1",
        f"{tmp_path / 'x.vw'}:3",
    ]
    rows = [{"a": 2.0}, {"b": 1.0, "a": 1.0}]
    assert [event.why for event in events if isinstance(event, Explained)] == [
        explain(model, row) for row in rows
    ]
    assert len(events) == 2


def test_a_limit_says_that_there_is_more_and_bad_lines_are_counted(
    model: Model, tmp_path: Path
) -> None:
    (tmp_path / "x.vw").write_text("1 | a\n1 | a:1:2\n1 | b\n")
    data = InputData(paths=(str(tmp_path / "x.vw"),), on_bad=("skip", None))
    first, more, warned = explanations(model, data, limit=1)
    assert isinstance(first, Explained)
    assert more == MoreRows(1)
    assert isinstance(warned, Warned)
    assert "1 bad line was skipped" in warned.text
    assert [type(event) for event in explanations(model, data, limit=2)] == [
        Explained,
        Explained,
        Warned,
    ]


def test_a_value_that_the_learner_does_not_take_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("1 0:1\n1 0:7\n")
    data = InputData(paths=(str(tmp_path / "x.svm"),))
    with pytest.raises(BadLineError, match=r"x\.svm:2: found .*7"):
        list(explanations(Model(learner=th.Winnow(2)), data))


def test_a_limit_holds_across_chunks(model: Model, tmp_path: Path) -> None:
    (tmp_path / "x.vw").write_text("1 | a\n" * 10)
    data = InputData(paths=(str(tmp_path / "x.vw"),), chunk_bytes=18)
    places = [event.place for event in explanations(model, data, 6) if isinstance(event, Explained)]
    assert [int(place.rpartition(":")[2]) for place in places] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("format_", "line"),
    [
        ("svmlight", "1 3:2 5:1"),
        ("vw", "1 | a:2 b"),
        ("json", '{"label": 1, "a": 2, "b": 1}'),
        ("csv", "label,a,b\n1,2,1"),
        ("text", "1\ta b a"),
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_a_line_is_read_as_it_would_be_in_a_file(
    model: Model, tmp_path: Path, format_: str, line: str, told: bool
) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format=format_ if told else None))
    (tmp_path / "x").write_text(line + "\n")
    (event,) = explanations(model, InputData(paths=(str(tmp_path / "x"),)))
    assert isinstance(event, Explained)
    assert explain_line(model, line) == event.why
    assert event.why.contributions


def test_what_was_said_about_the_data_holds_for_a_line(model: Model) -> None:
    data = InputData(paths=(), given={"format": "svmlight", "one_based": True})
    (part,) = explain_line(model, "1 4:1", data).contributions
    assert part.column == 3


@pytest.mark.parametrize(
    ("line", "recipe", "error", "says"),
    [
        ("1 | a:1:2", Recipe(format="vw"), BadLineError, r"the example:1: found"),
        ("", Recipe(format="svmlight"), ExportError, r"no row in the example, read as svmlight"),
        ("a,b", Recipe(format="csv"), ExportError, r"no row in the example, read as csv"),
        ("", Recipe(format="csv"), ExportError, r"no row in the example, read as csv"),
        (" \n", Recipe(format="csv"), ExportError, r"no row in the example, read as csv"),
        ("1 3:1", Recipe(format="binary"), ExportError, r"binary has none: .* \(format=\)"),
        ("1 3:1\n1 2:1\n1 1:1", Recipe(format="svmlight"), ExportError, "3 rows in the example"),
        ('{"a": [1', Recipe(format="json"), BadLineError, r"the example:1: found"),
    ],
)
def test_a_line_that_is_no_row_is_named_as_the_example(
    model: Model, line: str, recipe: Recipe, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        explain_line(dataclasses.replace(model, recipe=recipe), line)


def test_the_bytes_of_a_line_are_those_that_the_shell_gave(model: Model) -> None:
    with pytest.raises(BadLineError, match="the example:1: found the byte 0xe9"):
        explain_line(model, b"1 | caf\xe9".decode("utf-8", "surrogateescape"))


TABLE = "label,age,code\n" + "1,40,3\n0,20,4\n" * 5


def table_model(tmp_path: Path, learner: str = "perceptron") -> Model:
    (tmp_path / "table.csv").write_text(TABLE)
    return th.train(tmp_path / "table.csv", learner, n_features=64, categorical="code")


def test_a_json_object_is_read_as_a_row_of_the_table_it_could_be(tmp_path: Path) -> None:
    """A number in a column of categories is a category, whatever JSON calls it."""
    model = table_model(tmp_path)
    by_table = explain_line(model, "age,code\n40,3")
    assert {name for part in by_table.contributions for name in part.names} == {"age", "code=3"}
    for line in ('{"age": 40, "code": 3}', ' {"code": "3", "age": "40"}', '{"code":3,"age":40.0}'):
        assert explain_line(model, line) == by_table
    (only,) = explain_line(model, '{"code": 3}').contributions
    assert only.names == ("code=3",)


@pytest.mark.parametrize("format_", ["svmlight", "vw", "json", "text", "binary", "parquet"])
def test_json_is_read_whatever_the_format_of_the_model(model: Model, format_: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format=format_))
    why = explain(model, {"a": 2.0, "b": 1.0})
    assert explain_line(model, '{"a": 2, "b": 1}') == why
    assert explain_line(model, '{\n  "a": 2,\n  "b": 1\n}') == why


@pytest.mark.parametrize("format_", ["parquet", "arrow", "csv"])
def test_two_lines_are_a_header_and_a_row_to_a_model_of_a_table(model: Model, format_: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format=format_))
    assert explain_line(model, "a,b\n2,1") == explain(model, {"a": 2.0, "b": 1.0})


@pytest.mark.parametrize(
    ("format_", "lines"),
    [("text", "free cash\nsee you"), ("vw", "| a\n| b"), ("vw", "a,b\n2,1"), ("svmlight", "a\nb")],
)
def test_two_lines_are_two_rows_to_another_model(model: Model, format_: str, lines: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format=format_))
    with pytest.raises(ExportError, match=f"2 rows in the example, read as {format_}: give one"):
        explain_line(model, lines)


@pytest.mark.parametrize("line", ['{"text": "a b\\ta"}', '{"label": "x", "Message": "a b a"}'])
def test_an_object_with_a_text_is_that_text_to_a_model_of_texts(model: Model, line: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format="text"))
    assert explain_line(model, line) == explain_line(model, "a b a")


@pytest.mark.parametrize("line", ['{"text": "a", "b": 1}', '{"place": "a"}'])
def test_an_object_of_fields_is_refused_by_a_model_of_texts(model: Model, line: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format="text"))
    with pytest.raises(ExportError, match="words of texts, not fields: give the text itself"):
        explain_line(model, line)


@pytest.mark.parametrize("format_", ["csv", "json", "vw"])
def test_an_object_that_is_nested_too_deeply_is_a_bad_line(model: Model, format_: str) -> None:
    model = dataclasses.replace(model, recipe=Recipe(format=format_))
    with pytest.raises(BadLineError, match="the example:1: found JSON that is nested too deeply"):
        explain_line(model, '{"a": ' * 200_000 + "1" + "}" * 200_000)


def test_a_text_in_a_column_of_numbers_is_told_without_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BadLineError, match=r"expected a number in column age$"):
        explain_line(table_model(tmp_path), '{"age": "old"}')


def test_a_format_that_was_said_is_the_format(model: Model) -> None:
    data = InputData(paths=(), given={"format": "text", "words": (1, 1)})
    why = explain_line(model, '{"a": 2}', data)
    assert {part.names for part in why.contributions} == {("2",), ("a",)}


def test_names_that_are_known_to_share_a_column_are_named(tmp_path: Path) -> None:
    learner = th.Perceptron(1)
    learner.learn([{"a": 1}], [-1])
    model = Model(learner=learner)
    model.kept = KeptNames(model.name_table)
    model.kept.add([["a"], ["b"]])
    (part,) = explain(model, {"a": 1}).contributions
    assert (part.names, part.shares) == (("a",), ("b",))
    (both,) = explain(model, {"a": 1, "b": 1}).contributions
    assert (both.names, both.shares) == (("a", "b"), ())


def test_a_row_of_a_committee_per_class_is_explained_against_the_next_best() -> None:
    learner = th.OneVersusRest(th.Committee(6))
    learner.learn(*labelled())
    model = Model(learner=learner)
    for row in labelled(n_rows=9, seed=9)[0]:
        why = explain(model, dict(enumerate(row.tolist())))
        assert (why.unit, len(why.opinions)) == ("log-odds", 17)
        assert total(why) == pytest.approx(why.total, abs=1e-9)
        against = [part.rival_adds or 0.0 for part in why.contributions]
        against += [other.rival_adds or 0.0 for other in why.others]
        assert sum(against) + (why.rival_constant or 0.0) == (
            pytest.approx(why.rival_total, abs=1e-9)
        )
        assert why.rival_total is not None
        assert why.total >= why.rival_total


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [5e-324, -5e-324, 1e-310, 2.3e-308])
@pytest.mark.parametrize("scaling", [None, "l2", "l1", "max", "online"])
def test_a_value_too_small_for_a_weight_has_none(scaling: str | None, value: float) -> None:
    learners: list[th.Learner] = [th.AROW(4, scaling=scaling)]
    learners += [th.OneVersusRest(th.AROW(4, scaling=scaling))]
    learners += [th.Committee(4), th.OneVersusRest(th.Committee(4))] if scaling is None else []
    for learner in learners:
        learner.learn([{0: value, 1: 1}, {2: 1}, {0: value}] * 5, [1, -1, 1] * 5)
        why = explain(Model(learner=learner), {0: value, 1: 1.0})
        for part in why.contributions:
            assert part.weight is None or math.isfinite(part.weight)
            assert math.isfinite(part.adds)
            # Where it can be told, it is what the value makes the part of.
            assert part.weight is None or part.weight * part.value == pytest.approx(part.adds)
        parts = [part.adds for part in why.contributions] + [part.adds for part in why.others]
        parts.append(why.constant)
        assert math.fsum(parts) == pytest.approx(why.total, abs=1e-9)


def test_who_left_a_committee_is_marked_and_not_shown() -> None:
    narrow, wide = th.Committee(2000), th.Committee(2000)
    rows = [{t % 7: 1.0, 10 + t % 5: 2.0} for t in range(60)]
    labels = [1 if t % 7 < 3 else -1 for t in range(60)]
    for learner in (narrow, wide):
        learner.learn(rows, labels)
    wide.learn([{column: 1.0 for column in range(1500)}], [1])
    assert [member.left for member in narrow.members] == [False] * 17
    assert [member.left for member in wide.members] == [False] * 8 + [True] * 7 + [False] * 2
    assert all(member.weight == 0.0 for member in wide.members if member.left)
    for learner, gone in ((narrow, 0), (wide, 7)):
        why = explain(Model(learner=learner), {0: 1.0})
        assert len(why.opinions) == 17
        assert sum(opinion.left for opinion in why.opinions) == gone
        text = explanation_text("row", why, 5)
        assert text.count("standard") == (4 if learner is narrow else 0)
        assert ("squares" in text) is (learner is narrow)
        said = summary_text(summary(Model(learner=learner), 5), "m.thr")
        assert ("left, since the stream has too many columns" in said) is (learner is wide)
        assert said.count("squares") == 1
