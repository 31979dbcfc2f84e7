"""Every stream and every concept class of this package by name, for tests and for commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from thresher.errors import ParameterError
from thresher.games.circle import circle
from thresher.games.disjunctions import (
    all_but_one,
    binary_search,
    dense_disjunction,
    elimination,
)
from thresher.games.eg_worst_case import eg_worst_case
from thresher.games.experts import sign_patterns, splitter
from thresher.games.loops import (
    balanced_loop,
    committee_ties,
    eg_too_fast,
    float64_victim,
    winnow_loop,
)
from thresher.games.multiclass import multiclass_orthonormal
from thresher.games.nested import nested
from thresher.games.orthonormal import identical_shards, lower_bound, orthonormal, thick
from thresher.games.planted_stream import MulticlassStream, PlantedStream
from thresher.games.random_concepts import (
    ConceptClass,
    KOfR,
    conjunctions,
    disjunctions,
    literals,
)
from thresher.games.random_margins import Committees, Experts, Separators
from thresher.games.winnow_greedy import greedy_winnow, singletons
from thresher.games.winnow_worst_case import optimal_winnow


@dataclass(frozen=True, slots=True)
class Entry:
    """One construction: what it does, its parameters with small defaults, how to build it."""

    name: str
    build: Callable[..., PlantedStream | MulticlassStream]
    #: The parameters, with values for which it is built in an instant.
    parameters: dict[str, Any]
    #: Whether the construction answers a player, who must then be given.
    needs_player: bool = False

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.build.__doc__ or "").splitlines()[0]

    def __call__(self, player: Any = None, **parameters: Any) -> PlantedStream | MulticlassStream:
        """Build it, with the default parameters where none are given."""
        known = _known(self.name, self.parameters, parameters)
        if not self.needs_player:
            return self.build(**known)
        if player is None:
            raise ParameterError(self.name, "player", "given: this stream answers a player", None)
        return self.build(player, **known)


@dataclass(frozen=True, slots=True)
class ClassEntry:
    """One concept class for random streams, and its parameters with small defaults."""

    name: str
    build: Callable[..., ConceptClass[Any]]
    parameters: dict[str, Any]

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.build.__doc__ or "").splitlines()[0]

    def __call__(self, **parameters: Any) -> ConceptClass[Any]:
        """Build it, with the default parameters where none are given."""
        return self.build(**_known(self.name, self.parameters, parameters))


def _known(name: str, defaults: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The defaults with what was given, unless that is no parameter at all."""
    unknown = given.keys() - defaults.keys()
    if unknown:
        raise ParameterError(name, "a parameter", f"one of {', '.join(defaults)}", min(unknown))
    return defaults | given


_ENTRIES = (
    Entry("orthonormal", orthonormal, {"n": 10}),
    Entry("lower-bound", lower_bound, {"margin": "1/4"}, needs_player=True),
    Entry("circle", circle, {"inverse_margin_squared": "10.5"}),
    Entry("singletons", singletons, {"n_features": 16, "r": 2, "beta": 1, "threshold": None}),
    Entry("greedy-winnow", greedy_winnow, {"n_features": 16, "r": 1, "beta": 1, "threshold": None}),
    Entry(
        "optimal-winnow", optimal_winnow, {"n_features": 5, "r": 3, "beta": 1, "threshold": None}
    ),
    Entry(
        "eg-worst-case",
        eg_worst_case,
        {"n_features": 64, "margin": "0.5", "eta": None, "rounds": None},
    ),
    Entry("sign-patterns", sign_patterns, {"m": 4}, needs_player=True),
    Entry("binary-search", binary_search, {"n_features": 64, "r": 4}, needs_player=True),
    Entry("elimination", elimination, {"n_features": 16, "r": 2}),
    Entry("all-but-one", all_but_one, {"n_features": 16, "k": 2}),
    Entry("splitter", splitter, {"n_experts": 16, "rounds": 40, "beta": "1/2"}),
    Entry("dense-disjunction", dense_disjunction, {"n_features": 16, "r": 1}),
    Entry("nested", nested, {"n": 6}),
    Entry("winnow-loop", winnow_loop, {"repeats": 10}),
    Entry("balanced-loop", balanced_loop, {"repeats": 10}),
    Entry("committee-ties", committee_ties, {"repeats": 10}),
    Entry("eg-too-fast", eg_too_fast, {"rounds": 100}),
    Entry("float64-victim", float64_victim, {"after": 1100}),
    Entry("identical-shards", identical_shards, {"n": 10, "copies": 4}),
    Entry("multiclass", multiclass_orthonormal, {"n": 10, "n_classes": 3}, needs_player=True),
    Entry("thick", thick, {"n": 10, "tau": "2.5"}),
)


_CLASSES = (
    ClassEntry("disjunctions", disjunctions, {"n_features": 100, "r": 3, "active": 10}),
    ClassEntry("conjunctions", conjunctions, {"n_features": 100, "r": 3, "active": 10}),
    ClassEntry(
        "k-of-r",
        KOfR,
        {"n_features": 100, "k": 2, "r": 5, "active": 10, "negated": 0, "surplus": 0},
    ),
    ClassEntry("literals", literals, {"n_features": 100, "r": 3, "negated": 1, "active": 10}),
    ClassEntry(
        "committees",
        Committees,
        {
            "n_features": 100,
            "k": 5,
            "active": None,
            "margin": None,
            "surplus": 0,
            "signed": False,
        },
    ),
    ClassEntry(
        "separators", Separators, {"n_features": 50, "margin": 0.1, "active": None, "k": None}
    ),
    ClassEntry("experts", Experts, {"n_features": 20, "error_rate": "1/2"}),
)


def streams() -> MappingProxyType[str, Entry]:
    """Every constructed stream, by name.

    >>> stream = streams()["greedy-winnow"](n_features=64)
    >>> stream.forced
    16
    """
    return MappingProxyType({entry.name: entry for entry in _ENTRIES})


def concept_classes() -> MappingProxyType[str, ClassEntry]:
    """Every concept class that a :class:`RandomStream` can draw from, by name.

    >>> concept_classes()["disjunctions"](r=2)
    KOfR(n_features=100, k=1, r=2, active=10, negated=0, surplus=0)
    """
    return MappingProxyType({entry.name: entry for entry in _CLASSES})
