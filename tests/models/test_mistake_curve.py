from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.models.mistake_curve import MistakeCurve

Rounds = st.lists(st.booleans(), max_size=300)


def plainly(mistaken: list[bool], limit: int) -> tuple[int, list[tuple[int, int]]]:
    """Step and points as the docstring states them."""
    step = 1
    while len(mistaken) // step > limit:
        step *= 2
    at = [0, *range(step, len(mistaken) + 1, step)]
    at += [len(mistaken)] if at[-1] != len(mistaken) else []
    return step, [(t, sum(mistaken[:t])) for t in at]


@given(Rounds, st.integers(1, 40), st.lists(st.integers(0, 300), max_size=6))
def test_a_curve_does_not_depend_on_how_the_stream_was_cut(
    mistaken: list[bool], limit: int, cuts: list[int]
) -> None:
    curve = MistakeCurve(limit)
    ends = sorted({0, len(mistaken), *(cut for cut in cuts if cut < len(mistaken))})
    for first, stop in pairwise(ends):
        curve.add(np.array(mistaken[first:stop], bool))
    assert (curve.step, curve.points()) == plainly(mistaken, limit)
    assert (curve.rounds, curve.mistakes) == (len(mistaken), sum(mistaken))


@given(Rounds, st.integers(1, 40))
def test_the_last_stretch_is_counted_exactly(mistaken: list[bool], limit: int) -> None:
    curve = MistakeCurve(limit)
    curve.add(np.array(mistaken, bool))
    first, stop, mistakes = curve.last_stretch()
    assert stop == len(mistaken)
    assert first <= 3 * len(mistaken) / 4 < first + curve.step + 1
    assert mistakes == sum(mistaken[first:])


def test_memory_stays_bounded() -> None:
    curve = MistakeCurve(limit=100)
    for _ in range(50):
        curve.add(np.ones(1000, bool))
    assert curve.step == 512
    assert len(curve.points()) == 1 + 50_000 // 512 + 1
    assert curve.points()[-1] == (50_000, 50_000)


def test_an_empty_stream_has_no_error() -> None:
    curve = MistakeCurve()
    curve.add(np.zeros(0, bool))
    assert curve.error is None
    assert curve.last_error is None
    assert curve.to_dict() == {"rounds": [0], "mistakes": [0]}


def test_errors_are_shares_of_their_rounds() -> None:
    curve = MistakeCurve()
    curve.add(np.array([True, True, True, True, True, False, False, True]))
    assert curve.error == 6 / 8
    assert curve.last_error == 1 / 2
