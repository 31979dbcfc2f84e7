"""Learners whose hypothesis is a set of literals."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from thresher.learners.base.negations import VariableLearner


class Formula(NamedTuple):
    """A disjunction ("or") or a conjunction ("and") of features, some of them negated."""

    word: str
    #: Columns, and whether they must be on (True) or off (False).
    literals: tuple[tuple[int, bool], ...]


class LiteralLearner(VariableLearner):
    """A learner of a disjunction or a conjunction, which can be read off."""

    #: What stands between the literals of the hypothesis.
    _word: ClassVar[str] = "or"
    brittle: ClassVar[bool] = True

    @property
    def formula(self) -> Formula:
        """The hypothesis: which features must be on or off."""
        n = self._n_features
        alive = np.flatnonzero(self.dual == 0.0).tolist()
        return Formula(self._word, tuple((i % n, i < n) for i in alive))

    @property
    def hypothesis(self) -> tuple[str, ...]:
        """The literals of the hypothesis: ``x3`` for variable 3, ``not x3`` for its negation."""
        return tuple(f"x{i}" if on else f"not x{i}" for i, on in self.formula.literals)

    @property
    def _keeps_variables(self) -> bool:
        # Its state always had a place for them.
        return True
