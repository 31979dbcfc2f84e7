"""scikit-learn's own checks of what an estimator must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

import thresher.sklearn
from thresher.sklearn.weighted import WeightedClassifier

ESTIMATORS = [getattr(thresher.sklearn, name)() for name in thresher.sklearn.__all__]

ORDER_MATTERS = "an update depends on the updates before: a weight of 2 is one step, not two rounds"
SIGNS = "the check gives negative features to an estimator whose tag says that it takes none"
NOTHING_LEFT = (
    "a Perceptron rests with the first weights that make no mistake on the heavy class, and "
    "leaves open how far the other two reach beyond its rows"
)


def expected_failures(estimator: Any) -> dict[str, str]:
    if not isinstance(estimator, WeightedClassifier):
        return {}
    expected = {
        "check_sample_weight_equivalence_on_dense_data": ORDER_MATTERS,
        "check_sample_weight_equivalence_on_sparse_data": ORDER_MATTERS,
    }
    if isinstance(estimator, thresher.sklearn.WinnowClassifier):
        expected["check_class_weight_classifiers"] = SIGNS
    if isinstance(estimator, thresher.sklearn.PerceptronClassifier):
        expected["check_class_weight_classifiers"] = NOTHING_LEFT
    return expected


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)
