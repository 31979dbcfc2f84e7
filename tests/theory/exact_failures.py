"""How often a risk bound fails, worked out instead of simulated.

The learner is the worst that can be had: one whose hypotheses all have the same true risk p, so
that mistakes are coin flips and the probability of failure is a sum of binomial terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RiskOf = Callable[[int], float]
RATES = [2.0**j for j in range(-7, 5)]


def at_most(k: int, n: int, p: float) -> float:
    """The probability of at most k mistakes in n rounds."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def worst_failure(risk_of: RiskOf, rounds: int) -> tuple[float, float]:
    """The largest probability, over all p, that p exceeds the bound; and that p.

    The bound grows with M, so it fails for few mistakes, and worst for a p just above a value.
    """
    found = [(0.0, 0.0)]
    for m in range(rounds + 1):
        if (p := risk_of(m) * (1 + 1e-12)) < 1:
            found.append((at_most(m, rounds, p), p))
    return max(found)


def failure_of_prior(risk: float, allowed: int, rounds: int) -> float:
    """The largest probability, over p, that the mean risk exceeds a bound that supposes M <= B.

    The learner has risk p until its mistake number B, then 0: the promise M <= B is kept. Its
    mean risk exceeds the bound if it is still at p in round n, the first with n p > bound T.
    """
    worst = 0.0
    for p in np.linspace(risk * (1 + 1e-9), 1, 500, endpoint=False):
        n = math.floor(risk * rounds / p) + 1
        if n <= rounds:
            worst = max(worst, at_most(allowed - 1, n - 1, float(p)))
    return worst


def anytime_risks(rounds: int, budget: float) -> NDArray[np.float64]:
    """The anytime bound after ``rounds`` for every number of mistakes, with any ln(12/delta)."""
    m = np.arange(rounds + 1)
    sides = [(1 - np.exp(-(r * m + budget) / rounds)) / (1 - math.exp(-r)) for r in RATES]
    return np.asarray(np.min(sides, axis=0))


def failure_at_some_time(
    risks: Callable[[int], NDArray[np.float64]], p: float, rounds: int
) -> float:
    """The probability that p exceeds the bound in some round, by the distribution of M_t."""
    alive, failed = np.array([1.0]), 0.0
    for t in range(1, rounds + 1):
        alive = np.append(alive * (1 - p), 0.0) + np.append(0.0, alive * p)
        broken = p > risks(t)
        failed += float(alive[broken].sum())
        alive[broken] = 0
    return failed


def failure_of_streaks(share: Callable[[int], float], p: float, versions: int) -> float:
    """The probability that some version survives long enough to be promised less than p.

    Version s fails if it is right n times, n the first with 1 - share(s)^(1/n) < p.
    """
    safe = 1.0
    for s in range(versions):
        n = math.floor(math.log(share(s)) / math.log(1 - p)) + 1
        safe *= 1 - (1 - p) ** n
    return 1 - safe
