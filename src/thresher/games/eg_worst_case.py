"""Normalised Winnow's worst case: one steady feature, all others balanced against it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import atanh, inf, log, log1p

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.games.assemble import of_matrix
from thresher.games.numbers import Number, exact, positive, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import Separator

Vector = NDArray[np.float64]
#: How far below zero the scores lie: far above rounding, far below what matters.
NEARLY_ZERO = 1e-9


def eg_rows(n_features: int, margin: float, eta: float) -> Iterator[Vector]:
    """Rows, all labelled +1, that normalised Winnow with rate `eta` gets wrong one by one.

    Feature 0 is always `margin`, so it alone is a separator. The other features are +-1, one
    of them fractional, chosen so that the score is just below zero: with values at the ends
    of [-1, 1] and the score at 0 the potential falls by the least amount the proof allows.
    The iterator ends when the other features together can no longer outvote feature 0.
    """
    dual = np.zeros(n_features)
    while True:
        weights = np.exp(eta * dual - (eta * dual).max())
        weights /= weights.sum()
        row = _balanced_row(weights, margin)
        if row is None:
            return
        yield row
        dual += row


def _balanced_row(w: Vector, margin: float) -> Vector | None:
    """A row with ``x_0 = margin`` and a score just below zero, if there is one."""
    order = 1 + np.argsort(-w[1:], kind="stable")
    row = np.ones(len(w))
    row[0] = margin
    total, sign = margin * float(w[0]), []
    for weight in w[order].tolist():
        if total >= 0:
            sign.append(-1.0)
            total -= weight
        else:
            sign.append(1.0)
            total += weight
    row[order] = sign
    score = float((w * row).sum())
    # A score that is negative only by rounding would be no mistake in another order of summing,
    # so the lightest features change sides until it is clearly negative.
    for i in order[::-1]:
        if score <= -NEARLY_ZERO / 2:
            break
        if row[i] == 1.0:
            row[i] = -1.0
            score -= 2.0 * float(w[i])
    score = float((w * row).sum())
    for i in order:
        if score >= -1.5 * NEARLY_ZERO:
            break
        if row[i] < 1.0:
            row[i] += min(1.0 - row[i], (-NEARLY_ZERO - score) / w[i])
            score = float((w * row).sum())
    return row if score <= -NEARLY_ZERO / 2 else None


def relative_entropy_gain(margin: float) -> float:
    """g(margin): what one mistake costs the potential, at the best rate."""
    if margin >= 1:
        return log(2)
    up, down = 1 + margin, 1 - margin
    return up / 2 * log1p(margin) + down / 2 * log1p(-margin)


def eg_worst_case(
    n_features: int, margin: Number, eta: Number | None = None, rounds: int | None = None
) -> PlantedStream:
    """A stream on which normalised Winnow nearly reaches ``ln d / g(margin)``.

    Parameters
    ----------
    eta
        The rate of the victim; None is the rate of the theorem, ``atanh(margin)``. About
        twice that rate is too much: then the stream has no end and no bound holds.
    rounds
        Where to stop; needed when the rate is too large.

    >>> stream = eg_worst_case(64, "0.5")
    >>> stream.forced, round(stream.bound, 1), stream.consistent
    (26, 31.8, True)
    """
    whole("eg_worst_case", "n_features", n_features, 2)
    g = float(positive("eg_worst_case", "margin", margin))
    if g >= 1:
        raise ParameterError("eg_worst_case", "margin", "below 1", margin)
    rate = atanh(g) if eta is None else float(exact("eg_worst_case", "eta", eta))
    drop = rate * g - (rate + log1p(np.exp(-2 * rate)) - log(2))
    if drop <= 0 and rounds is None:
        raise ParameterError(
            "eg_worst_case",
            "eta",
            f"small enough for margin {g} (the best is {atanh(g):.4f})",
            eta,
            "Give rounds to cut the endless stream.",
        )
    rows = list(islice(eg_rows(n_features, g, rate), rounds))
    return PlantedStream(
        name="eg-worst-case" if drop > 0 else "eg-too-fast",
        summary="one steady feature, all others balanced just against it",
        batch=of_matrix(rows, np.ones(len(rows))),
        victim=f"NormalizedWinnow(eta={rate!r})",
        n_features=n_features,
        target=Separator({0: 1}, margin=exact("eg_worst_case", "margin", g)),
        forced=len(rows),
        bound=log(n_features) / (relative_entropy_gain(g) if eta is None else drop)
        if drop > 0
        else inf,
    )
