"""The elimination algorithm for disjunctions."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import ClassVar

from thresher.kernels.engines.elimination import EliminationEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.base.literals import LiteralLearner
from thresher.learners.base.power_link import BINARY, Link, MultiplicativeLearner
from thresher.names.tables import Hashed, Vocabulary
from thresher.parameters import MAX_FEATURES, checked_count, checked_flag


class Elimination(LiteralLearner, MultiplicativeLearner):
    r"""Elimination of the features that cannot be in the disjunction.

    The hypothesis :math:`h` starts with all features; the prediction is +1 exactly when an
    active feature is in :math:`h`; a false positive removes the active features from it.
    The score is the number of active features in :math:`h`, the threshold 1.

    On a monotone disjunction of :math:`r` of :math:`n` features there are at most
    :math:`n - r` mistakes, all of them false positives. A false negative changes nothing:
    it proves that no disjunction explains the labels.

    **Cost.** A round reads the non-zeros of the row once, a false positive once more; with
    ``literals``, all n variables. A right round changes nothing.

    Parameters
    ----------
    n_features
        Number of variables; features are 0/1.
    literals
        Learn disjunctions of variables and negated variables. Each row is then written out over 2n
        literals (column n + i is on when variable i is off), so a row costs n whatever its
        sparsity; the bound becomes 2n - r.
    names, journal_bytes
        As for :class:`~thresher.Perceptron`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Elimination(n_features=5)
    >>> learner.learn([{0: 1, 2: 1}, {1: 1, 2: 1}, {1: 1, 2: 1, 3: 1}], [+1, -1, +1]).mistakes
    1
    >>> learner.hypothesis
    ('x0', 'x3', 'x4')
    """

    name: ClassVar[str] = "elimination"
    _conservative: ClassVar[bool] = True

    def __init__(
        self,
        n_features: int,
        literals: bool = False,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self._n_features = checked_count(
            type(self).__name__, "n_features", n_features, 1, MAX_FEATURES
        )
        literals = self._literals = checked_flag(type(self).__name__, "literals", literals)
        self._names = names
        self._journal_bytes = journal_bytes
        link = Link(PowerBase(Fraction(2)), log(2.0), Fraction(1))
        n_weights = self._n_features * (2 if literals else 1)
        self._started(EliminationEngine, link, BINARY, n_weights)
        if literals:
            self._name_variables()
