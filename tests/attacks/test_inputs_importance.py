"""A weight that a learner has no place for is refused in our words, one row at a time too."""

from __future__ import annotations

import pytest

from tests.learners.makers import MAKERS, Maker, stream
from thresher.errors import ImportanceError, ThresherError


@pytest.mark.parametrize("maker", MAKERS, ids=str)
@pytest.mark.parametrize("importance", [2.0, 0.0, -1.0, float("nan"), 1e300])
def test_a_weight_of_one_row_is_taken_or_refused_by_name(maker: Maker, importance: float) -> None:
    table, labels = stream(maker, 2)
    row = {k: float(value) for k, value in enumerate(table[0]) if value}
    learner = maker.make()
    try:
        learner.learn_one(row, labels[0], importance=importance)
    except ImportanceError:
        assert learner.n_rounds == 0
    else:
        assert importance in (0.0, 2.0)
        assert learner.n_rounds == 1


@pytest.mark.parametrize("maker", MAKERS, ids=str)
def test_a_weight_of_one_is_no_weight(maker: Maker) -> None:
    table, labels = stream(maker, 2)
    row = {k: float(value) for k, value in enumerate(table[0]) if value}
    learner = maker.make()
    try:
        learner.learn_one(row, labels[0], importance=1.0)
    except ThresherError as error:
        pytest.fail(str(error))
    assert learner.n_rounds == 1
