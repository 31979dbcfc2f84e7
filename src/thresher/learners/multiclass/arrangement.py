"""How a learner is arranged for the classes there are: the one place that knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thresher.errors import RequestError
from thresher.learners.base.learner import Learner
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.streams.labels import Label


def arranged(
    learner: Learner,
    *,
    several: bool,
    calibrate: str | None = None,
    classes: Sequence[Label] | None = None,
    class_weight: Mapping[Any, float] | None = None,
) -> Learner:
    """The learner that suits the classes: as it is, calibrated, or one of it for each class.

    Parameters
    ----------
    learner
        As it was chosen. One that takes several classes itself stays as it is.
    several
        Whether classes have names; otherwise they are -1 and +1.
    calibrate
        How probabilities are learned along ("isotonic", "platt"), or None: not at all.
    classes, class_weight
        With one learner for each class, what :class:`~thresher.OneVersusRest` is told of them.

    Examples
    --------
    >>> import thresher as th
    >>> arranged(th.AROW(n_features=4), several=True, calibrate="platt").plain_name
    'calibrated arow for each class'
    >>> arranged(th.MulticlassPerceptron(4), several=True).plain_name
    'multiclass_perceptron'
    """
    if learner.several:
        if calibrate is not None:
            raise RequestError(
                f"{learner.name}: its scores compare classes, and calibrate= takes one learner "
                "for each class: name another one.",
                "calibrates-one-for-each",
                learner=learner.name,
            )
        return learner
    # What they are given is checked where it arrives.
    each: Any = learner if calibrate is None else Calibrated(learner, calibrate)  # type: ignore[arg-type]
    return OneVersusRest(each, classes, class_weight) if several else each
