"""Several classes: what they are called, and what memory they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.errors import ModelFileError, StreamFaultError
from thresher.models.events import MuchMemory
from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.model import Model

#: One learner for each class takes this much memory, and more only if somebody chose it.
MUCH_MEMORY, TOO_MUCH_MEMORY = 2 << 30, 16 << 30


def require_two_classes(model: Model, path: str, what: str, instead: str) -> None:
    """Refuse a model with several classes where only two make sense."""
    if model.learner.several:
        kind = type(model.learner).__name__
        raise ModelFileError(path, f"this {kind} has several classes, and {what} two", instead)


class ClassNames:
    """Labels from a file as the classes of a learner, which a program may have numbered.

    >>> import thresher as th
    >>> from thresher.streams import Batch
    >>> by_number = ClassNames(th.MulticlassPerceptron(classes=[1, 2]))
    >>> by_number(Batch.of_classes([[1]] * 3, ["2", "3", "other"])).labels.tolist()
    [2, 3, 'other']
    """

    def __init__(self, learner: Learner) -> None:
        known = learner.classes
        named = learner.several and bool(known)
        self._numbers = named and all(isinstance(label, int) for label in known)

    def __call__(self, batch: Batch) -> Batch:
        """The batch with its classes called as the learner calls them."""
        if not self._numbers:
            return batch
        called = tuple(_number(str(name)) for name in batch.classes)
        return Batch.from_rows(batch, batch.label, batch.importance, called)


def _number(name: str) -> str | int:
    digits = name.removeprefix("-")
    return int(name) if digits.isascii() and digits.isdigit() else name


class RoomForClasses:
    """Watches how much memory one learner for each class takes."""

    def __init__(self, learner: Learner, *, chosen: bool) -> None:
        self._each = learner.bytes_of_a_class
        self._chosen = chosen
        self._warned = False

    def check(self, n_classes: int) -> MuchMemory | None:
        """A warning, the first time that it takes much; an error when that is beyond reason."""
        much = MuchMemory(n_classes, self._each * n_classes)
        if much.n_bytes > TOO_MUCH_MEMORY and not self._chosen:
            raise StreamFaultError(
                f"{much}", code="fault.much_memory", n_classes=n_classes, n_bytes=much.n_bytes
            )
        if much.n_bytes <= MUCH_MEMORY or self._warned:
            return None
        self._warned = True
        return much
