"""Claims as they are typed: `disjunction:k=4`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.parsing import assignments, exact

if TYPE_CHECKING:
    from thresher.theory import Concept


def parse_claim(text: str, n_features: int | None) -> Concept:
    """The concept that was typed; `n` is the number of features unless it is given.

    Examples
    --------
    >>> parse_claim("disjunction:k=4", 1000)
    Disjunction(k=4, n=1000, errors=0)
    >>> parse_claim("separator:margin=1/10", None).margin
    Fraction(1, 10)
    """
    from thresher.verifier.statement import CONCEPTS

    name, _, rest = text.partition(":")
    kinds: dict[str, Any] = {_snake(kind): concept for kind, concept in CONCEPTS.items()}
    if _snake(name.strip()) not in kinds:
        raise click.UsageError(f"--claim {text}: {name!r} is none of {', '.join(sorted(kinds))}.")
    kind = kinds[_snake(name.strip())]
    wanted = {field.name for field in fields(kind)}
    given: dict[str, Any] = {}
    for quantity, value in assignments(rest, f"--claim {text}").items():
        number = exact(value)
        if quantity not in wanted or number is None:
            raise click.UsageError(
                f"--claim {text}: {quantity}={value} is not one of {', '.join(sorted(wanted))} "
                "with a number."
            )
        given[quantity] = number
    if "n" in wanted and n_features is not None:
        given.setdefault("n", n_features)
    try:
        concept: Concept = kind(**given)
    except TypeError as error:
        raise click.UsageError(f"--claim {text}: {error}.") from None
    return concept


def _snake(name: str) -> str:
    """`KOfR` and `k-of-r` as `k_of_r`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=K)(?=O)", "_", name).replace("-", "_").lower()
