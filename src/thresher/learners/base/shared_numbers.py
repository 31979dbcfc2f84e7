"""SharedNumbers: what is combined of learners that began alike and learned apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.errors import RequestError
from thresher.records import record

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner

#: "average": the mean of the shards' numbers, of which theorems speak. "precision": weights by
#: their inverse variances. "squares": weights by the roots of the gradients' squares so far.
MixingRule = Literal["average", "precision", "squares"]


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


def cannot_mix(learner: Learner, why: str) -> RequestError:
    """What to say of a learner that no rule combines."""
    return RequestError(
        f"{learner.plain_name} cannot be combined after its shards have learned apart: {why}.",
        "Perceptron, p-norm Perceptron, Winnow and its normalised and signed forms, passive-"
        "aggressive, AROW and AdaGrad can.",
        code="request.cannot_mix",
        learner=learner.plain_name,
    )
