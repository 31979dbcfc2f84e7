"""SharedNumbers: what is combined of learners that began alike and learned apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.errors import RequestError
from thresher.records import record

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.learners.two_class.committee_members import Member
    from thresher.streams.labels import Label

#: "average": the mean of the shards' numbers, of which theorems speak. "precision": weights by
#: their inverse variances. "squares": weights by the squares of the gradients. "committee": its
#: members by these, their mixture by what each expert has lost.
MixingRule = Literal["average", "precision", "squares", "committee"]


@record(kw_only=True)
class SharedNumbers:
    """The numbers of a learner that shards combine, and what they have counted."""

    rule: MixingRule
    #: By name: "dual"; where the rule has a second number, that ("precision", "squares"); and
    #: "scale", the largest value of each feature, where rows are scaled by it. With a constant
    #: feature, its number is the last.
    numbers: dict[str, NDArray[np.float64]]
    #: Rounds, false negatives, false positives, and scores that exact arithmetic settled.
    counts: tuple[int, int, int, int]
    #: Whether rows counted more or less than others.
    weighted: bool = False
    #: Whether it waits for its class: then no precision is above this one.
    most_precise: float | None = None


@record(kw_only=True, eq=False)
class SharedCommittees:
    """Committees that saw the same rows: one, or the background and one for each class."""

    members: tuple[Member, ...]
    #: As `CommitteeEngine.features` gives them, with a line for each committee.
    features: tuple[Any, ...]
    #: Of each committee what `CommitteeEngine.other_state` gives, what it has counted, and
    #: whether rows counted more or less than others.
    own: tuple[tuple[tuple[Any, ...], tuple[int, int, int, int], bool], ...]
    rule: MixingRule = "committee"


@record(kw_only=True, eq=False)
class SharedTable:
    """The duals of a learner with several classes: a line for each feature an update touched."""

    classes: tuple[Label, ...]
    #: The features, increasing; their duals, a number for each class, those of the bias first.
    columns: NDArray[np.int64]
    duals: NDArray[np.float64]
    #: What is subtracted from all duals before they become weights, in learners that do so.
    shift: float
    #: Rounds, mistakes and updates.
    counts: tuple[int, int, int]
    rule: MixingRule = "average"


@record(kw_only=True, eq=False)
class SharedClasses:
    """One learner for each class, and the background, which comes first."""

    classes: tuple[Label, ...]
    each: tuple[SharedNumbers | SharedCommittees, ...] | SharedCommittees
    #: Rounds and mistakes.
    counts: tuple[int, int]
    rule: MixingRule


Shared = SharedNumbers | SharedCommittees | SharedTable | SharedClasses


def cannot_mix(learner: Learner, why: str) -> RequestError:
    """What to say of a learner that no rule combines."""
    return RequestError(
        f"{learner.plain_name} cannot be combined after its shards have learned apart: {why}.",
        "Committee, AROW, AdaGrad, Perceptron, p-norm Perceptron, passive-aggressive, Winnow and "
        "its normalised and signed forms can, also one for each class.",
        code="request.cannot_mix",
        learner=learner.plain_name,
    )
