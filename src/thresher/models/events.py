"""Events: what long work reports while it happens; whoever called decides what to show of it."""

from __future__ import annotations

from typing import NamedTuple


class Progressed(NamedTuple):
    """Some more of the input was read and worked on."""

    #: Rows so far, in all passes.
    rows: int
    #: Bytes of input so far, as stored, and of all that is to come; None where nobody knows.
    position: int
    total_bytes: int | None


class Understood(NamedTuple):
    """The first rows have shown how the input is to be read."""

    format: str
    #: What labels mean, in words.
    labels: str


class Warned(NamedTuple):
    """Something that people should know of; the work goes on."""

    text: str


class LeftRace(NamedTuple):
    """A learner is out of a race; the others go on."""

    learner: str
    #: The round it could not play, counted from 1, and where that row stands.
    round_number: int
    place: str
    why: str
