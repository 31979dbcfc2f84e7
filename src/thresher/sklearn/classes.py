"""Which classes there are, and which may still come."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from thresher.errors import LabelError, StateError


def classes_of(y: Any) -> NDArray[Any]:
    """The classes among labels, sorted."""
    check_classification_targets(y)
    return np.unique(y)


def stated_classes(classes: Any, *, open_ended: bool) -> NDArray[Any]:
    """The classes that the first call to `partial_fit` is told of."""
    if classes is None and not open_ended:
        raise LabelError(
            "classes must be passed on the first call to partial_fit, or new_classes=True "
            "be set, with which classes may appear at any time."
        )
    return np.unique([] if classes is None else classes)


def classes_now(estimator: Any, found: NDArray[Any], classes: Any) -> NDArray[Any]:
    """The classes from this call to `partial_fit` on."""
    before = estimator.classes_
    unknown = np.setdiff1d(found, before)
    if classes is not None and not estimator.new_classes:
        unknown = np.union1d(unknown, np.setdiff1d(classes, before))
    if not len(unknown):
        return np.asarray(before)
    if not estimator.new_classes:
        raise LabelError(
            f"found the classes {unknown[:5].tolist()}, and partial_fit was first told that "
            f"there are {before.tolist()}. Set new_classes=True for classes that come later."
        )
    if not estimator.learner_.several:
        raise StateError(
            "two classes without new_classes=True share one learner, which cannot become "
            "three. Set new_classes=True before the first fit."
        )
    return np.union1d(before, unknown) if len(before) else unknown
