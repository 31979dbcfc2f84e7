"""One learner for each class, and calibrated learners, replayed to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.test_committee_replay import same_state
from tests.verifier.test_several_classes import Example, learned, replayed, streams
from thresher.certifier import identity
from thresher.errors import CertificateError, NotCertifiableError
from thresher.verifier import ALGORITHMS, read_rows

anything = st.sampled_from([1.0, -1.0, 1e100, 1e-160, 5e-324]) | st.floats(-1e3, 1e3)
inner_learners: dict[str, Callable[[], Any]] = {
    "committee": lambda: th.Committee(),
    "one member": lambda: th.Committee(7, members=[("adagrad", 0.1, "unit")]),
    "perceptron": lambda: th.Perceptron(bias=True),
    "averaged": lambda: th.Perceptron(7, average=True, margin=1.0),
    "scaled": lambda: th.Perceptron(scaling="online", class_weight={1: 2.0}),
    "passive-aggressive": lambda: th.PassiveAggressive(7),
    "arow": lambda: th.AROW(bias=True),
    "adagrad": lambda: th.AdaGrad(7, scaling="l2"),
}
inner = st.sampled_from(sorted(inner_learners)).map(lambda name: inner_learners[name]())
#: Learners of 0/1 rows, which a certificate of one for each class can be about too.
inner_of_bits: dict[str, Callable[[], Any]] = {
    "winnow": lambda: th.Winnow(7, threshold=2.0, beta=0.5),
    "balanced": lambda: th.BalancedWinnow(7, threshold=0.7),
    "doubling": lambda: th.Winnow(7),
    "modified": lambda: th.ModifiedBalancedWinnow(7),
    "p-norm": lambda: th.PNormPerceptron(7),
    "elimination": lambda: th.Elimination(7),
    "elimination of literals": lambda: th.Elimination(7, literals=True),
    "conjunction": lambda: th.Conjunction(9),
    "conjunction of literals": lambda: th.Conjunction(7, literals=True),
    "normalised": lambda: th.NormalizedWinnow(9, eta=0.3, bias=True),
    "signed": lambda: th.SignedWinnow(7, margin=0.25),
    "guessing": lambda: th.SignedWinnow(7),
}
#: And of any rows whose values lie from -1 to 1.
inner_within_one: dict[str, Callable[[], Any]] = {
    "normalised": lambda: th.NormalizedWinnow(7, eta=0.3),
    "signed": lambda: th.SignedWinnow(9, eta=2, bias=True),
    "guessing": lambda: th.NormalizedWinnow(7),
    "balanced": lambda: th.BalancedWinnow(7, threshold=0.7),
}
weighted = st.sampled_from(["perceptron", "arow", "scaled"]).map(
    lambda name: inner_learners[name]()
)
classes = st.sampled_from([None, ("c", "z"), ("a", "b", "c", "d")])
arrangements = (
    st.builds(th.OneVersusRest, inner | inner.map(th.Calibrated), classes)
    | st.builds(th.OneVersusRest, weighted, classes, st.just({"a": 3.0, "c": 0.25}))
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(arrangements, streams(anything))
def test_one_learner_for_each_class_is_replayed_to_the_bit(
    learner: th.OneVersusRest, stream: list[Example]
) -> None:
    rounds = learned(learner, stream)
    run = replayed(learner, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.state, learner.learned_state())
    assert same_state(run.state, learner.copy().learned_state())
    own = tuple(learner.learner_of(name).mistakes for name in learner.classes)
    assert run.facts["own_mistakes"] == own
    wrong = [stream[t][1] for t in run.mistaken]
    assert run.facts["mistakes_by_class"] == tuple(wrong.count(name) for name in learner.classes)
    if rounds.changed is not None:
        assert set(np.flatnonzero(rounds.changed)) <= set(run.updates.tolist())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(inner_of_bits)), classes, streams(st.just(1.0)))
def test_one_winnow_for_each_class_is_replayed_to_the_bit(
    name: str, stated: tuple[str, ...] | None, stream: list[Example]
) -> None:
    learner = th.OneVersusRest(inner_of_bits[name](), stated)
    rounds = learned(learner, stream)
    run = replayed(learner, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.state, learner.learned_state())


within_one = st.sampled_from([1.0, -1.0, 0.5, 1 / 3, -0.1]) | st.floats(-1, 1)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(inner_within_one)), streams(within_one))
def test_one_exponentiated_learner_for_each_class_is_replayed_to_the_bit(
    name: str, stream: list[Example]
) -> None:
    learner = th.OneVersusRest(inner_within_one[name]())
    rounds = learned(learner, stream)
    run = replayed(learner, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.state, learner.learned_state())


FOLLOWED = [
    *((name, make, "any") for name, make in inner_learners.items()),
    *((name, make, "bits") for name, make in inner_of_bits.items()),
    *((name, make, "within one") for name, make in inner_within_one.items()),
]


@pytest.mark.parametrize(("name", "make", "rows"), FOLLOWED, ids=lambda item: str(item)[:12])
def test_a_replay_follows_the_scores_to_the_bit(
    name: str, make: Callable[[], Any], rows: str
) -> None:
    rng = np.random.default_rng(5)
    X = np.where(rng.random((400, 7)) < 0.5, rng.uniform(-1, 1, (400, 7)), 0.0)
    X = (X != 0) * 1.0 if rows == "bits" else X * (100.0 if rows == "any" else 1.0)
    y = np.where(X @ rng.standard_normal(7) + rng.standard_normal(400) >= 0.3, 1, -1)
    learner = make()
    rounds = learner.learn(X, y)
    algorithm, parameters = identity(learner)
    run = algorithm.replay(read_rows(X, y), parameters)
    assert run.margins is not None
    # A zero has two signs, which compare alike.
    assert (run.margins + 0.0).tobytes() == (rounds.scores - learner.threshold + 0.0).tobytes()


def test_a_learner_whose_scores_are_not_followed_is_refused() -> None:
    """Weights beyond 1e260 are brought back by a common factor, which replays do not take."""
    learner = th.OneVersusRest(th.SignedWinnow(2, eta=700))
    stream: list[Example] = [({0: 1.0}, "a"), ({0: 1.0, 1: 1.0}, "b")] * 9
    learned(learner, stream)
    with pytest.raises(CertificateError, match="does not follow its scores"):
        replayed(learner, stream)


def test_rows_one_by_one_end_in_the_same_state() -> None:
    rng = np.random.default_rng(3)
    stream: list[Example] = [
        ({int(i): 1.0 for i in rng.choice(9, 3, replace=False)}, "abcd"[int(rng.integers(4))])
        for _ in range(80)
    ]
    learner = th.OneVersusRest(th.AROW())
    for row, label in stream:
        learner.learn_one(row, label)
    run = replayed(learner, stream)
    assert len(run.mistaken) == learner.mistakes
    assert same_state(run.state, learner.learned_state())


@settings(max_examples=40, deadline=None)
@given(inner, streams(anything), st.sampled_from(["isotonic", "platt"]))
def test_a_calibrated_learner_is_replayed_as_the_learner_inside(
    given_learner: Any, stream: list[Example], method: str
) -> None:
    learner = th.Calibrated(given_learner, method)
    rows, labels = [row for row, _ in stream], [1 if name < "b" else -1 for _, name in stream]
    rounds = learner.learn(rows, labels)
    algorithm, parameters = identity(learner)
    run = algorithm.replay(read_rows(rows, labels), parameters)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.state, learner.learned_state())
    assert same_state(run.state, learner.learner.learned_state())


def test_rows_that_counted_more_are_refused_under_a_calibration() -> None:
    learner = th.Calibrated(th.Perceptron(1))
    learner.learn([[1.0]], [-1], importance=[2.0])
    with pytest.raises(NotCertifiableError, match="count more than others"):
        identity(learner)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"learner": {"name": "oracle", "parameters": {}}}, r"\$\.learner\.name must be one of"),
        ({"learner": {"name": "halving", "parameters": {}}}, r"\$\.learner\.name must be one of"),
        ({"learner": {"name": "committee"}}, r"\$\.learner\.parameters is missing"),
        (
            {"learner": {"name": "committee", "parameters": {"n_features": 0, "members": []}}},
            r"\$\.learner\.parameters\.n_features must be",
        ),
        ({"classes": ["a", "a"]}, "names that differ"),
        ({"class_weight": [{"class": "a", "weight": "1"}] * 2}, "one weight a class"),
        ({"class_weight": [{"class": "a", "weight": "-1"}]}, r"\$\.class_weight must be"),
    ],
)
def test_arrangements_that_cannot_be_are_refused(change: dict[str, Any], says: str) -> None:
    record = ALGORITHMS["one_versus_rest"]
    member = {"rule": "arow", "setting": "1", "rows": "unit"}
    sound = {
        "learner": {"name": "committee", "parameters": {"n_features": None, "members": [member]}},
        "classes": None,
        "class_weight": None,
    }
    record.check(sound, "$")
    with pytest.raises(CertificateError, match=says):
        record.check(sound | change, "$")


def test_weights_for_a_learner_that_takes_none_are_refused() -> None:
    parameters = {
        "learner": {"name": "conjunction", "parameters": {"n_features": 2, "literals": True}},
        "classes": None,
        "class_weight": ({"class": "a", "weight": 2},),
    }
    stream = read_rows([[1], [1]], ["a", "b"], ["a", "b"])
    with pytest.raises(CertificateError, match="all count alike"):
        ALGORITHMS["one_versus_rest"].replay(stream, parameters)
