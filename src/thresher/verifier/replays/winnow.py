"""Winnow and Balanced Winnow, replayed."""

from __future__ import annotations

from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import ceil, inf

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.compiled.power_rounds import WinnowRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.literals import as_kept, check_literals, over_literals
from thresher.verifier.replays.multiplicative import dual_arithmetic, give_link
from thresher.verifier.replays.playing import FLOAT64, Parameters, Replay
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.state import State


def winnow_rounds(
    stream: LabelledRows,
    parameters: Parameters,
    start: State | None = None,
    *,
    mirrored: bool = False,
) -> tuple[WinnowRounds, Columns]:
    """The rounds of Winnow, or of Balanced Winnow, not yet played."""
    stream = as_kept(stream, parameters)
    rounds, columns = prepared(WinnowRounds, stream, parameters, start)
    base = 1 + Fraction(parameters["beta"])
    give_link(rounds, WeightBase(base), mirrored=mirrored, base=base)
    threshold = Fraction(parameters["threshold"])

    def reaches(terms: list[tuple[float, float]]) -> bool:
        exact = [(Fraction(x), Fraction(z)) for x, z in terms]
        return WeightBase(base).sign([*exact, (-threshold, Fraction(0))]) >= 0

    rounds.set_threshold(float(threshold), Fraction(float(threshold)) == threshold, reaches)
    lowest = least_dual(parameters.get("floor"), base)
    rounds.set_rule(float(parameters.get("margin", 0)), lowest, parameters.get("zeroing", False))
    return rounds, columns


def least_dual(floor: Fraction | None, base: Fraction) -> float:
    """The least whole number to which the base can be raised without going below the floor.

    >>> least_dual(Fraction(1, 3), Fraction(2)), least_dual(None, Fraction(2))
    (-1.0, -inf)
    >>> least_dual(Fraction(1, 8), Fraction(2)), least_dual(Fraction(1, 2), 1 + Fraction(1, 2**40))
    (-3.0, -762123384786.0)
    """
    if floor is None:
        return -inf
    digits = 60 + floor.numerator.bit_length() + floor.denominator.bit_length()
    with localcontext(Context(prec=digits + base.denominator.bit_length())):
        power = _ln(floor) / _ln(base)
        nearest = power.to_integral_value()
        # Fractions with other digits than these differ by more than the logarithms were rounded.
        tie = abs(power - nearest) < Decimal(10) ** -20 and _is_power(floor, base, int(nearest))
    return float(nearest if tie else ceil(power))


def _ln(number: Fraction) -> Decimal:
    return (Decimal(number.numerator) / Decimal(number.denominator)).ln()


def _is_power(number: Fraction, base: Fraction, exponent: int) -> bool:
    """Whether base**exponent is the number; large powers are not worked out."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    if abs(exponent) * (base.numerator.bit_length() - 1) > bits:
        return False
    power: Fraction = base**exponent
    return power == number


def replay_winnow(
    stream: LabelledRows,
    parameters: Parameters,
    known: NDArray[np.bool_] | None = None,
    start: State | None = None,
) -> Replay:
    """The run of Winnow.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"beta": Fraction(1), "threshold": Fraction(3), "zeroing": False}
    >>> stream = read_rows([[1, 0, 1], [1, 1, 0], [1, 1, 0]], [1, 1, -1])
    >>> run = replay_winnow(stream, given)
    >>> run.mistaken.tolist(), run.state["columns"].tolist(), run.state["dual"].tolist()
    ([0, 2], [1, 2], [-1.0, 1.0])
    """
    return _played(stream, parameters, known, start, mirrored=False)


def replay_balanced_winnow(
    stream: LabelledRows,
    parameters: Parameters,
    known: NDArray[np.bool_] | None = None,
    start: State | None = None,
) -> Replay:
    """The run of Balanced Winnow, whose second weight is the inverse of the first."""
    return _played(stream, parameters, known, start, mirrored=True)


def _played(
    stream: LabelledRows,
    parameters: Parameters,
    known: NDArray[np.bool_] | None,
    start: State | None,
    *,
    mirrored: bool,
) -> Replay:
    rounds, columns = winnow_rounds(stream, parameters, start, mirrored=mirrored)
    found = played(rounds, columns, parameters, known=known, start=start)
    # Whether a score is within the margin is asked in floating point.
    rounded = parameters.get("margin", 0) > 0 or any(
        parameters.get(name) is not None for name in ("class_weight", "scaling")
    )
    arithmetic = FLOAT64 if rounded else dual_arithmetic(stream, parameters, len(found.updates))
    return replace(
        found, arithmetic=arithmetic, leans=over_literals(found.leans, parameters, as_kept)
    )


def check_winnow(parameters: Parameters, path: str) -> None:
    """Refuse a margin that reaches down to zero, and options that do not go together."""
    check_literals(parameters, path)
    margin = Fraction(parameters.get("margin", "0"))
    if margin >= Fraction(parameters["threshold"]):
        raise CertificateError.must_be(f"{path}.margin", "below the threshold", str(margin))
    plain = {"margin": "0", "floor": None, "scaling": None, "class_weight": None}
    if parameters.get("zeroing", False) and any(
        parameters.get(name, value) != value for name, value in plain.items()
    ):
        raise CertificateError.must_be(f"{path}.zeroing", "false with these options", True)
