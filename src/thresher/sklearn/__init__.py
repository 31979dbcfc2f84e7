"""The learners as scikit-learn classifiers, one declaration each.

A declaration names a learner, whose parameters the class takes. `__init__.pyi` spells them out
for type checkers; `scripts/write_adapter_stubs.py` writes it.
"""

from __future__ import annotations

from thresher.learners.adapter import declared
from thresher.sklearn.estimator import Estimator
from thresher.sklearn.weighted import WeightedEstimator


class PerceptronClassifier(WeightedEstimator, learner="perceptron"):
    """The Perceptron; see :class:`thresher.Perceptron` for what it does and its bound.

    Examples
    --------
    >>> from thresher.sklearn import PerceptronClassifier
    >>> model = PerceptronClassifier().fit([[1, 0], [0, 1], [2, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 3], [3, 0]]).tolist(), model.mistakes_
    (['spam', 'ham'], 2)
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[-1.0, 1.0]], [0.0])
    """


class PNormPerceptronClassifier(WeightedEstimator, learner="p_norm_perceptron"):
    """The p-norm Perceptron; see :class:`thresher.PNormPerceptron`.

    Examples
    --------
    >>> from thresher.sklearn import PNormPerceptronClassifier
    >>> model = PNormPerceptronClassifier(p=4, fit_intercept=False)
    >>> model.fit([[1, 1, 0], [0, 0, 1]], [0, 1]).coef_.round(4).tolist()
    [[-0.7071, -0.7071, 0.0]]
    """


class PassiveAggressiveClassifier(WeightedEstimator, learner="passive_aggressive"):
    """Passive-Aggressive learning; see :class:`thresher.PassiveAggressive`.

    The variant "PA" takes no weights.

    Examples
    --------
    >>> from thresher.sklearn import PassiveAggressiveClassifier
    >>> model = PassiveAggressiveClassifier(variant="PA", fit_intercept=False)
    >>> model.fit([[2, 0], [0, 1], [2, 1]], [0, 1, 0]).coef_.tolist()
    [[-0.9, 0.8]]
    """

    # A weight is a limit to the step, which says nothing where others are free to go farther.
    _weighs_everywhere = True


class AROWClassifier(WeightedEstimator, learner="arow"):
    """Adaptive regularisation of weights; see :class:`thresher.AROW`.

    Examples
    --------
    >>> from thresher.sklearn import AROWClassifier
    >>> model = AROWClassifier(fit_intercept=False).fit([[1, 0], [1, 1]], ["yes", "no"])
    >>> model.predict([[0, 1], [1, 0]]).tolist(), model.coef_.round(3).tolist()
    (['no', 'yes'], [[0.2, -0.6]])
    """


class AdaGradClassifier(WeightedEstimator, learner="adagrad"):
    """AdaGrad on the hinge or the logistic loss; see :class:`thresher.AdaGrad`.

    With the logistic loss every round is an update: ``journal_bytes=0`` keeps none.

    Examples
    --------
    >>> from thresher.sklearn import AdaGradClassifier
    >>> model = AdaGradClassifier(rate=0.5, fit_intercept=False)
    >>> model.fit([[4, 0], [1, 1]], [1, 0]).coef_.round(3).tolist()
    [[0.379, -0.5]]
    """


# Without zeroing and literals: they take rows of zeros and ones alone.
class WinnowClassifier(WeightedEstimator, learner="winnow", without=("zeroing", "literals")):
    """Winnow, for features from 0 to 1; see :class:`thresher.Winnow`.

    It learns disjunctions: with several features that speak for a class and any number that
    mean nothing. A feature that speaks against a class only loses its weight. Negative features
    are refused, whatever `scaling` is.

    Examples
    --------
    >>> from thresher.sklearn import WinnowClassifier
    >>> X = [[1, 0, 1, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    >>> model = WinnowClassifier(max_iter=5).fit(X, ["ill", "fit", "ill", "fit"])
    >>> model.predict(X).tolist(), model.mistakes_, model.scaling_
    (['ill', 'fit', 'ill', 'fit'], 7, None)
    """


