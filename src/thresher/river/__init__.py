"""The learners as River classifiers."""

from __future__ import annotations

from thresher.river.adagrad import AdaGradClassifier
from thresher.river.arow import AROWClassifier
from thresher.river.balanced_winnow import BalancedWinnowClassifier
from thresher.river.committee import CommitteeClassifier
from thresher.river.modified_balanced_winnow import ModifiedBalancedWinnowClassifier
from thresher.river.multiclass_passive_aggressive import MulticlassPassiveAggressiveClassifier
from thresher.river.multiclass_perceptron import MulticlassPerceptronClassifier
from thresher.river.p_norm import PNormPerceptronClassifier
from thresher.river.passive_aggressive import PassiveAggressiveClassifier
from thresher.river.perceptron import PerceptronClassifier
from thresher.river.signed_winnow import SignedWinnowClassifier
from thresher.river.winnow import WinnowClassifier

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
