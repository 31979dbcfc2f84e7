"""What the multiplicative learners share: duals, and a base whose powers are the weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, log1p
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.kernels.engines.multiplicative import MultiplicativeEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.journal import journal_buffer
from thresher.learners.base.learned_state import LearnedState, of_touched_features
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.stateful import ONLINE
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import Exact, checked_exact, checked_real

if TYPE_CHECKING:
    from collections.abc import Iterable

    Kind = TypeVar("Kind", bound=MultiplicativeEngine)

LARGEST_DOUBLE = float(np.finfo(np.float64).max)

REAL_UNIT = (0.0, 1.0, False)
BINARY = (0.0, 1.0, True)
TERNARY = (-1.0, 1.0, True)


@dataclass(frozen=True, slots=True)
class Link:
    """From duals to weights, and what the score is compared with."""

    base: PowerBase
    #: The logarithm of the base, as a double.
    rate: float
    threshold: Fraction = Fraction(0)
    #: Whether a feature stands for its negative as well.
    mirrored: bool = False

    def reaches(self, terms: Iterable[tuple[float, float]]) -> bool:
        """Whether a sum of x * base**z over pairs (x, z) is at least the threshold, exactly."""
        return self.base.reaches(terms, self.threshold)


class MultiplicativeLearner(LinearLearner):
    """A linear learner whose weights are powers of its duals."""

    _engine: MultiplicativeEngine
    _journal_bytes: int

    def _started(
        self,
        kind: type[Kind],
        link: Link,
        domain: tuple[float, float, bool],
        n_weights: int,
        bias: bool = False,
    ) -> Kind:
        """The engine, made; `_names` and `_journal_bytes` have been set."""
        owner = type(self).__name__
        names: Hashed | Vocabulary | None = getattr(self, "_names", None)
        threshold, base = float(link.threshold), link.base.as_double()
        engine = kind(
            owner,
            name_table(owner, names, n_weights, bounded=True),
            journal_buffer(owner, self._journal_bytes),
            n_weights,
            bias,
            threshold,
            domain,
        )
        exact_base = base is not None and Fraction(base) == link.base.value
        engine.set_link(base, link.rate, exact_base, link.mirrored)
        engine.set_comparison(link.reaches, Fraction(threshold) == link.threshold)
        self._engine = engine
        return engine

    def learned_state(self) -> LearnedState:
        """The dual of each feature; minus infinity for one that was silenced."""
        with self._between_batches() as engine:
            # A zero that was reached from below is the same dual.
            numbers: LearnedState = {"dual": engine.dual() + 0.0}
            if engine.scaling == ONLINE:
                numbers["scale"] = engine.scales()
            return of_touched_features(numbers, engine.n_features)

    def _weights(self) -> NDArray[np.float64]:
        # Duals have no limit, doubles do.
        weights = self._engine.stored() / self._engine.divisor
        return np.clip(weights, -LARGEST_DOUBLE, LARGEST_DOUBLE)

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        engine = self._engine
        stored = np.clip(engine.stored(), -LARGEST_DOUBLE, LARGEST_DOUBLE)
        bias = float(stored[engine.n_features]) if engine.has_bias else 0.0
        return stored[: engine.n_features], bias, engine.divisor


def checked_beta(owner: str, beta: Exact) -> Fraction:
    """The step beta > 0 of the Winnow family, exactly."""
    exact = checked_exact(owner, "beta", beta)
    if not 2.0**-40 <= exact <= 2.0**40:
        raise ParameterError(owner, "beta", "a positive number from 2**-40 to 2**40", beta)
    return exact


def checked_threshold(owner: str, threshold: Exact | None, n_features: int) -> Fraction:
    """The threshold, exactly; the number of features unless given."""
    if threshold is None:
        return Fraction(n_features)
    exact = checked_exact(owner, "threshold", threshold)
    if not 1e-100 <= exact <= 1e100:
        raise ParameterError(owner, "threshold", "a positive number (1e-100 to 1e100)", threshold)
    return exact


def checked_margin(owner: str, margin: float, threshold: Fraction) -> float:
    """The margin, which must leave room between it and zero."""
    thickness = checked_real(owner, "margin", margin, 0.0, 1e100)
    if thickness >= threshold:
        raise ParameterError(owner, "margin", f"below the threshold {float(threshold):g}", margin)
    return thickness


def near_a_margin(
    margin: float, inside: NDArray[np.float64], label: NDArray[np.int8]
) -> NDArray[np.bool_] | None:
    """Which scores are within a margin: a positive row must reach it, a negative one exceed it."""
    return None if not margin else (inside < margin) | ((inside == margin) & (label < 0))


#: Exact powers of more factors than this take too long to compare with a floor.
MOST_DEMOTIONS = 20_000


def floor_dual(owner: str, floor: Exact | None, base: Fraction) -> float:
    """The least whole dual whose weight, a power of the base, is not below the floor.

    >>> floor_dual("Winnow", Fraction(1, 3), Fraction(2)), floor_dual("Winnow", None, Fraction(2))
    (-1.0, -inf)
    """
    if floor is None:
        return -inf
    exact = checked_exact(owner, "floor", floor)
    if not 1e-30 <= exact <= 1:
        raise ParameterError(owner, "floor", "a number from 1e-30 to 1, or None", floor)
    dual = -int(-log(exact) / log1p(float(base - 1)))
    if -dual > MOST_DEMOTIONS:
        must = f"reached within {MOST_DEMOTIONS:,} demotions: a larger floor, or a larger beta"
        raise ParameterError(owner, "floor", must, floor)
    while base ** (dual - 1) >= exact:
        dual -= 1
    while base**dual < exact:
        dual += 1
    return float(dual)


def rate_of(beta: Fraction) -> float:
    """ln(1 + beta)."""
    return log1p(float(beta))
