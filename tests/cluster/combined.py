"""Learners on parts of the rows, combined after each epoch, without files or a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from thresher.cluster.mixing import change_between, mixed


def combined(
    learner: Any, X: Any, y: Any, rounds: Sequence[int], epochs: int
) -> tuple[Any, list[tuple[int, ...]]]:
    """The learner after so many epochs of shards of so many rows, and the mistakes of each."""
    ends = [0, *accumulate(rounds)]
    mistakes = []
    for _ in range(epochs):
        before = learner.shared_numbers()
        changes = []
        for first, stop in pairwise(ends):
            own = learner.copy()
            if stop > first:
                own.learn(X[first:stop], y[first:stop])
            changes.append(change_between(before, own.shared_numbers()))
        learner = learner.with_shared(mixed(before, changes))
        mistakes.append(tuple(change.mistakes for change in changes))
    return learner, mistakes
