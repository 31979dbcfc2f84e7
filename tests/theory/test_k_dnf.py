"""Winnow over conjunctions: the bound of a k-DNF formula is kept, nearly reached, and exact."""

from __future__ import annotations

import time
from itertools import combinations, product
from math import comb
from random import Random
from typing import Any

import pytest

import thresher as th
from tests.theory.k_dnf_streams import all_terms, hard_stream, most_mistakes, true_of
from tests.theory.twins import winnow
from thresher.errors import HypothesisError, ParameterError, TooManyConjunctionsError
from thresher.theory import WinnowDisjunction, WinnowKDNF
from thresher.theory.winnow import conjunctions

SHAPES = [(2, 1), (3, 2), (4, 2), (4, 3), (3, 3)]


@pytest.mark.parametrize("negations", [False, True])
@pytest.mark.parametrize(("n", "k"), SHAPES)
def test_conjunctions_are_counted_exactly(n: int, k: int, negations: bool) -> None:
    terms = all_terms(n, k, negations=negations)
    assert conjunctions(n, k, negations=negations) == len(set(terms)) == len(terms)
    assert WinnowKDNF(n, k, 1, negations).n_features == len(terms)
    assert len(terms) <= ((2 if negations else 1) * n + 1) ** k


@pytest.mark.parametrize("negations", [False, True])
def test_counts_agree_with_the_formula_of_the_docstring(negations: bool) -> None:
    signs = 2 if negations else 1
    for n in range(1, 30):
        for k in range(1, n + 1):
            formula = sum(comb(n, size) * signs**size for size in range(1, k + 1))
            assert conjunctions(n, k, negations=negations) == formula
        assert conjunctions(n, n, negations=negations) == (signs + 1) ** n - 1


@pytest.mark.parametrize(
    ("n", "k", "negations"),
    [
        *((1, 1, False), (2, 1, False), (2, 2, False), (3, 1, False), (1, 1, True), (2, 1, True)),
        *((2, 2, True), (3, 2, False), (3, 3, False)),
    ],
)
def test_no_stream_at_all_breaks_the_bound(n: int, k: int, negations: bool) -> None:
    """Every formula, and of each the stream with the most mistakes among all there are."""
    terms = all_terms(n, k, negations=negations)
    rows = sorted({true_of(point, terms) for point in product((0, 1), repeat=n)}, key=sorted)
    for r in range(min(3, len(terms)) + 1):
        theorem = WinnowKDNF(n, k, r, negations)
        for chosen in combinations(range(len(terms)), r):
            most = most_mistakes(rows, frozenset(chosen), len(terms))
            assert most <= theorem.max_mistakes()


@pytest.mark.parametrize("negations", [False, True])
@pytest.mark.parametrize(("n", "k"), SHAPES)
def test_random_streams_keep_the_bound(n: int, k: int, negations: bool) -> None:
    terms = all_terms(n, k, negations=negations)
    rows = [true_of(point, terms) for point in product((0, 1), repeat=n)]
    random = Random(n * 10 + k)
    for trial in range(60):
        r = trial % 4
        formula = frozenset(random.sample(range(len(terms)), min(r, len(terms))))
        stream = [(row, 1 if row & formula else -1) for row in random.choices(rows, k=80)]
        run = winnow(stream, len(terms), 2, len(terms))
        theorem = WinnowKDNF(n, k, len(formula), negations)
        assert run.mistakes <= theorem.max_mistakes()
        assert run.false_negatives <= theorem.max_false_negatives()
        assert run.false_positives <= theorem.max_false_positives()


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 2)])
def test_streams_that_hurt_keep_the_bound(n: int, k: int) -> None:
    d = conjunctions(n, k)
    for formula in (frozenset({d - 1}), frozenset({0}), frozenset({0, d - 1})):
        stream = hard_stream(n, k, formula)
        run = winnow(stream, d, 2, d)
        # Every row is a mistake: the slow twin agrees with whoever made the stream.
        assert run.mistakes == len(stream) > 0
        assert run.mistakes <= WinnowKDNF(n, k, len(formula)).max_mistakes()


def test_it_is_nearly_reached_by_five_variables_in_pairs() -> None:
    made = max(len(hard_stream(5, 2, frozenset({term}))) for term in range(15))
    assert made == 8
    assert WinnowKDNF(5, 2, 1).max_mistakes() == 10


