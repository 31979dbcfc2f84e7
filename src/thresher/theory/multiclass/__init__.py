"""What is proven about learners with several classes."""

from thresher.theory.multiclass.exponentiated import (
    MulticlassNormalizedWinnow,
    MulticlassSignedWinnow,
)
from thresher.theory.multiclass.hinge import (
    MulticlassHinge,
    MulticlassNormalizedWinnowHinge,
    MulticlassSignedWinnowHinge,
)
from thresher.theory.multiclass.p_norm import MulticlassPNorm
from thresher.theory.multiclass.perceptron import MulticlassNovikoff

__all__ = [
    "MulticlassHinge",
    "MulticlassNormalizedWinnow",
    "MulticlassNormalizedWinnowHinge",
    "MulticlassNovikoff",
    "MulticlassPNorm",
    "MulticlassSignedWinnow",
    "MulticlassSignedWinnowHinge",
]
