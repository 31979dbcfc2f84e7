"""Theorems for people who look: how the bound moves with each quantity, the others held still."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

from thresher.errors import ThresherError
from thresher.pictures import Chart, Line, Svg, sparkline

if TYPE_CHECKING:
    from thresher.theory.theorem import Theorem

Points = list[tuple[float, float]]

#: From nothing of a quantity to twice of it, in so many steps.
STEPS = 40
#: A bound beyond so many times the measured one would flatten the picture.
FAR = 4


def _moved(theorem: Theorem, name: str, value: int | Fraction) -> Points:
    """The bound along a quantity, in percent of what was measured, where the theorem applies."""
    found: Points = []
    for step in range(1, STEPS + 1):
        share = Fraction(2 * step, STEPS)
        moved: int | Fraction = value * share
        if isinstance(value, int):
            moved = round(moved)
            share = Fraction(moved, value)
        try:
            bound = float(replace(theorem, **{name: moved}).bound())
        except (ThresherError, ArithmeticError):
            continue
        point = (100 * float(share), bound)
        if isfinite(bound) and point not in found[-1:]:
            found.append(point)
    return found


def courses(theorem: Theorem) -> dict[str, Points]:
    """How the bound moves with each quantity that it depends on."""
    if not theorem.applies():
        return {}
    found = {}
    for name, value in theorem.measured().items():
        if isinstance(value, int | Fraction) and not isinstance(value, bool) and value:
            points = _moved(theorem, name, value)
            if len({y for _, y in points}) > 1:
                found[name] = points
    return found


def theorem_chart(theorem: Theorem) -> Svg:
    """A line for each quantity; all of them meet at what was measured."""
    along = courses(theorem)
    bound = float(theorem.bound()) if theorem.applies() else 0.0
    title = f"{theorem.name}: how its bound moves with each quantity"
    if not theorem.applies():
        title = f"{theorem.name} does not apply"
    lines = [
        Line(points=points, label=name, hue=hue) for hue, (name, points) in enumerate(along.items())
    ]
    here = Line(points=[(100, bound)], label=f"measured: {bound:,.6g}", hue=len(lines))
    highest = max((y for points in along.values() for _, y in points), default=bound)
    return Chart(
        lines=[*lines, here] if theorem.applies() else [],
        title=title,
        x="percent of what was measured",
        top=min(highest, FAR * bound) if bound > 0 else None,
        right=200,
        dots=(len(lines),),
    ).svg()


def theorem_spark(theorem: Theorem) -> Svg | None:
    """The bound along the quantity that moves it most; None where none does."""
    steepest = max(
        courses(theorem).values(),
        key=lambda points: max(y for _, y in points) - min(y for _, y in points),
        default=None,
    )
    return None if steepest is None else sparkline(steepest, steps=False)
