"""Small streams for every learner, with ties, empty rows and one class only among them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import strategies as st

import thresher as th
from thresher.concepts import (
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
    ListedConcepts,
)

WIDTH = 4
Rows = tuple[list[list[float]], list[int]]

BINARY = st.sampled_from([0.0, 1.0])
SIGNS = st.sampled_from([-1.0, 1.0])
VOTES = st.sampled_from([-1.0, 0.0, 1.0])
UNIT = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.1])
REAL = st.sampled_from([-1.0, 0.0, 0.3, 0.5, 1.0, -0.7])
LARGE = st.sampled_from([-3.0, 0.0, 1.0, 0.1, 1e-9, 2.5e7])


def streams(values: st.SearchStrategy[float], most: int = 12) -> st.SearchStrategy[Rows]:
    """Rows with these values, and labels that follow a rule or none."""
    row = st.lists(values, min_size=WIDTH, max_size=WIDTH)

    @st.composite
    def draw(draw: Callable[..., Any]) -> Rows:
        X = draw(st.lists(row, max_size=most))
        u = draw(st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=WIDTH, max_size=WIDTH))
        if draw(st.booleans()):
            y = [1 if sum(a * b for a, b in zip(u, x, strict=True)) >= 1 else -1 for x in X]
        else:
            y = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
        return X, y

    return draw()


CONCEPTS = (
    Disjunctions(WIDTH),
    Disjunctions(WIDTH, k=0),
    Disjunctions(WIDTH, k=2, negations=True),
    Disjunctions(WIDTH, negations=True),
    Conjunctions(WIDTH),
    Conjunctions(WIDTH, k=3),
    Conjunctions(WIDTH, negations=True),
    CountingThresholds(WIDTH, 3),
    CountingThresholds(WIDTH, 3, at_least=2),
    DecisionLists(WIDTH, k=2),
    ListedConcepts([lambda x: x[0], lambda x: x[0], lambda x: x[1] != x[3]], WIDTH),
)

#: Under a name: how to make the learner, and what values it takes.
LEARNERS: dict[str, tuple[Callable[[], Any], st.SearchStrategy[float]]] = {
    "perceptron": (lambda: th.Perceptron(WIDTH), LARGE),
    "perceptron, growing, bias": (lambda: th.Perceptron(bias=True), REAL),
    "winnow": (lambda: th.Winnow(WIDTH), BINARY),
    "winnow 3/2": (lambda: th.Winnow(WIDTH, Fraction(1, 2), Fraction(5, 2)), BINARY),
    "winnow, real": (lambda: th.Winnow(WIDTH, 0.25), UNIT),
    "winnow, zeroing": (lambda: th.Winnow(WIDTH, zeroing=True, threshold=2), BINARY),
    "balanced": (lambda: th.BalancedWinnow(WIDTH), VOTES),
    "normalized, margin": (lambda: th.NormalizedWinnow(WIDTH, margin=0.25), VOTES),
    "normalized, eta, bias": (lambda: th.NormalizedWinnow(WIDTH, eta=0.1, bias=True), REAL),
    "normalized, restarts": (lambda: th.NormalizedWinnow(2 * WIDTH), SIGNS),
    "signed, margin, bias": (
        lambda: th.SignedWinnow(WIDTH, margin=Fraction(1, 3), radius=2, bias=True),
        REAL,
    ),
    "signed, eta": (lambda: th.SignedWinnow(WIDTH, eta=Fraction(1, 4)), VOTES),
    "signed, restarts": (lambda: th.SignedWinnow(WIDTH, bias=True), VOTES),
    "signed, full margin": (lambda: th.SignedWinnow(WIDTH, margin=1), VOTES),
    "elimination": (lambda: th.Elimination(WIDTH), BINARY),
    "elimination, literals": (lambda: th.Elimination(WIDTH, literals=True), BINARY),
    "conjunction": (lambda: th.Conjunction(WIDTH), BINARY),
    "conjunction, literals": (lambda: th.Conjunction(WIDTH, literals=True), BINARY),
    "majority": (lambda: th.WeightedMajority(WIDTH), SIGNS),
    "majority, abstentions": (lambda: th.WeightedMajority(WIDTH, Fraction(1, 3)), VOTES),
    "majority, strict": (lambda: th.WeightedMajority(WIDTH, 0), SIGNS),
    "by lot": (lambda: th.RandomizedWeightedMajority(WIDTH, seed=7), SIGNS),
    "by lot, abstentions": (
        lambda: th.RandomizedWeightedMajority(WIDTH, Fraction(2, 3), 2**64 - 1),
        VOTES,
    ),
    "by lot, strict": (lambda: th.RandomizedWeightedMajority(WIDTH, 0), VOTES),
    **{
        f"{make.__name__}, {concepts}": (partial(make, concepts), BINARY)
        for make in (th.Halving, th.StandardOptimal)
        for concepts in CONCEPTS
    },
}
