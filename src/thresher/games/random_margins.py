"""Classes of linear separators with a chosen margin, from which random streams are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.games.numbers import Number, exact, whole
from thresher.games.random_concepts import Round, Table
from thresher.games.random_sets import around, random_ranks, random_sets
from thresher.games.targets import Separator, expert


@dataclass(frozen=True, slots=True)
class Committees:
    """The majority of k of the features, with values -1 and +1.

    Every row has all k members and random other features, `active` in all. As many members
    agree with the label as the margin needs, and up to `surplus` pairs of votes more. The
    target is the vector with weights 1/k (or +-1/k), whose L1 norm is 1; its margin is
    at least `margin` in every row that is not spoiled. A spoiled row has one vote turned.

    Parameters
    ----------
    margin
        None is the smallest without ties: 1/k for odd k, 2/k for even k.
    signed
        Whether members may count negatively.

    >>> Committees(n_features=100, k=5).smallest_margin
    Fraction(1, 5)
    """

    n_features: int
    k: int
    active: int | None = None
    margin: Number | None = None
    surplus: int = 0
    signed: bool = False

    def __post_init__(self) -> None:
        whole("Committees", "k", self.k, 1, self.n_features)
        if self.active is not None:
            whole("Committees", "active", self.active, self.k, self.n_features)
        whole("Committees", "surplus", self.surplus, 0)
        if self.margin is not None and not 0 < exact("Committees", "margin", self.margin) <= 1:
            raise ParameterError("Committees", "margin", "above 0 and at most 1", self.margin)

    @property
    def _agreeing(self) -> int:
        asked = Fraction(0) if self.margin is None else exact("", "", self.margin)
        return max(self.k // 2 + 1, ceil(self.k * (1 + asked) / 2))

    @property
    def smallest_margin(self) -> Fraction:
        """The margin of the rows in which no more members agree than must."""
        return Fraction(2 * self._agreeing - self.k, self.k)

    def draw(self, rng: np.random.Generator, /) -> Separator:
        """A random member of the class."""
        members = random_sets(rng, 1, self.n_features, self.k)[0].tolist()
        signs = rng.integers(0, 2, self.k).tolist() if self.signed else [1] * self.k
        return Separator(
            {i: Fraction(1 if s else -1, self.k) for i, s in zip(members, signs, strict=True)},
            margin=self.smallest_margin,
        )

    def rows(self, target: Separator, rng: np.random.Generator, rounds: Round, /) -> Table:
        """Random rows that `target` labels as asked."""
        n = len(rounds.label)
        members = np.array(sorted(target.weights))
        sign = np.array([1 if target.weights[i] > 0 else -1 for i in members.tolist()])
        agree = np.minimum(self.k, self._agreeing + rng.integers(0, self.surplus + 1, n))
        vote = np.where(random_ranks(rng, n, self.k) < agree[:, None], 1.0, -1.0)
        vote *= rounds.label[:, None] * sign
        vote[rounds.spoiled, rng.integers(0, self.k, n)[rounds.spoiled]] *= -1.0
        n_others = (self.n_features if self.active is None else self.active) - self.k
        values = np.where(rng.integers(0, 2, (n, n_others)) > 0, 1.0, -1.0)
        return _merged(self.n_features, members, vote, values, rng)


@dataclass(frozen=True, slots=True)
class Separators:
    """A random unit vector u; rows of norm 1 with ``y u.x >= margin``.

    Rows have the k features on which u lives and random others, `active` in all. A row is
    ``y m u`` plus a random vector orthogonal to u, where m is the margin plus the absolute
    value of a normal variable of the size natural for such rows. Both norms are at most 1
    and every margin at least `margin`, exactly, for the floats as they are; so the Perceptron
    makes at most 1/margin^2 mistakes. A spoiled row has one coordinate of u's turned round.

    >>> Separators(n_features=50, margin=0.1)
    Separators(n_features=50, margin=0.1, active=None, k=None)
    """

    n_features: int
    margin: float
    active: int | None = None
    k: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.margin <= 0.999:
            raise ParameterError("Separators", "margin", "above 0 and at most 0.999", self.margin)
        whole("Separators", "k", self._support, 1, self.n_features)
        whole("Separators", "active", self._width, self._support, self.n_features)

    @property
    def _width(self) -> int:
        return self.n_features if self.active is None else self.active

    @property
    def _support(self) -> int:
        return self._width if self.k is None else self.k

    def draw(self, rng: np.random.Generator, /) -> Separator:
        """A random member of the class."""
        features = random_sets(rng, 1, self.n_features, self._support)[0].tolist()
        u = rng.standard_normal(self._support)
        u *= (1 - 2.0**-40) / sqrt(fsum((u * u).tolist()))
        return Separator(
            {i: Fraction(w) for i, w in zip(features, u.tolist(), strict=True)},
            margin=Fraction(self.margin),
        )

    def rows(self, target: Separator, rng: np.random.Generator, rounds: Round, /) -> Table:
        """Random rows that `target` labels as asked."""
        n = len(rounds.label)
        features = np.array(sorted(target.weights))
        k = len(features)
        u = np.array([float(target.weights[i]) for i in features.tolist()])
        noise = rng.standard_normal((n, self._width))
        # einsum adds in one order whatever the number of rows; BLAS may not.
        noise[:, :k] -= np.einsum("ij,j->i", noise[:, :k], u)[:, None] * u
        length = np.sqrt(np.einsum("ij,ij->i", noise, noise))
        natural = np.abs(rng.standard_normal(n)) / np.sqrt(self._width)
        # u is shorter than 1 by 2^-40, so what is left along it is below 2^-38: more room than
        # that for the margin here, and for the norm below.
        m = np.minimum(self.margin * (1 + 2.0**-30) + 2.0**-35 + natural, 1.0)
        # With a single feature nothing is orthogonal to u: what is left over is rounding.
        across = np.where(length > 1e-6, np.sqrt(1 - m * m) / np.maximum(length, 1e-6), 0.0)
        noise *= across[:, None]
        noise[:, :k] += (m * rounds.label)[:, None] * u
        noise *= 1 - 2.0**-36
        noise[rounds.spoiled, rng.integers(0, k, n)[rounds.spoiled]] *= -1.0
        return _merged(self.n_features, features, noise[:, :k], noise[:, k:], rng)


@dataclass(frozen=True, slots=True)
class Experts:
    """A perfect expert among many that err at a given rate; advice is -1 or +1.

    The number of mistakes of every other expert over a whole stream is exactly the rate
    times the rounds, to the nearest integer. The perfect expert errs in the spoiled rows,
    so ``attribute_noise`` sets the number of mistakes of the best expert.
    """

    n_features: int
    error_rate: Number = "1/2"

    def __post_init__(self) -> None:
        whole("Experts", "n_features", self.n_features, 1)
        if not 0 <= exact("Experts", "error_rate", self.error_rate) <= 1:
            raise ParameterError("Experts", "error_rate", "between 0 and 1", self.error_rate)

    def draw(self, rng: np.random.Generator, /) -> Separator:
        """A random member of the class."""
        return expert(int(rng.integers(0, self.n_features)))

    def rows(self, target: Separator, rng: np.random.Generator, rounds: Round, /) -> Table:
        """Random advice, of which `target` is right as asked."""
        n = len(rounds.label)
        rate = exact("Experts", "error_rate", self.error_rate)
        wrong = np.zeros((n, self.n_features), bool)
        wrong[: quota(rate, rounds.first, rounds.first + n)] = True
        wrong = rng.permuted(wrong, axis=0)
        wrong[:, next(iter(target.weights))] = rounds.spoiled
        advice = np.where(wrong, -1.0, 1.0) * rounds.label[:, None].astype(np.float64)
        column = np.broadcast_to(np.arange(self.n_features), advice.shape)
        return Table(column, advice, self.n_features)


def quota(rate: Fraction, first: int, stop: int) -> int:
    """How many of the rounds from `first` to before `stop` a rate is due; sums telescope.

    >>> [quota(Fraction(1, 3), t, t + 1) for t in range(6)], quota(Fraction(1, 3), 0, 6)
    ([0, 1, 0, 0, 1, 0], 2)
    """
    return floor(rate * stop + Fraction(1, 2)) - floor(rate * first + Fraction(1, 2))


def _merged(
    n_features: int,
    features: NDArray[np.int64],
    values: NDArray[np.float64],
    other_values: NDArray[np.float64],
    rng: np.random.Generator,
) -> Table:
    """Rows with the given features and random others, in increasing order."""
    n, width = other_values.shape
    others = around(features, random_sets(rng, n, n_features - len(features), width))
    column = np.concatenate((np.broadcast_to(features, values.shape), others), axis=1)
    order = column.argsort(axis=1, kind="stable")
    value = np.take_along_axis(np.concatenate((values, other_values), axis=1), order, axis=1)
    return Table(np.take_along_axis(column, order, axis=1), value, n_features)
