"""What mistakes on a stream, or on held-out rows, say about errors on new data."""

from thresher.theory.risk.anytime import MeanRiskAnytime
from thresher.theory.risk.average_forecast import AverageForecastRisk
from thresher.theory.risk.difference import RiskDifference
from thresher.theory.risk.hoeffding import MeanRiskHoeffding
from thresher.theory.risk.holdout import HoldoutRisk
from thresher.theory.risk.kullback_leibler import MeanRiskKl, MeanRiskKlPrior
from thresher.theory.risk.streak import StreakRisk, guaranteed_streak

__all__ = [
    "AverageForecastRisk",
    "HoldoutRisk",
    "MeanRiskAnytime",
    "MeanRiskHoeffding",
    "MeanRiskKl",
    "MeanRiskKlPrior",
    "RiskDifference",
    "StreakRisk",
    "guaranteed_streak",
]
