"""What is proven about every deterministic learner: lower bounds."""

from thresher.theory.lower.disjunctions import DisjunctionLower
from thresher.theory.lower.experts import ExpertsLower
from thresher.theory.lower.margin import MarginLower

__all__ = ["DisjunctionLower", "ExpertsLower", "MarginLower"]
