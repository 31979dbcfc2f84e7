"""A number may be given as a text, as it is typed at the command line: "1/3"."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from thresher.errors import ParameterError

ROWS, LABELS = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]], [1, -1, 1]


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [
        (th.Winnow, "beta", "1/3"),
        (th.Winnow, "threshold", "2.5"),
        (th.BalancedWinnow, "margin", "1/2"),
        (th.SignedWinnow, "eta", "0.1"),
        (th.NormalizedWinnow, "radius", "3/2"),
        (th.PNormPerceptron, "p", "5/2"),
        (th.Perceptron, "decay", "1/8"),
        (th.AROW, "r", "1e-1"),
        (th.AdaGrad, "rate", "1/4"),
        (th.PassiveAggressive, "C", "1/4"),
        (th.WeightedMajority, "beta", "1/2"),
        (th.ModifiedBalancedWinnow, "demotion", "9/10"),
    ],
)
def test_a_text_is_the_number_it_stands_for(
    kind: Any, name: str, text: str, tmp_path: Path
) -> None:
    written, given = kind(4, **{name: text}), kind(4, **{name: Fraction(text)})
    assert written == given
    assert repr(written) == repr(given)
    for learner in (written, given):
        learner.learn(ROWS, LABELS)
    assert written == given
    written.save(tmp_path / "m.thr")
    assert th.load(tmp_path / "m.thr") == given


@pytest.mark.parametrize("text", ["", "one", "1/0", "nan", "inf", "1e9999", "--1", "1/3/5"])
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="beta must be a finite number, found '"):
        th.Winnow(4, beta=text)
    with pytest.raises(ParameterError, match="r must be a number from"):
        th.AROW(4, r=text)  # type: ignore[arg-type]


def test_what_is_a_word_stays_one() -> None:
    assert th.AROW(4, scaling="l2").parameters["scaling"] == "l2"
    with pytest.raises(ParameterError, match="n_features must be a whole number"):
        th.Winnow("4")  # type: ignore[arg-type]
