"""The p-norm Perceptron."""

from __future__ import annotations

from math import log
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.p_norm import PNormEngine
from thresher.learners.base.identity_link import LARGEST_VALUE
from thresher.learners.base.journal import journal_buffer
from thresher.learners.base.learned_state import LearnedState, of_touched_features
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.options import Options
from thresher.learners.base.shared_numbers import MixingRule
from thresher.learners.base.stateful import ONLINE
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, as_written, checked_count, checked_flag, checked_real


class PNormPerceptron(LinearLearner):
    r"""The p-norm Perceptron (Grove, Littlestone, Schuurmans 2001; Gentile 2003).

    The dual vector :math:`\theta` gains :math:`y\,x` after a mistake, as the Perceptron's
    weights do; the weights are its image under the gradient of
    :math:`\tfrac12\lVert\theta\rVert_p^2`:

    .. math::

        w_i = \frac{\operatorname{sgn}(\theta_i)\,|\theta_i|^{p-1}}
                   {\lVert\theta\rVert_p^{p-2}}.

    With :math:`p = 2` this is the Perceptron; towards :math:`p = 2\ln n` it behaves like Winnow on
    targets with few relevant features, with no step to choose and for weights of both signs.

    **Theorem** (Grove et al.). If :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` in all
    mistaken rounds and :math:`\lVert x_t\rVert_p \le X`, there are at most
    :math:`(p-1)\,X^2\lVert u\rVert_q^2/\gamma^2` mistakes, with :math:`1/p + 1/q = 1`
    (:class:`~thresher.theory.PNorm`).

    Powers are taken in double precision: a feature whose dual is less than a 10^-300/p of
    the largest weighs nothing.

    **Cost.** A round reads the non-zeros of the row once; a mistake once more, with two powers for
    each, since the norm of the duals is kept up to date. The learner stores two numbers per
    feature. A right round changes nothing (without ``margin``).

    Parameters
    ----------
    n_features
        Number of weights.
    p
        From 2 to 64. Default: :math:`2\ln n`, where that is in this range.
    bias, margin, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h adds :math:`h\,y\,x` to
        the dual vector.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.PNormPerceptron(n_features=3, p=4)
    >>> _ = learner.learn([[1, 1, 0], [1, 0, 1]], [-1, -1])
    >>> learner.dual.tolist(), learner.mistakes
    ([-1.0, -1.0, 0.0], 1)
    >>> learner.weights.round(4).tolist()
    [-0.7071, -0.7071, 0.0]
    """

    name: ClassVar[str] = "p_norm_perceptron"
    _mixing: ClassVar[MixingRule] = "average"
    _by_scores: ClassVar[bool] = True
    _engine: PNormEngine
    _names: Hashed | Vocabulary | None
    _journal_bytes: int

    def __init__(
        self,
        n_features: int,
        p: float | None = None,
        bias: bool = False,
        margin: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._p = p
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._margin = margin
        self._take(options)
        n = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        if p is not None:
            checked_real(owner, "p", p, 2.0, 64.0)
        thickness = checked_real(owner, "margin", margin, 0.0, LARGEST_VALUE)
        self._engine = PNormEngine(
            owner,
            name_table(owner, self._names, n, bounded=False),
            journal_buffer(owner, self._journal_bytes),
            n,
            bias,
            0.0,
            (-LARGEST_VALUE, LARGEST_VALUE, False),
        )
        self._weigh_and_scale()
        self._engine.set_rule(self.p, thickness)

    def _near(
        self, inside: NDArray[np.float64], label: NDArray[np.int8]
    ) -> NDArray[np.bool_] | None:
        del label
        margin = float(self.parameters["margin"])
        return inside <= margin if margin > 0.0 else None

    def learned_state(self) -> LearnedState:
        """The duals, the unit of their powers, and the sum of these as it is kept up to date."""
        with self._between_batches() as engine:
            numbers: LearnedState = {"dual": engine.dual()}
            if engine.scaling == ONLINE:
                numbers["scale"] = engine.scales()
            state = of_touched_features(numbers, engine.n_features)
            state["powers"] = np.array(engine.other_state(), np.float64)
        return state

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        weights, divisor = self._engine.numerators()
        n = self._engine.n_features
        return weights[:n], float(weights[n]) if self._bias else 0.0, divisor

    @property
    def p(self) -> float:
        """The exponent in use."""
        if self._p is not None:
            return float(as_written(self._p))
        return min(64.0, max(2.0, 2.0 * log(self._n_features + self._bias)))
