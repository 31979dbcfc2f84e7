"""What a committee makes of its members, from shards that learned apart.

Sums add up, what was there before counted once, and so do the losses of experts. The slope of a
member is weighed by its curvature, the fitted combination by the inverse of its covariance. What an
expert weighs in the mixture is the mean over shards, each with as many votes as it has rows.
(Beliefs that were multiplied, as independent evidence would be, would also multiply what each round
gives back to all experts: measured, decision 0054.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.matrices import by_precision

Numbers = NDArray[np.float64]
#: A likelihood is kept as a number times a power of 2^-512.
PLACE = 512
#: No slope is below it, nor by rounding.
LEAST_SLOPE = 0.01


def mixed_experts(
    then: tuple[Any, ...], now: Sequence[tuple[Any, ...]], *, rows: Sequence[float], present: int
) -> tuple[Any, ...]:
    """The parts of a committee's state from "square" to "mistakes", see `CommitteeEngine.fields`.

    Shards had so many rows that weighed something, and so many members have not left.
    """
    square, slope, curvature, share, spread, prior, belief, likelihood, places, mistakes = then
    each = list(zip(*now, strict=True))
    squares, slopes, curvatures, shares, spreads, _, beliefs, likelihoods, all_places, wrong = each
    # The constant and then the members; those who left have no share.
    inside = slice(0, present + 1)
    new_share, new_spread = np.zeros_like(share), np.zeros_like(spread)
    new_share[inside], new_spread[inside, inside] = by_precision(
        share[inside],
        spread[inside, inside],
        [(s[inside], m[inside, inside]) for s, m in zip(shares, spreads, strict=True)],
    )
    new_slope, new_curvature = _slopes(slope, curvature, slopes, curvatures)
    return (
        _added(square, squares),
        new_slope,
        new_curvature,
        new_share,
        new_spread,
        prior,
        _believed(belief, beliefs, rows, present),
        *_likelihoods((likelihood, places), list(zip(likelihoods, all_places, strict=True))),
        _added(mistakes, wrong),
    )


def _added(before: NDArray[Any], after: Sequence[NDArray[Any]]) -> NDArray[Any]:
    found = before.copy()
    for own in after:
        found += own - before
    return found


def _slopes(
    slope: Numbers, curvature: Numbers, slopes: Sequence[Numbers], curvatures: Sequence[Numbers]
) -> tuple[Numbers, Numbers]:
    moved, total = np.zeros_like(slope), np.zeros_like(slope)
    for own, bend in zip(slopes, curvatures, strict=True):
        moved += bend * (own - slope)
        total += bend
    return np.maximum(slope + moved / total, LEAST_SLOPE), _added(curvature, curvatures)


def _believed(
    belief: Numbers, beliefs: Sequence[Numbers], rows: Sequence[float], present: int
) -> Numbers:
    """What each expert weighs: the members present, the average, the combination."""
    there = np.append(np.arange(len(belief) - 2) < present, [True, True])
    found = belief if not any(rows) else np.zeros_like(belief)
    for own, votes in zip(beliefs, rows, strict=True):
        found = found + votes * own
    found = np.where(there, found, 0.0)
    return np.asarray(found / np.cumsum(found)[-1])


def _likelihoods(
    before: tuple[Numbers, NDArray[np.int64]], after: Sequence[tuple[Numbers, NDArray[np.int64]]]
) -> tuple[Numbers, NDArray[np.int64]]:
    """The product of what the shards multiplied theirs with."""
    value, places = before
    first, power = np.frexp(value)
    product: Numbers = first.copy()
    exponent: NDArray[np.int64] = power - PLACE * places
    for own, own_places in after:
        part, of_two = np.frexp(own)
        product, carried = np.frexp(product * (part / first))
        gained = (of_two - PLACE * own_places) - (power - PLACE * places)
        exponent = exponent + (carried + gained).astype(np.int64)
    kept = np.maximum(-exponent // PLACE, 0).astype(np.int64)
    found = np.ldexp(product, exponent + PLACE * kept)
    return np.minimum(found, 1.0), kept
