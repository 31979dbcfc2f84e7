"""scikit-learn's own checks of what an estimator must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import thresher.sklearn
from thresher.sklearn import (
    AROWClassifier,
    ModifiedBalancedWinnowClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)

ESTIMATORS = [
    *(getattr(thresher.sklearn, name)() for name in thresher.sklearn.__all__),
    AROWClassifier(calibrate="isotonic"),
    ModifiedBalancedWinnowClassifier(calibrate="platt"),
    PerceptronClassifier(calibrate="platt"),
    PerceptronClassifier(new_classes=True),
]

ORDER_MATTERS = "an update depends on the updates before: a weight of 2 is one step, not two rounds"
SIGNS = "the check gives negative features to an estimator whose tag says that it takes none"
FREQUENCIES = "probabilities are of classes as often as they come, whatever these weigh"


def expected_failures(estimator: Any) -> dict[str, str]:
    if "class_weight" not in estimator.get_params():
        return {}
    expected = {
        "check_sample_weight_equivalence_on_dense_data": ORDER_MATTERS,
        "check_sample_weight_equivalence_on_sparse_data": ORDER_MATTERS,
    }
    if isinstance(estimator, WinnowClassifier):
        expected["check_class_weight_classifiers"] = SIGNS
    elif estimator.get_params().get("calibrate") is not None:
        expected["check_class_weight_classifiers"] = FREQUENCIES
    return expected


@pytest.mark.long  # a thousand checks that are not ours, and change with scikit-learn only
# Two of the checks take flowers that are sorted by their kind.
@pytest.mark.filterwarnings("ignore::thresher.errors.SortedRowsWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def test_scikit_learn_expects_the_same_of_its_own_perceptron() -> None:
    # Private, and worth it: the reason given in the documentation is somebody else's list.
    from sklearn.linear_model import Perceptron  # noqa: PLC0415
    from sklearn.utils._test_common import instance_generator  # noqa: PLC0415

    expected = instance_generator._get_expected_failed_checks(Perceptron())
    ours = expected_failures(PerceptronClassifier())
    assert expected.keys() == ours.keys()
