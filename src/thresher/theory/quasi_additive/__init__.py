"""What is proven about the p-norm Perceptron and all quasi-additive learners."""

from thresher.theory.quasi_additive.master import QuasiAdditive
from thresher.theory.quasi_additive.p_norm import PNorm
from thresher.theory.quasi_additive.p_norm_dimension import (
    PNormDimension,
    optimal_p,
    winnow_like_p,
)
from thresher.theory.quasi_additive.p_norm_hinge import PNormHinge

__all__ = [
    "PNorm",
    "PNormDimension",
    "PNormHinge",
    "QuasiAdditive",
    "optimal_p",
    "winnow_like_p",
]
