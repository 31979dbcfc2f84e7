"""Concept classes that are too large to be listed, and objects that are not concepts."""

from __future__ import annotations

from math import comb, log10

from thresher.errors.error import ThresherError


def _in_digits(count: int) -> str:
    """The count, or its power of two where it has too many digits to read."""
    return f"{count}" if count < 10**30 else f"at least 2^{count.bit_length() - 1}"


class ConceptError(ThresherError):
    """A concept given by the caller cannot be used as one."""

    code = "concept"


class ClassTooLargeError(ThresherError):
    """A concept class has more members than may be held in memory."""

    code = "class_size"

    def __init__(self, concepts: str, size: int, limit: int, hint: str = "") -> None:
        super().__init__(
            f"{concepts} has {_in_digits(size)} concepts, more than the limit of {limit}.",
            hint or "Its .size and lazy iteration work at any size; use a smaller class.",
            concepts=concepts,
            size=_in_digits(size),
            limit=limit,
        )


class TableTooLargeError(ThresherError):
    """A truth table would have more cells than may be held in memory."""

    code = "table_size"

    def __init__(self, concepts: str, size: int, n_points: int, limit: int) -> None:
        super().__init__(
            f"the truth table of {concepts} would have {_in_digits(size)} x {_in_digits(n_points)} "
            f"cells (concepts x points), more than the limit of {limit}.",
            "Use a smaller class, or give the points that matter with points=.",
            concepts=concepts,
            size=_in_digits(size),
            n_points=_in_digits(n_points),
            limit=limit,
        )


class TooManyConjunctionsError(ThresherError):
    """There are more conjunctions of at most k literals than can be counted, or have columns."""

    code = "conjunctions"

    def __init__(self, n_variables: int, k: int, signs: int, limit: int, why: str) -> None:
        found = _conjunctions(n_variables, k, signs)
        kind = "variables" if signs == 1 else "variables and negations"
        super().__init__(
            f"{n_variables:,} variables have {found} conjunctions of up to {k:,} {kind}, "
            f"and {why}.",
            "Choose a smaller k.",
            n_variables=n_variables,
            k=k,
            conjunctions=found,
            limit=limit,
        )


def _conjunctions(n: int, k: int, signs: int) -> str:
    """How many conjunctions of at most k literals there are, computed without listing them.

    >>> _conjunctions(10_000, 4, 1), _conjunctions(10**9, 10**8, 2)
    ('416,583,379,172,500', 'more than 10^130,102,999')
    """
    if k <= 40 and comb(n, k) < 10**30:
        return f"{sum(comb(n, size) * signs**size for size in range(1, k + 1)):,}"
    # C(n, j) >= (n/j)^j, which is largest for j = n/e; a little off for what doubles lose.
    size = min(k, n // 3 + 1, 10**15)
    power = size * (log10(n * signs) - log10(size)) * (1 - 2**-40)
    return f"more than 10^{int(power):,}"


class SearchBudgetError(ThresherError):
    """An exact search was stopped because it would take too long."""

    code = "budget"

    def __init__(self, concepts: str, tried: int, low: int, high: int) -> None:
        super().__init__(
            f"{concepts}: the search for the Littlestone dimension stopped after {tried} splits; "
            f"so far it is known to be at least {low} and at most {high}.",
            "Use a smaller class or fewer points, or allow more with budget=.",
            concepts=concepts,
            tried=tried,
            low=low,
            high=high,
        )
