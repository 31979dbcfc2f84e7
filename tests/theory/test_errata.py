"""Statements found in lecture notes that are not true, each refuted by a stream.

The real learners play the stream; what replaces the statement holds on the same stream. The
page for readers is `docs/errata.md`, which has a section for each.
"""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction
from math import ceil, log, log2, log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher import games, theory
from thresher.concepts import Disjunctions
from thresher.errors import HypothesisError, ParameterError
from thresher.learners.finite.halving import Halving
from thresher.proofs import Audit

HERE = Path(__file__).parent
CASES = json.loads((HERE / "errata.json").read_text("utf-8"))
PAGE = (HERE.parents[1] / "docs" / "errata.md").read_text("utf-8")


def active(text: str) -> dict[int, float]:
    """'1,3-5' as a row of ones; indices in the file start at 1, as in the notes."""
    spans = [part.split("-") for part in text.split(",") if part]
    return {i - 1: 1.0 for span in spans for i in range(int(span[0]), int(span[-1]) + 1)}


def replayed(name: str) -> tuple[th.Winnow, Audit]:
    """Winnow on the rows of a case: all are mistakes, with the stated scores and totals."""
    case = CASES[name]
    X, y = [active(row[0]) for row in case["rows"]], [row[1] for row in case["rows"]]
    learner = th.Winnow(case["d"])
    assert learner.learn(X, y).mistakes == len(X)
    relevant = case.get("relevant")
    audit = learner.audit(comparator=None if relevant is None else set(relevant))
    assert audit.holds
    assert audit.table["score"].tolist() == [Fraction(row[2]) for row in case["rows"]]
    assert audit.table["total_weight"].tolist() == [Fraction(row[3]) for row in case["rows"]]
    return learner, audit


def passes_until_silent(learner: Any, X: Any, y: Any = None, most: int = 2000) -> int | None:
    """How many passes over the stream contain a mistake; None if none is free of them."""
    for passes in range(most):
        if learner.learn(X, y).mistakes == 0:
            return passes
    return None


def cube(n: int) -> Any:
    return np.array(list(itertools.product((0, 1), repeat=n)))


def test_every_case_has_a_section_for_readers_and_a_test() -> None:
    sections = re.findall(r"^### (CE\d+b?)\b", PAGE, re.M)
    assert sections == list(CASES)
    tests = {name for name in globals() if name.startswith("test_ce")}
    assert {name.split("_")[1] for name in tests} == {name.lower() for name in CASES}


def test_ce1_positive_mistakes_may_exceed_r_log2_d() -> None:
    learner, _ = replayed("CE1")
    assert learner.false_negatives == 3 > log2(5)
    assert learner.false_negatives == theory.promotions(2, 5)
    two = th.Winnow(3)
    two.learn([{0: 1}] * 5, [1] * 5)
    assert two.false_negatives == 2 == theory.promotions(2, 3)
    assert two.false_negatives > log2(3)


def test_ce2_the_example_bound_of_twelve_mistakes_is_broken() -> None:
    case = CASES["CE2"]
    d, r = case["d"], case["r"]
    assert 3 * r * log10(d) == pytest.approx(case["claimed"])
    learner = th.Winnow(d)
    learner.learn(games.singletons(d, r).batch)
    assert learner.mistakes == case["singletons"] > case["claimed"]
    worst = th.Winnow(d)
    worst.learn(games.greedy_winnow(d, r).batch)
    assert worst.mistakes == case["forced"]
    assert worst.mistakes <= theory.WinnowDisjunction(d, r).max_mistakes() == 37
    assert worst.mistakes < 3 * r * log2(d)


