"""The classes of a learner: any texts or whole numbers, numbered in the order they appear."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, ParameterError, StateError
from thresher.parameters import checked_real
from thresher.streams.batch import Batch
from thresher.streams.labels import Label


class ClassTable:
    """The classes so far, and the number of each.

    Examples
    --------
    >>> table = ClassTable()
    >>> table.numbered(["spam", "ham", "spam"]).tolist(), table.labels
    ([0, 1, 0], ['spam', 'ham'])
    """

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        self.labels: list[Label] = []
        self._number: dict[Hashable, int] = {}
        for label in labels:
            self.number(label)

    @classmethod
    def stated(cls, owner: str, labels: Iterable[Label] | None) -> ClassTable:
        """The classes a learner was told of when it was made."""
        # A text would be a class for each of its letters.
        if isinstance(labels, str | bytes) or not isinstance(labels, Iterable | None):
            raise ParameterError(owner, "classes", "a list of labels, or None", labels)
        given = [] if labels is None else list(labels)
        found = cls(given)
        if len(found.labels) != len(given):
            raise ParameterError(owner, "classes", "labels that differ", given)
        return found

    def given(self, labels: Iterable[Label] | None) -> tuple[Label, ...] | None:
        """The classes stated, as a parameter that can be compared and saved."""
        return None if labels is None else tuple(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def number(self, label: Any) -> int:
        """The number of a label, which gets the next one if it is new."""
        plain = _plain(label)
        found = self._number.get(plain)
        if found is None:
            found = self._number[plain] = len(self.labels)
            self.labels.append(plain)
        return found

    def numbers(self, X: Any, y: Any, n_rows: int) -> NDArray[np.int32]:
        """The number of each row's class, from `y` or from the batch that X is."""
        if y is None:
            if not isinstance(X, Batch):
                raise LabelError("labels are missing: learn(X, y) takes one label per row in y.")
            return self._numbers_in(X)
        found = self.numbered(y)
        if len(found) != n_rows:
            raise LabelError(
                f"found {len(found)} labels for {n_rows} rows; there must be one per row."
            )
        return found

    def _numbers_in(self, batch: Batch) -> NDArray[np.int32]:
        """The number of each row's class here; only names that are new are looked at by row."""
        theirs = batch.number
        ours = np.array([self._number.get(_plain(name), -1) for name in batch.classes], np.int32)
        found: NDArray[np.int32] = ours[theirs]
        new = found < 0
        if new.any():
            for number in dict.fromkeys(theirs[new].tolist()):
                ours[number] = self.number(batch.classes[number])
            found = ours[theirs]
        return found

    def numbered(self, labels: Any) -> NDArray[np.int32]:
        """The number of each label; an error leaves no trace."""
        listed = labels.tolist() if hasattr(labels, "tolist") else list(labels)
        known = len(self)
        number = self._number
        try:
            found = [
                number[label] if type(label) in (str, int) and label in number
                else self.number(label)
                for label in listed
            ]  # fmt: skip
        except BaseException:
            self.forget(known)
            raise
        return np.array(found, np.int32)

    def forget(self, size: int) -> None:
        """Drop the classes after the first `size`: a refused batch leaves no trace."""
        for label in self.labels[size:]:
            del self._number[label]
        del self.labels[size:]

    def restore(self, labels: tuple[Any, ...]) -> None:
        """Take over saved classes, which begin with those known here."""
        fresh = ClassTable(labels)
        if len(fresh) != len(labels) or fresh.labels[: len(self)] != self.labels:
            raise StateError("the classes are not those that the parameters begin with.")
        self.labels, self._number = fresh.labels, fresh._number


def _plain(label: Any) -> Label:
    """The label as a Python text or whole number: NumPy's own, and 2.0, are others' spellings."""
    if isinstance(label, str):
        return str(label)
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return int(label)
    if isinstance(label, int | np.integer | np.bool_):
        return int(label)
    raise LabelError(
        f"a class is named by a text or a whole number, found {label!r} "
        f"of type {type(label).__name__}."
    )


def weights_of_classes(
    owner: str, given: Mapping[Label, float] | None
) -> dict[Label, float] | None:
    """What the rows of each class count, by labels as they are kept."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise ParameterError(owner, "class_weight", "a dict from label to weight", given)
    labels = ClassTable(given).labels
    return {
        label: checked_real(owner, "class_weight", weight, 0.0, 1e9)
        for label, weight in zip(labels, given.values(), strict=True)
    }
