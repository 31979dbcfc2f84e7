r"""What the mixing theorem allows a run, with its own learner before the last epoch as comparator.

In the last epoch every row is also scored by the learner with which the epoch began, which is one
and the same for all shards. Its losses over all rows, times the epochs, for the rows come again in
each of them, are what `thresher.theory.MixingWithLosses` asks for. The losses are measured at
several levels, and the level counts at which the theorem allows the fewest mistakes: it holds at
each. A comparator that was found after the run is sound, because its losses are those of all rows
and not of the mistaken ones alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.records import record
from thresher.theory.exponentiated.hinge import NormalizedWinnowHinge, SignedWinnowHinge
from thresher.theory.mixing import MixingWithLosses
from thresher.theory.perceptron.hinge import PerceptronHinge
from thresher.theory.quasi_additive.p_norm_hinge import PNormHinge
from thresher.theory.winnow.comparator import WinnowComparator

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.streams.rows import Rows
    from thresher.theory.mixing.with_losses import WithLoss

#: What sums of rounded numbers may lack, with much room.
ABOVE = 1.0 + 2.0**-30
_EPSILON = 2.0**-52
#: Different weights of a Winnow that is a comparator: each takes an exact logarithm, and the run
#: would wait for them.
MOST_DIFFERENT = 4096


@record
class Question:
    """What is measured of every row."""

    #: Pairs: what positive rows should reach, and what negative ones should not exceed.
    levels: tuple[tuple[float, float], ...]
    #: Scores are divided by it.
    unit: float = 1.0
    #: Of which norm the largest is wanted.
    p: float = 2.0
    #: Whether rows have a constant feature more.
    bias: bool = False


@record
class Measured:
    """Losses at each level, and the largest rows."""

    losses: tuple[float, ...]
    #: Squares of the largest norms: of the one asked for, and of the Euclidean one.
    radius_squared: float = 0.0
    length_squared: float = 0.0
    rows: int = 0
    #: The most features that a row has.
    features: int = 0

    @classmethod
    def of_rows(
        cls, question: Question, learner: Learner, rows: Rows, label: NDArray[np.int8]
    ) -> Measured:
        """What is found of rows, with a learner that is not changed."""
        score = learner.scores(rows) / question.unit
        good, bad = score[label > 0], score[label < 0]
        losses = tuple(
            float(np.maximum(0.0, high - good).sum() + np.maximum(0.0, bad - low).sum())
            for high, low in question.levels
        )
        most = int(np.diff(rows.row_start).max(initial=0)) + question.bias
        size, length = (_largest(rows, p, question.bias) for p in (question.p, 2.0))
        return cls(losses, size, length, len(rows), most)

    @classmethod
    def of_all(cls, parts: Iterable[Measured]) -> Measured:
        """What several parts come to."""
        found = list(parts)
        return cls(
            tuple(fsum(level) for level in zip(*(one.losses for one in found), strict=True)),
            max(one.radius_squared for one in found),
            max(one.length_squared for one in found),
            sum(one.rows for one in found),
            max(one.features for one in found),
        )


def _largest(rows: Rows, p: float, bias: bool) -> float:
    """The largest square of a row's p-norm."""
    if rows.only_ones:
        most = int(np.diff(rows.row_start).max(initial=0)) + bias
        return float(most ** (2.0 / p))
    value = np.abs(rows.value)
    # High powers of large or small values are no doubles: those of shares in the largest are.
    unit = 1.0 if p == 2.0 else float(value.max(initial=bias)) or 1.0
    share = value / unit
    power = share * share if p == 2.0 else share**p
    # One after another, as the zero at the end allows rows without a value.
    total = np.concatenate((power, [0.0]))
    sums = np.add.reduceat(total, rows.row_start[:-1]) if len(rows) else np.zeros(1)
    sums = np.where(np.diff(rows.row_start) > 0, sums, 0.0)
    return float((float(sums.max(initial=0.0)) + (bias / unit) ** p) ** (2.0 / p)) * unit * unit


