"""River's own checks of what a classifier must do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from river import checks

import thresher.river

MODELS = [
    *(getattr(thresher.river, name)() for name in thresher.river.__all__),
    thresher.river.AROWClassifier(calibrate="platt"),
    thresher.river.WinnowClassifier(calibrate="isotonic", n_features=256),
]


def all_checks() -> Iterator[Any]:
    for model in MODELS:
        kind = f"{type(model).__name__}-{getattr(model, 'calibrate', None)}"
        for number, check in enumerate(checks.yield_checks(model)):
            name = f"{kind}-{number}-{check.__name__}"
            # River traces every allocation of thousands of rounds: six times all other checks.
            slow = [pytest.mark.long] if "memory_growth" in check.__name__ else []
            yield pytest.param(model, check, id=name, marks=slow)


@pytest.mark.parametrize(("model", "check"), list(all_checks()))
def test_river_finds_nothing_wrong(model: Any, check: Callable[[Any], None]) -> None:
    assert model._unit_test_skips() == set()
    check(model.clone())
