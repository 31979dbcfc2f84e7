"""Finite classes as their definitions read: sets of truth tables, and nothing clever.

A function of n variables is the tuple of its answers (True for +1) on all rows, in the
order of `rows_of(n)`. A set of such tuples cannot hold a function twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations, product

Row = tuple[int, ...]
Function = tuple[bool, ...]


@cache
def rows_of(n: int) -> tuple[Row, ...]:
    return tuple(tuple(p >> i & 1 for i in range(n)) for p in range(2**n))


def tabulated(n: int, function: Callable[[Row], object]) -> Function:
    return tuple(bool(function(row)) for row in rows_of(n))


def _literal_sets(n: int, k: int | None, negations: bool) -> Iterator[list[tuple[int, int]]]:
    """Sets of (variable, value that makes the literal true)."""
    for size in range(n + 1) if k is None else [k]:
        for variables in combinations(range(n), size):
            for wanted in product((1, 0) if negations else (1,), repeat=size):
                yield list(zip(variables, wanted, strict=True))


def disjunctions(n: int, k: int | None, negations: bool) -> set[Function]:
    return {
        tabulated(n, lambda x, s=literals: any(x[i] == v for i, v in s))  # type: ignore[misc]
        for literals in _literal_sets(n, k, negations)
    }


def conjunctions(n: int, k: int | None, negations: bool) -> set[Function]:
    return {
        tabulated(n, lambda x, s=literals: all(x[i] == v for i, v in s))  # type: ignore[misc]
        for literals in _literal_sets(n, k, negations)
    }


def counting_thresholds(n: int, r: int, at_least: int | None) -> set[Function]:
    return {
        tabulated(n, lambda x, s=counted, j=least: sum(x[i] for i in s) >= j)  # type: ignore[misc]
        for counted in combinations(range(n), r)
        for least in (range(1, r + 1) if at_least is None else [at_least])
    }


def decision_lists(n: int, k: int | None) -> set[Function]:
    """Every list of tests on different variables; one on fewer than j is among those on j."""
    longest = n if k is None else k

    def decided(tests: Sequence[tuple[int, int, int]], default: int) -> Function:
        def answer(x: Row) -> int:
            for variable, wanted, label in tests:
                if x[variable] == wanted:
                    return label
            return default

        return tabulated(n, answer)

    return {
        decided(list(zip(order, wanted, labels, strict=True)), default)
        for order in permutations(range(n), longest)
        for wanted in product((0, 1), repeat=longest)
        for labels in product((0, 1), repeat=longest)
        for default in (0, 1)
    }


def halving(
    functions: Sequence[Function], rounds: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """The score of every round and the number of functions left; rounds are (point, label)."""
    version_space = list(functions)
    scores, sizes = [], []
    for p, label in rounds:
        scores.append(sum(1 if f[p] else -1 for f in version_space))
        version_space = [f for f in version_space if f[p] == (label == 1)]
        sizes.append(len(version_space))
    return scores, sizes


@lru_cache(2**18)
def game_value(functions: frozenset[Function]) -> int:
    """Mistakes forced by the best adversary on the best learner, played out move by move.

    The adversary picks a point, the learner predicts, the adversary picks a label that some
    function left agrees with. A point on which all agree changes nothing and is not played.
    """
    value = 0
    for p in range(len(next(iter(functions)))):
        sides = {s: frozenset(f for f in functions if f[p] == s) for s in (True, False)}
        if all(sides.values()):
            outcome = min(
                max((prediction != label) + game_value(sides[label]) for label in sides)
                for prediction in (True, False)
            )
            value = max(value, outcome)
    return value


def standard_optimal(
    functions: frozenset[Function], rounds: Sequence[tuple[int, int]]
) -> list[int]:
    """The difference of the two sides' values in every round; rounds are (point, label)."""
    scores = []
    for p, label in rounds:
        sides = [frozenset(f for f in functions if f[p] == side) for side in (False, True)]
        values = [game_value(side) if side else -1 for side in sides]
        scores.append(values[1] - values[0])
        functions = sides[label == 1]
    return scores
