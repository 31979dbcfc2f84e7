"""What is proven about the Perceptron."""

from thresher.theory.perceptron.committee import PerceptronCommittee
from thresher.theory.perceptron.disjunction import PerceptronDisjunction
from thresher.theory.perceptron.hinge import PerceptronHinge
from thresher.theory.perceptron.novikoff import Novikoff
from thresher.theory.perceptron.novikoff_by_sum import NovikoffBySum
from thresher.theory.perceptron.squared_hinge import PerceptronSquaredHinge
from thresher.theory.perceptron.thick_margin import PerceptronThickMargin
from thresher.theory.perceptron.warm_start import PerceptronWarmStart

__all__ = [
    "Novikoff",
    "NovikoffBySum",
    "PerceptronCommittee",
    "PerceptronDisjunction",
    "PerceptronHinge",
    "PerceptronSquaredHinge",
    "PerceptronThickMargin",
    "PerceptronWarmStart",
]
