"""A sparse network of Winnows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.multiclass_network import NetworkClasses
from thresher.learners.base.class_table import ClassTable
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, checked_count, checked_real
from thresher.streams.labels import Label


class SparseNetwork(MulticlassLearner):
    r"""A Winnow per class over the features seen with it (Carlson, Cumby, Rosen and Roth 1999).

    Each class is a Winnow of its own. A feature is linked to a class when a row of that class
    first has it; a new link weighs ``start``, and where there is no link the weight is 0. The
    prediction is the class with the largest :math:`\langle w_r, x\rangle`; of equal ones, the
    class that appeared first. Then every class learns whether it was the label:

    .. math::

        w_{r,i} \leftarrow w_{r,i}\,(1+\beta)^{x_i} \quad\text{if } r = y
        \text{ and } \langle w_r, x\rangle < \theta, \qquad
        w_{r,i} \leftarrow w_{r,i}\,(1+\beta)^{-x_i} \quad\text{if } r \ne y
        \text{ and } \langle w_r, x\rangle \ge \theta,

    for the links of the row; links that are new in this round are promoted, too. Weights are
    powers of duals, which are whole numbers for 0/1 features, so a weight recovers from any depth.
    Comparisons are made in double precision.

    Classes may learn when the network as a whole made no mistake, and a mistake of the whole need
    not change a class. No mistake bound is known for the whole.

    **Cost.** A round reads the links of the non-zeros of the row: each only with the classes it
    was seen with. A right round changes the classes whose score was on the wrong side of the
    threshold.

    Parameters
    ----------
    n_features
        As for :class:`~thresher.MulticlassPerceptron`; features lie in [0, 1].
    beta
        The step of a promotion or demotion.
    threshold
        :math:`\theta`, the score that a class should reach.
    start
        The weight of a new link.
    classes, names, journal_bytes
        As for :class:`~thresher.MulticlassPerceptron`.

    Examples
    --------
    >>> import thresher as th
    >>> network = th.SparseNetwork(threshold=1.0, start=0.5, beta=1.0)
    >>> rows = [{"free": 1, "cash": 1}, {"lunch": 1, "free": 1}, {"cash": 1}, {"lunch": 1}]
    >>> network.learn(rows, ["spam", "ham", "spam", "ham"]).predictions.tolist()
    [None, 'spam', 'spam', 'ham']
    >>> network.n_links, network.scores_one({"cash": 1, "free": 1})
    (4, {'spam': 1.5, 'ham': 1.0})
    """

    name: ClassVar[str] = "sparse_network"

    def __init__(
        self,
        n_features: int | None = None,
        beta: float = 0.5,
        threshold: float = 4.0,
        start: float = 0.4,
        *,
        classes: Sequence[Label] | None = None,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._beta = beta
        self._threshold = threshold
        self._start = start
        self._names = names
        self._journal_bytes = journal_bytes
        step = checked_real(owner, "beta", beta, 2.0**-40, 2.0**40)
        level = checked_real(owner, "threshold", threshold, 1e-100, 1e100)
        first = checked_real(owner, "start", start, 1e-100, 1e100)
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._labels = ClassTable.stated(owner, classes)
        self._classes = self._labels.given(classes)
        self._journal = MulticlassJournalBuffer(owner, journal_bytes)
        table = name_table(owner, names, n_features, bounded=True)
        domain = (0.0, 1.0, False)
        engine = NetworkClasses(owner, table, n_features, False, domain, len(self._labels))
        engine.set_rule(1.0 + step, first, level)
        self._engine = engine

    def _numbers_of_features(
        self, duals: NDArray[np.float64]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
        return {"dual": duals}, {"dual": -np.inf}

    def _other_numbers(self) -> dict[str, NDArray[Any]]:
        return {}

    @property
    def n_links(self) -> int:
        """Number of links between features and classes."""
        with self._between_batches():
            return int(np.count_nonzero(np.isfinite(self._engine.duals())))
