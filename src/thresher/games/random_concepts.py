"""Classes of Boolean concepts from which random streams are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.games.numbers import whole
from thresher.games.random_sets import around, random_ranks, random_sets
from thresher.games.targets import Quorum, Target

T = TypeVar("T", bound=Target)


class Table(NamedTuple):
    """Columns and values, one line per row; cells that do not count have the column `empty`."""

    column: NDArray[np.int64]
    value: NDArray[np.float64] | None
    empty: int


class Round(NamedTuple):
    """What a concept class is told about the rows it must draw."""

    #: The label each row shall have.
    label: NDArray[np.int8]
    #: The rows in which one relevant attribute shall be wrong.
    spoiled: NDArray[np.bool_]
    #: The round number of the first of them.
    first: int


class ConceptClass(Protocol[T]):
    """A set of targets, and a way to draw rows with given labels."""

    @property
    def n_features(self) -> int:
        """The width of the rows."""

    def draw(self, rng: np.random.Generator, /) -> T:
        """A random member of the class."""

    def rows(self, target: T, rng: np.random.Generator, rounds: Round, /) -> Table:
        """Random rows that `target` labels as asked."""


@dataclass(frozen=True, slots=True)
class KOfR:
    """At least k of r literals; every row has `active` features.

    A positive row makes k of the literals true, a negative one up to k - 1 (each number
    equally likely); the other features are drawn at random. A spoiled row has one relevant
    feature toggled after that, so it has one active feature more or fewer.

    >>> KOfR(n_features=1000, k=2, r=5, active=20)
    KOfR(n_features=1000, k=2, r=5, active=20, negated=0, surplus=0)
    """

    n_features: int
    k: int
    r: int
    active: int
    #: How many of the r literals are negations.
    negated: int = 0
    #: Positive rows make up to this many literals more true.
    surplus: int = 0

    def __post_init__(self) -> None:
        whole("KOfR", "r", self.r, 1, self.n_features)
        whole("KOfR", "k", self.k, 1, self.r)
        whole("KOfR", "negated", self.negated, 0, self.r)
        whole("KOfR", "surplus", self.surplus, 0, self.r - self.k)
        plain = self.r - self.negated
        needed = []
        for true in chain(range(self.k), range(self.k, self.k + self.surplus + 1)):
            for plain_true in (max(0, true - self.negated), min(plain, true)):
                needed.append(self.negated - true + 2 * plain_true)
        most = self.n_features - self.r + min(needed)
        if not max(needed) <= self.active <= most:
            raise ParameterError(
                "KOfR",
                "active",
                f"between {max(needed)} and {most}",
                self.active,
                f"{self.n_features - self.r} features are irrelevant; more widen the range.",
            )

    def draw(self, rng: np.random.Generator, /) -> Quorum:
        """A random member of the class."""
        relevant = random_sets(rng, 1, self.n_features, self.r)[0]
        negation = random_ranks(rng, 1, self.r)[0] < self.negated
        return Quorum(
            self.k, tuple(relevant[~negation].tolist()), tuple(relevant[negation].tolist())
        )

    def rows(self, target: Quorum, rng: np.random.Generator, rounds: Round, /) -> Table:
        """Random rows that `target` labels as asked."""
        n = len(rounds.label)
        relevant = np.array(sorted((*target.plain, *target.negated)))
        true = np.where(
            rounds.label > 0,
            self.k + rng.integers(0, self.surplus + 1, n),
            rng.integers(0, self.k, n),
        )
        on = (random_ranks(rng, n, self.r) < true[:, None]) ^ np.isin(relevant, target.negated)
        fill = self.active - on.sum(axis=1)
        on[rounds.spoiled, rng.integers(0, self.r, n)[rounds.spoiled]] ^= True
        width = int(fill.max(initial=0))
        others = random_sets(rng, n, self.n_features - self.r, width)
        if (fill < width).any():
            others = rng.permuted(others, axis=1)
        column = np.concatenate(
            (
                np.where(on, relevant, self.n_features),
                np.where(
                    np.arange(width) < fill[:, None], around(relevant, others), self.n_features
                ),
            ),
            axis=1,
        )
        column.sort(axis=1)
        return Table(column, None, self.n_features)


def disjunctions(n_features: int, r: int, active: int) -> KOfR:
    """Monotone disjunctions of r features."""
    return KOfR(n_features, 1, r, active)


def conjunctions(n_features: int, r: int, active: int) -> KOfR:
    """Monotone conjunctions of r features."""
    return KOfR(n_features, r, r, active)


def literals(n_features: int, r: int, negated: int, active: int) -> KOfR:
    """Disjunctions of r literals, some of them negations."""
    return KOfR(n_features, 1, r, active, negated)
