"""The learners as River classifiers, one declaration each.

A declaration names a learner, whose parameters the class takes. `__init__.pyi` spells them out
for type checkers; `scripts/write_adapter_stubs.py` writes it.
"""

from __future__ import annotations

from thresher.learners.adapter import declared
from thresher.river.classifier import RiverClassifier
from thresher.river.weighted import WeightedRiverClassifier


class PerceptronClassifier(WeightedRiverClassifier, learner="perceptron"):
    """The Perceptron; see :class:`thresher.Perceptron`.

    Examples
    --------
    >>> from thresher.river import PerceptronClassifier
    >>> model = PerceptronClassifier()
    >>> model.learn_one({"meeting": 1}, False), model.learn_one({"cash": 2}, True)
    (None, None)
    >>> model.predict_one({"cash": 1}), model.predict_one({"meeting": 1})
    (True, False)
    """


class PNormPerceptronClassifier(WeightedRiverClassifier, learner="p_norm_perceptron"):
    """The p-norm Perceptron; see :class:`thresher.PNormPerceptron`.

    Examples
    --------
    >>> from thresher.river import PNormPerceptronClassifier
    >>> model = PNormPerceptronClassifier(p=4, bias=False)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> round(model.margins_one({"cash": 1})[True], 3)
    0.707
    """


class PassiveAggressiveClassifier(WeightedRiverClassifier, learner="passive_aggressive"):
    """Passive-Aggressive learning; see :class:`thresher.PassiveAggressive`.

    The variant "PA" takes no weights.

    Examples
    --------
    >>> from thresher.river import PassiveAggressiveClassifier
    >>> model = PassiveAggressiveClassifier(bias=False)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> round(model.margins_one({"cash": 1})[True], 3)
    0.969
    """


class AROWClassifier(WeightedRiverClassifier, learner="arow"):
    """Adaptive regularisation of weights; see :class:`thresher.AROW`.

    Examples
    --------
    >>> from thresher.river import AROWClassifier
    >>> model = AROWClassifier(bias=False)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> round(model.margins_one({"cash": 1})[True], 3)
    0.588
    """


class AdaGradClassifier(WeightedRiverClassifier, learner="adagrad"):
    """AdaGrad on the hinge or the logistic loss; see :class:`thresher.AdaGrad`.

    Examples
    --------
    >>> from thresher.river import AdaGradClassifier
    >>> model = AdaGradClassifier(rate=0.5, bias=False)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> round(model.margins_one({"cash": 1})[True], 3)
    0.854
    """


class WinnowClassifier(WeightedRiverClassifier, learner="winnow", without=("zeroing", "literals")):
    """Winnow; see :class:`thresher.Winnow`.

    Features are not negative. The number of columns is the threshold unless one is given.

    Examples
    --------
    >>> from thresher.river import WinnowClassifier
    >>> model = WinnowClassifier(n_features=64, threshold=4)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> model.predict_one({"cash": 1, "now": 1}), model.learner.mistakes
    (True, 1)
    """


class BalancedWinnowClassifier(WeightedRiverClassifier, learner="balanced_winnow"):
    """Balanced Winnow; see :class:`thresher.BalancedWinnow`.

    The number of columns is the threshold unless one is given.

    Examples
    --------
    >>> from thresher.river import BalancedWinnowClassifier
    >>> model = BalancedWinnowClassifier(n_features=64, threshold=4)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> model.predict_one({"cash": 1, "now": 1}), model.learner.mistakes
    (True, 2)
    """


class SignedWinnowClassifier(
    WeightedRiverClassifier, learner="signed_winnow", without=("radius",), defaults={"margin": 0.1}
):
    """Signed Winnow; see :class:`thresher.SignedWinnow`.

    By default the step is the best one for targets of margin 0.1. Without `eta` and `margin`
    the margin is guessed, and there are no weights.

    Examples
    --------
    >>> from thresher.river import SignedWinnowClassifier
    >>> model = SignedWinnowClassifier(n_features=256)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> model.predict_one({"cash": 1}), model.learner.mistakes
    (True, 2)
    """


class ModifiedBalancedWinnowClassifier(RiverClassifier, learner="modified_balanced_winnow"):
    """Modified Balanced Winnow; see :class:`thresher.ModifiedBalancedWinnow`.

    Features are not negative. It takes no weights.

    Examples
    --------
    >>> from thresher.river import ModifiedBalancedWinnowClassifier
    >>> model = ModifiedBalancedWinnowClassifier(n_features=256)
    >>> for word, spam in [("cash", True), ("noon", False)] * 3:
    ...     model.learn_one({word: 1, "now": 1}, spam)
    >>> model.predict_one({"cash": 1}), model.learner.mistakes
    (True, 2)
    """


class CommitteeClassifier(WeightedRiverClassifier, learner="committee"):
    """Twelve learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    Its probabilities are its own, for True and False; for other labels each
    class has the one that its committee gives it against the rest, divided by their sum.

    Examples
    --------
    >>> from thresher.river import CommitteeClassifier
    >>> model = CommitteeClassifier()
    >>> for _ in range(20):
    ...     model.learn_one({"meeting": 1, "noon": 1}, False)
    ...     model.learn_one({"cash": 2, "now": 1}, True)
    >>> model.predict_one({"cash": 1}), model.predict_proba_one({"noon": 1})[False] > 0.5
    (True, True)
    """


class MulticlassPerceptronClassifier(RiverClassifier, learner="multiclass_perceptron"):
    """The Perceptron for several classes; see :class:`thresher.MulticlassPerceptron`.

    It takes no weights and gives no probabilities.

    Examples
    --------
    >>> from thresher.river import MulticlassPerceptronClassifier
    >>> model = MulticlassPerceptronClassifier()
    >>> for sound, animal in [("bark", "dog"), ("meow", "cat"), ("moo", "cow"), ("bark", "dog")]:
    ...     model.learn_one({sound: 1}, animal)
    >>> model.predict_one({"meow": 1}), model.learner.mistakes
    ('cat', 4)
    """


class MulticlassPassiveAggressiveClassifier(
    RiverClassifier, learner="multiclass_passive_aggressive"
):
    """Passive-Aggressive with several classes; see :class:`thresher.MulticlassPassiveAggressive`.

    It takes no weights and gives no probabilities.

    Examples
    --------
    >>> from thresher.river import MulticlassPassiveAggressiveClassifier
    >>> model = MulticlassPassiveAggressiveClassifier()
    >>> for sound, animal in [("bark", "dog"), ("meow", "cat"), ("moo", "cow")] * 2:
    ...     model.learn_one({sound: 1}, animal)
    >>> model.predict_one({"moo": 1}), model.learner.mistakes
    ('cow', 5)
    """


__all__ = declared(globals())
