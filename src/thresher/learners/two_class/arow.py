"""AROW: adaptive regularisation of weights."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.arow import ArowEngine
from thresher.learners.base.identity_link import IdentityLinkLearner
from thresher.learners.base.options import IdentityLinkOptions
from thresher.learners.base.shared_numbers import MixingRule, SharedNumbers
from thresher.parameters import checked_flag, checked_real


class AROW(IdentityLinkLearner):
    r"""Adaptive regularisation of weights (Crammer, Kulesza, Dredze 2009), diagonal.

    Each weight :math:`w_i` has a variance :math:`\sigma_i`, initially 1. If the margin
    :math:`y\langle w, x\rangle` is below 1,

    .. math::

        \beta = \frac{1}{\sum_i \sigma_i x_i^2 + r}, \qquad
        w_i \leftarrow w_i + \beta\,(1 - y\langle w, x\rangle)\, y\, \sigma_i x_i, \qquad
        \frac{1}{\sigma_i} \leftarrow \frac{1}{\sigma_i} + \frac{x_i^2}{r}.

    Rare features keep a large variance and take long steps, while frequent ones settle. Try this
    learner first on noisy, sparse data.

    This is the variant whose variances minimise the paper's objective among diagonal ones: the
    paper's rule :math:`\Sigma^{-1} \leftarrow \Sigma^{-1} + x x^\top/r`, of which the diagonal is
    kept. A full matrix would need memory quadratic in the number of features.

    Rounds with a margin below 1 are updates, even if the prediction was right; the journal holds
    them all. No weight exceeds 1e150.

    **Theorem** (same paper, Theorem 2), for the full matrix: with :math:`U` updates that
    were no mistakes, :math:`A` the sum of :math:`x x^\top` over all updates and :math:`g_t`
    the hinge loss of any :math:`u` in them, the mistakes are at most
    :math:`\sqrt{r\lVert u\rVert^2 + u^\top A u}\,\sqrt{\log\det(I + A/r) + U} + \sum_t g_t - U`.
    No such statement is claimed here for the diagonal.

    **Cost.** A round reads the non-zeros of the row once, an update twice more, whatever the
    number of features. The learner stores two numbers per feature. A right round with a margin
    below 1 is an update, too.

    Parameters
    ----------
    n_features, bias, average, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h has r/h in place of r: a row of
        importance 2 is trusted like two rows.
    r
        How much one row is distrusted, positive: a large ``r`` makes short steps.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.AROW(n_features=2)
    >>> learner.learn([[1, 0], [1, 1], [1, 1]], [+1, -1, -1]).scores.round(3).tolist()
    [0.0, 0.5, -0.4]
    >>> learner.variances.round(3).tolist()
    [0.25, 0.333]
    """

    name: ClassVar[str] = "arow"
    changes_in_most_rounds: ClassVar[bool] = True
    _second: ClassVar[tuple[str, float]] = ("precision", 1.0)
    _mixing: ClassVar[MixingRule] = "precision"
    _engine: ArowEngine

    def __init__(
        self,
        n_features: int | None = None,
        r: float = 1.0,
        bias: bool = False,
        **options: Unpack[IdentityLinkOptions],
    ) -> None:
        self._n_features = n_features
        self._r = r
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._take(options)
        regularizer = checked_real(type(self).__name__, "r", r, 1e-12, 1e12)
        self._started(ArowEngine).set_rule(regularizer)

    def wait_for_class(self) -> None:
        """Be one of several: no variance falls below 1/4 before a row of +1 brings one there."""
        self._engine.wait_for_class()

    def shared_numbers(self) -> SharedNumbers:
        """What shards that learned apart would combine, and whether it waits for its class."""
        shared = super().shared_numbers()
        assert isinstance(shared, SharedNumbers)
        return replace(shared, most_precise=self._engine.most_precise)

    @property
    def variances(self) -> NDArray[np.float64]:
        """The variance of each weight, without that of the bias."""
        with self._between_batches() as engine:
            return np.asarray(1.0 / engine.other_state()[0][: engine.n_features])
