"""Whole lines from a file, with `read`."""

from __future__ import annotations

from io import BytesIO


def read_lines(file: BytesIO, begun: bytes, size: int) -> tuple[bytes, bytes, bool]:
    """The whole lines, what there is of the next one, and whether that was the end."""
    text, ended = begun, False
    room = max(size, len(begun) + 1)
    while len(text) < room and not ended:
        data = file.read(room - len(text))
        text += data
        ended = not data
    cut = text.rfind(b"\n") + 1
    return text[:cut], text[cut:], ended
