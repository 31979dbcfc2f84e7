"""Statements about errors on new data, in words."""

from __future__ import annotations

from fractions import Fraction

from thresher.theory.shares import DOWN, UP, percent, rounded
from thresher.verifier.statement import Statement

#: Statements about errors on new data, by what they are about.
ABOUT = {
    "StreakRisk": "the risk of the last hypothesis",
    "HoldoutRisk": "the risk of the model",
}


#: What statements take for granted, and nobody can check.
OF_THE_ROWS = "rows are independent draws"
OF_ROWS_HELD_OUT = (
    "rows held out are independent draws from one source, and had no part in training or choosing "
    "the model"
)


def premise_of(statement: Statement) -> str:
    """What a statement takes for granted, in short."""
    return OF_ROWS_HELD_OUT if statement.theorem == "HoldoutRisk" else OF_THE_ROWS


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
    confidence = percent(sure, DOWN)
    return f"{_what(statement)} with confidence {confidence} ({statement.theorem})"


def _what(statement: Statement) -> str:
    """What is said to be how large.

    A difference of two risks is counted in points of a hundred, a logarithmic loss in nats.

    >>> _what(Statement("RiskDifference", 1, {}, 0.0276))
    'the mean risk of the run exceeds that of its best expert by at most 2.76 points'
    >>> _what(Statement("RiskDifference", 1, {}, -0.02761))
    'the mean risk of the run is at least 2.76 points below that of its best expert'
    >>> _what(Statement("AverageForecastRisk", 1, {}, 0.19791))
    'the average of all forecasts loses at most 0.198 nats a row'
    """
    allows = statement.allows
    if statement.theorem == "RiskDifference" and allows < 0:
        points = rounded(-Fraction(allows) * 100, DOWN)
        return f"the mean risk of the run is at least {points} points below that of its best expert"
    if statement.theorem == "RiskDifference":
        points = rounded(Fraction(allows) * 100, UP)
        return (
            f"the mean risk of the run exceeds that of its best expert by at most {points} points"
        )
    if statement.theorem == "AverageForecastRisk":
        nats = rounded(Fraction(allows), UP)
        return f"the average of all forecasts loses at most {nats} nats a row"
    about = ABOUT.get(statement.theorem, "the mean risk of the run")
    return f"{about} is at most {percent(allows, UP)}"
