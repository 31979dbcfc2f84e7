"""Our own side: the Committee as it comes, and each of its members alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import thresher as th
from benchmarks.accuracy.competitors import OURS, Classes, Competitor
from benchmarks.accuracy.datasets import Dataset
from thresher.kernels.engines.committee_state import seat_limits
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, Member, seat_of


def labels_of(data: Dataset) -> NDArray[np.int64]:
    """-1 and +1."""
    return 2 * data.classes - 1


def committee(data: Dataset, members: tuple[Member, ...] | None = None) -> Classes:
    """The Committee as it comes; of more than two classes, one against the rest for each."""
    learner = th.Committee(data.rows.shape[1], members)
    if data.n_classes == 2:
        return np.asarray(learner.learn(data.rows, labels_of(data)).predictions > 0, np.int64)
    found = th.OneVersusRest(learner).learn(data.rows, data.classes).predictions
    # Before the first label there is no class to name.
    return np.array([-1 if predicted is None else predicted for predicted in found], np.int64)


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
        learner.learn(data.rows, labels_of(data))
        return [
            standing.mistakes / len(data.classes) for standing in learner.members[: len(members)]
        ]
    # A committee of one says what its member says, calibrated so that classes can be compared.
    return [float(np.mean(committee(data, (member,)) != data.classes)) for member in members]


COMMITTEE = Competitor(OURS, committee)
