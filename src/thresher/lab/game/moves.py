"""Moves and settings of a game as they stand in an address."""

from __future__ import annotations

from fractions import Fraction

from thresher.errors import RequestError
from thresher.parameters import exact

#: Rows that fit on the board.
MOST_ROWS = 64
MOST_MOVES = 400


def margin_of(text: str) -> Fraction:
    """A margin that leaves no more rows than fit on the board."""
    value = exact(text)
    if value is None or not 0 < value <= 1 or value**2 * MOST_ROWS < 1:
        raise RequestError(f"margin {text[:20]} must be a number from 1/8 to 1.")
    return Fraction(value)


def words_of(text: str) -> list[str]:
    """The moves, which have points between them."""
    words = [word for word in text.split(".") if word]
    if len(words) > MOST_MOVES:
        raise RequestError(f"a game has at most {MOST_MOVES} moves.")
    return words


def sign_of(word: str) -> int:
    """The label that a letter stands for."""
    if word not in ("p", "m"):
        raise RequestError(f"{word[:20]!r} is no answer; p stands for +1 and m for -1.")
    return 1 if word == "p" else -1
