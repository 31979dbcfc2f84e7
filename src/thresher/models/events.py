"""Events: what long work reports while it happens; whoever called decides what to show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from thresher.models.explanation import Explanation


class Progressed(NamedTuple):
    """Some more of the input was read and worked on."""

    #: Rows so far, in all passes.
    rows: int
    #: Bytes of input so far, as stored, and of all that is to come; None where nobody knows.
    position: int
    total_bytes: int | None


class Warned(NamedTuple):
    """Something that people should know of; the work goes on."""

    text: str


class Explained(NamedTuple):
    """A row, and why it has its score."""

    #: File and line.
    place: str
    why: Explanation


class MoreRows(NamedTuple):
    """There is more in the input than was asked for."""

    #: Rows that were worked on.
    rows: int
