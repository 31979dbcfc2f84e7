"""From floating point vectors to witnesses with short whole numerators, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.certifier.witnesses.l2_margins import Problem
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator

Vector = NDArray[np.float64]

#: Sizes of the largest numerator that are tried: short witnesses first.
SCALES = (2**4, 2**7, 2**11, 2**16)
#: Features of the longest witness. Any vector is one, so those with small weights can go, and a
#: certificate stays below a megabyte.
MOST_FEATURES = 20_000


def rounded(u: Vector, columns: NDArray[np.int64], bias: bool, scale: int) -> Comparator:
    """The vector with whole numerators of at most `scale`; zeros are left out.

    >>> rounded(np.array([0.5, 0.26, 0.001]), np.array([3, 7, 9]), False, 4)
    Comparator(columns=(3, 7), numerators=(4, 2), bias=0, denominator=1)
    """
    largest = float(np.max(np.abs(u), initial=0.0))
    whole = np.rint(u / (largest or 1.0) * scale).astype(np.int64)
    features = whole[: len(columns)]
    kept = np.flatnonzero(features)
    if len(kept) > MOST_FEATURES:
        order = np.argsort(-np.abs(features[kept]), kind="stable")
        kept = np.sort(kept[order[:MOST_FEATURES]])
    return Comparator(
        tuple(columns[kept].tolist()),
        tuple(features[kept].tolist()),
        int(whole[-1]) if bias else 0,
    )


def dense_over(comparator: Comparator, problem: Problem) -> Vector:
    """The numerators over the columns of the problem."""
    width = int(problem.columns.max(initial=-1)) + 1
    features = comparator.dense(width)[problem.columns]
    if not len(problem.columns):
        features = np.zeros(problem.rows.shape[1] - problem.bias)
    return np.append(features, comparator.bias) if problem.bias else features


def places_of_mistakes(run: ReplayedRun) -> NDArray[np.int64]:
    """The mistakes, counted among the rounds that count."""
    place = np.cumsum(run.can_be_mistaken) - 1
    return np.asarray(place[run.replay.mistaken])
