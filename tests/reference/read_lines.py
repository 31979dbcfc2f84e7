"""Whole lines from a file descriptor, with `os.read`."""

from __future__ import annotations

import os


def read_lines(fd: int, begun: bytes, size: int, live: bool) -> tuple[bytes, bytes, bool]:
    """The whole lines, what there is of the next one, and whether that was the end."""
    text, ended = begun, False
    room = max(size, len(begun) + 1)
    while len(text) < room and not ended:
        data = os.read(fd, room - len(text))
        text += data
        ended = not data
    cut = text.rfind(b"\n") + 1
    return text[:cut], text[cut:], ended
