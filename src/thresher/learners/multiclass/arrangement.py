"""How a learner comes to tell several classes apart, in one place for every door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thresher.errors import ParameterError
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.streams.labels import Label


def arranged(
    learner: Learner,
    *,
    several: bool,
    calibrate: str | None = None,
    classes: Sequence[Label] | None = None,
    class_weight: Mapping[Label, float] | None = None,
) -> Learner:
    """The learner for two classes or for several, with probabilities or without.

    A two-class learner serves two classes as it is, and several by a copy for each. A learner
    that knows several classes serves either as it is.

    Parameters
    ----------
    learner
        A learner that has seen nothing.
    several
        Whether classes have names; otherwise they are -1 and +1.
    calibrate
        "isotonic" or "platt": turn scores into probabilities, see :class:`~thresher.Calibrated`.
    classes, class_weight
        As for :class:`~thresher.OneVersusRest`, where each class has a copy.

    Examples
    --------
    >>> import thresher as th
    >>> arranged(th.Perceptron(), several=False)
    Perceptron(): 0 rounds, 0 mistakes
    >>> arranged(th.Perceptron(), several=True, calibrate="platt").plain_name
    'calibrated perceptron for each class'
    >>> arranged(th.MulticlassPerceptron(), several=True).plain_name
    'multiclass_perceptron'
    """
    if learner.several:
        if calibrate is not None:
            raise ParameterError(
                type(learner).__name__,
                "calibrate",
                "None for a learner whose scores compare classes",
                calibrate,
                "OneVersusRest(Calibrated(learner)) takes a two-class learner.",
            )
        return learner
    if not isinstance(learner, LinearLearner):
        if several or calibrate is not None:
            raise ParameterError("arranged", "learner", "a linear two-class learner", learner)
        return learner
    each = learner if calibrate is None else Calibrated(learner, calibrate)
    return OneVersusRest(each, classes, class_weight) if several else each