def test_single_variables_are_the_disjunction_exactly() -> None:
    for n in range(1, 200):
        for r in {0, 1, 2, n // 2, n}:
            one, other = WinnowKDNF(n, 1, min(r, n)), WinnowDisjunction(n, min(r, n))
            assert one.right_hand_side() == other.right_hand_side()
            assert one.max_false_positives() == other.max_false_positives()


def test_the_bound_does_not_depend_on_which_variables_a_formula_names() -> None:
    # Variables in another order are the same stream to Winnow.
    terms = all_terms(4, 2, negations=False)
    formula = {frozenset({(0, True), (1, True)}), frozenset({(2, True)})}
    random = Random(3)
    points = [tuple(random.randrange(2) for _ in range(4)) for _ in range(60)]
    counts = set()
    for order in ((0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)):
        renamed = {frozenset((order[v], on) for v, on in term) for term in formula}
        wanted = frozenset(number for number, term in enumerate(terms) if term in renamed)
        stream = []
        for point in points:
            moved = [0] * 4
            for variable, value in enumerate(point):
                moved[order[variable]] = value
            row = true_of(tuple(moved), terms)
            stream.append((row, 1 if row & wanted else -1))
        counts.add(winnow(stream, len(terms), 2, len(terms)).mistakes)
    assert len(counts) == 1


@pytest.mark.parametrize(
    ("theorem", "needs"),
    [
        (WinnowKDNF(0, 1, 0), "n_variables >= 1"),
        (WinnowKDNF(3, 4, 1), "1 <= k <= n_variables"),
        (WinnowKDNF(3, 0, 1), "1 <= k <= n_variables"),
        (WinnowKDNF(3, 2, 7), "terms <= n_features"),
    ],
)
def test_what_the_theorem_needs_is_asked_for(theorem: WinnowKDNF, needs: str) -> None:
    with pytest.raises(HypothesisError, match=needs):
        theorem.max_mistakes()


@pytest.mark.parametrize("wrong", ["2", True, 2.5, None, "two"])
def test_what_is_no_whole_number_is_none(wrong: Any) -> None:
    for given in ((wrong, 2, 2), (5, wrong, 2), (5, 2, wrong)):
        with pytest.raises(ParameterError, match="must be a whole number, at least 0"):
            WinnowKDNF(*given)


@pytest.mark.parametrize("wrong", [1, 2, "yes", None])
def test_negations_are_wanted_or_not(wrong: Any) -> None:
    with pytest.raises(ParameterError, match="negations must be True or False"):
        WinnowKDNF(5, 2, 2, wrong)


def test_too_many_to_count_are_refused_at_once() -> None:
    start = time.process_time()
    for n, k in ((10**6, 10**5), (10**9, 5 * 10**8), (10**18, 10**9), (10**400, 2)):
        for negations in (False, True):
            theorem = WinnowKDNF(n, k, 3, negations)
            with pytest.raises(TooManyConjunctionsError, match=r"more than 10\^.* at most 2\^1024"):
                theorem.max_mistakes()
    assert time.process_time() - start < 5
    # Far more than any learner has columns for, and a bound all the same.
    assert (
        WinnowKDNF(1000, 1000, 1).max_mistakes() == WinnowDisjunction(2**1000 - 1, 1).max_mistakes()
    )


@pytest.mark.parametrize("negations", [False, True])
def test_the_learner_over_the_step_keeps_the_bound(negations: bool) -> None:
    step = th.Conjunctions(6, 2, negations=negations)
    random = Random(1)
    points = [[random.randrange(2) for _ in range(6)] for _ in range(400)]
    labels = [1 if (p[0] and p[1]) or (p[2] and p[3]) else -1 for p in points]
    learner = th.Winnow(step.n_features)
    learner.learn(step.rows(points), labels)
    theorem = WinnowKDNF(6, 2, 2, negations)
    assert 0 < learner.mistakes <= theorem.max_mistakes()
    alone = th.Winnow(6)
    alone.learn(points, labels)
    assert alone.mistakes > 2 * learner.mistakes
    certificate = th.certify(learner, step.rows(points), labels)
    assert certificate.mistakes == learner.mistakes
    assert th.verify(certificate, step.rows(points), labels).holds
    other = th.Conjunctions(6, 2, negations=not negations)
    assert not th.verify(certificate, other.rows(points), labels).holds
