"""Parameters as numbers: whole ones and exact ones, checked the same way everywhere."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from thresher.errors import ParameterError

#: A number given exactly: an int, a fraction, or the fraction that a float denotes.
Exact = int | float | Fraction

#: The most features a learner can have: columns are 32-bit integers.
MAX_FEATURES = 2**31 - 1


def checked_count(whose: str, name: str, found: Any, low: int, high: int | None = None) -> int:
    """The parameter as a Python integer, or an error if it is not one from `low` to `high`."""
    whole = isinstance(found, int | np.integer) and not isinstance(found, bool)
    if not whole or found < low or (high is not None and found > high):
        most = "" if high is None else f", at most {high}"
        raise ParameterError(whose, name, f"a whole number, at least {low}{most}", found)
    # A NumPy integer would overflow silently in 2**n.
    return int(found)


def checked_exact(whose: str, name: str, found: Any) -> Fraction:
    """A finite number as the fraction it denotes."""
    number = isinstance(found, int | float | Fraction | np.number) and not isinstance(found, bool)
    if not number or not isfinite(found):
        raise ParameterError(whose, name, "a finite number", found)
    return Fraction(found if isinstance(found, int | Fraction) else float(found))


def checked_real(whose: str, name: str, found: Any, low: float, high: float) -> float:
    """The parameter as a double, or an error if it is not a number from `low` to `high`."""
    number = isinstance(found, int | float | Fraction | np.number) and not isinstance(found, bool)
    if not number or not low <= found <= high:
        raise ParameterError(whose, name, f"a number from {low:g} to {high:g}", found)
    return float(found)


def checked_choice(whose: str, name: str, found: Any, choices: tuple[str, ...]) -> str:
    """The parameter, or an error if it is not one of the choices."""
    if not isinstance(found, str) or found not in choices:
        raise ParameterError(whose, name, " or ".join(map(repr, choices)), found)
    return found
