"""Concept classes that are too large to be listed, and concepts that are none."""

from __future__ import annotations

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
