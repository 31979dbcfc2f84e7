"""How a learner is arranged for the classes there are: the one place that knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thresher.errors import RequestError
from thresher.streams.labels import Label

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner


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
        With one learner for each class, what :class:`~thresher.OneVersusRest` is told of them;
        others take no weights of classes that have names.

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
                code="request.calibrates_one_for_each",
                learner=learner.name,
            )
        if class_weight:
            learner.weigh_classes(class_weight)
        return learner
    # Imported when they are needed: two classes without probabilities are the common case. What
    # they are given they check themselves.
    each: Any = learner
    if calibrate is not None:
        from thresher.learners.calibration.calibrated import Calibrated  # noqa: PLC0415

        each = Calibrated(each, calibrate)
    if several:
        if class_weight and not learner.takes_importance:
            learner.weigh_classes(class_weight)
        from thresher.learners.multiclass.one_versus_rest import OneVersusRest  # noqa: PLC0415

        each = OneVersusRest(each, classes, class_weight)
    arrangement: Learner = each
    return arrangement
