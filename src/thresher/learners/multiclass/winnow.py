"""Normalised and signed Winnow with several classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError, StateError
from thresher.kernels.engines.multiclass_exponentiated import ExponentiatedClasses
from thresher.learners.base.class_table import ClassTable
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.learners.base.shared_numbers import MixingRule
from thresher.learners.multiclass.perceptron import UPDATES
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import (
    MAX_FEATURES,
    Exact,
    checked_choice,
    checked_count,
    checked_exact,
)
from thresher.streams.labels import Label
from thresher.theory.exponentiated.divergence import eta_star


class MulticlassExponentiated(MulticlassLearner):
    """A learner with several classes and weights exp(eta * dual)."""

    _engine: ExponentiatedClasses
    _mixing: ClassVar[MixingRule | None] = "average"
    #: Whether a feature stands for itself and its negative.
    _signed: ClassVar[bool]

    def __init__(
        self,
        n_features: int | None = None,
        eta: Exact | None = None,
        margin: Exact | None = None,
        *,
        update: str = "max",
        classes: Sequence[Label] | None = None,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._eta = eta
        self._margin = margin
        self._update = update
        self._names = names
        self._journal_bytes = journal_bytes
        spread = checked_choice(owner, "update", update, UPDATES) == "uniform"
        rate = self._rate(owner)
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._labels = ClassTable.stated(owner, classes)
        self._classes = self._labels.given(classes)
        self._journal = MulticlassJournalBuffer(owner, journal_bytes)
        table = name_table(owner, names, n_features, bounded=True)
        domain = (-1.0, 1.0, False)
        engine = ExponentiatedClasses(owner, table, n_features, False, domain, len(self._labels))
        engine.set_rule(rate, self._signed, spread)
        self._engine = engine

    def _rate(self, owner: str) -> float:
        if (self._eta is None) == (self._margin is None):
            raise ParameterError(
                owner, "eta", "given, or margin in its place, and not both", self._eta
            )
        if self._eta is not None:
            eta = checked_exact(owner, "eta", self._eta)
            if not 1e-12 <= eta <= 1e3:
                raise ParameterError(owner, "eta", "a positive number (1e-12 to 1000)", eta)
            return float(eta)
        margin = checked_exact(owner, "margin", self._margin)
        if not 0 < margin <= 1:
            raise ParameterError(owner, "margin", "above 0 and at most 1", self._margin)
        # At margin 1 the best step is infinite; 20 is as good.
        return min(eta_star(margin, 1), 20.0)

    @property
    def eta(self) -> float:
        """The step in use."""
        return self._engine.rate

    def _numbers_of_features(
        self, duals: NDArray[np.float64]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
        # A feature that was touched weighs something also where its duals are 0 again.
        return {"dual": duals, "touched": np.ones(len(duals), np.uint8)}, {}

    def _other_numbers(self) -> dict[str, NDArray[Any]]:
        return {"subtracted": np.array([self._engine.shift])}

    def _other_state(self) -> tuple[Any, ...]:
        return (self._engine.shift,)

    def _set_other_state(self, other: tuple[Any, ...]) -> None:
        if len(other) != 1 or type(other[0]) is not float:
            raise StateError("beside the duals there is one number, their shift.")
        self._engine.set_shift(other[0])


class MulticlassNormalizedWinnow(MulticlassExponentiated):
    r"""Normalised Winnow with several classes (exponentiated gradient on mistakes).

    Every class :math:`r` and feature :math:`i` has a dual :math:`\theta_{r,i}`, which starts at 0,
    and the weight :math:`e^{\eta\theta_{r,i}}` over the sum of all these. Classes are compared,
    and duals updated after a mistake, as in :class:`~thresher.MulticlassPerceptron`:
    :math:`\theta_y \leftarrow \theta_y + x` and :math:`\theta_r \leftarrow \theta_r - \tau_r x`.
    That sum divides all scores equally, so scores are not divided here, and features that no
    update has touched are left out: they weigh the same in all classes. Scores of one row can be
    compared with each other, and with nothing else.

    For targets with weights :math:`u \ge 0`: if
    :math:`\langle u_y - u_r, x\rangle \ge \gamma\lVert u\rVert_1` for every other class and
    :math:`|x_i| \le 1`, there are at most :math:`2\ln(kn)/\gamma^2` updates with the best
    step (:class:`thresher.theory.MulticlassNormalizedWinnow`), and at most one further mistake
    for each class that was not stated. Comparisons are made in double precision.

    **Cost.** A round reads the non-zeros of the row once per class, a mistake once more for two of
    the classes, with an exponential for each. The learner stores two numbers per class and
    feature. A right round changes nothing.

    Parameters
    ----------
    n_features
        As for :class:`~thresher.MulticlassPerceptron`; features lie in [-1, 1].
    eta, margin
        The step, or the margin :math:`\gamma` for which to choose the best step; give one of them.
    update, classes, names, journal_bytes
        As for :class:`~thresher.MulticlassPerceptron`. Where hashed names collide in one
        row, the stronger one counts.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.MulticlassNormalizedWinnow(n_features=4, eta=1, classes=["a", "b", "c"])
    >>> learner.learn([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]] * 2, ["a", "b", "c"] * 2).mistakes
    3
    """

    name: ClassVar[str] = "multiclass_normalized_winnow"
    _signed = False


class MulticlassSignedWinnow(MulticlassExponentiated):
    r"""Signed Winnow with several classes: weights of both signs.

    As :class:`~thresher.MulticlassNormalizedWinnow`, with the weight
    :math:`e^{\eta\theta_{r,i}} - e^{-\eta\theta_{r,i}}`: every feature stands for itself and
    for its negative. With the best step there are at most :math:`2\ln(2kn)/\gamma^2`
    updates for targets of any sign (:class:`thresher.theory.MulticlassSignedWinnow`), and at
    most one further mistake for each class that was not stated.

    **Cost.** As :class:`~thresher.MulticlassNormalizedWinnow`. A right round changes
    nothing.

    Parameters
    ----------
    n_features, eta, margin, update, classes, names, journal_bytes
        As for :class:`~thresher.MulticlassNormalizedWinnow`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.MulticlassSignedWinnow(n_features=2, margin=0.5)
    >>> learner.learn([[1, 0], [-1, 0], [0, 1], [1, 0]], [10, 20, 30, 10]).mistakes
    3
    >>> learner.predict([[1, 0], [-1, 0], [0, 1]]).tolist()
    [10, 20, 30]
    """

    name: ClassVar[str] = "multiclass_signed_winnow"
    _signed = True
