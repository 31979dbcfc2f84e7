"""What mistakes on a stream, or on held-out rows, say about errors on new data."""

from __future__ import annotations

from importlib import import_module

_HOME = {
    "AverageForecastRisk": "average_forecast",
    "HoldoutRisk": "holdout",
    "MeanRiskAnytime": "anytime",
    "MeanRiskHoeffding": "hoeffding",
    "MeanRiskKl": "kullback_leibler",
    "MeanRiskKlPrior": "kullback_leibler",
    "RiskDifference": "difference",
    "StreakRisk": "streak",
    "guaranteed_streak": "streak",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    # Imported on first use: every run ends with one of these theorems, and needs no other.
    if name in _HOME:
        return getattr(import_module(f"thresher.theory.risk.{_HOME[name]}"), name)
    raise AttributeError(f"module 'thresher.theory.risk' has no attribute {name!r}")
