"""Winnow's weights as integers: powers of a rational factor over one common denominator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from thresher.errors import ParameterError
from thresher.games.numbers import Number, positive, promotions


@dataclass(frozen=True, slots=True)
class WinnowRule:
    """Threshold Winnow's two numbers, exactly: the promotion factor and the threshold."""

    factor: Fraction
    threshold: Fraction

    @classmethod
    def of(cls, whose: str, n_features: int, beta: Number, threshold: Number | None) -> WinnowRule:
        """The rule with step `beta`; the threshold is `n_features` unless given."""
        step = positive(whose, "beta", beta)
        return cls(
            1 + step,
            Fraction(n_features) if threshold is None else positive(whose, "threshold", threshold),
        )

    @property
    def promotions(self) -> int:
        """K: how often a weight can be promoted before it reaches the threshold alone."""
        return promotions(self.factor, self.threshold)

    def bound(self, n_features: int, r: int) -> int:
        """The most mistakes on a disjunction of exactly `r` of `n_features` features.

        >>> [WinnowRule(Fraction(2), Fraction(d)).bound(d, 1) for d in (4, 8, 1024)]
        [4, 7, 28]
        """
        a, K = self.factor, self.promotions
        start = (a * n_features / self.threshold - 1) / (a - 1)
        if r == 0:
            return max(0, floor(start))
        if r == n_features:
            return r * K
        value = start + r * ((1 + a) * K - a ** (K + 1) / ((a - 1) * self.threshold))
        return max(0, floor(value)) if K == 0 else max(r * K, ceil(value) - 1)

    def __str__(self) -> str:
        return f"Winnow(beta={self.factor - 1}, threshold={self.threshold})"


class Powers:
    """``factor**c`` for c from `low` to `high`, as integers, and the threshold on their scale.

    `low` is at most 0 and `high` at least 0. Sums of such weights and their comparison with
    the threshold are then integer arithmetic.

    >>> powers = Powers(WinnowRule(Fraction(3, 2), Fraction(5)), -1, 1)
    >>> [Fraction(powers[c], powers.threshold) * 5 for c in (-1, 0, 1)]
    [Fraction(2, 3), Fraction(1, 1), Fraction(3, 2)]
    """

    def __init__(self, rule: WinnowRule, low: int, high: int) -> None:
        a, b = rule.factor.numerator, rule.factor.denominator
        self._low, self._high = low, high
        unit = rule.threshold.denominator
        self._weight: list[int] = [
            a ** (c - low) * b ** (high - c) * unit for c in range(low, high + 1)
        ]
        self.threshold: int = rule.threshold.numerator * a ** abs(low) * b**high

    def __getitem__(self, exponent: int) -> int:
        if not self._low <= exponent <= self._high:
            raise ParameterError(
                "Powers", "exponent", f"between {self._low} and {self._high}", exponent
            )
        return self._weight[exponent - self._low]
