"""The best of three statements about the mean risk of a run, with one probability of failure."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from thresher.theory.risk.anytime import MeanRiskAnytime
from thresher.theory.risk.hoeffding import MeanRiskHoeffding
from thresher.theory.risk.kullback_leibler import MeanRiskKl
from thresher.theory.theorem import RiskBound


def best_mean_risk(mistakes: int, rounds: int, delta: Fraction) -> RiskBound | None:
    """The smallest of three bounds on the mean risk; it fails with probability delta at most.

    Which of them is smallest depends on the stream, so each has a third of delta: then all three
    hold at once with probability 1 - delta. None where none says anything.

    >>> found = best_mean_risk(5019, 32561, Fraction(1, 20))
    >>> found.name, round(found.max_risk(), 4)
    ('MeanRiskAnytime', 0.1615)
    >>> best_mean_risk(387, 1605, Fraction(1, 20)).name
    'MeanRiskHoeffding'
    """
    given = mistakes, rounds, delta / 3
    found: list[RiskBound] = [MeanRiskAnytime(*given), MeanRiskKl(*given)]
    found.append(MeanRiskHoeffding(*given))
    applying = [theorem for theorem in found if theorem.applies()]
    return min(applying, key=risk_of, default=None)


# A risk takes some fifty logarithms in decimals, and the smallest is asked for again at once.
@lru_cache(maxsize=16)
def risk_of(theorem: RiskBound) -> float:
    """The bound of a theorem as a probability, worked out once."""
    return theorem.max_risk()
