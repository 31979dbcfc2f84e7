"""Our own side: the Committee as it comes, and each of its members alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import thresher as th
from benchmarks.accuracy.competitors import OURS, Classes, Competitor
from benchmarks.accuracy.datasets import Dataset
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, Member

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


def member_errors(data: Dataset) -> NDArray[np.float64]:
    """The error of each member of the default Committee on its own."""
    if data.n_classes == 2:
        learner = th.Committee(data.rows.shape[1])
        learner.learn(data.rows, labels_of(data, 1))
        mistakes = [member.mistakes for member in learner.members[: len(DEFAULT_MEMBERS)]]
        return np.array(mistakes) / len(data.classes)
    # The sign of a committee of one is that of its member; to compare classes it is calibrated.
    alone = [committee(data, (member,)) for member in DEFAULT_MEMBERS]
    return np.array([np.mean(predicted != data.classes) for predicted in alone])


COMMITTEE = Competitor(OURS, committee)
