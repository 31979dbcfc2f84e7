"""Shelf: the streams and runs that were looked at last, so that a click does not run them again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import LabStream, stream_of
from thresher.streams.batch import Batch

K = TypeVar("K")
V = TypeVar("V")

#: Streams in memory, and runs over them.
STREAMS, RUNS = 3, 18


class Shelf:
    """What is remembered between two requests; nothing here decides what the page shows."""

    def __init__(self) -> None:
        #: Files that were given to the lab, by the number it gave them.
        self.files: dict[str, LabStream] = {}
        self._streams: OrderedDict[str, tuple[LabStream, Batch]] = OrderedDict()
        self._runs: OrderedDict[tuple[str, str], RecordedRun] = OrderedDict()
        self._lock = threading.RLock()

    def stream(self, text: str) -> tuple[LabStream, Batch]:
        """A stream with all its rows."""

        def read() -> tuple[LabStream, Batch]:
            stream = stream_of(text, self.files)
            return stream, stream.whole()

        return self._kept(self._streams, text, read, STREAMS)

    def run(self, text: str, learner: str) -> RecordedRun:
        """A learner's run over a stream."""
        return self._kept(
            self._runs, (text, learner), lambda: RecordedRun(*self.stream(text), learner), RUNS
        )

    def _kept(
        self, shelf: OrderedDict[K, V], key: K, make: Callable[[], V], most: int
    ) -> V:
        with self._lock:
            if key not in shelf:
                shelf[key] = make()
            shelf.move_to_end(key)
            while len(shelf) > most:
                shelf.popitem(last=False)
            return shelf[key]
