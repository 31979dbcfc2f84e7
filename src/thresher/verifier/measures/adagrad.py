"""Theorems about AdaGrad, with what rounding adds to them.

The theorem is about exact steps; those of a run are rounded. What that costs is bounded here, so
that the statement is about the run as it was. Write v for 2^-53, w for the weights, G for the sums
of squared gradients g and r for the exact root of G, all but r as the doubles they are. D is
not below any |w - u| of a feature before it is moved. A step is e - a with a = eta g/r, where

* the root, the product, the quotient and the sum round: |e| <= v (4 |a| + |new weight|);
* (w - u)^2 falls by 2 a (w - u) but for a^2 + 2 |a e| + e^2 + 2 |e| D. Times r/(2 eta), summed
  over the run, what falls is at most D^2/(2 eta) times the sum S of the last roots, as on paper;
* a^2 r/(2 eta) = eta g^2/(2 r), and g^2 is the growth of G but for 3 v G: sums to eta S and
  2 v eta times the sum Q of all roots;
* with E the sum of r (4 |a| + |new weight|) over all steps, the rest is at most
  v E (D + 2 eta + W)/eta, where W is the largest weight.

An update has the margin m = y w.x, computed with an error of at most (n + 4) v times the sum of
|w x|. For the hinge loss 1 - m <= loss of u + g.(w - u), whichever side of 1 rounding put m on;
a mistake has m <= 0 but for that error, the sum of which is B. For the logistic loss the slope
is off by a quarter of that error and by what the machine's exponential is off by, and g.(w - u)
by this times the sum of |x| times D; these are summed in F. Together

    M <= L + (D^2/(2 eta) + eta) S + v E (D + 2 eta + W)/eta + 2 v eta Q + B + F D,

with M ln 2 for the logistic loss. What exceeds the theorem is added to L.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import fsum, inf, isfinite, nextafter
from typing import cast

import numpy as np
from numpy.typing import NDArray

from thresher.theory import AdaGradHinge, AdaGradLogistic, MistakeBound
from thresher.theory.enclosure import exp, float_above, ln, real
from thresher.verifier.compiled.adagrad_ledger import AdaGradLedger
from thresher.verifier.measures.margins import Margins
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.linear import prepared
from thresher.verifier.witness import Comparator, Witness

#: Sums of rounded numbers are taken to be this much larger.
ROOM = 1.001
V = 2.0**-53
#: Between knots so far apart, and up to this margin, the logistic loss is interpolated.
KNOTS, FARTHEST = 64, 32


@dataclass(frozen=True, eq=False)
class Ledger:
    """What the theorem asks of a run: ranges of weights by column, and sums."""

    columns: NDArray[np.int64]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
    #: The least and the largest weight of the constant feature; None if it was never moved.
    constant: tuple[float, float] | None
    root_sum: float
    sums: dict[str, float]

    @classmethod
    def of(cls, run: ReplayedRun) -> Ledger:
        """The ledger of a run, which is played once more for it."""
        rounds, columns = prepared(AdaGradLedger, run.stream, run.parameters)
        rounds.set_rule(float(run.exact("rate")), run.parameters["loss"] == "logistic")
        rounds.measure()
        rounds.play(0, len(run.stream))
        moved, least, most, sums = rounds.ledger()
        squares = rounds.by_feature()["squares"]
        inner = np.flatnonzero(moved[: columns.width])
        return cls(
            columns.as_given(inner.astype(np.int64)),
            least[inner],
            most[inner],
            (float(least[-1]), float(most[-1])) if moved[-1] else None,
            fsum(np.sqrt(squares).tolist()) * (1.0 + 8 * V),
            sums,
        )

    @property
    def largest(self) -> float:
        """The largest weight of all before a step."""
        ends = (*self.constant,) if self.constant else ()
        return max(map(abs, (*self.least.tolist(), *self.most.tolist(), *ends)), default=0.0)

    def distance(self, u: Comparator) -> float:
        """Not below any |w_i - u_i| of a feature before it was moved."""
        weight = dict(zip(u.columns, u.numerators, strict=True))
        own = np.array([weight.get(i, 0) for i in self.columns.tolist()]) / u.denominator
        off = np.maximum(np.abs(self.most - own), np.abs(self.least - own))
        found = float(np.max(off, initial=0.0))
        if self.constant is not None:
            found = max(found, *(abs(end - u.bias / u.denominator) for end in self.constant))
        size = float(np.max(np.abs(own), initial=abs(u.bias / u.denominator)))
        return nextafter(found + 4 * V * (found + size), inf)

    def rounding(self, distance: float, eta: float) -> float:
        """What is added to the loss because numbers were rounded."""
        s = self.sums
        steps = V * s["steps"] * (distance + 2 * eta + 2 * self.largest) / eta
        return ROOM * (steps + 2 * V * eta * s["roots"] + s["scores"] + s["slopes"] * distance)


def adagrad_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The theorem about the loss that the learner descends."""
    u = witness.comparator
    if u.bias and not run.bias:
        return
    ledger, eta = cast(Ledger, run.measured), run.exact("rate")
    distance = ledger.distance(u)
    rounding = ledger.rounding(distance, float(eta))
    if not isfinite(rounding) or not isfinite(ledger.root_sum):
        return
    margins = Margins(run.counted, u)
    given = Fraction(distance), Fraction(ledger.root_sum), eta
    if run.parameters["loss"] == "hinge":
        yield AdaGradHinge(margins.hinge_loss(Fraction(1)) + Fraction(rounding), *given)
    else:
        yield AdaGradLogistic(Fraction(logistic_loss_above(margins) + rounding), *given)


def logistic_loss_above(margins: Margins) -> float:
    """Not below the sum of ln(1 + exp(-y u.x)), and hardly above it.

    The loss is convex, so that a chord between two knots is nowhere below it, by at most 8e-6.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[0.0], [1.0]], [1, 1])
    >>> round(logistic_loss_above(Margins(stream, Comparator((0,), (1,)))), 6)
    1.006409
    """
    scale = float(margins.comparator.denominator)
    at = margins.approximate / scale
    off = margins.error / scale + np.abs(at) * 2.0**-51
    below = np.maximum(0.0, -FARTHEST - at)
    inner = np.clip(at, -FARTHEST, FARTHEST)
    left = np.minimum(np.floor(inner * KNOTS), KNOTS * FARTHEST - 1)
    places = left.astype(np.int64)
    used = np.unique(np.concatenate((places, places + 1)))
    knots = np.array([_loss_at(int(k)) for k in used])
    first = knots[np.searchsorted(used, places)]
    second = knots[np.searchsorted(used, places + 1)]
    chord = first + (second - first) * (inner * KNOTS - left)
    # Beyond the last knots the slope is at most 1 in size. Some roundings, each below 2^-48.
    return fsum((chord + below + off).tolist()) + len(at) * 1e-13 + 1e-12 * float(np.sum(below))


@lru_cache(maxsize=2 * KNOTS * FARTHEST + 1)
def _loss_at(knot: int) -> float:
    """Not below ln(1 + exp(-knot/64))."""
    return float_above(ln(exp(real(Fraction(-knot, KNOTS))) + 1))
