"""Composite: a learner that is made of other learners."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from thresher.errors import ParameterError, StateError
from thresher.kernels.engines.read_write_lock import ReadWriteLock
from thresher.learners.base.learner import Learner
from thresher.learners.base.stateful import Stateful


class Composite(Stateful):
    """A learner over a given one, which is copied before it has seen anything.

    Predictions may run in any number of threads; they wait while a batch is being learned.
    """

    _learner: Learner

    def _take_prototype(self, learner: Any, kinds: tuple[type[Any], ...]) -> None:
        owner = type(self).__name__
        if not isinstance(learner, kinds):
            known = " or ".join(kind.__name__ for kind in kinds)
            raise ParameterError(owner, "learner", f"a two-class learner ({known})", learner)
        if learner.n_rounds:
            raise ParameterError(
                owner,
                "learner",
                "one that has seen nothing",
                learner,
                "Give learner.started_anew().",
            )
        # A copy: what the caller does to the original is no business of ours.
        self._learner = learner.started_anew()
        self.minds_new_features = learner.minds_new_features
        self._lock = ReadWriteLock()

    @property
    def inner_learner(self) -> Learner:
        """The learner as it was given, which has seen nothing."""
        return self._learner

    @property
    def variations(self) -> tuple[str, ...]:
        """Nothing: what it is made of is stated in full, and no theorem speaks of the whole."""
        return ()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """While no batch is being learned."""
        self._lock.begin_scoring()
        try:
            yield
        finally:
            self._lock.end_scoring()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """While nobody else learns or predicts."""
        self._lock.begin_learning()
        try:
            yield
        finally:
            self._lock.end_learning()

    def started_anew(self, dual: Any = None) -> Self:
        """A learner with these parameters that has seen nothing."""
        if dual is not None:
            raise StateError(f"{type(self).__name__} has no dual vector of its own.")
        return type(self)(**self.parameters)

    def _check_member(self, member: Any) -> None:
        """Refuse a saved member that is not a descendant of the given learner."""
        kind = type(self._learner)
        if type(member) is not kind or member.parameters != self._learner.parameters:
            raise StateError(f"a member is not a {kind.__name__} with the parameters given.")
