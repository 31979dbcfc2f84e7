"""What the multiplicative learners share: duals, a base whose powers are the weights, a rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import inf, log, log1p
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.kernels.engines.multiplicative import MultiplicativeEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.journal import journal_buffer
from thresher.learners.base.linear_learner import LinearLearner
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import Exact, checked_exact, checked_real

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST_DOUBLE = float(np.finfo(np.float64).max)

REAL_UNIT = (0.0, 1.0, False)
BINARY = (0.0, 1.0, True)
TERNARY = (-1.0, 1.0, True)


@dataclass(frozen=True, slots=True)
class Link:
    """From duals to weights, and what the score is compared with."""

    base: PowerBase
    rate: float
    mirrored: bool = False
    normalized: bool = False
    threshold: Fraction = Fraction(0)

    def for_kernel(self) -> dict[str, object]:
        """The same in the kernel's terms."""
        plain = self.base.value is not None and self.base.per == 1
        value = float(self.base.value) if self.base.value is not None and plain else None
        return {
            "base": value,
            "rate": self.rate,
            "exact_base": value is not None and Fraction(value) == self.base.value,
            "exact_threshold": Fraction(float(self.threshold)) == self.threshold,
            "mirrored": self.mirrored,
            "normalized": self.normalized,
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """What a round does to the duals."""

    promotes: bool = True
    zeroing: bool = False
    voting: bool = False
    #: Scores within it of the threshold are updated although the prediction was right.
    margin: float = 0.0
    #: No dual falls below it.
    floor: float = -inf

    def for_kernel(self) -> dict[str, float]:
        """The same in the kernel's terms."""
        return asdict(self)


class MultiplicativeLearner(LinearLearner):
    """A linear learner whose weights are powers of its duals."""

    _engine: MultiplicativeEngine
    _journal_bytes: int

    def _start(
        self,
        link: Link,
        rule: Rule,
        domain: tuple[float, float, bool],
        n_weights: int,
        bias: bool = False,
    ) -> None:
        """Build the engine; `_names` and `_journal_bytes` have been set."""
        owner = type(self).__name__
        names: Hashed | Vocabulary | None = getattr(self, "_names", None)
        self._link = link
        self._engine = MultiplicativeEngine(
            owner,
            name_table(owner, names, n_weights, bounded=True),
            journal_buffer(owner, self._journal_bytes),
            n_weights,
            bias,
            float(link.threshold),
            domain,
        )
        self._engine.set_link(link.for_kernel())
        self._engine.set_rule(rule.for_kernel(), self._reaches(link))

    @staticmethod
    def _reaches(link: Link) -> Callable[[list[tuple[float, float]]], bool]:
        return lambda terms: link.base.reaches(terms, link.threshold)

    def _weights(self) -> NDArray[np.float64]:
        stored = self._engine.stored()
        if self._engine.normalized:
            return stored / self._engine.total_mass
        # Duals have no limit, doubles do.
        return np.clip(stored, -LARGEST_DOUBLE, LARGEST_DOUBLE)

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        engine = self._engine
        if not engine.normalized:
            return super()._form()
        stored, n = engine.stored(), engine.n_features
        # Nothing is left to divide by when all were silenced; their scores are 0.
        mass = engine.total_mass or 1.0
        return stored[:n], float(stored[n]) if engine.has_bias else 0.0, mass


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
    dual = -int(-log(exact) / log(base))
    while base ** (dual - 1) >= exact:
        dual -= 1
    while base**dual < exact:
        dual += 1
    return float(dual)


def rate_of(beta: Fraction) -> float:
    """ln(1 + beta)."""
    return log1p(float(beta))
