"""Passive-Aggressive with several classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from thresher.kernels.engines.multiclass_additive import AdditiveClasses
from thresher.learners.base.class_table import ClassTable
from thresher.learners.base.identity_link import LARGEST_VALUE
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.learners.base.shared_numbers import MixingRule
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import (
    MAX_FEATURES,
    checked_choice,
    checked_count,
    checked_flag,
    checked_real,
)
from thresher.streams.labels import Label

VARIANTS = ("PA", "PA-I", "PA-II")


class MulticlassPassiveAggressive(MulticlassLearner):
    r"""Passive-Aggressive with several classes (Crammer et al. 2006).

    Scores and predictions are those of :class:`~thresher.MulticlassPerceptron`. Let
    :math:`r` be the best class other than the label :math:`y`, and
    :math:`\ell = \max(0, 1 - \langle w_y - w_r, x\rangle)`. Whenever the loss is positive,
    right prediction or wrong,

    .. math:: w_y \leftarrow w_y + \tau x, \qquad w_r \leftarrow w_r - \tau x,

    where :math:`\tau` is :math:`\ell/(2\lVert x\rVert^2)` ("PA"), at most :math:`C` ("PA-I"),
    or :math:`\ell/(2\lVert x\rVert^2 + 1/(2C))` ("PA-II"). While there is no other class
    nothing changes.

    If :math:`\langle u_y - u_r, x\rangle \ge 1` for every other class and :math:`\lVert x\rVert
    \le R`, the squared losses of "PA" sum to at most :math:`2R^2\lVert u\rVert^2`; every mistake
    costs at least 1, so this bounds the mistakes, except those on classes that appear with score 0
    above all others.

    **Cost.** A round reads the non-zeros of the row once per class; an update reads them once more
    for two of the classes and for the length. The learner stores one number per class and feature.
    A right round with a margin below 1 is an update, too.

    Parameters
    ----------
    n_features
        As for :class:`~thresher.MulticlassPerceptron`.
    variant
        "PA", "PA-I" or "PA-II".
    C
        How far a single row may go; for "PA-I" and "PA-II".
    bias, classes, names, journal_bytes
        As for :class:`~thresher.MulticlassPerceptron`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.MulticlassPassiveAggressive(n_features=2)
    >>> learner.learn([[2, 0], [0, 2], [2, 0]], ["a", "b", "a"]).mistakes
    2
    >>> learner.weights.tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """

    name: ClassVar[str] = "multiclass_passive_aggressive"
    _mixing: ClassVar[MixingRule | None] = "average"
    changes_in_most_rounds: ClassVar[bool] = True

    def __init__(
        self,
        n_features: int | None = None,
        variant: str = "PA-I",
        C: float = 1.0,
        bias: bool = False,
        *,
        classes: Sequence[Label] | None = None,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._variant = variant
        self._C = C
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._names = names
        self._journal_bytes = journal_bytes
        rule = 1 + VARIANTS.index(checked_choice(owner, "variant", variant, VARIANTS))
        aggressiveness = checked_real(owner, "C", C, 1e-9, 1e9)
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._labels = ClassTable.stated(owner, classes)
        self._classes = self._labels.given(classes)
        self._journal = MulticlassJournalBuffer(owner, journal_bytes)
        table = name_table(owner, names, n_features, bounded=False)
        domain = (-LARGEST_VALUE, LARGEST_VALUE, False)
        engine = AdditiveClasses(owner, table, n_features, bias, domain, len(self._labels))
        engine.set_rule(rule, False, aggressiveness)
        self._engine = engine
