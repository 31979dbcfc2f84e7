"""Shelf: the streams and runs that were looked at last, so that a click does not run them again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from thresher.errors import RequestError
from thresher.lab.files import ReadFile
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import FILE, LabStream, stream_of
from thresher.streams.batch import Batch

K = TypeVar("K")
V = TypeVar("V")

#: Streams in memory, and runs over them.
STREAMS, RUNS = 3, 18


class Shelf:
    """What is remembered between two requests; nothing here decides what the page shows."""

    def __init__(self, folder: str = "") -> None:
        #: Where files are put that come through the browser.
        self.folder = folder
        #: Files that were given to the lab, by the number it gave them.
        self.files: dict[str, LabStream] = {}
        self.read: dict[str, ReadFile] = {}
        #: Where each of them is, and what it is called.
        self.places: dict[str, tuple[str, str]] = {}
        self._streams: OrderedDict[str, tuple[LabStream, Batch]] = OrderedDict()
        self._runs: OrderedDict[tuple[str, str], RecordedRun] = OrderedDict()
        self._lock = threading.RLock()

    def keep(self, key: str, found: ReadFile) -> None:
        """Take a file, or what it became after it was read otherwise."""
        with self._lock:
            self.read[key] = found
            self.files.pop(key, None)
            if found.stream is not None:
                self.files[key] = found.stream
            text = f"{FILE}:{key}"
            self._streams.pop(text, None)
            for known in [one for one in self._runs if one[0] == text]:
                del self._runs[known]

    def file(self, key: str) -> ReadFile:
        """A file that was given to the lab, and could be read."""
        if key not in self.read:
            raise RequestError("this file is no longer in the lab. Give it again.")
        return self.read[key]

    def place(self, key: str) -> tuple[str, str]:
        """Where a file is that was given to the lab, and what it is called."""
        if key not in self.places:
            raise RequestError("this file is no longer in the lab. Give it again.")
        return self.places[key]

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

    def _kept(self, shelf: OrderedDict[K, V], key: K, make: Callable[[], V], most: int) -> V:
        with self._lock:
            if key not in shelf:
                shelf[key] = make()
            shelf.move_to_end(key)
            while len(shelf) > most:
                shelf.popitem(last=False)
            return shelf[key]
