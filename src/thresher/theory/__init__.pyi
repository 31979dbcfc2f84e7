"""The public names, for type checkers; `__init__.py` finds them when they are used."""

from thresher.theory.adagrad import AdaGradHinge as AdaGradHinge
from thresher.theory.adagrad import AdaGradLogistic as AdaGradLogistic
from thresher.theory.comparison import Comparison as Comparison
from thresher.theory.comparison import compare as compare
from thresher.theory.concepts import Committee as Committee
from thresher.theory.concepts import Concept as Concept
from thresher.theory.concepts import Conjunction as Conjunction
from thresher.theory.concepts import Disjunction as Disjunction
from thresher.theory.concepts import Experts as Experts
from thresher.theory.concepts import KOfR as KOfR
from thresher.theory.concepts import Separator as Separator
from thresher.theory.dimension import MarginShattering as MarginShattering
from thresher.theory.exponentiated import NormalizedWinnowCommittee as NormalizedWinnowCommittee
from thresher.theory.exponentiated import NormalizedWinnowHinge as NormalizedWinnowHinge
from thresher.theory.exponentiated import NormalizedWinnowRate as NormalizedWinnowRate
from thresher.theory.exponentiated import NormalizedWinnowSimple as NormalizedWinnowSimple
from thresher.theory.exponentiated import NormalizedWinnowThick as NormalizedWinnowThick
from thresher.theory.exponentiated import NormalizedWinnowTuned as NormalizedWinnowTuned
from thresher.theory.exponentiated import NormalizedWinnowWarmStart as NormalizedWinnowWarmStart
from thresher.theory.exponentiated import SignedWinnowHinge as SignedWinnowHinge
from thresher.theory.exponentiated import SignedWinnowRate as SignedWinnowRate
from thresher.theory.exponentiated import SignedWinnowRestarts as SignedWinnowRestarts
from thresher.theory.exponentiated import SignedWinnowTuned as SignedWinnowTuned
from thresher.theory.exponentiated import coin_relative_entropy as coin_relative_entropy
from thresher.theory.exponentiated import eta_max as eta_max
from thresher.theory.exponentiated import eta_star as eta_star
from thresher.theory.exponentiated import phase_budget as phase_budget
from thresher.theory.finite import ConjunctionTarget as ConjunctionTarget
from thresher.theory.finite import EliminationDisjunction as EliminationDisjunction
from thresher.theory.finite import HalvingClass as HalvingClass
from thresher.theory.finite import LittlestoneLower as LittlestoneLower
from thresher.theory.finite import LogarithmicLoss as LogarithmicLoss
from thresher.theory.finite import MixtureOfExperts as MixtureOfExperts
from thresher.theory.finite import OptimalLearner as OptimalLearner
from thresher.theory.finite import RandomizedMajorityBest as RandomizedMajorityBest
from thresher.theory.finite import WeightedMajorityBest as WeightedMajorityBest
from thresher.theory.listing import catalogue as catalogue
from thresher.theory.lower import DisjunctionLower as DisjunctionLower
from thresher.theory.lower import ExpertsLower as ExpertsLower
from thresher.theory.lower import MarginLower as MarginLower
from thresher.theory.mixing import MixingWithLosses as MixingWithLosses
from thresher.theory.mixing import ParameterMixing as ParameterMixing
from thresher.theory.multiclass import MulticlassHinge as MulticlassHinge
from thresher.theory.multiclass import MulticlassNormalizedWinnow as MulticlassNormalizedWinnow
from thresher.theory.multiclass import (
    MulticlassNormalizedWinnowHinge as MulticlassNormalizedWinnowHinge,
)
from thresher.theory.multiclass import MulticlassNovikoff as MulticlassNovikoff
from thresher.theory.multiclass import MulticlassPNorm as MulticlassPNorm
from thresher.theory.multiclass import MulticlassSignedWinnow as MulticlassSignedWinnow
from thresher.theory.multiclass import MulticlassSignedWinnowHinge as MulticlassSignedWinnowHinge
from thresher.theory.passive_aggressive import PassiveAggressiveCapped as PassiveAggressiveCapped
from thresher.theory.passive_aggressive import (
    PassiveAggressiveSeparable as PassiveAggressiveSeparable,
)
from thresher.theory.passive_aggressive import (
    PassiveAggressiveSoftened as PassiveAggressiveSoftened,
)
from thresher.theory.passive_aggressive import (
    PassiveAggressiveSquaredHinge as PassiveAggressiveSquaredHinge,
)
from thresher.theory.perceptron import Novikoff as Novikoff
from thresher.theory.perceptron import NovikoffBySum as NovikoffBySum
from thresher.theory.perceptron import PerceptronCommittee as PerceptronCommittee
from thresher.theory.perceptron import PerceptronDisjunction as PerceptronDisjunction
from thresher.theory.perceptron import PerceptronHinge as PerceptronHinge
from thresher.theory.perceptron import PerceptronSquaredHinge as PerceptronSquaredHinge
from thresher.theory.perceptron import PerceptronThickMargin as PerceptronThickMargin
from thresher.theory.perceptron import PerceptronWarmStart as PerceptronWarmStart
from thresher.theory.quasi_additive import PNorm as PNorm
from thresher.theory.quasi_additive import PNormDimension as PNormDimension
from thresher.theory.quasi_additive import PNormHinge as PNormHinge
from thresher.theory.quasi_additive import QuasiAdditive as QuasiAdditive
from thresher.theory.quasi_additive import optimal_p as optimal_p
from thresher.theory.quasi_additive import winnow_like_p as winnow_like_p
from thresher.theory.references import REFERENCES as REFERENCES
from thresher.theory.risk.anytime import MeanRiskAnytime as MeanRiskAnytime
from thresher.theory.risk.average_forecast import AverageForecastRisk as AverageForecastRisk
from thresher.theory.risk.difference import RiskDifference as RiskDifference
from thresher.theory.risk.hoeffding import MeanRiskHoeffding as MeanRiskHoeffding
from thresher.theory.risk.holdout import HoldoutRisk as HoldoutRisk
from thresher.theory.risk.kullback_leibler import MeanRiskKl as MeanRiskKl
from thresher.theory.risk.kullback_leibler import MeanRiskKlPrior as MeanRiskKlPrior
from thresher.theory.risk.streak import StreakRisk as StreakRisk
from thresher.theory.risk.streak import guaranteed_streak as guaranteed_streak
from thresher.theory.theorem import DimensionBound as DimensionBound
from thresher.theory.theorem import ExpectedMistakes as ExpectedMistakes
from thresher.theory.theorem import Hypothesis as Hypothesis
from thresher.theory.theorem import LowerBound as LowerBound
from thresher.theory.theorem import MistakeBound as MistakeBound
from thresher.theory.theorem import RiskBound as RiskBound
from thresher.theory.theorem import Theorem as Theorem
from thresher.theory.winnow import WinnowAnyThreshold as WinnowAnyThreshold
from thresher.theory.winnow import WinnowAttributeErrors as WinnowAttributeErrors
from thresher.theory.winnow import WinnowComparator as WinnowComparator
from thresher.theory.winnow import WinnowDisjunction as WinnowDisjunction
from thresher.theory.winnow import WinnowDisjunctionClean as WinnowDisjunctionClean
from thresher.theory.winnow import WinnowFalsePositives as WinnowFalsePositives
from thresher.theory.winnow import WinnowKDNF as WinnowKDNF
from thresher.theory.winnow import WinnowThickThresholds as WinnowThickThresholds
from thresher.theory.winnow import WinnowWarmStart as WinnowWarmStart
from thresher.theory.winnow import WinnowZeroing as WinnowZeroing
from thresher.theory.winnow import optimal_beta as optimal_beta
from thresher.theory.winnow import optimal_threshold as optimal_threshold
from thresher.theory.winnow import promotions as promotions
