"""Statements about errors on new data, in words."""

from __future__ import annotations

from fractions import Fraction

from thresher.theory.shares import DOWN, UP, percent
from thresher.verifier.statement import Statement

#: Statements about errors on new data, by what they are about.
ABOUT = {
    "StreakRisk": "the risk of the last hypothesis",
    "HoldoutRisk": "the risk of the model",
}


def risk_words(statement: Statement, delta: object = None) -> str:
    """A statement about the risk with its confidence.

    Without `delta` the probability of failure is the one that the theorem was given, which is
    smaller where the best of several theorems is quoted.

    >>> given = {"mistakes": 1, "rounds": 100, "delta": Fraction(1, 60)}
    >>> risk_words(Statement("MeanRiskKl", 1, given, 0.0731), Fraction(1, 20))
    'the mean risk of the run is at most 7.31 % with confidence 95 % (MeanRiskKl)'
    """
    delta = statement.quantities.get("delta") if delta is None else delta
    sure = 1 - delta if isinstance(delta, Fraction | int) else Fraction(0)
    about = ABOUT.get(statement.theorem, "the mean risk of the run")
    return (
        f"{about} is at most {percent(statement.allows, UP)} with confidence "
        f"{percent(sure, DOWN)} ({statement.theorem})"
    )
