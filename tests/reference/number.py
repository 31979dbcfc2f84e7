"""Numbers as the scanners accept them: Python's `float`, behind a grammar."""

from __future__ import annotations

import re

NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def read_number(text: bytes) -> tuple[float | None, int]:
    """The number at the start of some bytes and how long it is; (None, 0) if there is none."""
    found = NUMBER.match(text)
    return (float(found.group()), found.end()) if found else (None, 0)
