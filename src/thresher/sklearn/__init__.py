"""The learners as scikit-learn classifiers."""

from __future__ import annotations

from thresher.sklearn.adagrad import AdaGradClassifier
from thresher.sklearn.arow import AROWClassifier
from thresher.sklearn.balanced_winnow import BalancedWinnowClassifier
from thresher.sklearn.committee import CommitteeClassifier
from thresher.sklearn.modified_balanced_winnow import ModifiedBalancedWinnowClassifier
from thresher.sklearn.multiclass_passive_aggressive import MulticlassPassiveAggressiveClassifier
from thresher.sklearn.multiclass_perceptron import MulticlassPerceptronClassifier
from thresher.sklearn.p_norm import PNormPerceptronClassifier
from thresher.sklearn.passive_aggressive import PassiveAggressiveClassifier
from thresher.sklearn.perceptron import PerceptronClassifier
from thresher.sklearn.signed_winnow import SignedWinnowClassifier
from thresher.sklearn.winnow import WinnowClassifier

__all__ = [
    "AROWClassifier",
    "AdaGradClassifier",
    "BalancedWinnowClassifier",
    "CommitteeClassifier",
    "ModifiedBalancedWinnowClassifier",
    "MulticlassPassiveAggressiveClassifier",
    "MulticlassPerceptronClassifier",
    "PNormPerceptronClassifier",
    "PassiveAggressiveClassifier",
    "PerceptronClassifier",
    "SignedWinnowClassifier",
    "WinnowClassifier",
]