@pytest.mark.parametrize("base", ["natural", "decimal"])
def test_ce3_the_logarithm_of_3r_times_1_plus_log_d_is_to_base_2(base: str) -> None:
    case = CASES["CE3"]
    d, claimed = (case["d"], 3 * (1 + log(64))) if base == "natural" else (8, 3 * (1 + log10(8)))
    assert base == "decimal" or claimed == pytest.approx(case["claimed"])
    learner = th.Winnow(d)
    learner.learn(games.greedy_winnow(d, 1).batch)
    assert learner.mistakes > claimed
    assert learner.mistakes == theory.WinnowDisjunction(d, 1).max_mistakes()
    assert learner.mistakes == theory.WinnowDisjunctionClean(d, 1).max_mistakes()
    assert learner.mistakes < 3 * (1 + log2(d))


def test_ce3b_the_logarithm_of_2_plus_3k_times_1_plus_log_n_is_to_base_2() -> None:
    case = CASES["CE3b"]
    assert 2 + 3 * (1 + log(case["d"])) == pytest.approx(case["claimed"])
    learner = th.Winnow(case["d"])
    learner.learn(games.greedy_winnow(case["d"], 1).batch)
    assert learner.mistakes == case["forced"] > case["claimed"]
    assert learner.mistakes == theory.WinnowDisjunction(case["d"], 1).max_mistakes()
    assert learner.mistakes < 2 + 3 * (1 + log2(case["d"]))


def test_ce4_the_empty_disjunction_costs_one_mistake() -> None:
    learner, _ = replayed("CE4")
    assert learner.mistakes == 1 > 3 * 0 * (1 + log2(3))
    assert theory.WinnowDisjunction(3, 0).max_mistakes() == 1


def test_ce5_a_demotion_leaves_at_least_half_the_threshold_not_at_most() -> None:
    learner, audit = replayed("CE5")
    row = active(CASES["CE5"]["rows"][-1][0])
    left = learner.score_one(row)
    assert Fraction(left) == Fraction(CASES["CE5"]["score_after"]) > Fraction(4, 2)
    assert audit["U3 demotion"].holds
    assert audit["U4 remainder"].holds


def test_ce6_an_irrelevant_feature_may_be_promoted_more_than_log2_d_times() -> None:
    _, audit = replayed("CE6")
    irrelevant = audit.weight_of(3)
    doubled = sum(after == 2 * before for before, after in itertools.pairwise([1, *irrelevant]))
    assert doubled == 3 > log2(4)
    assert audit["relevant weights"].holds
    assert max(max(audit.weight_of(i)) for i in range(3)) <= 2 ** ceil(log2(4))


def test_ce7_a_row_whose_score_reached_d_may_be_a_false_negative_again() -> None:
    learner, _ = replayed("CE7")
    again = th.Winnow(4)
    first = active(CASES["CE7"]["rows"][0][0])
    again.learn_one(first, 1)
    assert again.score_one(first) == 4.0 >= learner.threshold
    assert [row[0] for row in CASES["CE7"]["rows"]].count("1-2") == 2
    assert learner.mistakes == 3 <= theory.WinnowDisjunction(4, 1).max_mistakes()


def test_ce8_a_demotion_may_take_exactly_half_the_threshold() -> None:
    learner, audit = replayed("CE8")
    assert 2 - audit.table["total_weight"][0] == Fraction(learner.n_features, 2)
    assert audit["U3 demotion"].holds


def test_ce9_no_run_leaves_all_weights_at_512() -> None:
    case = CASES["CE9"]
    d, r = 1024, 4
    assert case["total"] == 1023 * 512 + 256
    assert d * (1 + r * theory.promotions(2, d)) == case["limit"] < case["total"]
    rows = [{0: 1, 2: 1, 3: 1}] * 9 + [{1: 1}] * 8 + [{1023: 1}] * 9
    learner = th.Winnow(d)
    assert learner.learn(rows, [1] * 26).mistakes == 26
    assert learner.weights[[0, 1, 2, 3, 1023]].tolist() == [512, 256, 512, 512, 512]
    rounds = learner.learn([{2: 1, 3: 1}, {1023: 1}], [-1, 1])
    assert (rounds.scores.tolist(), rounds.mistakes) == ([1024, 512], 2)
    audit = learner.audit(comparator={0, 1, 1022, 1023})
    assert audit.holds
    assert max(audit.table["total_weight"]) < case["limit"]


