"""Train, save, load, go on: the same bits as without the file in between."""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.learners.makers import LINEAR, MAKERS, NAMED, Maker, stream
from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
    ListedConcepts,
    TruthTable,
    singletons,
)
from thresher.errors import NotStorableError
from thresher.learners.registry import LEARNERS, learner_class
from thresher.models.file import load_model, save_model
from thresher.models.model import Model

every_learner = pytest.mark.parametrize("maker", MAKERS, ids=str)


def through_a_file(learner: Any, folder: Path) -> Any:
    learner.save(folder / "model.thr")
    return th.load(folder / "model.thr")


@every_learner
@given(cut=st.integers(0, 60), room=st.sampled_from([2**20, 400, 0]))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_learner_that_was_saved_and_loaded_goes_on_to_the_same_bits(
    maker: Maker, cut: int, room: int, tmp_path: Path
) -> None:
    table, labels = stream(maker)
    given = {"journal_bytes": room} if "journal_bytes" in maker.make().parameters else {}
    whole, first = maker.make(**given), maker.make(**given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.errors.JournalTruncatedWarning)
        expected = whole.learn(table, labels).scores
        before = first.learn(table[:cut], labels[:cut]).scores
        resumed = through_a_file(first, tmp_path)
        assert resumed == first
        assert resumed.parameters == first.parameters
        after = resumed.learn(table[cut:], labels[cut:]).scores
    assert np.concatenate((before, after)).tobytes() == expected.tobytes()
    assert resumed == whole
    assert resumed.journal == whole.journal
    assert resumed.mistakes == whole.mistakes


@pytest.mark.parametrize("maker", NAMED, ids=str)
@pytest.mark.parametrize("names", [th.Vocabulary(), th.Hashed(7)], ids=["kept", "hashed"])
def test_names_mean_the_same_after_loading(maker: Maker, names: Any, tmp_path: Path) -> None:
    if maker.title.endswith("grows") and isinstance(names, th.Hashed):
        names = None
    rows = [{"free": 1, "né": 1}, {"\N{SNOWMAN}": 1, "a b\n": 1}, {"free": 1, "": 1}]
    learner = maker.make(names=names)
    learner.learn(rows, [1, -1, 1])
    resumed = through_a_file(learner, tmp_path)
    assert resumed.vocabulary == learner.vocabulary
    assert list(resumed.vocabulary) == list(learner.vocabulary)
    for row in rows:
        assert resumed.score_one(row) == learner.score_one(row)
    learner.learn_one({"new": 1}, 1)
    resumed.learn_one({"new": 1}, 1)
    assert resumed == learner


@pytest.mark.parametrize("maker", LINEAR, ids=str)
def test_a_warm_start_stays_one(maker: Maker, tmp_path: Path) -> None:
    learner = maker.make()
    table, labels = stream(maker)
    learner.learn(table, labels)
    warm = through_a_file(learner.with_dual(learner.dual), tmp_path)
    assert (learner.warm_start, warm.warm_start) == (False, True)
    assert through_a_file(learner, tmp_path).warm_start is False


@pytest.mark.parametrize(
    "beta", [1, 0.1, Fraction(13, 5), np.float64(0.3), np.int64(2), Fraction(1, 3)], ids=repr
)
def test_parameters_come_back_exactly(beta: Any, tmp_path: Path) -> None:
    loaded = through_a_file(th.Winnow(3, beta=beta), tmp_path)
    assert loaded.beta == th.Winnow(3, beta=beta).beta
    assert type(loaded.parameters["beta"]) in (int, float, Fraction)


TABLE = TruthTable([[0, 1], [1, 0], [1, 1]], points=[[1, 0, 1], [0, 0, 0]], names=["a", "é", ""])
CLASSES: list[ConceptClass] = [
    Disjunctions(4),
    Disjunctions(4, k=2, negations=True),
    Conjunctions(3, negations=True),
    CountingThresholds(4, r=2),
    DecisionLists(3, k=2),
    singletons(5),
    TruthTable.of(Disjunctions(3)),
    TABLE,
]


