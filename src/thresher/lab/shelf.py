"""Shelf: the streams and runs that were looked at last, so that a click does not run them again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from thresher.errors import RequestError
from thresher.lab.files import ReadFile
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import FILE, LabStream, bytes_of, stream_of
from thresher.streams.batch import Batch

K = TypeVar("K")
V = TypeVar("V")

#: How many files, streams and runs over them are in memory at most, and the bytes of each kind.
MOST, SHELF_BYTES = 18, 1 << 30


class Shelf:
    """What is remembered between two requests; nothing here decides what the page shows."""

    def __init__(self, folder: str = "") -> None:
        #: Where files are put that come through the browser.
        self.folder = folder
        #: Files that were given to the lab, by the number it gave them.
        self.files: dict[str, LabStream] = {}
        self.read: OrderedDict[str, ReadFile] = OrderedDict()
        #: Where each of them is, and what it is called.
        self.places: dict[str, tuple[str, str]] = {}
        self._streams: OrderedDict[str, tuple[LabStream, Batch]] = OrderedDict()
        self._runs: OrderedDict[tuple[str, str], RecordedRun] = OrderedDict()
        self._lock = threading.RLock()
        #: One lock for each thing that is being made; how often a file was read (anew).
        self._making: dict[tuple[int, Any], threading.Lock] = {}
        self._version = 0

    def note(self, key: str, path: str, name: str) -> None:
        """Remember where a file is; of those that came through the browser the oldest may go."""
        with self._lock:
            self.places[key] = (path, name)
            own = [one for one, (at, _) in self.places.items() if Path(at).parent == self._own]
            sizes = {one: _size_of(self.places[one][0]) for one in own}
            for one in own:
                if one == key or (len(sizes) <= MOST and sum(sizes.values()) <= SHELF_BYTES):
                    break
                Path(self.places.pop(one)[0]).unlink(missing_ok=True)
                del sizes[one]

    @property
    def _own(self) -> Path | None:
        return Path(self.folder) if self.folder else None

    def keep(self, key: str, found: ReadFile) -> None:
        """Take a file, or what it became after it was read otherwise."""
        with self._lock:
            self._version += 1
            self.read[key] = found
            self.read.move_to_end(key)
            self.files[key] = found.stream
            text = f"{FILE}:{key}"
            self._streams.pop(text, None)
            self._forget(lambda one: one == text)
            _shorten(self.read, lambda one: one.n_bytes)
            self.files = {one: stream for one, stream in self.files.items() if one in self.read}

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

        return self._kept(self._streams, text, read, lambda one: bytes_of(one[1]))

    def run(self, text: str, learner: str) -> RecordedRun:
        """A learner's run over a stream."""
        stream, batch = self.stream(text)
        return self._kept(
            self._runs,
            (text, learner),
            lambda: RecordedRun(stream, batch, learner),
            lambda run: run.n_bytes,
        )

    def _kept(
        self, shelf: OrderedDict[K, V], key: K, make: Callable[[], V], size: Callable[[V], int]
    ) -> V:
        """What is on a shelf under a key, or is made; others wait only for the same key."""
        with self._lock:
            if key in shelf:
                shelf.move_to_end(key)
                return shelf[key]
            making = self._making.setdefault((id(shelf), key), threading.Lock())
        with making:
            with self._lock:
                if key in shelf:
                    return shelf[key]
                version = self._version
            try:
                made = make()
                with self._lock:
                    # A file may have been read otherwise meanwhile.
                    if version == self._version:
                        shelf[key] = made
                        _shorten(shelf, size)
                        self._forget(lambda text: text not in self._streams)
            finally:
                with self._lock:
                    self._making.pop((id(shelf), key), None)
        return made

    def _forget(self, gone: Callable[[str], bool]) -> None:
        """Let go of the runs over streams that are gone: they hold the rows."""
        for known in [one for one in self._runs if gone(one[0])]:
            del self._runs[known]


def _size_of(path: str) -> int:
    return Path(path).stat().st_size if Path(path).exists() else 0


def _shorten(shelf: OrderedDict[Any, V], size: Callable[[V], int]) -> None:
    """Let go of what was wanted longest ago, until the rest fits; the newest stays."""
    sizes = {key: size(value) for key, value in shelf.items()}
    while len(shelf) > 1 and (len(shelf) > MOST or sum(sizes.values()) > SHELF_BYTES):
        del sizes[shelf.popitem(last=False)[0]]