def test_ce10_balanced_winnow_never_learns_a_target_that_is_true_of_nothing() -> None:
    learner = th.BalancedWinnow(CASES["CE10"]["n"])
    assert learner.learn([{}] * 500, [1] * 500).mistakes == 500
    assert learner.dual.tolist() == [0, 0]
    X = cube(2)
    y = np.where(X[:, 0] == 1, -1, 1)
    assert passes_until_silent(th.BalancedWinnow(2), X, y) is None
    bound = theory.SignedWinnowTuned(n_features=3, margin=Fraction(1, 3), radius=1)
    signed = th.SignedWinnow(2, margin=Fraction(1, 3), bias=True)
    assert passes_until_silent(signed, X, y) is not None
    assert signed.mistakes <= bound.max_mistakes()
    assert signed.audit(comparator=[-2, 0, 1], margin=1).holds


def test_ce11_balanced_winnow_goes_round_in_a_circle() -> None:
    stream = games.balanced_loop(200)
    assert stream.consistent
    learner = th.BalancedWinnow(CASES["CE11"]["n"])
    assert learner.learn(stream.batch).mistakes == 604 == len(stream)
    assert learner.dual.tolist() == [0, 2, 2]
    X = cube(3)
    y = np.where(X[:, 2] & (X[:, 1] | (1 - X[:, 0])), 1, -1)
    assert passes_until_silent(th.BalancedWinnow(3), X, y) is None
    u = [-1, 1, 2, Fraction(-3, 2)]
    signed = th.SignedWinnow(3, margin=Fraction(1, 11), bias=True)
    assert passes_until_silent(signed, X, y) is not None
    bound = theory.SignedWinnowTuned(4, Fraction(1, 2), 1, Fraction(11, 2))
    assert signed.mistakes <= bound.max_mistakes()
    assert signed.audit(comparator=u, margin=Fraction(1, 2)).holds


def test_ce12_factor_two_winnow_does_not_learn_every_monotone_threshold() -> None:
    stream = games.winnow_loop(200)
    assert stream.consistent
    learner = th.Winnow(CASES["CE12"]["n"])
    assert learner.learn(stream.batch).mistakes == 1001 == len(stream)
    assert learner.weights.tolist() == [1, 1, 2, 2]
    X = cube(4)
    y = np.where(X[:, 3] & (X[:, 1] | X[:, 2]), 1, -1)
    assert passes_until_silent(th.Winnow(4), X, y) is None
    third = Fraction(1, 3)
    u = [Fraction(0), third, third, 2 * third]
    rho, beta = 2 * third, Fraction(1, 4)
    bound = theory.WinnowComparator(4, u, rho=rho, beta=beta, threshold=4)
    small = th.Winnow(4, beta=beta)
    assert passes_until_silent(small, X, y) is not None
    assert small.mistakes <= bound.max_mistakes()
    assert small.audit(comparator=u, margin=1 - rho).holds
    assert not theory.WinnowComparator(4, u, rho=rho, beta=1, threshold=4).applies()


def test_ce13_a_step_that_is_too_large_has_no_bound() -> None:
    case = CASES["CE13"]
    d, margin = case["d"], case["margin"]
    assert 2 * log(d) / margin**2 == pytest.approx(case["claimed"])
    learner = th.NormalizedWinnow(d, eta=case["eta"])
    stream = games.eg_too_fast(1200)
    assert stream.consistent
    assert learner.learn(stream.batch).mistakes == 1200 > case["claimed"]
    assert learner.audit().sound
    assert theory.eta_max(margin) == pytest.approx(case["eta_max"], abs=5e-5)
    with pytest.raises(ParameterError, match="Above it there is no mistake bound"):
        th.NormalizedWinnow(d, eta=case["eta"], margin=margin)
    tuned = th.NormalizedWinnow(d, margin=margin)
    tuned.learn(games.eg_worst_case(d, "0.1").batch)
    bound = theory.NormalizedWinnowTuned(n_features=d, margin=margin, radius=1)
    assert 600 < tuned.mistakes <= bound.max_mistakes() < case["claimed"]


