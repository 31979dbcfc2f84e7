"""What a learner says of itself is true: the contract that all other rooms rely on."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import MAKERS, Maker, stream
from thresher.errors import ExportError, ParameterError
from thresher.learners.base.learner import Learner
from thresher.learners.registry import LEARNERS, RECORDS, TITLES, Record, record_of
from thresher.streams.rows import Rows

NAMES = ("red", "green", "blue")
SEVERAL: dict[str, Callable[[], Learner]] = {
    "perceptron": lambda: th.MulticlassPerceptron(6),
    "passive-aggressive": lambda: th.MulticlassPassiveAggressive(6),
    "normalized-winnow": lambda: th.MulticlassNormalizedWinnow(6, eta=0.5),
    "signed-winnow": lambda: th.MulticlassSignedWinnow(6, eta=0.5),
    "network": lambda: th.SparseNetwork(6),
    "arow-each": lambda: th.OneVersusRest(th.AROW(6)),
    "calibrated-each": lambda: th.OneVersusRest(th.Calibrated(th.Perceptron(6))),
    "committee-each": lambda: th.OneVersusRest(th.Committee(6)),
}
CALIBRATED = Maker("calibrated", lambda: th.Calibrated(th.Perceptron(6)), "signed")
TWO = [*MAKERS, CALIBRATED]

every_two = pytest.mark.parametrize("maker", TWO, ids=str)
every_several = pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)


def trained_several(make: Callable[[], Learner]) -> tuple[Learner, Rows]:
    rng = np.random.default_rng(3)
    table = (rng.random((60, 6)) < 0.4).astype(float)
    learner = make()
    learner.learn(table, [NAMES[t % 3] for t in range(60)])
    return learner, Rows.of(table)


@every_two
def test_who_changes_on_mistakes_alone_stays_the_same_when_right(maker: Maker) -> None:
    table, labels = stream(maker)
    learner = maker.make()
    moved_when_right = False
    for row, label in zip(table, labels.tolist(), strict=True):
        before = learner.copy()
        right = learner.learn([row], [label]).mistakes == 0
        if right and maker.linear and maker.journaled:
            grown = np.zeros(len(learner.weights))
            grown[: len(before.weights)] = before.weights
            moved_when_right |= not np.array_equal(grown, learner.weights)
    if learner.changes_only_on_mistakes:
        assert not moved_when_right
    elif maker.eager and maker.journaled:
        assert moved_when_right


@every_two
def test_predictions_follow_from_scores(maker: Maker) -> None:
    table, labels = stream(maker)
    learner: Learner = maker.make()
    learner.learn(table, labels)
    numbers = learner.predicted_numbers(learner.scores(table))
    assert [learner.classes[number] for number in numbers] == learner.predict(table).tolist()
    assert (learner.several, learner.classes, learner.each_class) == (False, (-1, 1), None)


@every_several
def test_predictions_of_several_follow_from_scores(make: Callable[[], Learner]) -> None:
    learner, rows = trained_several(make)
    numbers = learner.predicted_numbers(learner.scores(rows))
    assert [learner.classes[number] for number in numbers] == learner.predict(rows).tolist()
    assert learner.several
    assert set(learner.classes) == set(NAMES)
    assert make().predicted_numbers(np.empty((2, 0))).tolist() == [-1, -1]


@pytest.mark.parametrize("make", [lambda m=m: m.make() for m in TWO] + [*SEVERAL.values()])
def test_probabilities_are_given_or_refused(make: Callable[[], Learner]) -> None:
    learner = make()
    rows = Rows.of([{0: 1.0}, {}])
    if not learner.gives_probabilities:
        with pytest.raises(ParameterError, match="calibrated to give probabilities"):
            learner.predict_proba(rows)
        return
    learner.learn([{0: 1.0}, {1: 1.0}], ["a", "b"] if learner.several else [1, -1])
    found = learner.predict_proba(rows)
    assert found.tobytes() == learner.probabilities_of(learner.scores(rows)).tobytes()
    assert np.allclose(found.sum(axis=1), 1.0)


@every_two
def test_the_domain_is_what_is_learned_and_no_more(maker: Maker) -> None:
    learner: Learner = maker.make()
    domain = learner.domain
    for value in (domain.lowest, domain.highest):
        if value:
            assert len(domain.misfits(Rows.of([{0: value}]))) == 0
            learner.copy().learn([{0: value}], [1])
    outside = Rows.of([{0: 1.0}, {0: 2.0 * max(1.0, domain.highest)}])
    assert domain.misfits(outside).tolist() == [1]
    with pytest.raises(th.errors.ThresherError):
        learner.learn(outside, [1, -1])
    assert learner.n_rounds == 0


@every_two
def test_a_linear_form_scores_as_the_learner_does_or_is_refused(maker: Maker) -> None:
    table, labels = stream(maker)
    learner: Learner = maker.make()
    learner.learn(table, labels)
    try:
        form = learner.linear_form()
    except ExportError:
        return
    rows = Rows.of(table)
    assert np.allclose(form.scores(rows), learner.scores(rows), rtol=1e-12, atol=1e-12)


@every_several
def test_the_linear_forms_of_classes_score_as_the_learner_does(make: Callable[[], Learner]) -> None:
    learner, rows = trained_several(make)
    for r, label in enumerate(learner.classes):
        try:
            form = learner.linear_form(label)
        except ExportError:
            assert "committee" in learner.plain_name
            continue
        assert np.allclose(form.scores(rows), learner.scores(rows)[:, r], atol=1e-12)
    with pytest.raises(ParameterError, match="one of its classes"):
        learner.linear_form("violet")


@every_two
def test_coefficients_score_as_the_learner_does_or_are_refused(maker: Maker) -> None:
    table, labels = stream(maker)
    learner: Learner = maker.make()
    learner.learn(table, labels)
    try:
        weights, added = learner.coefficients()
    except ExportError:
        with pytest.raises(ExportError):
            learner.linear_form()
        return
    assert weights.shape == (1, 6)
    if learner.parameters.get("scaling") in {None, "online"}:
        found = (table @ weights.T + added)[:, 0]
        assert np.allclose(found, learner.scores(table) - learner.threshold, atol=1e-6)


@every_several
def test_coefficients_of_classes_score_as_the_learner_does(make: Callable[[], Learner]) -> None:
    learner, rows = trained_several(make)
    try:
        weights, added = learner.coefficients()
    except ExportError:
        assert "committee" in learner.plain_name
        return
    assert np.allclose(rows.to_scipy(6) @ weights.T + added, learner.scores(rows), atol=1e-12)


@pytest.mark.parametrize("make", [lambda m=m: m.make() for m in TWO] + [*SEVERAL.values()])
def test_a_dict_is_answered_as_its_row_is(make: Callable[[], Learner]) -> None:
    learner = make()
    learner.learn([{0: 1.0}, {1: 1.0}], ["a", "b"] if learner.several else [1, -1])
    row = {0: 1.0, 1: 1.0}
    classes = learner.classes if learner.several else (1,)
    margins = np.atleast_1d(learner.scores([row])[0]) - learner.threshold
    assert learner.scores_one(row) == pytest.approx(dict(zip(classes, margins, strict=True)))
    if learner.gives_probabilities:
        given = dict(zip(learner.classes, learner.predict_proba([row])[0], strict=True))
        assert learner.probabilities_one(row) == pytest.approx(given)
    else:
        with pytest.raises((ParameterError, AttributeError)):
            learner.probabilities_one(row)


def test_a_learner_of_each_class_can_be_had_where_there_is_one() -> None:
    each, _ = trained_several(SEVERAL["arow-each"])
    assert each.each_class == th.AROW(6)
    assert each.innermost.name == "arow"
    assert each.learner_of("red").n_rounds == 60
    assert each.bytes_of_a_class > 0
    joint, _ = trained_several(SEVERAL["perceptron"])
    assert (joint.each_class, joint.bytes_of_a_class) == (None, 0)
    with pytest.raises(ExportError, match="one table of weights for all classes"):
        joint.learner_of("red")


def test_what_a_learner_is_can_be_said_in_a_few_words() -> None:
    assert th.Calibrated(th.Perceptron(2)).plain_name == "calibrated perceptron"
    assert th.OneVersusRest(th.Committee(2)).plain_name == "committee for each class"
    assert th.Calibrated(th.Perceptron(2)).innermost.name == "perceptron"


def test_theorems_are_those_that_name_the_learner() -> None:
    names = {theorem.name for theorem in th.Winnow(4).theorems}
    assert "WinnowDisjunction" in names
    assert not any("Perceptron" in name for name in names)
    assert th.AROW(4).theorems == ()


def test_rows_that_count_differently_are_refused_by_who_cannot_weigh_them() -> None:
    for make in (SEVERAL["perceptron"], lambda: th.Halving(th.concepts.Disjunctions(6))):
        learner = make()
        label: Any = "red" if learner.several else 1
        with pytest.raises(th.errors.ImportanceError, match="row 1: found importance 2"):
            learner.learn([{0: 1.0}, {1: 1.0}], [label, label], importance=[1.0, 2.0])
        assert learner.n_rounds == 0


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_record_says_what_its_class_says(record: Record) -> None:
    found = record.load()
    assert issubclass(found, Learner)
    assert (found.name, found.__name__, found.several) == (
        record.name,
        record.title,
        record.several,
    )
    assert found.__module__ == f"thresher.learners.{record.home}"
    needed = inspect.signature(found).parameters
    assert (record.needs == "concepts") == ("concepts" in needed)
    assert (record.needs == "learner") == ("learner" in needed)
    assert record_of(record.name.replace("_", "-")) is record is TITLES[record.title]
    assert getattr(th, record.title) is found


def test_no_learner_is_left_out() -> None:
    def concrete(kind: type[Learner]) -> set[type[Learner]]:
        below = {c for child in kind.__subclasses__() for c in concrete(child)}
        own = {kind} if not inspect.isabstract(kind) and "name" in vars(kind) else set()
        return {c for c in below | own if c.__module__.startswith("thresher.learners")}

    base: Any = Learner
    assert concrete(base) == {record.load() for record in LEARNERS.values()}


def test_type_checkers_are_told_the_names_that_there_are() -> None:
    stub = ast.parse((Path(th.__file__).parent / "__init__.pyi").read_text("utf-8"))
    told = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(map(str, told)) == th.__all__
    for name, home in told.items():
        if not inspect.ismodule(getattr(th, str(name))):
            assert home == f"thresher.{th._homes()[str(name)]}.{name}"  # type: ignore[attr-defined]


class Mine(th.Perceptron):
    """A class that somebody derived, with a parameter of its own."""

    def __init__(self, n_features: int, colour: str = "red") -> None:
        super().__init__(n_features)
        self.colour = colour


def test_a_derived_class_may_have_parameters_of_its_own() -> None:
    learner = Mine(3, colour="blue")
    learner.learn([[1, 0, 1], [0, 1, 0]], [1, 0])
    for other in (copy.copy(learner), copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))):
        assert (type(other), other.colour, other == learner) == (Mine, "blue", True)
    assert repr(learner).startswith("Mine(n_features=3, colour=blue): 2 rounds")
