"""The verifier's learners of several classes against the learners themselves, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.test_committee_replay import same_state
from thresher.certifier import identity
from thresher.errors import CertificateError
from thresher.verifier import ALGORITHMS, read_rows
from thresher.verifier.replays import class_tables
from thresher.verifier.replays.playing import Replay

Example = tuple[dict[int, float], str]

bits = st.just(1.0)
within_one = st.sampled_from([1.0, -1.0, 0.5, 1e-300, -5e-324, 1 / 3]) | st.floats(-1, 1)
share = st.sampled_from([1.0, 0.5, 1e-300]) | st.floats(0, 1)
anything = st.sampled_from([1.0, -1.0, 1e100, -1e100, 1e-160, 5e-324]) | st.floats(-1e3, 1e3)
stated = st.sampled_from([None, ("c", "z"), ("a", "b", "c", "d")])
updates = st.sampled_from(["max", "uniform"])
room = st.sampled_from([None, 7])

LEARNERS: dict[str, tuple[st.SearchStrategy[Any], st.SearchStrategy[float]]] = {
    "multiclass_perceptron": (
        st.builds(th.MulticlassPerceptron, room, updates, st.booleans(), stated),
        anything,
    ),
    "multiclass_passive_aggressive": (
        st.builds(
            th.MulticlassPassiveAggressive,
            room,
            st.sampled_from(["PA", "PA-I", "PA-II"]),
            st.sampled_from([1.0, 0.1, 1e-9, 1e9]),
            st.booleans(),
            classes=stated,
        ),
        anything,
    ),
    "multiclass_normalized_winnow": (
        st.builds(
            th.MulticlassNormalizedWinnow,
            room,
            st.sampled_from([0.1, 1, 300]),
            update=updates,
            classes=stated,
        )
        | st.builds(th.MulticlassNormalizedWinnow, room, margin=st.sampled_from([0.1, 1])),
        within_one,
    ),
    "multiclass_signed_winnow": (
        st.builds(
            th.MulticlassSignedWinnow,
            room,
            st.sampled_from([0.1, 1, 300]),
            update=updates,
            classes=stated,
        )
        | st.builds(th.MulticlassSignedWinnow, room, margin=st.sampled_from([0.1, 1])),
        within_one,
    ),
    "sparse_network": (
        st.builds(
            th.SparseNetwork,
            room,
            st.sampled_from([0.5, 1.0, 2.0**-40, 2.0**40]),
            st.sampled_from([1.0, 4.0]),
            st.sampled_from([0.4, 1e-3]),
            classes=stated,
        ),
        share,
    ),
}


@st.composite
def streams(draw: st.DrawFn, values: st.SearchStrategy[float]) -> list[Example]:
    """Up to four classes that appear when they like, rows with nothing in them among others."""
    kind = draw(st.sampled_from([bits, values.filter(bool)]))
    rows = st.dictionaries(st.integers(0, 6), kind, max_size=5)
    labels = st.sampled_from(draw(st.sampled_from(["a", "ab", "dcba"])))
    found: list[Example] = draw(st.lists(st.tuples(rows, labels), max_size=14))
    return found * draw(st.sampled_from([1, 1, 5]))


def learned(learner: Any, stream: list[Example]) -> Any:
    return learner.learn([row for row, _ in stream], [label for _, label in stream])


def replayed(learner: Any, stream: list[Example], classes: tuple[str, ...] = ()) -> Replay:
    """The run again; `classes` is any order in which the stream may name them."""
    algorithm, parameters = identity(learner)
    names = classes or tuple(map(str, learner.classes))
    rows = read_rows([row for row, _ in stream], [label for _, label in stream], names)
    assert algorithm.several
    assert algorithm.fault(parameters, rows) is None
    return algorithm.replay(rows, parameters)


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_replay_is_the_learner_to_the_bit(name: str, data: st.DataObject) -> None:
    learner = data.draw(LEARNERS[name][0])
    stream = data.draw(streams(LEARNERS[name][1]))
    rounds = learned(learner, stream)
    run = replayed(learner, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert run.updates.tolist() == learner.journal.round_number.tolist()
    assert same_state(run.state, learner.learned_state())
    wrong = [stream[t][1] for t in run.mistaken]
    assert run.facts["mistakes_by_class"] == tuple(wrong.count(name) for name in learner.classes)
    assert run.facts == replayed(learner, stream, ("d", "a", "z", "c", "b")).facts


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_state_survives_a_file(name: str, data: st.DataObject) -> None:
    learner = data.draw(LEARNERS[name][0])
    stream = data.draw(streams(LEARNERS[name][1]))
    learned(learner, stream)
    assert same_state(learner.learned_state(), learner.copy().learned_state())


@pytest.mark.parametrize("name", LEARNERS)
def test_a_long_stream_in_pieces_through_a_file_ends_in_the_same_state(
    name: str, tmp_path: Path
) -> None:
    learners: dict[str, Callable[[], Any]] = {
        "multiclass_perceptron": lambda: th.MulticlassPerceptron(bias=True),
        "multiclass_passive_aggressive": lambda: th.MulticlassPassiveAggressive(40),
        "multiclass_normalized_winnow": lambda: th.MulticlassNormalizedWinnow(40, eta=30),
        "multiclass_signed_winnow": lambda: th.MulticlassSignedWinnow(eta=30),
        "sparse_network": lambda: th.SparseNetwork(),
    }
    rng = np.random.default_rng(7)
    stream = [
        ({int(i): float(rng.random()) for i in rng.choice(40, 6, replace=False)}, f"c{t % 11}")
        for t in rng.permutation(900).tolist()
    ]
    learner = learners[name]()
    for first in range(0, 900, 300):
        learned(learner, stream[first : first + 300])
        learner.save(tmp_path / "model.thr")
        learner = th.load(tmp_path / "model.thr")
    run = replayed(learner, stream)
    assert len(run.mistaken) == learner.mistakes
    assert same_state(run.state, learner.learned_state())


def test_the_names_of_the_classes_are_part_of_the_state() -> None:
    states = []
    for names in ("ab", "ba"):
        learner = th.MulticlassPerceptron(2)
        learner.learn([[1, 0], [0, 1], [2, 1]], [names[0], names[1], names[0]])
        states.append(learner.learned_state())
    assert not same_state(*states)
    assert np.array_equal(states[0]["weight"], states[1]["weight"])


def test_a_table_that_nobody_has_room_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_tables, "MOST_NUMBERS", 7)
    learner = th.MulticlassPerceptron(2)
    stream: list[Example] = [({0: 1.0, 1: 1.0}, name) for name in "abc"]
    learned(learner, stream)
    with pytest.raises(CertificateError, match="3 classes with 2 features are more than"):
        replayed(learner, stream)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("multiclass_perceptron", {"classes": ["a", "a"]}, "names that differ"),
        ("multiclass_perceptron", {"update": "all"}, r"\$\.update must be"),
        ("multiclass_signed_winnow", {"margin": "1"}, r"\$\.eta must be given, or margin in"),
        ("multiclass_signed_winnow", {"eta": "1001"}, r"\$\.eta must be from 1e-12 to 1000"),
        ("multiclass_signed_winnow", {"eta": None, "margin": "2"}, "margin must be at most 1"),
    ],
)
def test_parameters_that_no_learner_can_have_are_refused(
    name: str, change: dict[str, Any], says: str
) -> None:
    sound = {"n_features": 3, "update": "max", "bias": False, "eta": "1", "margin": None}
    record = ALGORITHMS[name]
    given = {key: (sound | {"classes": None})[key] for key in record.parameters}
    record.check(given, "$")
    with pytest.raises(CertificateError, match=says):
        record.check(given | change, "$")


EDGES: dict[str, tuple[Callable[[], Any], float]] = {
    "steps beyond all doubles": (lambda: th.MulticlassPassiveAggressive(3, "PA"), 1e-160),
    "weights just below 1e260": (lambda: th.MulticlassNormalizedWinnow(3, eta=590), 1.0),
    "weights above 1e260": (lambda: th.MulticlassNormalizedWinnow(3, eta=700), 1.0),
    "weights of both signs above 1e260": (lambda: th.MulticlassSignedWinnow(3, eta=700), 1.0),
    "scores that equal the threshold": (
        lambda: th.SparseNetwork(3, threshold=1.0, start=0.5, beta=1.0),
        1.0,
    ),
}


@pytest.mark.parametrize("length", [2, 60])
@pytest.mark.parametrize("name", EDGES)
def test_a_replay_follows_its_learner_over_the_edge(name: str, length: int) -> None:
    make, value = EDGES[name]
    learner = make()
    rows = [{0: value}, {0: value, 1: value}, {1: value, 2: value}, {0: value, 2: value}]
    stream: list[Example] = [(rows[t % 4], "abcab"[t % 5]) for t in range(length)]
    rounds = learned(learner, stream)
    run = replayed(learner, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.state, learner.learned_state())
