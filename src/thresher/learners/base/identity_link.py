"""What the learners share whose weights may grow with the stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.journal import journal_buffer
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.options import IdentityLinkOptions
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

    def _weights(self) -> NDArray[np.float64]:
        return self._engine.mean() if self._average else self._engine.stored()
