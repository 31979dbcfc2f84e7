"""What mistakes on a stream say about errors on new data: online to batch."""

from thresher.theory.risk.anytime import MeanRiskAnytime
from thresher.theory.risk.hoeffding import MeanRiskHoeffding
from thresher.theory.risk.kullback_leibler import MeanRiskKl, MeanRiskKlPrior
from thresher.theory.risk.streak import StreakRisk, guaranteed_streak

__all__ = [
    "MeanRiskAnytime",
    "MeanRiskHoeffding",
    "MeanRiskKl",
    "MeanRiskKlPrior",
    "StreakRisk",
    "guaranteed_streak",
]
