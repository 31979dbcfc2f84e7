"""Learners for several classes, as the commands arrange them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ModelFileError, StreamFaultError

if TYPE_CHECKING:
    from thresher.models import Model

#: One learner for each class takes this much memory, and more only if somebody chose it.
MUCH_MEMORY, TOO_MUCH_MEMORY = 2 << 30, 16 << 30


def is_several(learner: Any) -> bool:
    """Whether a learner takes several classes."""
    return hasattr(learner, "predict_top")


def has_one_each(learner: Any) -> bool:
    """Whether each class has a learner of its own."""
    # By name: to import the class takes longer than to train on a small file.
    return getattr(learner, "name", None) == "one_versus_rest"


def require_two_classes(model: Model, path: str, what: str, instead: str) -> None:
    """Refuse a model with several classes where only two make sense."""
    if is_several(model.learner):
        kind = type(model.learner).__name__
        raise ModelFileError(path, f"this {kind} has several classes, and {what} two", instead)


def plain_name(learner: Any) -> str:
    """What a learner is, in a word or three.

    >>> import thresher as th
    >>> plain_name(th.OneVersusRest(th.Calibrated(th.AROW(n_features=4))))
    'calibrated arow for each class'
    """
    if has_one_each(learner):
        return f"{plain_name(learner.parameters['learner'])} for each class"
    inner = learner.parameters.get("learner")
    return learner.name if inner is None else f"{learner.name} {plain_name(inner)}"


class ClassNames:
    """Labels from a file as the classes of a learner, which a program may have numbered.

    >>> import thresher as th
    >>> by_number = ClassNames(th.MulticlassPerceptron(classes=[1, 2]))
    >>> by_number(np.array(["2", "3", "other"], object)).tolist()
    [2, 3, 'other']
    """

    def __init__(self, learner: Any) -> None:
        known = learner.classes
        self._numbers = bool(known) and all(isinstance(label, int) for label in known)

    def __call__(self, names: NDArray[Any]) -> NDArray[Any]:
        """The labels as the learner calls them."""
        if not self._numbers:
            return names
        called = {name: _number(name) for name in set(names.tolist())}
        return np.array([called[name] for name in names.tolist()], object)


def _number(name: str) -> str | int:
    digits = name.removeprefix("-")
    return int(name) if digits.isascii() and digits.isdigit() else name


class RoomForClasses:
    """Watches how much memory one learner for each class takes."""

    def __init__(self, learner: Any, *, chosen: bool) -> None:
        self._each = memory_of_a_class(learner)
        self._chosen = chosen
        self._warned = False

    def check(self, n_classes: int) -> str | None:
        """A warning, the first time that it takes much; an error when that is beyond reason."""
        needed = self._each * n_classes
        if needed <= MUCH_MEMORY or (self._warned and needed <= TOO_MUCH_MEMORY):
            return None
        said = (
            f"{n_classes:,} classes with a learner each take {needed / 1e9:.1f} GB, and the model "
            "file as much. --bits makes it less, and so does --learner "
            "multiclass_passive_aggressive, which has weights only for features that it needs."
        )
        if needed > TOO_MUCH_MEMORY and not self._chosen:
            raise StreamFaultError(said)
        warned, self._warned = self._warned, True
        return None if warned else said


def memory_of_a_class(learner: Any) -> int:
    """The bytes that a class with a learner of its own takes; 0 where classes share a table."""
    if not has_one_each(learner):
        return 0
    return _bytes_of(learner.parameters["learner"].__getstate__())


def _bytes_of(state: Any) -> int:
    if isinstance(state, dict):
        return sum(map(_bytes_of, state.values()))
    if isinstance(state, tuple | list):
        return sum(map(_bytes_of, state))
    return state.nbytes if isinstance(state, np.ndarray) else 0
