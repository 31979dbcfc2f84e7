"""What is proven about finite classes, experts, and the two eliminating learners."""

from thresher.theory.finite.conjunction import ConjunctionTarget
from thresher.theory.finite.elimination import EliminationDisjunction
from thresher.theory.finite.halving import HalvingClass
from thresher.theory.finite.littlestone_dimension import LittlestoneLower, OptimalLearner
from thresher.theory.finite.logarithmic_loss import LogarithmicLoss
from thresher.theory.finite.mixture import MixtureOfExperts
from thresher.theory.finite.randomized_majority import RandomizedMajorityBest
from thresher.theory.finite.weighted_majority import WeightedMajorityBest

__all__ = [
    "ConjunctionTarget",
    "EliminationDisjunction",
    "HalvingClass",
    "LittlestoneLower",
    "LogarithmicLoss",
    "MixtureOfExperts",
    "OptimalLearner",
    "RandomizedMajorityBest",
    "WeightedMajorityBest",
]
