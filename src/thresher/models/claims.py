"""Claims as they are written: `disjunction:k=4`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from thresher.models.written import assignments, ill_written
from thresher.parameters import exact

if TYPE_CHECKING:
    from thresher.theory import Concept


def parse_claim(text: str, n_features: int | None) -> Concept:
    """The concept that was written; `n` is the number of features unless it is given.

    Examples
    --------
    >>> parse_claim("disjunction:k=4", 1000)
    Disjunction(k=4, n=1000, errors=0)
    >>> parse_claim("separator:margin=1/10", None).margin
    Fraction(1, 10)
    """
    # Imported here: theorems are for those who claim something.
    from thresher.verifier.statement import CONCEPTS  # noqa: PLC0415

    name, _, rest = text.partition(":")
    whose = f"claim {text}"
    kinds: dict[str, Any] = {_snake(kind): concept for kind, concept in CONCEPTS.items()}
    if _snake(name.strip()) not in kinds:
        raise ill_written(whose, f"{name!r} is none of {', '.join(sorted(kinds))}.")
    kind = kinds[_snake(name.strip())]
    wanted = {field.name for field in fields(kind)}
    given: dict[str, Any] = {}
    for quantity, value in assignments(rest, whose).items():
        number = exact(value)
        if quantity not in wanted or number is None:
            known = ", ".join(sorted(wanted))
            raise ill_written(whose, f"{quantity}={value} is not one of {known} with a number.")
        given[quantity] = number
    if "n" in wanted and n_features is not None:
        given.setdefault("n", n_features)
    try:
        concept: Concept = kind(**given)
    except TypeError as error:
        raise ill_written(whose, f"{error}.") from None
    return concept


def _snake(name: str) -> str:
    """`KOfR` and `k-of-r` as `k_of_r`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=K)(?=O)", "_", name).replace("-", "_").lower()
