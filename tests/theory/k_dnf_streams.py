"""Streams over conjunctions that hurt Winnow, and the conjunctions themselves, by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

from tests.theory.twins import Active

#: A conjunction: variables, each with whether it is on.
Term = frozenset[tuple[int, bool]]


def all_terms(n: int, k: int, *, negations: bool) -> list[Term]:
    """Every conjunction of 1 to k of n variables, one by one."""
    return [
        frozenset(zip(chosen, signs, strict=True))
        for size in range(1, k + 1)
        for chosen in combinations(range(n), size)
        for signs in product((True, False) if negations else (True,), repeat=size)
    ]


def true_of(point: tuple[int, ...], terms: list[Term]) -> frozenset[int]:
    """The numbers of the conjunctions that hold at a point."""
    return frozenset(
        number
        for number, term in enumerate(terms)
        if all(bool(point[variable]) == on for variable, on in term)
    )


def hard_stream(n: int, k: int, formula: frozenset[int], *, seed: int = 0) -> list[Active]:
    """Points that Winnow errs on, one after another, until it knows the formula."""
    terms = all_terms(n, k, negations=False)
    rows = [true_of(point, terms) for point in product((0, 1), repeat=n)]
    d, random = len(terms), Random(seed)
    longest: list[Active] = []
    for _ in range(300):
        weights, stream = [1.0] * d, list[Active]()
        while True:
            wrong = [
                row for row in rows if (sum(weights[i] for i in row) >= d) != bool(row & formula)
            ]
            if not wrong:
                break
            row = random.choice(wrong)
            label = 1 if row & formula else -1
            stream.append((row, label))
            for i in row:
                weights[i] *= 2.0**label
        longest = max(longest, stream, key=len)
    return longest


def most_mistakes(rows: list[frozenset[int]], formula: frozenset[int], d: int) -> int:
    """How often Winnow (factor 2, threshold d) errs on the stream that hurts it most, exactly.

    Only a mistake changes its weights, and the labels are those of a formula, so that from any
    weights there is a longest way to go on: found once, whichever stream has led to them.
    """
    known: dict[tuple[int, ...], int] = {}

    def most_from(weights: tuple[int, ...]) -> int:
        if weights not in known:
            found = 0
            for row in rows:
                positive = bool(row & formula)
                # Weights are powers of two.
                if (sum(Fraction(2) ** weights[i] for i in row) >= d) != positive:
                    step = 1 if positive else -1
                    after = tuple(w + step * (i in row) for i, w in enumerate(weights))
                    found = max(found, 1 + most_from(after))
            known[weights] = found
        return known[weights]

    return most_from((0,) * d)