def test_ce14_a_committee_with_ties_is_no_separator() -> None:
    case = CASES["CE14"]
    stream = games.committee_ties(500)
    assert stream.consistent
    learner = th.Perceptron(case["experts"])
    assert learner.learn(stream.batch).mistakes == 1002 == len(stream)
    audit = learner.audit(comparator=[1, 1, 0])
    failure = audit["margin"].failure
    assert failure is not None
    assert (failure.left, failure.cause) == (0, "data")
    assert audit.sound
    with pytest.raises(HypothesisError):
        theory.PerceptronCommittee(case["experts"], case["members"], ties=1000).max_mistakes()
    untied = [x for x in itertools.product((-1, 1), repeat=3) if x[0] + x[1]]
    y = [1 if x[0] + x[1] > 0 else -1 for x in untied]
    strict = th.Perceptron(3)
    assert passes_until_silent(strict, untied, y) is not None
    bound = theory.PerceptronCommittee(case["experts"], case["members"])
    assert strict.mistakes <= bound.max_mistakes()


def test_ce15_scaling_each_row_by_itself_changes_the_mistakes() -> None:
    case = CASES["CE15"]
    X, y = np.array(case["X"]), case["y"]
    length = np.linalg.norm(X, axis=1)
    for name, rows in (
        ("raw", X),
        ("each_scaled", X / length[:, None]),
        ("all_scaled", X / length.max()),
    ):
        learner = th.Perceptron(2)
        assert passes_until_silent(learner, rows, y) is not None
        assert learner.mistakes == case[name]
        u = [1.0, 0.3]
        audit = learner.audit(comparator=u)
        assert audit.holds
        bound = theory.Novikoff(
            max((Fraction(v) ** 2).limit_denominator(10**12) for v in np.linalg.norm(rows, axis=1))
            + Fraction(1, 10**9),
            Fraction(109, 100),
            Fraction(float(min(np.array(y) * (rows @ u)))) - Fraction(1, 10**9),
        )
        assert learner.mistakes <= bound.max_mistakes()


def test_ce16_halving_may_exceed_k_log2_n_on_disjunctions_with_negations() -> None:
    case = CASES["CE16"]
    concepts = Disjunctions(case["n"], k=case["k"], negations=True)
    learner = Halving(concepts)
    learner.learn([active(row[0]) for row in case["rows"]], [row[1] for row in case["rows"]])
    assert learner.realisable
    assert learner.mistakes == case["worst"] > case["k"] * log2(case["n"])
    assert learner.mistakes == theory.HalvingClass(concepts.size).max_mistakes()
    assert learner.audit(comparator=True).holds


@pytest.mark.parametrize("n", CASES["CE17"]["nested"])
def test_ce17_the_perceptron_makes_exponentially_many_mistakes_on_nested_functions(n: str) -> None:
    stream = games.nested(int(n))
    assert stream.consistent
    learner = th.Perceptron(int(n) + 1)
    assert passes_until_silent(learner, stream.batch) is not None
    assert learner.mistakes == CASES["CE17"]["nested"][n] > 100 * int(n)
    assert learner.audit().sound


@pytest.mark.parametrize(("d", "r", "forced"), CASES["CE17"]["disjunction"])
def test_ce17_the_perceptron_makes_about_2rd_mistakes_on_dense_disjunctions(
    d: int, r: int, forced: int
) -> None:
    stream = games.dense_disjunction(d, r)
    learner = th.Perceptron(d + 1)
    assert learner.learn(stream.batch).mistakes == forced > 2 * d
    most_active = int(np.max(np.diff(stream.batch.row_start))) - 1
    bound = theory.PerceptronDisjunction(relevant=r, active=most_active)
    assert forced <= bound.max_mistakes()
    u = dict.fromkeys(range(r), 1) | {d: Fraction(-1, 2)}
    assert learner.audit(comparator=u, margin=Fraction(1, 2)).holds
