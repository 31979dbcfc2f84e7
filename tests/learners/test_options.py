"""Weights of rows and of classes, scales of rows and of features, and what they leave alone."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import LINEAR, Maker, stream
from thresher.errors import (
    AuditError,
    ExportError,
    ImportanceError,
    NotCertifiableError,
    ParameterError,
)
from thresher.export import form_of
from thresher.streams import Batch, Rows
from thresher.theory import Disjunction

N = 6
TAKES_NONE = ("-zeroing", "restarts", "elimination", "conjunction", "majority", "mbw")
WEIGHED = [
    maker
    for maker in LINEAR
    if not any(part in maker.title for part in TAKES_NONE) and maker.title != "pa"
]
UNWEIGHED = [maker for maker in LINEAR if maker not in WEIGHED]


def weights_of(n_rows: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).choice([0.0, 0.25, 1.0, 3.0], n_rows)


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_weighted_rows_give_the_same_bits_however_they_are_cut_and_given(maker: Maker) -> None:
    table, labels = stream(maker)
    weights = weights_of(len(table))
    whole, pieces, single = maker.make(), maker.make(), maker.make()
    scores = whole.learn(table, labels, importance=weights).scores
    found = [
        pieces.learn(table[a : a + 7], labels[a : a + 7], importance=weights[a : a + 7]).scores
        for a in range(0, len(table), 7)
    ]
    assert np.concatenate(found).tobytes() == scores.tobytes()
    assert pieces == whole
    for row, label, weight in zip(table, labels.tolist(), weights.tolist(), strict=True):
        single.learn_one({int(i): float(row[i]) for i in np.flatnonzero(row)}, label, weight)
    assert single == whole
    carried = maker.make()
    carried.learn(Batch.of(table, labels, importance=weights))
    assert carried == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole != maker.make()


@pytest.mark.parametrize("maker", [maker for maker in WEIGHED if maker.journaled], ids=str)
def test_the_journal_keeps_the_weights_and_rebuilds_the_learner(maker: Maker) -> None:
    table, labels = stream(maker, 200)
    learner = maker.make()
    learner.learn(table, labels, importance=weights_of(200))
    journal = learner.journal
    assert journal.importance is not None
    assert set(journal.importance.tolist()) == {0.25, 1.0, 3.0}
    assert journal.importance.tolist() == weights_of(200)[journal.round_number].tolist()
    fresh = maker.make()
    fresh.learn(learner.journal_as_given)
    n = min(len(fresh.dual), len(learner.dual)) - maker.grows
    if "mean" not in maker.title:
        assert fresh.dual[:n].tobytes() == learner.dual[:n].tobytes()
    half = journal[: len(journal) // 2]
    assert half.importance is not None
    assert half.importance.tolist() == journal.importance[: len(half)].tolist()


@pytest.mark.parametrize("maker", LINEAR, ids=str)
def test_weights_of_1_are_no_weights(maker: Maker) -> None:
    table, labels = stream(maker)
    plain, weighed = maker.make(), maker.make()
    plain.learn(table, labels)
    weighed.learn(table, labels, importance=np.ones(len(table), int))
    assert plain == weighed
    assert weighed.journal.importance is None


@pytest.mark.parametrize("maker", UNWEIGHED, ids=str)
def test_a_learner_without_a_place_for_weights_says_so_and_learns_nothing(maker: Maker) -> None:
    table, labels = stream(maker, 20)
    learner = maker.make()
    before = learner.copy()
    with pytest.raises(ImportanceError, match=r"row 3: found importance 2\.0.*has no place"):
        learner.learn(table, labels, importance=[1, 1, 1, 2.0] + [1] * 16)
    with pytest.raises(ImportanceError, match="has no place"):
        learner.learn_one({0: 1.0}, 1, 0.5)
    assert learner == before


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0], "row 1: found importance -1.0"),
        ([float("nan"), 1.0], "row 0: found importance nan"),
        ([1.0, 1e10], "row 1: found importance 1"),
        ([1.0], "a list of 2 numbers"),
        (["a", "b"], "a list of 2 numbers"),
        ([[1.0], [2.0]], "a list of 2 numbers"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights: Any, message: str) -> None:
    learner = th.Perceptron(2, names=th.Vocabulary())
    with pytest.raises(ImportanceError, match=message):
        learner.learn([{"a": 1.0}, {"b": 1.0}], [1, -1], importance=weights)
    assert learner == th.Perceptron(2, names=th.Vocabulary())
    if len(np.shape(weights)) == 1 and isinstance(weights[-1], float) and weights[-1] != 1.0:
        with pytest.raises(ImportanceError, match="from 0 to 1e9"):
            learner.learn_one({"a": 1.0}, 1, weights[-1])


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_a_row_of_weight_0_is_predicted_and_counted_and_changes_nothing(maker: Maker) -> None:
    table, labels = stream(maker)
    learner = maker.make()
    learner.learn(table, labels)
    before = learner.copy()
    rounds = learner.learn(table, -labels, importance=np.zeros(len(table)))
    assert rounds.mistakes == learner.mistakes - before.mistakes > 0
    assert learner.dual.tobytes() == before.dual.tobytes()
    assert len(learner.journal) == len(before.journal)


def test_a_row_of_weight_2_is_two_rows_where_the_update_is_a_sum() -> None:
    once, twice = th.Perceptron(3, margin=1e9), th.Perceptron(3, margin=1e9)
    X, y = [[1, 2, 0], [0, 1, 1], [3, 0, 1]], [1, -1, 1]
    once.learn(X, y, importance=[2, 1, 3])
    twice.learn(np.repeat(X, [2, 1, 3], axis=0), np.repeat(y, [2, 1, 3]))
    assert once.weights.tolist() == twice.weights.tolist()


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_class_weights_are_weights_of_rows(maker: Maker) -> None:
    if maker.title == "perceptron-classes":
        return
    table, labels = stream(maker)
    classes, rows = maker.make(class_weight={-1: 0.5, 1: 3}), maker.make()
    scores = classes.learn(table, labels).scores
    weights = np.where(labels > 0, 3.0, 0.5)
    assert scores.tobytes() == rows.learn(table, labels, importance=weights).scores.tobytes()
    assert classes.dual.tobytes() == rows.dual.tobytes()
    assert classes.journal.importance is None
    assert classes.journal.round_number.tolist() == rows.journal.round_number.tolist()
    assert maker.make(class_weight=(0.5, 3)).learn(table, labels).scores.tobytes() == (
        scores.tobytes()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_weight": {0: 1.0}}, "keys -1 and"),
        ({"class_weight": 3.0}, "a pair"),
        ({"class_weight": (1.0, -1.0)}, "a number from 0"),
        ({"class_weight": (0.0, 0.0)}, "above 0 for one class"),
        ({"class_weight": {-1: 0.0, 1: 0.0}}, "above 0 for one class"),
        ({"scaling": "l3"}, "'l2' or 'l1' or 'max' or 'online'"),
        ({"scaling": True}, "'l2' or"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        th.Perceptron(3, **options)
    with pytest.raises(ParameterError, match=message):
        th.SignedWinnow(3, eta=0.1, **options)


@pytest.mark.parametrize(
    "make",
    [
        lambda: th.Winnow(3, zeroing=True, scaling="max"),
        lambda: th.Winnow(3, zeroing=True, margin=1.0),
        lambda: th.Winnow(3, zeroing=True, class_weight=(1, 2)),
        lambda: th.Winnow(3, margin=3.0),
        lambda: th.Winnow(3, floor=2),
        lambda: th.SignedWinnow(3, class_weight=(1, 2)),
        lambda: th.SignedWinnow(3, eta=1, radius=0.5, scaling="l2"),
        lambda: th.PassiveAggressive(3, "PA", class_weight=(1, 2)),
        lambda: th.PassiveAggressive(3, "PA-III"),
        lambda: th.PassiveAggressive(3, C=0),
        lambda: th.Perceptron(3, decay=0.1, average=True),
        lambda: th.Perceptron(3, decay=0.9),
        lambda: th.Perceptron(3, margin=-1),
        lambda: th.AROW(3, r=0),
        lambda: th.AdaGrad(3, loss="squared"),
        lambda: th.AdaGrad(3, rate=float("nan")),
        lambda: th.PNormPerceptron(3, p=1.5),
        lambda: th.ModifiedBalancedWinnow(3, promotion=0.5),
    ],
)
def test_parameters_that_do_not_go_together_are_refused(make: Any) -> None:
    with pytest.raises(ParameterError, match="must be"):
        make()


def test_an_option_that_nobody_knows_is_refused_as_python_would() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        th.Perceptron(3, colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'average'"):
        th.Winnow(3, average=True)  # type: ignore[call-arg]


def test_the_signature_of_a_class_spells_out_its_options() -> None:
    assert list(inspect.signature(th.Perceptron).parameters) == [
        "n_features", "bias", "margin", "decay",
        "class_weight", "scaling", "names", "journal_bytes", "average",
    ]  # fmt: skip
    assert "average" not in inspect.signature(th.Winnow).parameters
    learner = th.Winnow(3, scaling="max", margin=1)
    assert repr(learner) == "Winnow(n_features=3, margin=1, scaling=max): 0 rounds, 0 mistakes"
    assert type(learner)(**learner.parameters) == learner


@pytest.mark.parametrize("scaling", ["l2", "l1", "max"])
def test_a_scaled_row_has_size_1(scaling: str) -> None:
    learner = th.Perceptron(3, scaling=scaling)
    learner.learn([[3, -4, 0]], [-1])
    w = -learner.weights
    size = {"l2": np.sqrt(w @ w), "l1": np.abs(w).sum(), "max": np.abs(w).max()}[scaling]
    assert size == pytest.approx(1.0, rel=1e-15)
    assert list(learner.journal) == [{0: 3.0, 1: -4.0}]
    assert learner.score_one({0: 1e100, 1: 1e-300}) == pytest.approx(w[0] * -1.0)


def test_online_scaling_divides_by_the_largest_value_of_the_rows_that_mattered() -> None:
    learner = th.Perceptron(2, scaling="online")
    rounds = learner.learn([[4, 0], [2, 0], [8, 0], [100, 0], [8, 0]], [-1, -1, 1, 1, 1])
    # The second row changes nothing; the third and the first make 8 the largest.
    assert rounds.scores.tolist() == [0.0, -0.5, -1.0, 0.0, 0.0]
    assert learner.score_one({0: 4.0}) == 0.0
    assert learner.with_dual([1.0, 0.0]).score_one({0: 5.0}) == 1.0
    assert learner.copy().learn([[2, 0]], [1]).scores.tolist() == [0.0]
    assert learner._engine.scales().tolist() == [8.0, 0.0]


def test_what_is_no_sum_of_weights_has_no_linear_form() -> None:
    with pytest.raises(ExportError, match="by weights alone"):
        form_of(th.ModifiedBalancedWinnow(2))
    with pytest.raises(ExportError, match="no list of weights"):
        form_of(th.Committee(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: th.Perceptron(3, average=True),
        lambda: th.Perceptron(3, decay=0.1),
        lambda: th.PNormPerceptron(3, 5),
        *(
            lambda scaling=scaling: th.Perceptron(3, bias=True, scaling=scaling)
            for scaling in ("l2", "l1", "max", "online")
        ),
    ],
    ids=["mean", "decay", "p-norm", "l2", "l1", "max", "online"],
)
def test_what_is_exported_scores_as_the_learner_does(make: Any) -> None:
    learner, rows = make(), np.array([[1, 2, 0.5], [0, 1, 1], [3, 0, 1]])
    learner.learn(rows, [1, -1, -1])
    form = form_of(learner)
    assert form.scaling == learner.parameters["scaling"]
    # Also rows that no round has seen, with values larger than all so far.
    for table in (rows, [[-7.0, 0.0, 1e-3], [0.25, -40.0, 3.0], [0.0, 0.0, 0.0]]):
        expected = learner.scores(table)
        assert form.scores(Rows.of(table)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("scaling", ["l2", "l1", "max", "online"])
def test_the_form_of_a_learner_that_scales_rows_is_that_of_the_scaled_rows(scaling: str) -> None:
    learner = th.Perceptron(2, scaling=scaling)
    learner.learn([[3, 4], [4, -2]], [-1, 1])
    form, rows = form_of(learner), Rows.of([[3, 4], [8, 1]])
    unscaled = rows.to_scipy(2) @ form.weights
    assert not np.any(np.isclose(unscaled, learner.scores(rows)))
    assert (form.largest is not None) == (scaling == "online")


VARIED = [
    th.Perceptron(3, margin=1.0),
    th.Perceptron(3, decay=0.1),
    th.Perceptron(3, average=True),
    th.Perceptron(3, scaling="l2"),
    th.Winnow(3, class_weight=(1, 2)),
    th.Winnow(3, floor=0.5),
]


@pytest.mark.parametrize("learner", VARIED, ids=repr)
def test_a_varied_learner_is_not_judged_by_theorems_about_another(learner: Any) -> None:
    with pytest.raises(NotCertifiableError, match="no theorem says"):
        learner.learn([[1, 0, 0]], [1], claim=Disjunction(k=1, n=3))
    learner.learn([[1, 0, 0], [0, 1, 0]], [1, -1])
    with pytest.raises(NotCertifiableError, match=r"the journal (alone|of Perceptron)"):
        th.certify(learner)
    assert not th.certify(learner, [[1, 0, 0], [0, 1, 0]], [1, -1], witness=[0, 0, 0]).bounds
    with pytest.raises(AuditError, match="no potential is known"):
        learner.audit()


def test_weighted_rows_are_not_judged_by_theorems_about_equal_ones() -> None:
    learner = th.Winnow(3)
    with pytest.raises(NotCertifiableError, match="count the same"):
        learner.learn([[1, 0, 0]], [1], claim=Disjunction(k=1, n=3), importance=[2.0])
    assert learner == th.Winnow(3)
    learner.learn([[1, 0, 0]], [1], importance=[2.0])
    with pytest.raises(NotCertifiableError, match="importance"):
        th.certify(learner)
