"""StandardOptimal: on a small class no deterministic learner can beat it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.concepts import TruthTable, as_concept_class
from thresher.concepts.littlestone import SEARCH_BUDGET, SubclassDimensions
from thresher.errors import StateError
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.finite.version_space import VersionSpaceLearner


class StandardOptimal(VersionSpaceLearner):
    r"""The standard optimal algorithm (Littlestone 1988).

    With :math:`V_1 = C` and :math:`V^{\pm}_x = \{f \in V : f(x) = \pm 1\}`, in round t the
    learner sees :math:`x_t` and predicts

    .. math:: \hat y_t = +1 \iff \mathrm{Ldim}(V^+_{x_t}) \ge \mathrm{Ldim}(V^-_{x_t}),

    then keeps the side of the label, as :class:`Halving` does. The score is the difference of
    the two dimensions, the empty class having dimension -1; a tie predicts +1.

    **Theorem** (Littlestone 1988). On labels given by a concept of C it makes at most
    :math:`\mathrm{Ldim}(C)` mistakes, and every deterministic learner can be forced to make
    that many.

    **Proof idea.** If both sides had the dimension of V, a point above their two trees would give
    V a deeper one. So the side not predicted is of smaller dimension, and a mistake lowers the
    dimension by at least 1. Conversely, an adversary walks down a mistake tree
    (:func:`thresher.concepts.mistake_tree`) and calls every answer wrong.

    It is exact and therefore slow: use it for classes of some dozens to some thousands of
    concepts. The class is held as a truth table on all rows, or on the points of the table that
    was given.

    **Cost.** Every round evaluates every remaining concept and computes two Littlestone
    dimensions, in time exponential in the dimension at worst; `budget` limits the search. Concepts
    that disagree are removed after right rounds too.

    Parameters
    ----------
    concepts
        As for :class:`Halving`; at most 4096 concepts.
    n_variables
        Number of features; needed only for a list of functions.
    budget
        How many splits one search for a dimension may try. If that is not enough, learning stops
        with an error before any of the batch is learned.
    journal_bytes
        The most memory the journal may take.

    Examples
    --------
    The 8 functions that are +1 at one of 8 points. Like Halving, this learner predicts -1, and one
    mistake is enough.

    >>> from thresher.concepts import singletons
    >>> learner = StandardOptimal(singletons(8))
    >>> learner.dimension
    1
    >>> rounds = learner.learn([{0: 1}, {1: 1}, {2: 1}, {2: 1}], [-1, -1, +1, +1])
    >>> rounds.scores.tolist(), rounds.mistakes
    ([-1.0, -1.0, -1.0, 1.0], 1)
    >>> learner.dimension
    0
    """

    name: ClassVar[str] = "standard_optimal"
    _counted: ClassVar[str] = "dimension of the concepts that say"

    def __init__(
        self,
        concepts: Any,
        n_variables: int | None = None,
        *,
        budget: int = SEARCH_BUDGET,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self._dimensions = SubclassDimensions(as_concept_class(concepts, n_variables), budget)
        table = self._dimensions.table
        super().__init__(table, table.codes(), journal_bytes)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters the learner was created with, by name; the class as a table."""
        return {**super().parameters, "budget": self.budget}

    def _begin(self, parameters: dict[str, Any], codes: NDArray[Any]) -> None:
        if not isinstance(parameters["concepts"], TruthTable):
            raise StateError("the class of this learner is saved as a truth table.")
        self._dimensions = SubclassDimensions(parameters["concepts"], parameters["budget"])
        super()._begin({**parameters, "concepts": self._dimensions.table}, codes)

    @property
    def budget(self) -> int:
        """How many splits one search for a dimension may try."""
        return self._dimensions.budget

    def _settings(self) -> dict[str, object]:
        changed = {} if self.budget == SEARCH_BUDGET else {"budget": self.budget}
        return {**changed, **super()._settings()}

    @property
    def dimension(self) -> int:
        """The Littlestone dimension of the version space: mistakes still possible; -1 if empty."""
        return self._dimensions.dimension(self._dimensions.mask(self._codes[0]))

    def potential(self) -> tuple[int, Fraction]:
        """The remaining dimension, and the most that the proof allows for it.

        Each mistake has lowered that of the whole class by one.
        """
        whole = self._dimensions.dimension(self._dimensions.mask(self._dimensions.table.codes()[0]))
        return self.dimension, Fraction(whole - self.mistakes)

    def _sides(self, codes: NDArray[Any], says: NDArray[np.bool_]) -> tuple[int, int]:
        dimensions = self._dimensions
        positive = dimensions.mask(codes[0][says])
        negative = dimensions.mask(codes[0][~says])
        return dimensions.dimension(positive), dimensions.dimension(negative)
