"""Potentials along the worked examples, value by value."""

from __future__ import annotations

import json
from fractions import Fraction
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.concepts import Disjunctions
from thresher.learners.finite.halving import Halving

GOLDEN = json.loads((Path(__file__).parent / "potentials_golden.json").read_text())


def active(text: str) -> dict[int, float]:
    """'1,3-5' as a row of ones; indices in the file start at 1."""
    spans = [part.split("-") for part in text.split(",") if part]
    return {i - 1: 1.0 for span in spans for i in range(int(span[0]), int(span[-1]) + 1)}


def stream(rows: list[Any]) -> tuple[list[dict[int, float]], list[int]]:
    return [active(row[0]) for row in rows], [row[1] for row in rows]


@pytest.mark.parametrize("trace", GOLDEN["winnow"], ids=lambda t: t["id"])
def test_the_total_weight_is_the_golden_column(trace: dict[str, Any]) -> None:
    learner = th.Winnow(trace["d"], beta=Fraction(trace["beta"]))
    target = {i - 1 for i in trace["relevant"]}
    audit = learner.audit(*stream(trace["rows"]), comparator=target)
    mistaken = [t for t, row in enumerate(trace["rows"]) if row[2]]
    assert audit.table["round"].tolist() == mistaken
    totals = [Fraction(trace["rows"][t][3]) for t in mistaken]
    assert audit.table["total_weight"].tolist() == totals
    assert audit.table["paid_for"].tolist() == totals
    assert audit.holds


def test_the_envelope_of_the_false_positives_is_that_of_the_theorem() -> None:
    trace = GOLDEN["winnow"][0]
    table = th.Winnow(5).audit(*stream(trace["rows"])).table
    fifths = [9, 23, 23, 33, 33, 43, 43]
    assert table["most_false_positives"].tolist() == [Fraction(n, 5) for n in fifths]
    for k, most in enumerate(table["most_false_positives"]):
        seen, false_negatives = table["seen_weight"][k], int(table["false_negatives"][k])
        theorem = th.theory.WinnowFalsePositives(int(seen), false_negatives, 1, 5)
        assert theorem.max_false_positives() == -(-most // 1) - 1
    zeroing = th.Winnow(5, zeroing=True).audit(*stream(trace["rows"])).table
    promoted, seen = zeroing["false_negatives"], zeroing["seen_weight"]
    assert zeroing["most_false_positives"].tolist() == list(seen / 5 + promoted)


@pytest.mark.parametrize("trace", GOLDEN["normalized_winnow"], ids=lambda t: t["id"])
def test_the_relative_entropy_is_the_golden_column(trace: dict[str, Any]) -> None:
    rows = trace["rows"]
    learner = th.NormalizedWinnow(5, eta=trace["eta"])
    audit = learner.audit(
        [row[0] for row in rows],
        [row[1] for row in rows],
        comparator=trace["comparator"],
        margin=trace["margin"],
    )
    mistaken = [row for row in rows if row[2]]
    for k, (_, _, _, z, most, before, after) in enumerate(mistaken):
        assert audit.table["log_normaliser"][k] == pytest.approx(log(z), abs=1e-15)
        assert audit.table["divergence_before"][k] == pytest.approx(before, abs=1e-14)
        assert audit.table["divergence"][k] == pytest.approx(after, abs=1e-14)
        assert audit.table["potential_envelope"][k] == pytest.approx((k + 1) * most, abs=1e-14)
        assert audit.table["guaranteed_decrease"][k] == pytest.approx(trace["C"], abs=1e-15)
    assert len(audit) == len(mistaken)
    assert audit.holds


def test_the_squared_norm_is_the_golden_column() -> None:
    rows = GOLDEN["perceptron"]["rows"]
    learner = th.Perceptron(6)
    u = [1, 0, 0, 1, 0, Fraction(-1, 2)]
    audit = learner.audit(*stream(rows), comparator=u, margin=Fraction(1, 2))
    mistaken = [t for t, row in enumerate(rows) if row[2]]
    assert audit.table["round"].tolist() == mistaken
    assert audit.table["norm_squared"].tolist() == [rows[t][3] for t in mistaken]
    halves = [Fraction(k, 2) for k in range(1, 12)]
    assert audit.table["margin_envelope"].tolist() == halves
    assert audit.holds
    assert all(check.arithmetic == "exact" for check in audit.about_comparator)


def test_the_constant_feature_of_a_biased_learner_is_audited_too() -> None:
    rows = GOLDEN["perceptron"]["rows"]
    without = [{i: v for i, v in x.items() if i < 5} for x in stream(rows)[0]]
    plain = th.Perceptron(6).audit(*stream(rows))
    biased = th.Perceptron(5, bias=True).audit(without, stream(rows)[1])
    for column in plain.table:
        assert plain.table[column].tolist() == biased.table[column].tolist()
    assert plain.weight_of(5).tolist() == biased.weight_of(5).tolist()


@pytest.mark.parametrize(("name", "target"), [("elimination", {0, 3}), ("conjunction", {0, 3})])
def test_the_sets_have_the_golden_sizes(name: str, target: set[int]) -> None:
    rows = GOLDEN[name]["rows"]
    learner: Any = {"elimination": th.Elimination, "conjunction": th.Conjunction}[name](5)
    audit = learner.audit(*stream(rows), comparator=target)
    sizes = [len(row[3]) for row in rows if row[2]]
    assert audit.table["size"].tolist() == sizes
    assert audit.table["target_kept"].tolist() == [2] * len(sizes)
    assert audit.holds


def test_the_version_space_is_the_golden_column() -> None:
    rows = GOLDEN["halving"]["rows"]
    audit = Halving(Disjunctions(5)).audit(*stream(rows), comparator=True)
    changed = [row for row in rows if row[3] != row[4]]
    assert audit.table["version_space"].tolist() == [row[4] for row in changed]
    assert audit.table["version_space_before"].tolist() == [row[3] for row in changed]
    assert audit.table["mistakes"][-1] == sum(row[2] for row in rows)
    assert audit.holds


def test_the_experts_weigh_the_golden_column() -> None:
    rows = GOLDEN["weighted_majority"]["rows"]
    audit = th.WeightedMajority(3).audit(
        [row[0] for row in rows], [row[1] for row in rows], comparator=0
    )
    totals = [sum(map(Fraction, row[3])) for row in rows]
    rounds = audit.table["round"]
    assert audit.table["total_weight"].tolist() == [totals[t] for t in rounds]
    assert audit.table["mistakes"][-1] == sum(row[2] for row in rows)
    for expert in range(3):
        assert audit.weight_of(expert).tolist() == [Fraction(rows[t][3][expert]) for t in rounds]
    assert audit.holds
    assert np.all(audit.floats("total_weight") > 0)
