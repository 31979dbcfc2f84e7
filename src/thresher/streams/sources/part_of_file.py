"""PartOfFile: some consecutive bytes of a file, read as if they were a file of their own."""

from __future__ import annotations

from io import FileIO
from typing import Any


class PartOfFile(FileIO):
    """The bytes of a file from `start` to `stop`, which others may read the rest of.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "letters"
    >>> _ = path.write_bytes(b"abcdefgh")
    >>> with PartOfFile(str(path), 2, 5) as part:
    ...     part.read(2), part.read(100), part.read(100), part.size
    (b'cd', b'e', b'', 3)
    """

    def __init__(self, path: str, start: int, stop: int) -> None:
        super().__init__(path)
        self.seek(start)
        #: How many bytes there are to read, if the file is as long as was thought.
        self.size = stop - start
        self._left = self.size

    def read(self, size: int | None = -1, /) -> bytes:
        """Up to `size` bytes; nothing at the end of the part."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        found = super().read(wanted) or b""
        self._left -= len(found)
        return found

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer, as far as the part goes; how many bytes there were."""
        room = memoryview(buffer).cast("B")[: self._left]
        n = super().readinto(room) or 0
        self._left -= n
        return n
