from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import thresher as th
from thresher.reports.lecture_table import Change, Weight, number_text, trace
from thresher.streams import Batch

# The lecture's example: the target is "x1 or x4"; columns count from 0 here, from 1 there.
LECTURE = [{0: 1.0, 2: 1.0}, {1: 1.0, 2: 1.0}, {1: 1.0, 2: 1.0, 3: 1.0}, {}]
LABELS = [1, -1, 1, -1]


def lecture(cycles: int) -> Batch:
    return Batch.of(LECTURE * cycles, LABELS * cycles)


def texts(found: Any) -> list[str]:
    return [str(weight) for weight in found.weights]


# Score, whether it was a mistake, and all weights after the round.
FACTOR_2 = """
2 yes 2 1 2 1 1
3 no 2 1 2 1 1
4 yes 2 2 4 2 1
0 no 2 2 4 2 1
6 no 2 2 4 2 1
6 yes 2 1 2 2 1
5 no 2 1 2 2 1
0 no 2 1 2 2 1
4 yes 4 1 4 2 1
5 yes 4 1/2 2 2 1
9/2 yes 4 1 4 4 1
0 no 4 1 4 4 1
8 no 4 1 4 4 1
5 yes 4 1/2 2 4 1
13/2 no 4 1/2 2 4 1
0 no 4 1/2 2 4 1
6 no 4 1/2 2 4 1
5/2 no 4 1/2 2 4 1
13/2 no 4 1/2 2 4 1
0 no 4 1/2 2 4 1
"""
FACTOR_3_HALVES = """
2 yes 3/2 1 3/2 1 1
5/2 no 3/2 1 3/2 1 1
7/2 yes 3/2 3/2 9/4 3/2 1
0 no 3/2 3/2 9/4 3/2 1
15/4 yes 9/4 3/2 27/8 3/2 1
39/8 no 9/4 3/2 27/8 3/2 1
51/8 no 9/4 3/2 27/8 3/2 1
0 no 9/4 3/2 27/8 3/2 1
45/8 no 9/4 3/2 27/8 3/2 1
"""
FACTOR_18_FIFTHS = """
2 yes 18/5 1 18/5 1 1
23/5 no 18/5 1 18/5 1 1
28/5 no 18/5 1 18/5 1 1
"""


@pytest.mark.parametrize(
    ("beta", "board"),
    [
        (1, FACTOR_2),
        (Fraction(1, 2), FACTOR_3_HALVES),
        (Fraction(13, 5), FACTOR_18_FIFTHS),
    ],
)
def test_winnow_traces_the_table_of_the_lecture(beta: Fraction, board: str) -> None:
    rounds = trace(th.Winnow(5, beta=beta), lecture(5), all_weights=True)
    for line, found in zip(board.strip().splitlines(), rounds, strict=False):
        mistaken = "yes" if found.mistaken else "no"
        assert " ".join([str(found.score), mistaken, *texts(found)]) == line


def test_the_perceptron_traces_integers_with_a_constant_feature() -> None:
    learner = th.Perceptron(5, bias=True)
    rounds = list(trace(learner, lecture(6), all_weights=True))
    assert sum(found.mistaken for found in rounds) == 11
    assert texts(rounds[-1]) == ["2", "-1", "1", "3", "0", "-1"]
    first = next(found for found in rounds if found.mistaken)
    assert [str(change) for change in first.changes] == [
        "1: 0 -> -1",
        "2: 0 -> -1",
        "bias: 0 -> -1",
    ]


def test_balanced_winnow_shows_the_difference_of_its_two_weights() -> None:
    rounds = list(trace(th.BalancedWinnow(3), Batch.of([[1, 0, 1], [1, 0, 1]], [1, 1])))
    assert [str(change) for change in rounds[0].changes] == ["0: 0 -> 3/2", "2: 0 -> 3/2"]
    assert rounds[1].score == 3


def test_elimination_shows_what_is_crossed_out_with_negations_named() -> None:
    learner = th.Elimination(2, literals=True)
    (found,) = trace(learner, Batch.of([[1, 0]], [-1]), lambda column: "xy"[column])
    assert [str(change) for change in found.changes] == ["x: 1 -> 0", "not y: 1 -> 0"]


def test_weighted_majority_shows_the_experts_that_were_wrong() -> None:
    rounds = trace(th.WeightedMajority(3), Batch.of([[1, 1, -1], [1, -1, -1]], [1, 1]))
    assert [[str(change) for change in found.changes] for found in rounds] == [
        ["2: 1 -> 1/2"],
        ["1: 1 -> 1/2", "2: 1/2 -> 1/4"],
    ]


def test_a_normalised_learner_shows_the_weights_whose_duals_moved() -> None:
    learner = th.NormalizedWinnow(3, eta=0.5)
    (found,) = trace(learner, Batch.of([[1, 0, -1]], [-1]))
    assert [change.feature for change in found.changes] == ["0", "2"]
    assert all(isinstance(change.after.value, float) for change in found.changes)
    assert learner.weights[1] != 1 / 3


def test_a_learner_that_grows_shows_new_features() -> None:
    rounds = list(trace(th.Perceptron(), Batch.of([{0: 1.0}, {3: 2.0}], [-1, -1])))
    assert [str(change) for change in rounds[1].changes] == ["3: 0 -> -2"]


def test_a_trace_leaves_the_learner_as_learning_does() -> None:
    one, other = th.Winnow(5), th.Winnow(5)
    list(trace(one, lecture(3)))
    other.learn(lecture(3))
    assert one == other


def test_large_weights_are_powers_and_not_thousands_of_digits() -> None:
    assert str(Weight(Fraction(2) ** 20, (Fraction(2), Fraction(20)))) == "1048576"
    assert str(Weight(Fraction(2) ** 70, (Fraction(2), Fraction(70)))) == "2^70"
    assert str(Weight(Fraction(3, 2) ** 70, (Fraction(3, 2), Fraction(70)))) == "(3/2)^70"
    assert str(Weight(float("inf"), (Fraction(2), Fraction(5000)))) == "2^5000"
    learner = th.Winnow(2, threshold=1e100)
    found = list(trace(learner, Batch.of([[1, 1]] * 60, [1] * 60)))[-1]
    assert str(found.changes[0]) == "0: 2^59 -> 2^60"
    assert found.score == 2**60


def test_a_round_reads_back_from_json() -> None:
    (found,) = trace(th.Winnow(2), Batch.of([[1, 0.5]], [1]), "ab".__getitem__, all_weights=True)
    told = found.to_dict()
    assert told == {
        "round": 1,
        "features": {"a": 1.0, "b": 0.5},
        "score": "3/2",
        "prediction": -1,
        "label": 1,
        "mistake": True,
        "changes": {"a": ["1", "2"], "b": ["1", told["changes"]["b"][1]]},
        "potential": None,
        "bound": None,
        "weights": ["2", told["changes"]["b"][1]],
    }
    assert float(told["changes"]["b"][1]) == 2**0.5


def test_numbers_and_changes_as_text() -> None:
    assert [number_text(n) for n in (Fraction(-3, 4), 3.0, 1e300, 0.1)] == [
        "-3/4",
        "3",
        "1e+300",
        "0.1",
    ]
    assert str(Change("x", Weight(Fraction(1)), Weight(0.25))) == "x: 1 -> 0.25"
