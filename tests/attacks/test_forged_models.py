"""Models that are not what the run ended with: same numbers, other predictions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.forgeries import BITS, EITHER, VOTES, honest

Make = Callable[[Any], Any]

WINNOWS: dict[str, Make] = {
    "another threshold": lambda w: th.Winnow(4, threshold=100).with_dual(w.dual),
    "another base": lambda w: th.Winnow(4, beta=Fraction(1, 100)).with_dual(w.dual),
    "a base next to it": lambda w: th.Winnow(4, beta=1 + Fraction(1, 2**50)).with_dual(w.dual),
    "more features": lambda w: th.Winnow(6, threshold=4).with_dual([*w.dual, 0, 0]),
    "zeroing": lambda w: th.Winnow(4, zeroing=True).with_dual(w.dual),
    "a margin": lambda w: th.Winnow(4, margin=0.5).with_dual(w.dual),
    "a floor": lambda w: th.Winnow(4, floor=Fraction(1, 1000)).with_dual(w.dual),
    "weights of classes": lambda w: th.Winnow(4, class_weight={-1: 1, 1: 3}).with_dual(w.dual),
    "scaled rows": lambda w: th.Winnow(4, scaling="max").with_dual(w.dual),
    "another learner": lambda w: th.BalancedWinnow(4).with_dual(w.dual),
    "negated numbers": lambda w: th.Winnow(4).with_dual(-np.asarray(w.dual)),
    "a fresh learner": lambda w: th.Winnow(4),
}


@pytest.mark.parametrize("lie", WINNOWS)
def test_numbers_with_other_parameters_are_another_model(lie: str) -> None:
    run = honest("winnow")
    certificate = run.certificate
    assert th.verify(certificate, BITS, EITHER, model=run.learner).holds
    other = WINNOWS[lie](run.learner)
    assert th.verify(certificate, BITS, EITHER, model=other).status == "does not hold"
    assert th.verify(certificate, model=other).status == "does not hold"


@pytest.mark.parametrize("radius", [2, Fraction(3, 2), 10])
def test_a_step_is_part_of_a_model(radius: Any) -> None:
    run = honest("normalised winnow")
    for other in (
        th.NormalizedWinnow(4, eta=0.3, radius=radius),
        th.NormalizedWinnow(4, eta=0.3 / float(radius)),
        th.NormalizedWinnow(4, margin=Fraction(1, 10)),
    ):
        forged = other.with_dual(run.learner.dual)
        assert th.verify(run.certificate, VOTES, run.y, model=forged).status == "does not hold"


def test_every_learner_is_its_own_model_and_no_others(tmp_path: Path) -> None:
    names = ("perceptron", "arow", "committee", "halving", "one versus rest", "elimination")
    for name in names:
        run = honest(name)
        for other in names:
            verdict = th.verify(run.certificate, run.X, run.y, model=honest(other).learner)
            assert verdict.holds == (name == other), (name, other)
        run.learner.save(tmp_path / "model.thr")
        saved = th.load(tmp_path / "model.thr")
        assert th.verify(run.certificate, run.X, run.y, model=saved).holds
