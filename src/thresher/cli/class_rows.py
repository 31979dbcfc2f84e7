"""Rows whose labels are names of classes, for the learner that is to see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.several_classes import ClassNames, RoomForClasses
from thresher.cli.terminal.speech import printable, warn

if TYPE_CHECKING:
    from thresher.streams.batch import Batch
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: Classes that are named when it is said how many there are.
SHOWN = 4


class ClassRows:
    """The rows of a stream with several classes."""

    def __init__(self, stream: Stream, learner: Any, *, chosen: bool) -> None:
        self._stream = stream
        self._learner = learner
        self._called = ClassNames(learner)
        self._room = RoomForClasses(learner, chosen=chosen)

    def batch(self, chunk: Chunk) -> Batch:
        """The rows of a chunk; an error if there are too many classes for the learner."""
        seen = len(self._stream.label_names)
        if warning := self._room.check(max(seen, len(self._learner.classes))):
            warn(warning)
        return self._called(self._stream.batch(chunk))

    def in_words(self) -> str:
        """How many classes there are so far, and what the first are called."""
        names = self._stream.label_names
        known = [*map(str, self._learner.classes)]
        known += [name for name in names if name not in set(known)]
        shown = ", ".join(map(printable, known[:SHOWN]))
        more = f", and {len(known) - SHOWN:,} more" if len(known) > SHOWN else ""
        count = "1 class" if len(known) == 1 else f"{len(known):,} classes"
        return f"labels are names of classes, {count} so far: {shown}{more}"