class BalancedWinnowClassifier(WeightedEstimator, learner="balanced_winnow"):
    """Balanced Winnow, for features from -1 to 1; see :class:`thresher.BalancedWinnow`.

    Its page says what it cannot learn; :class:`SignedWinnowClassifier` can.

    Examples
    --------
    >>> from thresher.sklearn import BalancedWinnowClassifier
    >>> X, y = [[1, 0, 1], [0, 1, 1], [1, 1, 0]], [1, 0, 1]
    >>> model = BalancedWinnowClassifier(max_iter=4).fit(X, y)
    >>> model.predict(X).tolist(), model.coef_.tolist()
    ([1, 0, 1], [[3.75, 0.0, 0.0]])
    """


# Without radius, the largest absolute value of a feature: here it is 1.
class SignedWinnowClassifier(
    WeightedEstimator, learner="signed_winnow", without=("radius",), defaults={"margin": 0.1}
):
    """Signed Winnow (EG±), for features from -1 to 1; see :class:`thresher.SignedWinnow`.

    By default the step is the best one for targets of margin 0.1, which costs 200 ln(2n)
    mistakes at most. Without `eta` and `margin` the margin is guessed, and learning starts over
    when the guess was wrong; there are no weights then.

    Examples
    --------
    >>> from thresher.sklearn import SignedWinnowClassifier
    >>> X, y = [[1, 0], [0, 1], [0, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> model = SignedWinnowClassifier(margin=0.2, max_iter=4).fit(X, y)
    >>> model.predict(X).tolist()
    ['no', 'yes', 'yes', 'no']
    """


class ModifiedBalancedWinnowClassifier(Estimator, learner="modified_balanced_winnow"):
    """Modified Balanced Winnow, for counts; see :class:`thresher.ModifiedBalancedWinnow`.

    Features are not negative. It takes no weights of rows or classes.

    Examples
    --------
    >>> from thresher.sklearn import ModifiedBalancedWinnowClassifier
    >>> model = ModifiedBalancedWinnowClassifier()
    >>> model.fit([[1, 0], [0, 1], [1, 0]], ["spam", "ham", "spam"]).predict([[3, 1]]).tolist()
    ['spam']
    """


class CommitteeClassifier(WeightedEstimator, learner="committee"):
    """Twelve learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    Its probabilities are its own. There is no journal: a certificate needs the rows.

    Examples
    --------
    >>> from thresher.sklearn import CommitteeClassifier
    >>> X, y = [[1, 0], [0, 1], [1, 1]] * 20, ["ham", "spam", "spam"] * 20
    >>> model = CommitteeClassifier().fit(X, y)
    >>> model.predict([[1, 0], [0, 1]]).tolist()
    ['ham', 'spam']
    >>> bool(model.predict_proba([[1, 0]])[0, 0] > 0.9)
    True
    """


class MulticlassPerceptronClassifier(Estimator, learner="multiclass_perceptron"):
    """The Perceptron for several classes; see :class:`thresher.MulticlassPerceptron`.

    :class:`PerceptronClassifier` has a Perceptron for each of several classes; this one has
    one for all, which changes only when the class predicted is wrong, and has a bound on the
    number of its updates. It takes no weights of rows or classes.

    Examples
    --------
    >>> from thresher.sklearn import MulticlassPerceptronClassifier
    >>> X, y = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]] * 2, ["dog", "cat", "cow", "dog"] * 2
    >>> model = MulticlassPerceptronClassifier().fit(X, y)
    >>> model.predict([[0, 2, 0], [2, 0, 1]]).tolist(), model.mistakes_
    (['cat', 'dog'], 5)
    """


class MulticlassPassiveAggressiveClassifier(Estimator, learner="multiclass_passive_aggressive"):
    """Passive-Aggressive with several classes; see :class:`thresher.MulticlassPassiveAggressive`.

    One table of weights for all classes, in place of one learner for each. It takes no
    weights of rows or classes.

    Examples
    --------
    >>> from thresher.sklearn import MulticlassPassiveAggressiveClassifier
    >>> model = MulticlassPassiveAggressiveClassifier(fit_intercept=False)
    >>> model.fit([[2, 0], [0, 2], [2, 0]], ["a", "b", "c"]).coef_.tolist()
    [[-0.125, -0.25], [-0.25, 0.25], [0.375, 0.0]]
    """


__all__ = declared(globals())
