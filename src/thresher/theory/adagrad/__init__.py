"""What is proven about AdaGrad."""

from thresher.theory.adagrad.hinge import AdaGradHinge
from thresher.theory.adagrad.logistic import AdaGradLogistic

__all__ = ["AdaGradHinge", "AdaGradLogistic"]
