"""A file written as a whole: the old bytes or the new ones, never a mixture."""

from __future__ import annotations

import os
from collections.abc import Iterable

from thresher.streams.sources.whole_file import whole_file


def atomic_write(path: str | os.PathLike[str], parts: Iterable[bytes | memoryview]) -> None:
    """Write the parts, one after another, to `path`, durably.

    Assumes, promises and does not promise what `whole_file` does: if this raises, the old bytes
    are where they were.
    """
    with whole_file(path) as file:
        file.writelines(parts)


def atomic_text(path: str | os.PathLike[str], text: str) -> None:
    r"""Write a text in UTF-8, as `atomic_write` does; line ends stay as they are.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt"
    >>> atomic_text(path, "naïve\n")
    >>> path.read_bytes()
    b'na\xc3\xafve\n'
    """
    atomic_write(path, [text.encode("utf-8")])
