"""Runs worked out by hand or in exact arithmetic, row by row."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import thresher as th

GOLDEN = json.loads((Path(__file__).parent / "golden_traces.json").read_text())
TRACES = {trace["id"]: trace for trace in GOLDEN["traces"]}
STREAMS = {stream["id"]: stream for stream in GOLDEN["streams"]}


def active(on: str) -> dict[int, float]:
    """'1,3-5' as features counted from 0."""
    found: list[int] = []
    for part in filter(None, on.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first) - 1, int(last or first))
    return dict.fromkeys(found, 1.0)


def as_double(number: str) -> float:
    return float(Fraction(number))


@pytest.mark.parametrize("name", [name for name in TRACES if name.startswith(("T1", "T2"))])
def test_winnow_runs_as_worked_out(name: str) -> None:
    trace = TRACES[name]
    learner = th.Winnow(trace["d"], Fraction(trace["beta"]), Fraction(trace["theta"]))
    base = 1 + Fraction(trace["beta"])
    for row in trace["rows"]:
        rounds = learner.learn([active(row["on"])], [row["y"]])
        assert rounds.scores[0] == pytest.approx(as_double(row["score"]), rel=1e-15)
        assert rounds.predictions.tolist() == [row["yhat"]]
        assert rounds.mistaken.tolist() == [row["mistake"]]
        weights = [base ** int(c) for c in learner.dual]
        assert {i: str(weights[int(i) - 1]) for i in row["w"]} == row["w"]
        assert learner.weights == pytest.approx([float(w) for w in weights], rel=1e-15)
        assert sum(weights) == Fraction(row["TW"])
        assert (learner.false_negatives, learner.false_positives) == (row["m_pos"], row["m_neg"])
    assert learner.mistakes == trace["total_mistakes"] <= trace["bound"]


def check_normalised(learner: th.NormalizedWinnow, trace: dict[str, Any]) -> None:
    for row in trace["rows"]:
        rounds = learner.learn([row["x"]], [row["y"]])
        assert rounds.scores[0] == pytest.approx(row["score"], abs=1e-15)
        assert rounds.predictions.tolist() == [row["yhat"]]
        assert rounds.mistaken.tolist() == [row["mistake"]]
        assert learner.dual.tolist() == row["theta"]
        assert learner.weights == pytest.approx(row["w"], rel=1e-14)
    assert learner.mistakes == trace["total_mistakes"]


@pytest.mark.parametrize("name", [name for name in TRACES if name.startswith("T3_")])
def test_normalised_winnow_runs_as_worked_out(name: str) -> None:
    trace = TRACES[name]
    check_normalised(th.NormalizedWinnow(trace["d"], eta=trace["eta"]), trace)


def test_a_tie_that_floats_do_not_see_is_a_tie() -> None:
    trace = TRACES["T3b_tie_hazard_N4"]
    learner = th.NormalizedWinnow(4, margin=Fraction(1, 2))
    assert learner.eta == pytest.approx(trace["eta"], rel=1e-15)
    check_normalised(learner, trace)
    assert [row["mistake"] for row in trace["rows"]][2]


def test_the_perceptron_with_a_bias_runs_as_worked_out() -> None:
    trace = TRACES["T4_perceptron_d5_table_bias"]
    learner = th.Perceptron(5, bias=True)
    for row in trace["rows"]:
        features = {i: x for i, x in active(row["on"]).items() if i != 5}
        rounds = learner.learn([features], [row["y"]])
        assert rounds.scores.tolist() == [row["score"]]
        assert rounds.mistaken.tolist() == [row["mistake"]]
        assert [*learner.weights.tolist(), learner.bias_weight] == row["w"]
        assert math.fsum(w * w for w in learner.dual) == row["norm2"]
    assert learner.mistakes == trace["total_mistakes"]


@pytest.mark.parametrize(
    ("name", "make", "key"),
    [
        ("T5_elimination_d5_table", th.Elimination, "h"),
        ("T5_conjunction_d5_x1_and_x4", th.Conjunction, "f"),
    ],
)
def test_sets_of_variables_shrink_as_worked_out(name: str, make: Any, key: str) -> None:
    learner = make(5)
    for row in TRACES[name]["rows"]:
        rounds = learner.learn([active(row["on"])], [row["y"]])
        assert rounds.predictions.tolist() == [row["yhat"]]
        assert rounds.mistaken.tolist() == [row["mistake"]]
        assert list(learner.hypothesis) == [f"x{i - 1}" for i in row[key]]
    assert learner.mistakes == TRACES[name]["total_mistakes"]


def test_weighted_majority_runs_as_worked_out() -> None:
    trace = TRACES["T6_weighted_majority_beta_half"]
    learner = th.WeightedMajority(3)
    for row in trace["rows"]:
        rounds = learner.learn([row["experts"]], [row["y"]])
        up, total = Fraction(row["up"]), Fraction(row["total"])
        assert rounds.scores.tolist() == [float((2 * up - total) / total)]
        assert rounds.predictions.tolist() == [row["yhat"]]
        assert rounds.mistaken.tolist() == [row["mistake"]]
        assert learner.weights.tolist() == [as_double(w) for w in row["w"]]
    assert learner.mistakes == trace["total_mistakes"]


@pytest.mark.parametrize(
    ("name", "learner", "entry"),
    [
        ("T8_winnow_infinite_loop", th.Winnow(4), [0.0, 0.0, 1.0, 1.0]),
        ("T8_balanced_infinite_loop", th.BalancedWinnow(3), [0.0, 2.0, 2.0]),
    ],
)
def test_loops_return_to_where_they_began(name: str, learner: Any, entry: list[float]) -> None:
    learner = learner.with_dual(entry)
    for _ in range(50):
        for row in TRACES[name]["loop"]:
            rounds = learner.learn([active(row["on"])], [row["y"]])
            assert rounds.scores.tolist() == [as_double(row["score"])]
            assert rounds.mistakes == 1
        assert learner.dual.tolist() == entry


@pytest.mark.parametrize("name", [name for name in STREAMS if name.startswith("winnow")])
def test_winnow_errs_in_every_round_of_a_stream_against_it(name: str) -> None:
    stream = STREAMS[name]
    learner = th.Winnow(stream["d"], Fraction(stream["beta"]), Fraction(stream["theta"]))
    rows = [active(example["on"]) for example in stream["examples"]]
    rounds = learner.learn(rows, [example["y"] for example in stream["examples"]])
    assert rounds.mistakes == len(rows) == stream["forced"] <= stream["refined_bound"]
    if "m_pos" in stream:
        assert (learner.false_negatives, learner.false_positives) == (
            stream["m_pos"],
            stream["m_neg"],
        )


def test_the_perceptron_errs_in_every_round_of_its_worst_case() -> None:
    stream = STREAMS["perceptron_r3_B10.5"]
    learner = th.Perceptron(3)
    for t, z in enumerate(stream["z"]):
        side = -1 if t % 2 == 0 else 1
        learner.learn([[side * c for c in z]], [side])
    assert learner.mistakes == stream["forced"] == 10


def test_a_weight_below_every_double_recovers() -> None:
    stream = STREAMS["float64_victim"]
    cycles = stream["cycles_until_w2_is_zero_in_float64"]
    learner = th.Winnow(2)
    rows = [active(example["on"]) for example in stream["cycle"]] * cycles
    labels = [example["y"] for example in stream["cycle"]] * cycles
    assert learner.learn(rows, labels).mistakes == 2 * cycles
    assert learner.dual.tolist() == [0.0, -cycles]
    assert learner.weights[1] == 0.0
    promotions = stream["then"]["exact_promotions_to_recover"]
    rounds = learner.learn([{1: 1.0}] * (promotions + 10), [1] * (promotions + 10))
    assert rounds.mistakes == promotions
    assert learner.weights.tolist() == [1.0, 2.0]
