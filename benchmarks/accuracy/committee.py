"""Our own side: the Committee as it comes, and each of its members alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import thresher as th
from benchmarks.accuracy.competitors import OURS, Classes, Competitor
from benchmarks.accuracy.datasets import Dataset
from thresher.kernels.engines.committee import seat_limits
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, Member, seat_of

Scores = Callable[[NDArray[np.int8]], NDArray[np.float64]]


def labels_of(data: Dataset, positive: int) -> NDArray[np.int8]:
    """+1 for one class, -1 for the rest."""
    return np.where(data.classes == positive, 1, -1).astype(np.int8)


def by_scores(data: Dataset, scores: Scores) -> Classes:
    """The class with the best score among learners of one class against the rest."""
    if data.n_classes == 2:
        return np.asarray(scores(labels_of(data, 1)) >= 0, np.int64)
    every = [scores(labels_of(data, positive)) for positive in range(data.n_classes)]
    return np.asarray(np.argmax(every, axis=0), np.int64)


def committee(data: Dataset, members: tuple[Member, ...] | None = None) -> Classes:
    """The Committee as it comes."""
    return by_scores(
        data, lambda y: th.Committee(data.rows.shape[1], members).learn(data.rows, y).scores
    )


def members_that_stay(data: Dataset) -> list[Member]:
    """The members of the default Committee but those that leave because the rows are wide."""
    columns = len(np.unique(data.rows.indices))
    limits = [*seat_limits(), columns]
    return [member for member in DEFAULT_MEMBERS if columns <= limits[seat_of(member)]]


def member_errors(data: Dataset) -> list[float]:
    """The error of each member of the default Committee on its own."""
    members = members_that_stay(data)
    if data.n_classes == 2:
        learner = th.Committee(data.rows.shape[1])
        learner.learn(data.rows, labels_of(data, 1))
        return [
            standing.mistakes / len(data.classes) for standing in learner.members[: len(members)]
        ]
    # The sign of a committee of one is that of its member; to compare classes it is calibrated.
    return [float(np.mean(committee(data, (member,)) != data.classes)) for member in members]


COMMITTEE = Competitor(OURS, committee)
