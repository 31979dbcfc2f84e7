"""The Perceptron."""

from __future__ import annotations

from typing import ClassVar

from thresher.hashing.names import Hashed, Vocabulary, name_table
from thresher.kernels.additive import AdditiveEngine
from thresher.learners.journal import DEFAULT_BYTES, journal_buffer
from thresher.learners.linear import LinearLearner
from thresher.parameters import MAX_FEATURES, checked_count

#: Values beyond this would let sums of products overflow.
LARGEST_VALUE = 1e100


class Perceptron(LinearLearner):
    r"""The Perceptron of Rosenblatt (1958).

    In round :math:`t` the learner sees :math:`x_t`, predicts the sign of
    :math:`\langle w_t, x_t\rangle`, is told :math:`y_t \in \{-1, +1\}`, and sets

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

    If :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` in all mistaken rounds and
    :math:`\lVert x_t\rVert \le R`, there are at most
    :math:`R^2\lVert u\rVert^2/\gamma^2` mistakes (Novikoff 1962). The number of features
    plays no part, the number of active ones does: sparse rows suit it.

    Parameters
    ----------
    n_features
        Number of weights; feature indices lie in ``[0, n_features)``. None: grow with the
        stream (names then go into a vocabulary).
    bias
        Whether to add the constant feature.
    names
        How names in dicts find their weights: :class:`~thresher.Hashed` or
        :class:`~thresher.Vocabulary`.
    journal_bytes
        Memory the journal of updates may take; 0 keeps none.

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

    def __init__(
        self,
        n_features: int | None = None,
        bias: bool = False,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._bias = bias
        self._names = names
        self._journal_bytes = journal_bytes
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._engine = AdditiveEngine(
            owner,
            name_table(owner, names, n_features, bounded=False),
            journal_buffer(owner, journal_bytes),
            n_features or 0,
            bias,
            0.0,
            (-LARGEST_VALUE, LARGEST_VALUE, False),
        )
