"""Stateful: parameters and state of a learner; copies, equality, pickling and printing."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from thresher.errors import ParameterError, StateError
from thresher.kernels.rows.journal import JournalBuffer
from thresher.kernels.rows.journal import restored as restored_journal
from thresher.learners.base.journal import check_history
from thresher.learners.base.learner import Learner
from thresher.learners.base.options import (
    SCALINGS,
    ClassWeight,
    Options,
    class_weights,
    completed,
    scaling_number,
    signature_with,
)
from thresher.learners.base.shared_numbers import MixingRule, Shared, SharedNumbers, cannot_mix
from thresher.parameters import as_written
from thresher.streams.value_limits import ValueLimits

if TYPE_CHECKING:
    from thresher.kernels.engines.committee import CommitteeEngine
    from thresher.kernels.engines.conjunction import ConjunctionEngine
    from thresher.kernels.engines.identity_link import IdentityLinkEngine
    from thresher.kernels.engines.modified_balanced_winnow import ModifiedBalancedWinnowEngine
    from thresher.kernels.engines.multiplicative import MultiplicativeEngine
    from thresher.kernels.engines.p_norm import PNormEngine
    from thresher.kernels.rows.named_rows import NameTable

    AnyEngine = (
        IdentityLinkEngine
        | MultiplicativeEngine
        | ConjunctionEngine
        | PNormEngine
        | ModifiedBalancedWinnowEngine
        | CommitteeEngine
    )


ONLINE = 1 + SCALINGS.index("online")


class Stateful(Learner):
    """A learner as its parameters and the state of its engine.

    A parameter ``p`` of ``__init__`` is kept, as it was given, in the attribute ``_p``.
    """

    _engine: AnyEngine
    _options: ClassVar[type[Any]] = Options
    _class_weight: ClassWeight
    _scaling: str | None
    #: Parameters whose defaults are the textbook algorithm, and other values are not.
    _varying: ClassVar[tuple[str, ...]] = ()
    #: Whether the textbook algorithm leaves everything as it is when the prediction was right.
    _conservative: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Spell out the options, for whoever asks for the signature of the class."""
        if cls.__init__ is object.__init__:
            # That of a compiled function would be parsed from text, with much machinery.
            return
        cls.__signature__ = signature_with(cls.__init__, cls._options)  # type: ignore[attr-defined]

    def _take(self, options: Mapping[str, Any]) -> None:
        """Keep the options, as all parameters are kept."""
        for name, value in completed(type(self).__name__, self._options, options).items():
            setattr(self, f"_{name}", value)

    def _weigh_and_scale(self, *, takes_importance: bool = True) -> None:
        """Tell the engine what the options say about weights and scales."""
        owner, engine = type(self).__name__, self._engine
        negative, positive = class_weights(owner, self._class_weight)
        if not takes_importance and (negative, positive) != (1.0, 1.0):
            raise ParameterError(
                owner, "class_weight", "None with these parameters", self._class_weight
            )
        engine.weigh(takes_importance, negative, positive)
        engine.scale(scaling_number(owner, self._scaling))

    def weigh_classes(self, weights: Mapping[int, float]) -> None:
        """Let the rows of -1 and +1 count so much; to be called before the first round."""
        if "class_weight" not in self.parameters or not self.takes_importance:
            super().weigh_classes(weights)
        if self.n_rounds:
            raise StateError("the weights of classes are stated before the first round.")
        self._class_weight = dict(weights)
        self._engine.weigh(True, *class_weights(type(self).__name__, self._class_weight))

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
        """The parameters the learner was created with, by name; numbers that were texts as such."""
        names = inspect.signature(type(self)).parameters
        return {name: as_written(self._parameter(name)) for name in names}

    def _parameter(self, name: str) -> Any:
        """A parameter as it was given; a class derived by others may keep its own as `name`."""
        return getattr(self, f"_{name}") if hasattr(self, f"_{name}") else getattr(self, name)

    @property
    def variations(self) -> tuple[str, ...]:
        """Parameters that make this another algorithm than the one its theorems speak of."""
        return (*self._varied(), *(["importance"] if self._engine.journal.weighted else []))

    def _varied(self) -> list[str]:
        stated = inspect.signature(type(self)).parameters
        return [
            f"{name}={self.parameters[name]}"
            for name in (*self._varying, "average", "class_weight", "scaling")
            if name in stated and self.parameters[name] != stated[name].default
        ]

    @property
    def changes_only_on_mistakes(self) -> bool:
        """Whether a round in which it was right leaves it as it was."""
        # Importance makes a step longer or shorter, and not another round one of change.
        return self._conservative and not self._varied()

    @property
    def name_table(self) -> NameTable:
        """How names of features find their columns."""
        return self._engine.names

    @property
    def domain(self) -> ValueLimits:
        """The values that features may have."""
        engine = self._engine
        needs = f"values in {engine.domain()}, which {type(self).__name__} needs"
        expected = f"{needs} (scale or binarise the features first)"
        return ValueLimits(engine.lowest, engine.highest, bool(engine.whole), expected)

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

    # ---- shards that learned apart ---------------------------------------------------------

    #: How they become one learner; None where nobody knows.
    _mixing: ClassVar[MixingRule | None] = None

    def _unmixable(self) -> str | None:
        """Why parameters forbid what the rule is for; None: they do not."""
        return None if self._mixing is not None else "there is no rule for it"

    def _require_mixable(self) -> None:
        """Refuse to share anything where nobody knows how."""
        why = "its names are not hashed" if not self.name_table.hashed else self._unmixable()
        if why is not None:
            raise cannot_mix(self, why)

    def shared_numbers(self) -> Shared:
        """What shards that learned apart would combine, and how; refused where nobody knows."""
        self._require_mixable()
        assert self._mixing is not None
        dual, other, counts, journal, *_ = self._state()
        numbers = {"dual": np.asarray(dual, np.float64)}
        if self._mixing != "average":
            numbers[self._mixing] = other[0]
        if self._engine.scaling == ONLINE:
            numbers["scale"] = other[-1]
        return SharedNumbers(
            rule=self._mixing, numbers=numbers, counts=counts, weighted=journal.weighted
        )

    def with_shared(self, shared: Any) -> Self:
        """A learner with these parameters and names that stands for shards that were combined.

        No journal rebuilds it, so that it counts as one that was given its numbers.
        """
        made, numbers = self.with_dual(shared.numbers["dual"]), shared.numbers
        engine, counts = made._engine, shared.counts
        if engine.scaling == ONLINE:
            engine.set_scales(numbers["scale"])
        if self._mixing not in (None, "average"):
            engine.set_other_state((numbers[str(self._mixing)],))
        limit, omitted = engine.journal.limit, counts[1] + counts[2]
        kept = (shared.weighted, None)
        journal = restored_journal(limit, JournalBuffer(limit).parts(), omitted, True, kept)
        check_history(counts, journal, engine.n_features)
        engine.set_history(counts, journal)
        return made

    def _state(self) -> tuple[Any, ...]:
        with self._between_batches() as engine:
            # A copy: pickling reads it later, when another batch may be under way.
            journal = copy(engine.journal)
            other = engine.other_state()
            if engine.scaling == ONLINE:
                other = (*other, engine.scales())
            return (engine.dual(), other, engine.counts(), journal, engine.names)

    def _restore(self, state: tuple[Any, ...]) -> None:
        dual, other, counts, journal, names = state
        engine = self._engine
        take_vocabulary(engine.names, names)
        engine.set_dual(dual)
        if engine.scaling == ONLINE:
            *other, scales = other
            engine.set_scales(scales)
        engine.set_other_state(tuple(other))
        check_history(counts, journal, engine.n_features)
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

    @property
    def most_bytes(self) -> int:
        """The memory that its arrays take, once it has learned from all its features."""
        return array_bytes(self.__getstate__())

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
        defaults = inspect.signature(type(self)).parameters
        shown = ", ".join(
            f"{name}={value}"
            for name, value in self.parameters.items()
            if value is not defaults[name].default and value != defaults[name].default
        )
        return f"{type(self).__name__}({shown})"


def take_vocabulary(ours: NameTable, saved: NameTable) -> None:
    """Fill a new table of names with those of a saved one, which must be of the same kind."""
    if isinstance(saved, type(ours)):
        ours.vocabulary.update(saved.vocabulary)
    if ours != saved:
        raise StateError("the table of names is not the one that the parameters ask for.")


def _same(a: Any, b: Any) -> bool:
    """Equality to the bit, down into tuples and arrays."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    return bool(a == b)


def own_copy(state: Any) -> Any:
    """A state that shares no arrays, journals or learners with the one that was given."""
    if isinstance(state, tuple):
        return tuple(map(own_copy, state))
    return copy(state) if isinstance(state, np.ndarray | JournalBuffer | Stateful) else state


def array_bytes(state: Any) -> int:
    """The memory of the arrays in a state."""
    if isinstance(state, dict):
        return sum(map(array_bytes, state.values()))
    if isinstance(state, tuple | list):
        return sum(map(array_bytes, state))
    return state.nbytes if isinstance(state, np.ndarray) else 0
