"""The Perceptron's worst case in three dimensions: rows on a circle around the separator."""

from __future__ import annotations

from fractions import Fraction
from math import floor, hypot, sqrt

from thresher.games.assemble import of_dicts
from thresher.games.numbers import Number, positive, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import Separator


def circle(inverse_margin_squared: Number) -> PlantedStream:
    """floor(B) Perceptron mistakes in R^3, for B = R^2/margin^2.

    Every row has norm 1 and the margin ``g = 1/sqrt(B)`` along the first axis; the other two
    coordinates are turned so that the row is (almost) orthogonal to the current weights, on
    the wrong side. Then a mistake adds exactly g to u.w and almost exactly 1 to ||w||^2: both
    inequalities of the proof are equalities, and the bound is reached in dimension three.

    The first row has score 0, which predicts +1, so rows are fed as (-z, -1) and (z, +1) in
    turn. B should not be an integer: the float rows need a little room below it.

    >>> circle("10.5")
    PlantedStream('circle', 10 rounds, 10 mistakes forced)
    """
    B = positive("circle", "inverse_margin_squared", inverse_margin_squared)
    rounds = whole("circle", "floor of inverse_margin_squared", floor(B), 1)
    g = 1 / sqrt(B)
    q = sqrt(1 - g * g)
    w = [0.0, 0.0, 0.0]
    rows = []
    for t in range(rounds):
        v = _turned_against(w, g, q)
        z = (g, q * v[0], q * v[1])
        w = [a + b for a, b in zip(w, z, strict=True)]
        side = -1 if t % 2 == 0 else 1
        rows.append(({i: side * c for i, c in enumerate(z)}, side))
    return PlantedStream(
        name="circle",
        summary="rows in R^3, each orthogonal to what the Perceptron knows",
        batch=of_dicts(rows),
        victim="Perceptron",
        n_features=3,
        target=Separator({0: 1}, margin=Fraction(g)),
        forced=rounds,
        bound=B,
    )


def _turned_against(
    w: list[float], g: float, q: float, nearly: float = 1e-11
) -> tuple[float, float]:
    """The unit vector v for which ``(g, q v)`` scores just below zero."""
    length = hypot(w[1], w[2])
    if length < 1e-15:
        return (1.0, 0.0)
    along = max(-1.0, min(1.0, -(w[0] * g + nearly) / (length * q)))
    across = sqrt(max(0.0, 1.0 - along * along))
    c, s = w[1] / length, w[2] / length
    return (along * c - across * s, along * s + across * c)
