"""Stateful: parameters and state of a learner; copies, equality, pickling and printing."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from thresher.kernels.additive import AdditiveEngine
    from thresher.kernels.conjunction import ConjunctionEngine
    from thresher.kernels.multiplicative import MultiplicativeEngine

    AnyEngine = AdditiveEngine | MultiplicativeEngine | ConjunctionEngine


class Stateful:
    """A learner as its parameters and the state of its engine.

    A parameter ``p`` of ``__init__`` is kept, as it was given, in the attribute ``_p``.
    """

    _engine: AnyEngine
    #: Whether the dual vector was given instead of learned; claims then say nothing.
    warm_start: bool = False

    @contextmanager
    def _between_batches(self) -> Iterator[AnyEngine]:
        """The engine, while no batch is being learned."""
        self._engine.begin_scoring()
        try:
            yield self._engine
        finally:
            self._engine.end_scoring()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters the learner was created with, by name."""
        names = inspect.signature(type(self).__init__).parameters
        return {name: getattr(self, f"_{name}") for name in names if name != "self"}

    def with_dual(self, dual: Any) -> Self:
        """A learner with these parameters and names and the given dual vector, at round 0."""
        return self.started_anew(dual)

    def started_anew(self, dual: Any = None) -> Self:
        """A learner with these parameters and names that has seen nothing."""
        fresh = type(self)(**self.parameters)
        fresh._take_names(self)
        if dual is not None:
            fresh._engine.set_dual(dual)
            fresh.warm_start = True
        return fresh

    def _take_names(self, other: Self) -> None:
        self._engine.names.vocabulary.update(other._engine.names.vocabulary)

    def _state(self) -> tuple[Any, ...]:
        with self._between_batches() as engine:
            # A copy: pickling reads it later, when another batch may be under way.
            journal = copy(engine.journal)
            return (engine.dual(), engine.extras(), engine.counts(), journal, engine.names)

    def _restore(self, state: tuple[Any, ...]) -> None:
        dual, extras, counts, journal, names = state
        engine = self._engine
        engine.names.vocabulary.update(names.vocabulary)
        engine.set_dual(dual)
        engine.set_extras(extras)
        engine.set_history(counts, journal)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "parameters": self.parameters,
            "state": self._state(),
            "warm_start": self.warm_start,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(**saved["parameters"])  # type: ignore[misc]
        self._restore(saved["state"])
        self.warm_start = saved["warm_start"]

    def copy(self) -> Self:
        """An independent learner in the same state."""
        twin = type(self).__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.parameters == other.parameters and _same(self._state(), other._state())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = ", ".join(
            f"{name}={value}"
            for name, value in self.parameters.items()
            if value is not defaults[name].default and value != defaults[name].default
        )
        return f"{type(self).__name__}({shown})"


def _same(a: Any, b: Any) -> bool:
    """Equality to the bit, down into tuples and arrays."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    return bool(a == b)
