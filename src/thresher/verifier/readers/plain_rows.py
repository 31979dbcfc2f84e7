"""PlainRows: what the verifier read from files, with labels by name, as signs or as classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError
from thresher.verifier.readers.label_names import one_spelling, signs_of


@dataclass(frozen=True, slots=True, eq=False)
class PlainRows:
    """The rows of files; columns increase within a row, and no value is 0."""

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    #: For each row, the place of its label in `label_names`.
    label_number: NDArray[np.int32]
    #: The labels, each in one spelling, in order of their first rows.
    label_names: tuple[str, ...]
    #: File and line of each label's first row.
    label_places: tuple[tuple[str, int], ...]
    #: The label that counts as +1, if somebody said so.
    positive: str | None = None
    #: How many of the first rows may tell what labels mean; None: all.
    deciding: int | None = None

    @property
    def label(self) -> NDArray[np.int8]:
        """The labels as -1 and +1."""
        return signs(self, self.positive)


def signs(plain: PlainRows, positive: str | None = None) -> NDArray[np.int8]:
    """The labels of rows as -1 and +1; see :func:`.label_names.signs_of`."""
    return signs_of(
        plain.label_number, plain.label_names, plain.label_places, positive, plain.deciding
    )


def named(plain: PlainRows) -> NDArray[Any]:
    """The labels of rows by name, as an array of texts."""
    names = np.empty(len(plain.label_names), object)
    names[:] = plain.label_names
    found: NDArray[Any] = names[plain.label_number]
    return found


def numbered(plain: PlainRows, classes: Sequence[str]) -> NDArray[np.int32]:
    """The labels of rows as places in a list of classes.

    Raises
    ------
    LabelError
        Where a label is none of them, or two of them are one label in a file.
    """
    place: dict[str, int] = {}
    for at, spelt in enumerate(map(one_spelling, classes)):
        if place.setdefault(spelt, at) != at:
            twins = f"{classes[place[spelt]]!r} and {classes[at]!r}"
            raise LabelError(f"the classes {twins} are one label in a file.")
    for name, (file, line) in zip(plain.label_names, plain.label_places, strict=True):
        if name not in place:
            raise LabelError(f"{file}:{line}: found the label {name!r}, which is no class.")
    table = np.array([*(place[name] for name in plain.label_names), -1], np.int32)
    return table[plain.label_number]
