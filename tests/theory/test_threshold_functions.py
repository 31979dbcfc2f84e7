"""Which threshold functions of four variables factor-2 Winnow learns: all of them, counted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import thresher as th

Bools = NDArray[np.bool_]
POINTS = np.array(list(itertools.product((0, 1), repeat=4)))
ACTIVE = [np.flatnonzero(point).tolist() for point in POINTS]
PASSES = 400


def threshold_functions(least_weight: int) -> Bools:
    """All functions "w.x >= theta" with weights from ``least_weight`` to 3, each once.

    Weights up to 3 are enough for four variables: the count is the known 1,882.
    """
    weights = np.array(list(itertools.product(range(least_weight, 4), repeat=4)))
    sums = weights @ POINTS.T
    tables = [sums >= theta for theta in range(sums.min(), sums.max() + 2)]
    return np.asarray(np.unique(np.concatenate(tables), axis=0))


def settles(truth: Sequence[bool], balanced: bool) -> bool:
    """Whether Winnow stops erring on the 16 points; exactly, on weights 2^c or 2^c - 2^-c.

    It does not if a pass ends where an earlier one did, nor, it is supposed, after 400 passes.
    """
    if truth[0]:
        return False  # The empty row scores 0 < 4 and moves no weight.
    exponents = [0] * 4
    seen: set[tuple[int, ...]] = set()
    for _ in range(PASSES):
        if tuple(exponents) in seen:
            return False
        seen.add(tuple(exponents))
        silent = True
        for active, label in zip(ACTIVE, truth, strict=True):
            # All weights times 2^most are whole.
            most = max(map(abs, exponents))
            weights = [2 ** (most + c) - balanced * 2 ** (most - c) for c in exponents]
            if (sum(weights[i] for i in active) >= 4 * 2**most) != label:
                silent = False
                for i in active:
                    exponents[i] += 1 if label else -1
        if silent:
            return True
    return False


def never_settles(functions: Bools, balanced: bool) -> Bools:
    return np.array([not settles(truth, balanced) for truth in functions.tolist()])


def test_winnow_fails_on_87_of_the_150_monotone_threshold_functions() -> None:
    functions = threshold_functions(0)
    assert len(functions) == 150
    failing = never_settles(functions, balanced=False)
    assert failing.sum() == 87
    constant = functions.all(axis=1) | ~functions.any(axis=1)
    assert constant.sum() == 2
    assert failing[~constant].sum() == 86
    # The one that is always +1: the empty row scores 0 and moves no weight.
    assert failing[functions.all(axis=1)].tolist() == [True]


def test_balanced_winnow_fails_on_1463_of_the_1882_threshold_functions() -> None:
    functions = threshold_functions(-3)
    assert len(functions) == 1882
    failing = never_settles(functions, balanced=True)
    assert failing.sum() == 1463
    true_of_nothing = functions[:, 0]
    assert true_of_nothing.sum() == 941 == failing[true_of_nothing].sum()
    assert failing[~true_of_nothing].sum() == 522


def test_the_learners_fail_on_the_same_functions() -> None:
    for functions, balanced in ((threshold_functions(0), False), (threshold_functions(-3), True)):
        chosen = functions[:: len(functions) // 10]
        for truth, fails in zip(chosen, never_settles(chosen, balanced), strict=True):
            learner = th.BalancedWinnow(4) if balanced else th.Winnow(4)
            labels = np.where(truth, 1, -1)
            passes = (learner.learn(POINTS, labels).mistakes for _ in range(PASSES))
            assert all(passes) == fails


def test_disjunctions_are_among_those_that_are_learned() -> None:
    for size in range(5):
        for relevant in itertools.combinations(range(4), size):
            truth = [any(i in active for i in relevant) for active in ACTIVE]
            assert settles(truth, balanced=False)
