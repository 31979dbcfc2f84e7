"""Modified Balanced Winnow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from thresher.kernels.engines.modified_balanced_winnow import ModifiedBalancedWinnowEngine
from thresher.learners.base.identity_link import LARGEST_VALUE
from thresher.learners.base.journal import DEFAULT_BYTES, journal_buffer
from thresher.learners.base.learned_state import LearnedState, of_touched_features
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, checked_count, checked_real

if TYPE_CHECKING:
    from thresher.streams.labels import Label
    from thresher.streams.rows import Rows


class ModifiedBalancedWinnow(LinearLearner):
    r"""Modified Balanced Winnow (Carvalho and Cohen 2006), made for one pass over text.

    A constant feature 1 is added to each row, and the row is divided by its sum. Every
    feature has two weights, :math:`u_i = 2` and :math:`v_i = 1` at the start, and the
    prediction is +1 exactly when :math:`\langle u - v, x\rangle \ge 1`. Where
    :math:`y\,(\langle u - v, x\rangle - 1) \le M`, right or wrong,

    .. math::

        u_i \leftarrow u_i\,\alpha\,(1 + x_i), \quad v_i \leftarrow v_i\,\beta\,(1 - x_i)
        \qquad\text{for } y = +1,

    for all :math:`i` with :math:`x_i > 0`, and the other way round for :math:`y = -1`.

    Rows with a large value in a feature move it more than others. Weights stay between
    :math:`e^{-300}` and :math:`e^{300}`. The dual vector holds the logarithms of all
    :math:`u`, then those of all :math:`v`.

    No mistake bound is known for it.

    **Cost.** A round reads the non-zeros of the row once, an update once more. The learner stores
    three numbers per feature. A right round within the margin is an update, too.

    Parameters
    ----------
    n_features
        Number of features; their values must not be negative.
    promotion, demotion
        :math:`\alpha \ge 1` and :math:`\beta \le 1`; 1.5 and 0.5 in the paper.
    margin
        :math:`M`, not negative; 1 in the paper.
    names, journal_bytes
        As for :class:`~thresher.Perceptron`. It takes no importance.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.ModifiedBalancedWinnow(n_features=2)
    >>> learner.learn([[1, 0], [0, 1], [1, 0]], [+1, -1, +1]).scores.round(3).tolist()
    [1.0, 2.625, 2.406]
    >>> learner.weights.round(3).tolist()
    [4.25, -1.75]
    """

    name: ClassVar[str] = "modified_balanced_winnow"
    # The values of a row are divided by their sum first.
    _by_weights_alone: ClassVar[bool] = False
    _engine: ModifiedBalancedWinnowEngine

    def __init__(
        self,
        n_features: int,
        promotion: float = 1.5,
        demotion: float = 0.5,
        margin: float = 1.0,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._promotion = promotion
        self._demotion = demotion
        self._margin = margin
        self._names = names
        self._journal_bytes = journal_bytes
        n = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        up = checked_real(owner, "promotion", promotion, 1.0, 1e6)
        down = checked_real(owner, "demotion", demotion, 1e-6, 1.0)
        thickness = checked_real(owner, "margin", margin, 0.0, LARGEST_VALUE)
        self._engine = ModifiedBalancedWinnowEngine(
            owner,
            name_table(owner, names, n, bounded=False),
            journal_buffer(owner, journal_bytes),
            n,
            True,
            1.0,
            (0.0, LARGEST_VALUE, False),
        )
        self._engine.set_rule(up, down, thickness)

    def learned_state(self) -> LearnedState:
        """The logarithms of both weights of each feature."""
        with self._between_batches() as engine:
            upper, lower = np.split(engine.dual(), 2)
            started = {"upper": float(np.log(2.0))}
            return of_touched_features({"upper": upper, "lower": lower}, engine.n_features, started)

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of; rows are divided by their sums."""
        parts = ScoreParts.weighed(rows, self._numbers_of_form(), self.scores(rows))
        sizes = np.bincount(parts.row, parts.value, len(rows)) + 1.0
        seen = parts.value / sizes[parts.row]
        adds = parts.weight * seen
        return replace(parts, seen=seen, adds=adds, constant=parts.constant / sizes)

    def _numbers_of_form(self) -> LinearForm:
        """The numbers behind the scores of rows that were divided by their sums."""
        return replace(super()._numbers_of_form(), default=1.0)

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """Half of each weight: a lone feature of 1 shares its row with the constant feature."""
        whole = super().lone_effects(label)
        halves = {name: getattr(whole, name) / 2.0 for name in ("adds", "constant", "default")}
        return whole._replace(**halves, kind="alone")
