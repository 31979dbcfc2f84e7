"""A slightly wrong version of each theorem is refuted by something concrete."""

from __future__ import annotations

import pytest

from tests.theory.lie import Lie
from tests.theory.lies import all_lies
from thresher.theory import catalogue
from thresher.theory.theorem import LOWER

LIES = list(all_lies())


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.theorem.name}: {lie.says}")
def test_a_lie_is_refuted_and_the_theorem_is_not(lie: Lie) -> None:
    if lie.theorem.kind == LOWER:
        assert lie.claim > lie.happened >= lie.truth
    else:
        assert lie.claim < lie.happened <= lie.truth * (1 + 1e-12)


def test_every_theorem_has_a_lie() -> None:
    assert {lie.theorem for lie in LIES} == set(catalogue())