def _of(learner: Learner) -> type[WithLoss] | None:
    """The theorem for one learner of which mixing makes one for many; None: there is none."""
    known = learner.theorems
    each: tuple[type[WithLoss], ...] = (
        PerceptronHinge,
        PNormHinge,
        WinnowComparator,
        SignedWinnowHinge,
        NormalizedWinnowHinge,
    )
    return next((one for one in each if one in known and MixingWithLosses in known), None)


def question_for(learner: Learner) -> Question | None:
    """What to measure where a mixing theorem speaks of the learner; None where none does."""
    theorem = _of(learner)
    if theorem is None or learner.variations:
        return None
    if theorem is PNormHinge and learner.parameters["margin"]:
        # It is about steps on mistakes alone.
        return None
    given: Any = learner
    weights, bias = given.weights, bool(learner.parameters.get("bias"))
    if theorem is WinnowComparator:
        alpha = float(1 + given.beta)
        shares = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
        levels = tuple((1.0, share / alpha) for share in shares)
        different = len(np.unique(given.dual[given.dual != 0.0]))
        some = 0 < different <= MOST_DIFFERENT
        return Question(levels, float(given.threshold)) if some else None
    exponentiated = issubclass(theorem, NormalizedWinnowHinge)
    size = float(np.abs(weights).sum()) if exponentiated else float(np.linalg.norm(weights))
    if not size:
        return None
    p = float(given.p) if theorem is PNormHinge else 2.0
    most = size * (float(learner.parameters["radius"]) if exponentiated else 8.0)
    levels = tuple((most * 2.0**-k, -most * 2.0**-k) for k in range(1, 15))
    return Question(levels, 1.0, p, bias)


def allowed(
    learner: Learner, question: Question, measured: Measured, shards: int, epochs: int
) -> MixingWithLosses | None:
    """The theorem at the level that allows the fewest mistakes; None where no level will do.

    Parameters
    ----------
    learner
        The one that was measured: that of the start of the last epoch.
    question, measured
        What was asked of all rows, and found.
    shards, epochs
        How many there were.
    """
    given: Any = learner
    weights = np.append(given.weights, given.bias_weight) / question.unit
    # A score is off by no more than this: rounding of as many products and sums.
    length = float(np.linalg.norm(weights)) * ABOVE
    off = (measured.features + 2) * _EPSILON * length * measured.length_squared**0.5
    best: tuple[int, MixingWithLosses] | None = None
    for (high, low), loss in zip(question.levels, measured.losses, strict=True):
        total = epochs * (loss + measured.rows * off) * ABOVE
        for one in _sequential(given, weights, (high, low), total, measured):
            theorem = MixingWithLosses(sequential=one, shards=shards)
            # Asked once: with thousands of different weights the answer takes half a second.
            most = theorem.max_mistakes() if theorem.applies() else None
            if most is not None and (best is None or most < best[0]):
                best = most, theorem
    return None if best is None else best[1]


def _sequential(
    learner: Any,
    weights: NDArray[np.float64],
    level: tuple[float, float],
    loss: float,
    measured: Measured,
) -> Sequence[WithLoss]:
    """The theorem for one learner, at a level."""
    theorem, n = _of(learner), len(weights) - (not learner.parameters.get("bias"))
    some = weights[weights != 0.0]
    radius = measured.radius_squared * ABOVE
    if theorem is PerceptronHinge:
        norm = fsum((some * some).tolist()) * ABOVE
        return [PerceptronHinge(radius, norm, level[0], loss)]
    if theorem is PNormHinge:
        q = learner.p / (learner.p - 1.0)
        norm = fsum((np.abs(some) ** q).tolist()) ** (2.0 / q) * ABOVE
        return [PNormHinge(learner.p, radius, norm, level[0], loss)]
    if theorem is WinnowComparator:
        # A feature that nobody promoted weighs 1/threshold in the comparator as well.
        u = np.abs(weights[:n])
        return [WinnowComparator(n, u, level[1], learner.beta, learner.threshold, loss)]
    assert theorem is not None
    assert issubclass(theorem, NormalizedWinnowHinge)
    made = theorem(
        n_features=n,
        margin=level[0],
        radius=learner.parameters["radius"],
        comparator_norm=fsum(np.abs(some).tolist()) * ABOVE,
        eta=learner.eta,
        loss=loss,
    )
    return [made] if made.applies() else []
