"""Theorems about the Passive-Aggressive learners, for runs that are those of exact arithmetic.

The learners divide, so hardly any of their weights is a double, and a run in double precision is
not the run that the theorems speak of. But it can be shown to make the same predictions: see
`thresher.verifier.compiled.passive_aggressive_drift`. Where that fails, because a score is too
near to 0 for anybody to tell, no theorem is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.theory import (
    MistakeBound,
    PassiveAggressiveCapped,
    PassiveAggressiveSeparable,
    PassiveAggressiveSoftened,
    PassiveAggressiveSquaredHinge,
)
from thresher.verifier.measures.margins import Margins, squared_norms
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import UNIT
from thresher.verifier.witness import Witness

#: Deviations divided by norms are rounded up to multiples of this share of the largest.
GRAIN = Fraction(1, 2**80)


def passive_aggressive_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The theorem about the variant; without a level, at the smallest margin."""
    u = witness.comparator
    if (u.bias and not run.bias) or not run.same_on_paper:
        return
    margins = Margins(run.counted, u)
    level = margins.smallest() if witness.level is None else witness.level
    if level is None or level <= 0:
        return
    radius, size = max(run.mistake_norms, default=Fraction(0)), u.norm_squared
    variant, c = run.parameters["variant"], run.exact("C")
    separates = witness.level is None
    if variant == "PA-I":
        loss = Fraction(0) if separates else margins.hinge_loss(level)
        yield PassiveAggressiveCapped(radius, size, level, loss, c)
    elif variant == "PA-II":
        squares = Fraction(0) if separates else squared_loss_above(margins, level)
        yield PassiveAggressiveSoftened(radius, size, level, squares, c)
    elif separates:
        yield PassiveAggressiveSeparable(radius, size, level)
    elif run.bias or np.all(np.diff(run.counted.row_start) > 0):
        relative = relative_loss_above(margins, level, run.bias)
        yield PassiveAggressiveSquaredHinge(radius, size, level, relative)


def squared_loss_above(margins: Margins, level: Fraction) -> Fraction:
    """The sum of max(0, level - y u.x)^2, or where that takes long a little more.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> from thresher.verifier.witness import Comparator
    >>> found = Margins(read_rows([[1.0], [2.0]], [1, -1]), Comparator((0,), (1,)))
    >>> squared_loss_above(found, Fraction(3))
    Fraction(29, 1)
    """
    if not margins.error.any():
        return margins.squared_hinge_loss(level)
    # Rounded upwards: each loss has three roundings, the sum fewer than two for every row.
    off = _losses_above(margins, level)
    return Fraction(float(np.sum(off**2)) * (1.0 + (2 * len(off) + 8) * UNIT))


def _losses_above(margins: Margins, level: Fraction) -> np.ndarray:
    """Doubles that are not below max(0, level - y u.x)."""
    scale = margins.comparator.denominator
    low = margins.approximate - margins.error
    at = float(level * scale)
    slack = (abs(at) + np.abs(low)) * 2 * UNIT
    return np.maximum(0.0, (at - low) + slack) / scale * (1.0 + 2 * UNIT)


def relative_loss_above(margins: Margins, level: Fraction, bias: bool) -> Fraction:
    """The sum of (max(0, level - y u.x)/||x||)^2, or a little more.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> from thresher.verifier.witness import Comparator
    >>> found = Margins(read_rows([[1.0], [2.0]], [1, -1]), Comparator((0,), (1,)))
    >>> relative_loss_above(found, Fraction(3), False)
    Fraction(41, 4)
    """
    if margins.error.any():
        off = _losses_above(margins, level)
        norms = _norms_below(margins, bias)
        if not np.all(norms > 0.0):
            return relative_loss_exactly(margins, level, bias)
        return Fraction(float(np.sum(off**2 / norms)) * (1.0 + (2 * len(off) + 16) * UNIT))
    return relative_loss_exactly(margins, level, bias)


def _norms_below(margins: Margins, bias: bool) -> np.ndarray:
    """Doubles that are not above ||x||^2; 0 where a square may have vanished."""
    stream = margins.stream
    squares = np.bincount(stream.row, stream.value**2, len(stream)) + bias
    slack = (np.diff(stream.row_start) + 4.0) * UNIT
    return np.where(squares > 1e-280, squares * (1.0 - slack), 0.0)


def relative_loss_exactly(margins: Margins, level: Fraction, bias: bool) -> Fraction:
    """The same in fractions, those with the same norm taken together.

    Norms that differ would make denominators grow without end, so that quotients are rounded
    up to a number of binary digits, unless they are short.
    """
    short = np.flatnonzero(margins.below(lambda _: level))
    norms = squared_norms(margins.stream.take(short), bias)
    by_norm: dict[Fraction, Fraction] = {}
    for t, norm in zip(short.tolist(), norms, strict=True):
        by_norm[norm] = by_norm.get(norm, Fraction(0)) + (level - margins.at(t)) ** 2
    parts = [squares / norm for norm, squares in by_norm.items()]
    if len(parts) <= 8:
        return sum(parts, Fraction(0))
    grain = max(parts) * GRAIN
    return sum(-(-part // grain) for part in parts) * grain
