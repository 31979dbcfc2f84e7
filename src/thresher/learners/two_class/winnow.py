"""Winnow with a threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.kernels.engines.winnow import Winnow1Engine, WinnowEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.negations import VariableLearner
from thresher.learners.base.options import Options
from thresher.learners.base.power_link import (
    BINARY,
    REAL_UNIT,
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
from thresher.parameters import MAX_FEATURES, Exact, checked_count, checked_flag


class Winnow(VariableLearner, MultiplicativeLearner):
    r"""Winnow of Littlestone (1988), in its threshold form.

    Every weight starts at 1. The learner predicts +1 exactly when
    :math:`\langle w, x\rangle \ge \theta`, and after a mistake sets

    .. math:: w_i \leftarrow w_i\,(1+\beta)^{y\,x_i} \qquad\text{for all } i.

    For 0/1 features: a false negative multiplies the weights of the active features by
    :math:`1+\beta` (promotion), a false positive divides them (demotion). The classical
    choice is :math:`\beta = 1`, :math:`\theta = n`.

    A dual :math:`c_i` is kept for each feature and :math:`w_i = (1+\beta)^{c_i}`. For 0/1 features
    duals are whole numbers: they do not round, and a weight that was halved a million times still
    recovers. The comparison with :math:`\theta` is exact: a sum too close for floating point is
    settled in rational arithmetic (``close_calls`` counts how often). ``beta`` and ``threshold``
    are used exactly as given: ``Fraction(13, 5)`` is 13/5, and 2.6 is the nearest double.

    On a monotone disjunction of :math:`r` of :math:`n` features, with :math:`\beta = 1` and
    :math:`\theta = n`, there are at most :math:`r(3\lceil\log_2 n\rceil - 2)` mistakes, whatever
    the number of active features: dense rows and few relevant features suit it. It is not a
    learner for linear thresholds in general: with a fixed :math:`\beta` it may cycle forever on
    them.

    **Cost.** A round reads the non-zeros of the row once, a mistake once more; scores too close to
    call in doubles are settled in rationals. The learner stores two numbers per feature; for 0/1
    features and ``beta=1`` a round touches one of them. A right round changes nothing (without
    ``margin``).

    Parameters
    ----------
    n_features
        Number of weights; of variables with ``literals``.
    beta
        The step, positive.
    threshold
        :math:`\theta`, positive; the number of features unless given.
    zeroing
        Littlestone's Winnow1: a false positive sets the active weights to 0 for good
        instead of dividing them. For 0/1 features and labels without noise; its bound is
        :math:`n/\theta + (1+\beta)\,r\,K`, with :math:`K` the least integer for which
        :math:`(1+\beta)^K \ge \theta`.
    margin
        With a positive margin :math:`m` the learner also updates on rows on the right side:
        positive ones with a score below :math:`\theta + m`, negative ones with a score of at least
        :math:`\theta - m`. On disjunctions, :class:`~thresher.theory.WinnowThickThresholds` bounds
        the updates. These two comparisons are made in floating point.
    floor
        A weight that no demotion goes below (the least power of :math:`1+\beta` not below it):
        features that were useless recover quickly when the target moves, as in Tracking Winnow
        (Auer and Warmuth 1998), where the floor is a fraction of 1/n. No bound is claimed for it.
    literals
        Learn over variables and their negations, for disjunctions such as "x0 or not x3". Rows of
        0s and 1s are written out over 2n weights (n + i is that of "not x_i"), so a row costs n
        whatever its sparsity; the threshold is 2n unless given, and a disjunction of r literals
        costs at most :math:`r(3\lceil\log_2 2n\rceil - 2)` mistakes. Audits do not support this
        form; certificates do.
    class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h is promoted or demoted by
        :math:`(1+\beta)^{h\,x_i}`. Where hashed names collide in one row, the larger value
        counts.

    Examples
    --------
    The target is "feature 0 or feature 3":

    >>> import thresher as th
    >>> rows = [{0: 1, 2: 1}, {1: 1, 2: 1}, {1: 1, 2: 1, 3: 1}, {}]
    >>> learner = th.Winnow(n_features=5)
    >>> for _ in range(5):
    ...     _ = learner.learn(rows, [+1, -1, +1, -1])
    >>> learner.weights.tolist(), learner.mistakes
    ([4.0, 0.5, 2.0, 4.0, 1.0], 7)
    >>> learner.dual.tolist()
    [2.0, -1.0, 1.0, 2.0, 0.0]

    With negations, "feature 0 or not feature 1":

    >>> from itertools import product
    >>> rows = list(product([0, 1], repeat=3))
    >>> labels = [+1 if x[0] or not x[1] else -1 for x in rows]
    >>> learner = th.Winnow(n_features=3, literals=True)
    >>> [learner.learn(rows, labels).mistakes for _ in range(4)]
    [5, 3, 0, 0]
    """

    name: ClassVar[str] = "winnow"
    _conservative: ClassVar[bool] = True
    _mixing: ClassVar[MixingRule] = "average"
    compares_plain_sums: ClassVar[bool] = True
    _varying: ClassVar[tuple[str, ...]] = ("margin", "floor", "literals")

    def __init__(
        self,
        n_features: int,
        beta: Exact = 1,
        threshold: Exact | None = None,
        zeroing: bool = False,
        margin: float = 0.0,
        floor: Exact | None = None,
        literals: bool = False,
        **options: Unpack[Options],
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._beta = beta
        self._threshold = threshold
        zeroing = self._zeroing = checked_flag(type(self).__name__, "zeroing", zeroing)
        self._margin = margin
        self._floor = floor
        literals = self._literals = checked_flag(type(self).__name__, "literals", literals)
        self._take(options)
        n = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        n *= 2 if literals else 1
        step = checked_beta(owner, beta)
        theta = checked_threshold(owner, threshold, n)
        thickness = checked_margin(owner, margin, theta)
        lowest = floor_dual(owner, floor, 1 + step)
        if zeroing and (margin, floor, self._scaling) != (0, None, None):
            raise ParameterError(owner, "zeroing", "False with margin, floor or scaling", zeroing)
        if literals and self._scaling is not None:
            raise ParameterError(owner, "scaling", "None with literals", self._scaling)
        link = Link(PowerBase(1 + step), rate_of(step), theta)
        kind = Winnow1Engine if zeroing else WinnowEngine
        engine = self._started(kind, link, BINARY if zeroing else REAL_UNIT, n)
        engine.set_rule(thickness, lowest)
        self._weigh_and_scale(takes_importance=not zeroing)
        if literals:
            self._name_variables()

    def _near(
        self, inside: NDArray[np.float64], label: NDArray[np.int8]
    ) -> NDArray[np.bool_] | None:
        return near_a_margin(float(self.parameters["margin"]), inside, label)

    def _unmixable(self) -> str | None:
        return "it silences features for good" if self.parameters["zeroing"] else None

    @property
    def beta(self) -> Fraction:
        """The step, exactly."""
        return checked_beta("Winnow", self._beta)

    @property
    def power_base(self) -> Fraction:
        """The number whose powers, by the duals, are the weights."""
        return 1 + self.beta
