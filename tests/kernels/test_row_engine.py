"""Rows given as dicts, which both families of engines take in the same way."""

from __future__ import annotations

from typing import Any

import pytest

import thresher as th
from thresher.errors import FeatureRangeError


@pytest.mark.parametrize("column", [2, 3, 14, 15, 100, 2**20])
def test_a_column_beyond_the_last_weight_weighs_nothing(column: int) -> None:
    learner = th.Perceptron(bias=True)
    learner.learn([[1.0, 2.0], [3.0, 0.0]], [-1, -1])
    # The bias is kept right after the last weight.
    assert learner.bias_weight != 0.0
    assert learner.score_one({column: 1.0}) == learner.bias_weight
    assert learner.score_one({0: 1.0, column: 1.0}) == learner.weights[0] + learner.bias_weight


@pytest.mark.parametrize("column", [2, 3, 2**20])
def test_a_column_beyond_the_last_line_weighs_nothing_for_any_class(column: int) -> None:
    learner = th.MulticlassPerceptron(bias=True)
    learner.learn([[1.0, 2.0], [3.0, 0.0]], ["b", "a"])
    assert learner.scores_one({column: 1.0}) == learner.scores_one({})
    assert learner.scores_one({0: 1.0, column: 1.0}) == learner.scores_one({0: 1.0})


@pytest.mark.parametrize("learner", [th.Winnow(3), th.MulticlassNormalizedWinnow(3, eta=0.5)])
def test_a_value_out_of_range_is_refused_by_either_family(learner: Any) -> None:
    with pytest.raises(FeatureRangeError, match="7"):
        learner.learn_one({1: 7.0}, 1)
    with pytest.raises(FeatureRangeError, match="7"):
        learner.predict_one({1: 7.0})
    assert learner.n_rounds == 0
