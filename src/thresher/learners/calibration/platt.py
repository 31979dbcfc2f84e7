"""Platt's calibration: a logistic curve through the scores."""

from __future__ import annotations

from math import isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.base.probability_map import Curve, logistic
from thresher.learners.calibration.calibrator import Calibrator, bin_middles

#: Newton's method needs fewer than ten steps on data; this is where it would be given up.
MOST_STEPS = 100


def logistic_fit(
    x: NDArray[np.float64], negative: NDArray[np.int64], positive: NDArray[np.int64]
) -> tuple[float, float]:
    """Slope a >= 0 and intercept b of the likeliest P(+1) = 1/(1 + exp(-(a x + b))).

    Labels are not taken for 1 and 0 but for (n+ + 1)/(n+ + 2) and 1/(n- + 2), which keeps the
    curve finite where a score separates them (Platt 2000); by Newton's method with halved
    steps (Lin, Lin and Weng 2007).
    """
    n_negative, n_positive = int(negative.sum()), int(positive.sum())
    target = positive * ((n_positive + 1.0) / (n_positive + 2.0)) + negative * (
        1.0 / (n_negative + 2.0)
    )
    total = (positive + negative).astype(np.float64)
    base = float(target.sum() / total.sum()) if len(x) else 0.5
    flat = log(base / (1.0 - base))
    scale = float(np.max(np.abs(x), initial=0.0))
    if scale == 0.0:
        return 0.0, flat
    z = x / scale
    a, b = _newton(z, target, total, flat)
    return (a / scale, b) if a > 0.0 else (0.0, flat)


def _newton(
    z: NDArray[np.float64], target: NDArray[np.float64], total: NDArray[np.float64], b: float
) -> tuple[float, float]:
    a = 0.0
    loss = _loss(a, b, z, target, total)
    for _ in range(MOST_STEPS):
        p = logistic(a * z + b)
        error, curvature = total * p - target, total * p * (1.0 - p)
        ga, gb = float(error @ z), float(error.sum())
        # A little is added to the diagonal: one bin alone has no slope.
        curve_aa, curve_bb = float(curvature @ (z * z)) + 1e-12, float(curvature.sum()) + 1e-12
        curve_ab = float(curvature @ z)
        determinant = curve_aa * curve_bb - curve_ab * curve_ab
        da = -(curve_bb * ga - curve_ab * gb) / determinant
        db = -(curve_aa * gb - curve_ab * ga) / determinant
        if -(ga * da + gb * db) <= 1e-12 * loss:
            # So near that losses no longer tell; the last step doubles the digits.
            return a + da, b + db
        step = 1.0
        nearer = _loss(a + da, b + db, z, target, total)
        while nearer > loss and step > 1e-10:
            step /= 2.0
            nearer = _loss(a + step * da, b + step * db, z, target, total)
        a, b, loss = a + step * da, b + step * db, nearer
    return a, b


def _loss(
    a: float,
    b: float,
    z: NDArray[np.float64],
    target: NDArray[np.float64],
    total: NDArray[np.float64],
) -> float:
    """Minus the log-likelihood: sum of total * ln(1 + e^v) - target * v."""
    v = a * z + b
    return float(np.sum(total * np.logaddexp(0.0, v) - target * v))


class PlattCalibrator(Calibrator):
    """Probability 1 / (1 + exp(-(slope * score + intercept))), which never falls."""

    _middles = bin_middles()

    def fit(self) -> None:
        """The likeliest curve through the middles of the bins."""
        used = np.flatnonzero(self.counts.sum(axis=0))
        negative, positive = self.counts[:, used]
        self.slope, self.intercept = logistic_fit(self._middles[used], negative, positive)

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The curve at each score; off 0 and 1 by what doubles can say."""
        return self.map().probabilities(scores)

    def map(self) -> Curve:
        """The present curve."""
        return Curve(self.slope, self.intercept)

    def fitted(self) -> tuple[Any, ...]:
        """Slope and intercept."""
        return (self.slope, self.intercept)

    def set_fitted(self, fitted: tuple[Any, ...]) -> None:
        """Take over a saved curve."""
        slope, intercept = fitted
        if not (isfinite(slope) and isfinite(intercept) and slope >= 0.0):
            raise StateError("the curve of a calibration rises and is made of finite numbers.")
        self.slope, self.intercept = float(slope), float(intercept)
