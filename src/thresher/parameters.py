"""Parameters as numbers: whole ones and exact ones, checked the same way everywhere.

Numbers of NumPy are numbers here, and NumPy is not imported for it: help has to be instant.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite
from numbers import Integral, Real
from typing import Any

from thresher.errors import ParameterError

#: A number given exactly: an int, a fraction, the one that a float denotes, or a text: "1/3".
Exact = int | float | Fraction | str

#: The most features a learner can have: columns are 32-bit integers.
MAX_FEATURES = 2**31 - 1
#: Features where nobody says how many: 2 to this power, and to this one for texts, whose pairs of
#: words are many (decision 0024).
BITS, BITS_OF_TEXTS = 18, 20
#: A file that knows its number of features gets so many without a word from anybody.
MOST_UNASKED = 2**24

# Short ones only: Fraction("1e999999999") would take the machine's memory.
_NUMBER = re.compile(
    r"[+-]?(\d{1,40}(/\d{1,40}|\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?", re.IGNORECASE
)


def features_by_default(format_: str | None) -> int:
    """How many features data of a format has where nobody says.

    >>> features_by_default("vw"), features_by_default("text")
    (262144, 1048576)
    """
    return 1 << (BITS_OF_TEXTS if format_ == "text" else BITS)


def exact(text: str) -> int | Fraction | None:
    """A number as it is written: `1/3` and `0.1` mean just that; None if it is no number.

    >>> exact("0.1"), exact("13/5"), exact("1e-3"), exact("7"), exact("seven")
    (Fraction(1, 10), Fraction(13, 5), Fraction(1, 1000), 7, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return int(number) if number.denominator == 1 else number


def as_written(found: Any) -> Any:
    """The number that a text stands for; what is no such text, as it is.

    >>> as_written("1/3"), as_written("l2"), as_written(0.5)
    (Fraction(1, 3), 'l2', 0.5)
    """
    number = exact(found) if isinstance(found, str) else None
    return found if number is None else number


def checked_count(whose: str, name: str, found: Any, low: int, high: int | None = None) -> int:
    """The parameter as a Python integer, or an error if it is not one from `low` to `high`."""
    whole = isinstance(found, Integral) and not isinstance(found, bool)
    if not whole or found < low or (high is not None and found > high):
        most = "" if high is None else f", at most {high}"
        raise ParameterError(whose, name, f"a whole number, at least {low}{most}", found)
    # A NumPy integer would overflow silently in 2**n.
    return int(found)


def checked_exact(whose: str, name: str, found: Any) -> Fraction:
    """A finite number, or one that is written as a text ("1/3"), as the fraction it denotes."""
    found = as_written(found)
    number = isinstance(found, Real) and not isinstance(found, bool)
    # A whole number may be beyond all doubles, and is finite.
    if not number or not (isinstance(found, int | Fraction) or isfinite(found)):
        raise ParameterError(whose, name, "a finite number", found)
    return Fraction(found if isinstance(found, int | Fraction) else float(found))


def checked_real(whose: str, name: str, found: Any, low: float, high: float) -> float:
    """The parameter as a double, or an error if it is not a number from `low` to `high`.

    A text that a number is written as stands for it: "1/3".
    """
    found = as_written(found)
    number = isinstance(found, Real) and not isinstance(found, bool)
    if not number or not low <= found <= high:
        raise ParameterError(whose, name, f"a number from {low:g} to {high:g}", found)
    return float(found)


def checked_flag(whose: str, name: str, found: Any) -> bool:
    """The parameter as a truth value, which 0 and 1 are too; a text is none: "no" would mean yes.

    >>> checked_flag("AROW", "bias", 1), checked_flag("AROW", "bias", False)
    (True, False)
    """
    of_numpy = getattr(found, "dtype", None) == "bool" and getattr(found, "ndim", None) == 0
    if not of_numpy and not (isinstance(found, Integral) and found in (0, 1)):
        raise ParameterError(whose, name, "True or False", found)
    return bool(found)


def checked_choice(whose: str, name: str, found: Any, choices: tuple[str, ...]) -> str:
    """The parameter, or an error if it is not one of the choices."""
    if not isinstance(found, str) or found not in choices:
        raise ParameterError(whose, name, " or ".join(map(repr, choices)), found)
    return found
