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
    """The p-norm Perceptron; see :class:`thresher.PNormPerceptron`."""


class PassiveAggressiveClassifier(WeightedRiverClassifier, learner="passive_aggressive"):
    """Passive-Aggressive learning; see :class:`thresher.PassiveAggressive`.

    The variant "PA" takes no weights.
    """


class AROWClassifier(WeightedRiverClassifier, learner="arow"):
    """AROW; see :class:`thresher.AROW`."""


class AdaGradClassifier(WeightedRiverClassifier, learner="adagrad"):
    """AdaGrad; see :class:`thresher.AdaGrad`."""


class WinnowClassifier(WeightedRiverClassifier, learner="winnow", without=("zeroing",)):
    """Winnow; see :class:`thresher.Winnow`.

    Features are not negative. The number of columns is the threshold unless one is given.
    """


class BalancedWinnowClassifier(WeightedRiverClassifier, learner="balanced_winnow"):
    """Balanced Winnow; see :class:`thresher.BalancedWinnow`.

    The number of columns is the threshold unless one is given.
    """


class SignedWinnowClassifier(
    WeightedRiverClassifier, learner="signed_winnow", without=("radius",), defaults={"margin": 0.1}
):
    """Signed Winnow; see :class:`thresher.SignedWinnow`.

    By default the step is the best one for targets of margin 0.1. Without `eta` and `margin`
    the margin is guessed, and there are no weights.
    """


class ModifiedBalancedWinnowClassifier(RiverClassifier, learner="modified_balanced_winnow"):
    """Modified Balanced Winnow; see :class:`thresher.ModifiedBalancedWinnow`.

    Features are not negative. It takes no weights.
    """


class CommitteeClassifier(RiverClassifier, learner="committee"):
    """Eight learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    It takes no weights. Its probabilities are its own, for True and False; for other labels
    each class has the one that its committee gives it against the rest, divided by their sum.

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
    """


__all__ = declared(globals())
