"""The multiclass Perceptron."""

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
from thresher.parameters import MAX_FEATURES, checked_choice, checked_count, checked_flag
from thresher.streams.labels import Label

#: Who is blamed for a mistake: the class that won, or all that won against the label.
UPDATES = ("max", "uniform")


class MulticlassPerceptron(MulticlassLearner):
    r"""The Perceptron for several classes (Kesler's construction; Crammer and Singer 2003).

    Every class :math:`r` has weights :math:`w_r`, which start at 0. The prediction is the class
    with the largest :math:`\langle w_r, x\rangle`; of equal ones, the class that appeared first.
    Let :math:`E` be the classes that score at least as high as the label :math:`y`. After a
    mistake

    .. math:: w_y \leftarrow w_y + x, \qquad w_r \leftarrow w_r - \tau_r x \quad (r \in E),

    with :math:`\tau_r = 1` for the best of them alone (``update="max"``) or :math:`\tau_r = 1/|E|`
    for each (``update="uniform"``). All other classes stay unchanged: the updates are
    ultraconservative.

    A label that was never seen takes part with score 0 in the round in which it appears. The
    round is a mistake; it is an update unless 0 was the best score.

    If :math:`\langle u_y, x\rangle - \langle u_r, x\rangle \ge \gamma > 0` for every other
    class and :math:`\lVert x\rVert \le R`, there are at most
    :math:`2R^2\lVert u\rVert^2/\gamma^2` updates with either rule, and at most one further
    mistake for each class that was not stated (:class:`thresher.theory.MulticlassNovikoff`).
    Comparisons are made in double precision; sums of whole numbers are exact.

    **Cost.** A round reads the non-zeros of the row once per class, a mistake once more for two of
    the classes. The learner stores one number per class and feature. A right round changes
    nothing.

    Parameters
    ----------
    n_features
        Number of features; indices lie in ``[0, n_features)``. None: grow with the stream (names
        then go into a vocabulary). Only features that some update has touched have weights.
    update
        Which classes lose weight after a mistake: "max" or "uniform".
    bias
        Whether to add a constant feature.
    classes
        Labels that are known beforehand; others may still appear.
    names, journal_bytes
        As for :class:`~thresher.Perceptron`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.MulticlassPerceptron()
    >>> rows = [{"bark": 1}, {"meow": 1}, {"bark": 1, "tail": 1}, {"moo": 1}, {"meow": 1}]
    >>> rounds = learner.learn(rows, ["dog", "cat", "dog", "cow", "cat"])
    >>> rounds.predictions.tolist(), rounds.mistakes
    ([None, 'dog', 'dog', 'dog', 'cat'], 3)
    >>> learner.classes, learner.predict_one({"moo": 1}), learner.predict_top_one({"meow": 1}, 2)
    (('dog', 'cat', 'cow'), 'cow', ['cat', 'cow'])
    """

    name: ClassVar[str] = "multiclass_perceptron"
    _mixing: ClassVar[MixingRule | None] = "average"

    def __init__(
        self,
        n_features: int | None = None,
        update: str = "max",
        bias: bool = False,
        classes: Sequence[Label] | None = None,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._update = update
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._names = names
        self._journal_bytes = journal_bytes
        spread = checked_choice(owner, "update", update, UPDATES) == "uniform"
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._labels = ClassTable.stated(owner, classes)
        self._classes = self._labels.given(classes)
        self._journal = MulticlassJournalBuffer(owner, journal_bytes)
        table = name_table(owner, names, n_features, bounded=False)
        domain = (-LARGEST_VALUE, LARGEST_VALUE, False)
        engine = AdditiveClasses(owner, table, n_features, bias, domain, len(self._labels))
        engine.set_rule(0, spread, 1.0)
        self._engine = engine
