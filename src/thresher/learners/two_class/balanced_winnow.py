"""Balanced Winnow: two weights per feature, kept as one dual."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.winnow import WinnowEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.options import Options
from thresher.learners.base.power_link import (
    Link,
    MultiplicativeLearner,
    checked_beta,
    checked_margin,
    checked_threshold,
    floor_dual,
    near_a_margin,
    rate_of,
)
from thresher.learners.base.shared_numbers import MixingRule
from thresher.parameters import MAX_FEATURES, Exact, checked_count


class BalancedWinnow(MultiplicativeLearner):
    r"""Balanced Winnow (Littlestone 1988), thresholded, as it is usually taught.

    Each feature has two weights :math:`w^+_i` and :math:`w^-_i`, both 1 at the start. The
    prediction is +1 exactly when :math:`\langle w^+ - w^-, x\rangle \ge \theta`; after a
    mistake :math:`w^+_i` is multiplied and :math:`w^-_i` divided by
    :math:`(1+\beta)^{y x_i}`. Their product stays 1, so one dual :math:`c_i` holds both:
    :math:`w^\pm_i = (1+\beta)^{\pm c_i}`.

    **What it does not do.** With :math:`\beta = 1` and :math:`\theta = n` it does *not* learn
    every linear threshold function, although this is often claimed. A row without active features
    always scores 0 < n, so any target that is positive there is never learned; and it cycles on
    many others. Of the 1,882 threshold functions of four variables it fails on 1,463 when all
    sixteen rows are repeated: on the 941 that are positive on the empty row, and on 522 others.
    For signed targets use :class:`~thresher.SignedWinnow` with ``bias=True``: it carries a mistake
    bound. No bound is known for this form, and it is kept for comparison with the literature.

    **Cost.** As :class:`~thresher.Winnow`: the non-zeros of the row once, after a mistake
    once more; one dual holds both weights. A right round changes nothing (without
    ``margin``).

    Parameters
    ----------
    n_features, beta, threshold, margin, floor, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Winnow`. Features lie in [-1, 1]. The floor holds for both weights
        of a feature, so neither exceeds its inverse. No theorem is known for margin or floor here.

    Examples
    --------
    Three mistakes that lead back to where they began, on "x3 and (x2 or not x1)":

    >>> import thresher as th
    >>> learner = th.BalancedWinnow(n_features=3).with_dual([0, 2, 2])
    >>> learner.learn([{1: 1}, {0: 1, 2: 1}, {0: 1, 1: 1, 2: 1}], [-1, -1, +1]).scores.tolist()
    [3.75, 3.75, 1.5]
    >>> learner.mistakes, learner.dual.tolist()
    (3, [0.0, 2.0, 2.0])
    """

    name: ClassVar[str] = "balanced_winnow"
    _conservative: ClassVar[bool] = True
    _mixing: ClassVar[MixingRule] = "average"
    compares_plain_sums: ClassVar[bool] = True
    mirrored: ClassVar[bool] = True
    _varying: ClassVar[tuple[str, ...]] = ("margin", "floor")

    def __init__(
        self,
        n_features: int,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        **options: Unpack[Options],
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._beta = beta
        self._threshold = threshold
        self._margin = margin
        self._floor = floor
        self._take(options)
        n = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        step = checked_beta(owner, beta)
        theta = checked_threshold(owner, threshold, n)
        link = Link(PowerBase(1 + step), rate_of(step), theta, mirrored=True)
        thickness = checked_margin(owner, margin, theta)
        lowest = floor_dual(owner, floor, 1 + step)
        engine = self._started(WinnowEngine, link, (-1.0, 1.0, False), n)
        engine.set_rule(thickness, lowest)
        self._weigh_and_scale()

    def _near(
        self, inside: NDArray[np.float64], label: NDArray[np.int8]
    ) -> NDArray[np.bool_] | None:
        return near_a_margin(float(self.parameters["margin"]), inside, label)

    @property
    def beta(self) -> Fraction:
        """The step, exactly."""
        return checked_beta("BalancedWinnow", self._beta)

    @property
    def power_base(self) -> Fraction:
        """The number whose powers, by the duals, are the weights."""
        return 1 + self.beta
