"""How a learner numbers its classes: those that were stated, then as they appear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.state import State

#: Characters of all names of classes together, each as long as the longest.
MOST_CHARACTERS = 2**25


@dataclass(frozen=True, eq=False)
class ClassOrder:
    """The classes in the learner's order, how many of them were stated, and labels by number."""

    classes: tuple[str, ...]
    n_stated: int
    label: NDArray[np.int32]

    @classmethod
    def of(
        cls, stream: LabelledRows, parameters: Parameters, start: State | None = None
    ) -> ClassOrder:
        """The learner's order, whatever the order in which the stream names its classes.

        With a `start`, the classes that it has are known as if they had been stated.

        >>> from thresher.verifier.readers.labelled_rows import read_rows
        >>> stream = read_rows([[1], [1], [1]], ["c", "b", "c"], ["a", "b", "c"])
        >>> order = ClassOrder.of(stream, {"classes": ("z", "b")})
        >>> order.classes, order.n_stated, order.label.tolist()
        (('z', 'b', 'c'), 2, [2, 1, 2])
        """
        names = stream.classes or ()
        stated = tuple(parameters["classes"] or ())
        if start is not None:
            stated = tuple(start["classes"].tolist())
        first = np.full(len(names), len(stream))
        # Of several places the first is written last.
        first[stream.label[::-1]] = np.arange(len(stream))[::-1]
        found = dict.fromkeys(stated)
        for at in np.argsort(first, kind="stable").tolist():
            if first[at] < len(stream):
                found[names[at]] = None
        number = {name: r for r, name in enumerate(found)}
        ours = np.array([number.get(name, -1) for name in names], np.int32)
        return cls(tuple(found), len(stated), ours[stream.label])

    def mistakes_by_class(self, mistaken: NDArray[np.int64]) -> tuple[int, ...]:
        """How many rows of each class were mistaken for another."""
        counts = np.bincount(self.label[mistaken], minlength=len(self.classes))
        return tuple(counts.tolist())

    def names(self) -> NDArray[np.str_]:
        """The classes as a part of the learner's state; all take as much room as the longest."""
        room = len(self.classes) * max(map(len, self.classes), default=0)
        if room > MOST_CHARACTERS:
            raise CertificateError(
                f"{len(self.classes)} names of classes with up to {room // len(self.classes)} "
                "characters are more than a replay has room for."
            )
        return np.array(self.classes, np.str_)
