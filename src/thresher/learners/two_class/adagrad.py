"""AdaGrad on the hinge or the logistic loss."""

from __future__ import annotations

from typing import ClassVar, Unpack

from thresher.kernels.engines.adagrad import AdaGradEngine
from thresher.learners.base.identity_link import IdentityLinkLearner
from thresher.learners.base.options import IdentityLinkOptions
from thresher.learners.base.shared_numbers import MixingRule
from thresher.parameters import checked_choice, checked_flag, checked_real

LOSSES = ("hinge", "logistic")


class AdaGrad(IdentityLinkLearner):
    r"""Adaptive subgradient descent (Duchi, Hazan, Singer 2011), diagonal.

    With :math:`g_t` the gradient of the loss of round :math:`t`, every weight has its own step,
    which shrinks with the gradients that this weight has seen:

    .. math::

        G_i \leftarrow G_i + g_{t,i}^2, \qquad w_i \leftarrow w_i - \eta\, g_{t,i}/\sqrt{G_i}.

    The hinge loss is :math:`\max(0, 1 - y\langle w, x\rangle)`, the logistic loss :math:`\ln(1 +
    e^{-y\langle w, x\rangle})`. Rare features take steps as long as frequent ones, which suits
    dense targets on sparse rows.

    With the hinge loss, rounds with a margin below 1 are updates. With the logistic loss every
    round is an update, so the journal would be the whole stream: give ``journal_bytes=0`` to keep
    none.

    **Theorem** (same paper, Theorem 5). The losses sum to at most those of any :math:`u`
    plus :math:`(D^2/(2\eta) + \eta)\sum_i \sqrt{G_i}`, where :math:`G_i` is taken at the end
    and :math:`D \ge |w_{t,i} - u_i|` before every update; :math:`\eta = D/\sqrt{2}` makes that
    :math:`\sqrt{2}\,D\sum_i \sqrt{G_i}`. A mistake has a hinge loss of at least 1
    (:class:`~thresher.theory.AdaGradHinge`) and a logistic loss of at least :math:`\ln 2`
    (:class:`~thresher.theory.AdaGradLogistic`). :math:`D` and :math:`G` are known after the run.

    **Cost.** A round reads the non-zeros of the row once, an update once more, with a root for
    each. The learner stores two numbers per feature. A right round is an update, too: with the
    hinge loss if its margin is below 1, with the logistic loss always.

    Parameters
    ----------
    n_features, bias, average, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h has h times
        the loss.
    rate
        :math:`\eta`, positive.
    loss
        "hinge" or "logistic".

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.AdaGrad(n_features=2, rate=0.5)
    >>> learner.learn([[4, 0], [1, 1], [1, 1]], [+1, -1, -1]).scores.round(4).tolist()
    [0.0, 0.5, -0.1213]
    """

    name: ClassVar[str] = "adagrad"
    changes_in_most_rounds: ClassVar[bool] = True
    _second: ClassVar[tuple[str, float]] = ("squares", 0.0)
    _mixing: ClassVar[MixingRule] = "squares"

    def __init__(
        self,
        n_features: int | None = None,
        rate: float = 0.1,
        loss: str = "hinge",
        bias: bool = False,
        **options: Unpack[IdentityLinkOptions],
    ) -> None:
        self._n_features = n_features
        self._rate = rate
        self._loss = loss
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._take(options)
        owner = type(self).__name__
        logistic = checked_choice(owner, "loss", loss, LOSSES) == "logistic"
        step = checked_real(owner, "rate", rate, 1e-12, 1e12)
        self._started(AdaGradEngine).set_rule(step, logistic)
