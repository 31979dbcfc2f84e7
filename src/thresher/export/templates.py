"""Texts with gaps, filled in one go: what stands in a gap is never looked at again."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def filled(template: str, **gaps: object) -> str:
    """The template with each `@name@` replaced; names of features cannot be taken for gaps.

    >>> filled("int @x@_@y@;", x="@y@", y=7)
    'int @y@_7;'
    """
    return re.sub(r"@(\w+?)@", lambda gap: str(gaps[gap[1]]), template)


def in_lines(items: Iterable[str], per_line: int) -> str:
    """Items with commas between them, so many on a line."""
    listed = list(items)
    lines = [", ".join(listed[k : k + per_line]) for k in range(0, len(listed), per_line)]
    return ",\n    ".join(lines)


def doubles(values: NDArray[np.float64] | Iterable[float]) -> list[str]:
    """Numbers by the shortest digits that read back as the same double."""
    return [repr(float(value)) for value in values]


def singles(values: NDArray[np.float32]) -> list[str]:
    """The same in single precision, also where the reader makes a double of the digits first.

    >>> singles(np.array([0.1, -2.0], np.float32))
    ['0.1', '-2.0']
    """
    found = []
    for value in values:
        short = str(value)
        found.append(short if np.float32(float(short)) == value else repr(float(value)))
    return found