@pytest.mark.parametrize("concepts", CLASSES, ids=repr)
@pytest.mark.parametrize("make", [th.Halving, th.StandardOptimal])
def test_learners_over_every_class_come_back(
    make: Any, concepts: ConceptClass, tmp_path: Path
) -> None:
    learner = make(concepts)
    row = {0: 1, 2: 1} if concepts is TABLE else {0: 1}
    learner.learn([row], [1])
    loaded = through_a_file(learner, tmp_path)
    assert loaded == learner
    assert [c.name for c in loaded.consistent()] == [c.name for c in learner.consistent()]
    assert loaded.scores([row]).tolist() == learner.scores([row]).tolist()


def test_an_empty_version_space_comes_back(tmp_path: Path) -> None:
    learner = th.Halving(Disjunctions(2))
    learner.learn([{}], [1])
    assert not learner.realisable
    loaded = through_a_file(learner, tmp_path)
    assert loaded == learner
    assert loaded.emptied_in_round == 1


def test_functions_are_not_stored_and_the_error_says_what_to_do(tmp_path: Path) -> None:
    learner = th.Halving(ListedConcepts([any, all], n_variables=3))
    with pytest.raises(NotStorableError, match=r"TruthTable\.of"):
        learner.save(tmp_path / "model.thr")
    assert list(tmp_path.iterdir()) == []
    loaded = through_a_file(th.Halving(TruthTable.of(learner.concepts)), tmp_path)
    assert [c.name for c in loaded.consistent()] == ["any", "all"]


def test_a_learner_of_somebody_else_is_not_stored(tmp_path: Path) -> None:
    class Mine(th.Winnow):
        pass

    with pytest.raises(NotStorableError, match="Mine is not one of thresher's learners"):
        Mine(3).save(tmp_path / "model.thr")


def test_without_its_journal_a_file_is_smaller_and_says_so(tmp_path: Path) -> None:
    maker = MAKERS[0]
    learner = maker.make()
    learner.learn(*stream(maker))
    learner.save(tmp_path / "whole.thr")
    learner.save(tmp_path / "bare.thr", journal=False)
    assert (tmp_path / "bare.thr").stat().st_size < (tmp_path / "whole.thr").stat().st_size
    bare: Any = th.load(tmp_path / "bare.thr")
    assert bare.weights.tobytes() == learner.weights.tobytes()
    assert bare.mistakes == learner.mistakes
    assert (len(bare.journal), bare.journal.omitted) == (0, len(learner.journal))
    table, labels = stream(maker, seed=1)
    assert bare.learn(table, labels).scores.tolist() == learner.learn(table, labels).scores.tolist()
    assert bare.journal.omitted == len(learner.journal)


def test_a_model_read_without_its_journal_is_the_one_written_without_it(tmp_path: Path) -> None:
    maker = MAKERS[0]
    learner = maker.make()
    learner.learn(*stream(maker))
    learner.save(tmp_path / "whole.thr")
    learner.save(tmp_path / "bare.thr", journal=False)
    read = load_model(tmp_path / "whole.thr", journal=False)
    assert read.learner == th.load(tmp_path / "bare.thr")
    save_model(read, tmp_path / "again.thr")
    again = (tmp_path / "again.thr").read_bytes()
    save_model(Model(learner=th.load(tmp_path / "bare.thr")), tmp_path / "bare.thr")
    assert again == (tmp_path / "bare.thr").read_bytes()


def test_the_registry_has_every_learner_under_its_own_name() -> None:
    public: list[Any] = [getattr(th, name) for name in th.__all__]
    classes: list[Any] = [c for c in public if isinstance(c, type)]
    learners = {c.name: c for c in classes if hasattr(c, "learn") and hasattr(c, "name")}
    assert {name: learner_class(name) for name in LEARNERS} == learners
    with pytest.raises(th.errors.UnknownLearnerError, match="no learner called 'winow'"):
        learner_class("winow")


@pytest.mark.parametrize("given", [{-1: 1.0, +1: 5.0}, {+1: 2.0}, (0.5, 3.0)])
def test_weights_of_classes_come_back(given: Any, tmp_path: Path) -> None:
    learner = th.Perceptron(3, class_weight=given)
    learner.learn([[1, 0, 1], [0, 1, 1]], [-1, +1])
    learner.save(tmp_path / "m.thr")
    assert th.load(tmp_path / "m.thr") == learner
