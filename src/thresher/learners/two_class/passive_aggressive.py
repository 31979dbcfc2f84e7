"""The Passive-Aggressive learners."""

from __future__ import annotations

from typing import ClassVar, Unpack

from thresher.kernels.engines.passive_aggressive import PassiveAggressiveEngine
from thresher.learners.base.identity_link import IdentityLinkLearner
from thresher.learners.base.options import IdentityLinkOptions
from thresher.learners.base.shared_numbers import MixingRule
from thresher.parameters import checked_choice, checked_flag, checked_real

VARIANTS = ("PA", "PA-I", "PA-II")


class PassiveAggressive(IdentityLinkLearner):
    r"""Passive-Aggressive learning (Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006).

    A row predicted correctly with a margin of 1 changes nothing. Any other row has the loss
    :math:`\ell_t = 1 - y_t\langle w_t, x_t\rangle > 0`, and the weights take the smallest step
    that removes it, or a part of that step:

    .. math::

        w_{t+1} = w_t + \tau_t y_t x_t, \qquad \tau_t = \begin{cases}
            \ell_t / \lVert x_t\rVert^2            & \text{PA,} \\
            \min(C, \ell_t / \lVert x_t\rVert^2)   & \text{PA-I,} \\
            \ell_t / (\lVert x_t\rVert^2 + 1/(2C)) & \text{PA-II.}
        \end{cases}

    The step does not depend on the length of the rows, which suits rows of very different lengths.
    PA trusts every label, so noise makes it jump. PA-I with a small ``C`` does not.

    Rounds with a loss are updates, even if the prediction was right; the journal holds them all.
    No weight exceeds 1e150; a row of zeros changes nothing.

    **Theorems** (same paper), about rounds with :math:`\lVert x_t\rVert \le R` and any
    :math:`u`; :math:`\ell^*_t` is the loss of :math:`u`. If :math:`y_t\langle u, x_t\rangle
    \ge 1` in every round with a loss, the squared losses of PA sum to at most
    :math:`R^2\lVert u\rVert^2`, and so does the number of mistakes
    (:class:`~thresher.theory.PassiveAggressiveSeparable`; with noise,
    :class:`~thresher.theory.PassiveAggressiveSquaredHinge`). PA-I makes at most
    :math:`\max(R^2, 1/C)\,(\lVert u\rVert^2 + 2C\sum_t \ell^*_t)` mistakes
    (:class:`~thresher.theory.PassiveAggressiveCapped`); nothing is said about its losses. The
    squared losses of PA-II, hence its mistakes, sum to at most
    :math:`(R^2 + 1/(2C))(\lVert u\rVert^2 + 2C\sum_t (\ell^*_t)^2)`
    (:class:`~thresher.theory.PassiveAggressiveSoftened`).

    **Cost.** A round reads the non-zeros of the row once, an update twice more (its length, then
    the step). The learner stores one number per feature. A right round with a margin below 1 is an
    update, too.

    Parameters
    ----------
    n_features, bias, average, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h has the aggressiveness h C; the
        variant "PA" takes no importance. The constant feature counts in :math:`\lVert x\rVert^2`.
    variant
        "PA", "PA-I" or "PA-II".
    C
        The aggressiveness, positive; PA has none and ignores it.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.PassiveAggressive(n_features=2, variant="PA")
    >>> rounds = learner.learn([[2, 0], [0, 1], [2, 1]], [-1, +1, -1])
    >>> rounds.scores.tolist(), rounds.mistakes, len(learner.journal)
    ([0.0, 0.0, 0.0], 2, 3)
    >>> learner.weights.tolist()
    [-0.9, 0.8]
    """

    name: ClassVar[str] = "passive_aggressive"
    _mixing: ClassVar[MixingRule] = "average"
    changes_in_most_rounds: ClassVar[bool] = True

    def __init__(
        self,
        n_features: int | None = None,
        variant: str = "PA-I",
        C: float = 1.0,
        bias: bool = False,
        **options: Unpack[IdentityLinkOptions],
    ) -> None:
        self._n_features = n_features
        self._variant = variant
        self._C = C
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._take(options)
        owner = type(self).__name__
        chosen = VARIANTS.index(checked_choice(owner, "variant", variant, VARIANTS))
        aggressiveness = checked_real(owner, "C", C, 1e-12, 1e12)
        engine = self._started(PassiveAggressiveEngine, takes_importance=chosen > 0)
        engine.set_rule(chosen, aggressiveness)
