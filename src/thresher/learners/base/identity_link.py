"""What the learners share whose weights may grow with the stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.journal import journal_buffer
from thresher.learners.base.learned_state import LearnedState, of_touched_features
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.options import IdentityLinkOptions
from thresher.learners.base.stateful import ONLINE
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, checked_count

if TYPE_CHECKING:
    from thresher.kernels.engines.identity_link import IdentityLinkEngine

    Kind = TypeVar("Kind", bound=IdentityLinkEngine)

#: Values beyond this would let sums of products overflow.
LARGEST_VALUE = 1e100


class IdentityLinkLearner(LinearLearner):
    """A linear learner whose weights are its dual vector, one per feature, as many as come."""

    _engine: IdentityLinkEngine
    _options: ClassVar[type[Any]] = IdentityLinkOptions
    #: The second number of each feature, where it has one, and what that starts with.
    _second: ClassVar[tuple[str, float] | None] = None
    _n_features: int | None
    _bias: bool
    _average: bool
    _names: Hashed | Vocabulary | None
    _journal_bytes: int

    def _started(self, kind: type[Kind], *, takes_importance: bool = True) -> Kind:
        """The engine, made; parameters and options have been set."""
        owner = type(self).__name__
        n_features = self._n_features
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        engine = kind(
            owner,
            name_table(owner, self._names, n_features, bounded=False),
            journal_buffer(owner, self._journal_bytes),
            n_features or 0,
            self._bias,
            0.0,
            (-LARGEST_VALUE, LARGEST_VALUE, False),
        )
        self._engine = engine
        self._weigh_and_scale(takes_importance=takes_importance)
        if self._average:
            engine.average()
        return engine

    def _unmixable(self) -> str | None:
        return "it averages all its weights" if self._average else super()._unmixable()

    def learned_state(self) -> LearnedState:
        """Weights, what else each has, and with `average` the rounds played."""
        with self._between_batches() as engine:
            n = engine.n_features
            numbers, started = self._numbers()
            if engine.scaling == ONLINE:
                numbers["scale"] = engine.scales()
            state = of_touched_features(numbers, n, started)
            if self._average:
                state["rounds"] = np.array([engine.n_rounds], np.int64)
        return state

    def _numbers(self) -> tuple[LearnedState, dict[str, float]]:
        """The numbers of each feature by name, and what they start with unless with 0."""
        numbers: LearnedState = {"weight": self._engine.dual()}
        names = [] if self._second is None else [self._second[0]]
        names += ["history"] if self._average else []
        numbers.update(zip(names, self._engine.other_state(), strict=True))
        return numbers, {} if self._second is None else dict([self._second])

    def _weights(self) -> NDArray[np.float64]:
        return self._engine.mean() if self._average else self._engine.stored()
