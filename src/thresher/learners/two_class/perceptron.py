"""The Perceptron."""

from __future__ import annotations

from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.kernels.engines.additive import AdditiveEngine
from thresher.learners.base.identity_link import LARGEST_VALUE, IdentityLinkLearner
from thresher.learners.base.learned_state import LearnedState
from thresher.learners.base.options import IdentityLinkOptions
from thresher.learners.base.shared_numbers import MixingRule
from thresher.learners.two_class.voting import votes
from thresher.parameters import checked_flag, checked_real


class Perceptron(IdentityLinkLearner):
    r"""The Perceptron of Rosenblatt (1958).

    In round :math:`t` the learner sees :math:`x_t`, predicts the sign of :math:`\langle w_t,
    x_t\rangle`, receives :math:`y_t \in \{-1, +1\}`, and sets

    .. math::

        w_{t+1} = \begin{cases}
            w_t + y_t x_t & \text{if the prediction was wrong,} \\
            w_t           & \text{otherwise,}
        \end{cases}
        \qquad w_1 = 0.

    A score of exactly 0 predicts +1. There is no learning rate: started at zero, a rate
    only rescales :math:`w` and changes no prediction. A threshold other than 0 needs
    ``bias=True``: a constant feature 1, whose weight is learned like any other.

    Features may be any real numbers of at most 1e100. Sums run in double precision over
    increasing columns; whole numbers are exact.

    If :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` in all mistaken rounds and :math:`\lVert
    x_t\rVert \le R`, there are at most :math:`R^2\lVert u\rVert^2/\gamma^2` mistakes (Novikoff
    1962). The number of features does not matter, but the number of active ones does: sparse rows
    suit it.

    **Cost.** A round reads the non-zeros of the row once, a mistake once more; a right round
    changes nothing (without ``margin``). The learner stores one number per feature, two with
    ``average``.

    Parameters
    ----------
    n_features
        Number of weights; feature indices lie in ``[0, n_features)``. None: grow with the
        stream (names then go into a vocabulary).
    bias
        Whether to add the constant feature.
    margin
        With a positive margin :math:`\tau` the learner also updates when it was right but
        :math:`y_t\langle w_t, x_t\rangle \le \tau` (Krauth and Mezard 1987). On separable streams
        there are then at most :math:`(R^2 + 2\tau)\lVert u\rVert^2/\gamma^2` updates, mistakes or
        not; on noisy ones it usually makes fewer mistakes. Try :math:`R^2`.
    decay
        The share of all weights that an update forgets, from 0 to 0.5: before :math:`y_t x_t` is
        added, :math:`w_t` is multiplied by 1 - decay, so the last 1/decay updates count most. For
        targets that move; no bound is claimed for it.
    average, class_weight, scaling, names, journal_bytes
        See :class:`~thresher.learners.base.options.IdentityLinkOptions`. A row of importance h adds
        :math:`h\,y_t x_t`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron(n_features=2)
    >>> rounds = learner.learn([[1, 0], [0, 1], [2, 0]], [-1, -1, -1])
    >>> rounds.scores.tolist(), rounds.mistakes
    ([0.0, 0.0, -2.0], 2)
    >>> learner.weights.tolist()
    [-1.0, -1.0]
    >>> mail = th.Perceptron()
    >>> mail.learn_one({"meeting": 1}, -1), mail.learn_one({"cash": 2, "now": 1}, +1)
    (1, 1)
    >>> mail.predict_one({"meeting": 1}), mail.vocabulary
    (-1, {'meeting': 0, 'cash': 1, 'now': 2})
    """

    name: ClassVar[str] = "perceptron"
    _conservative: ClassVar[bool] = True
    _mixing: ClassVar[MixingRule] = "average"
    compares_plain_sums: ClassVar[bool] = True
    _varying: ClassVar[tuple[str, ...]] = ("margin", "decay")

    def __init__(
        self,
        n_features: int | None = None,
        bias: bool = False,
        margin: float = 0.0,
        decay: float = 0.0,
        **options: Unpack[IdentityLinkOptions],
    ) -> None:
        self._n_features = n_features
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._margin = margin
        self._decay = decay
        self._take(options)
        thickness = checked_real("Perceptron", "margin", margin, 0.0, LARGEST_VALUE)
        share = checked_real("Perceptron", "decay", decay, 0.0, 0.5)
        if share and self._average:
            raise ParameterError("Perceptron", "decay", "0 with average=True", decay)
        self._started(AdditiveEngine).set_rule(thickness, share)

    def _near(
        self, inside: NDArray[np.float64], label: NDArray[np.int8]
    ) -> NDArray[np.bool_] | None:
        del label
        margin = float(self.parameters["margin"])
        return inside <= margin if margin > 0.0 else None

    def _unmixable(self) -> str | None:
        return "its weights decay" if self.parameters["decay"] else super()._unmixable()

    def learned_state(self) -> LearnedState:
        """Weights; where they decay, as they are stored, and the factor that they all share."""
        state = super().learned_state()
        if self.parameters["decay"]:
            with self._between_batches() as engine:
                state["factor"] = np.array([engine.other_state()[1]])
        return state

    def _numbers(self) -> tuple[LearnedState, dict[str, float]]:
        if not self.parameters["decay"]:
            return super()._numbers()
        return {"weight": self._engine.other_state()[0]}, {}

    def vote(self, X: Any) -> NDArray[np.float64]:
        """The vote of all weight vectors so far (the voted Perceptron, Freund and Schapire 1999).

        Each has one vote per round for which it was in use, the next round included, and votes by
        the sign of its score. The result is the share of +1 votes minus the share of -1 votes.
        Nothing is stored for this: the weights are recomputed from the journal, at the price of
        one product with each of its rows. The mean of the weights (``average=True``) avoids that
        cost and usually does as well.

        >>> import thresher as th
        >>> learner = th.Perceptron(n_features=2)
        >>> _ = learner.learn([[1, 0], [1, 1], [1, 0]], [-1, +1, -1])
        >>> learner.vote([[1, 0], [0, 1]]).tolist()
        [0.0, 1.0]
        """
        return votes(self, X)
