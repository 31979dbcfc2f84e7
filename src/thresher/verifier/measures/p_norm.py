"""Theorems about the p-norm Perceptron."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import ROUND_CEILING, Context
from fractions import Fraction

import numpy as np

from thresher.theory import Concept, MistakeBound, PNorm, PNormHinge, Separator
from thresher.theory.enclosure import exp, ln, total
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.witness import Witness

#: Norms are stated with so many digits, the last one rounded up.
DIGITS = Context(prec=16, rounding=ROUND_CEILING)
#: Rows whose norm, to double precision, is within this share of the largest are looked at.
NEARLY = 1e-9


def norm_squared_above(values: Iterable[Fraction], p: Fraction) -> Fraction:
    """A number of 16 digits that is not below (sum of |v|^p)^(2/p), and next to it.

    >>> norm_squared_above([Fraction(3), Fraction(-4)], Fraction(2))
    Fraction(25, 1)
    >>> float(norm_squared_above([Fraction(1), Fraction(-1)], Fraction(4)))
    1.414213562373096
    """
    sizes = Counter(abs(value) for value in values if value)
    if p == 2 or sum(sizes.values()) <= 1:
        return sum((count * size**2 for size, count in sizes.items()), Fraction(0))
    largest = max(sizes)
    powers = (
        count * exp(ln(size / largest) * p) for size, count in sizes.items() if size < largest
    )
    whole = total(powers) + sizes[largest]
    _, high = (exp(ln(whole) * 2 / p) * largest**2).enclose(30)
    return Fraction(DIGITS.create_decimal(high))


def _radius_squared(run: ReplayedRun, p: Fraction) -> Fraction:
    """A number not below the largest ||x||_p^2 of an update round, the constant included."""
    rows = run.stream.take(run.replay.updates)
    size, row = np.abs(rows.value), rows.row
    largest = np.full(len(rows), 1.0 if run.bias else 0.0)
    np.maximum.at(largest, row, size)
    share = size / np.where(largest > 0.0, largest, 1.0)[row]
    constant_share = 1.0 / largest if run.bias else np.zeros(len(rows))
    sums = np.bincount(row, share ** float(p), len(rows)) + constant_share ** float(p)
    norms = largest * sums ** (1.0 / float(p))
    near = np.flatnonzero(norms >= np.max(norms, initial=0.0) * (1.0 - NEARLY)).tolist()
    constant = [Fraction(1)] if run.bias else []
    kept = {tuple(sorted(rows.value[rows.inside(t, t + 1)].tolist())) for t in near}
    found = [norm_squared_above([*map(Fraction, row), *constant], p) for row in kept]
    return max(found, default=Fraction(0))


def p_norm_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The separable theorem, also for a thick margin; the hinge theorem at a level."""
    u, p, thickness = witness.comparator, run.exact("p"), run.exact("margin")
    if (u.bias and not run.bias) or (u.columns and max(u.columns) >= run.features):
        return
    if witness.level is not None and thickness:
        return
    margins = run.margins(u)
    size = norm_squared_above(u.weights, p / (p - 1))
    if witness.level is None:
        margin = margins.smallest()
        if margin is not None and margin > 0:
            yield PNorm(p, _radius_squared(run, p), size, margin, thickness)
        return
    loss = margins.hinge_loss(witness.level)
    yield PNormHinge(p, _radius_squared(run, p), size, witness.level, loss)


def p_norm_allowance(title: str, parameters: Parameters, concept: Concept) -> MistakeBound | None:
    """What a separator allows the p-norm Perceptron that updates on mistakes alone."""
    if not isinstance(concept, Separator) or concept.norm != 1 or parameters["margin"]:
        return None
    bias = int(parameters["bias"])
    # The constant feature is one feature more, which the comparator gives the weight 0.
    radius = max(concept.radius, Fraction(bias))
    seen = Separator(concept.margin, concept.norm, radius, concept.signed)
    room = int(parameters["n_features"]) + bias
    return seen.allowance(title, n_features=room, p=parameters["p"])
