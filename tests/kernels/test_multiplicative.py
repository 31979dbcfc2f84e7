from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.pairs import (
    TWINS,
    Example,
    balanced_winnow,
    best_step,
    check_same,
    check_same_state,
    elimination,
    exponentiated,
    weighted_majority,
    winnow,
    zeroing_winnow,
)
from tests.reference.multiplicative import Step
from thresher.errors import StateError
from thresher.theory.exponentiated.restarts import phase_budget

N = 4
BETAS = [1, 3, Fraction(1, 2), Fraction(13, 5), 0.1, 1 / 3, Fraction(1, 3), 2.0**-40, 2.0**40]
ETAS = [0.5, 0.1, Fraction(1, 3), 1e-3, 1e-12, 3.0, 199.0, 1000.0]
MARGINS = [Fraction(1, 2), 0.1, Fraction(7, 9), Fraction(1, 1000), Fraction(999999, 1000000)]
THRESHOLDS = [None, 1, 2, Fraction(7, 2), Fraction(10, 3), 0.1, 1e-100, 1e100]

labels = st.sampled_from([-1, 1])
ones = st.just(1.0)
signs = st.sampled_from([-1.0, 1.0])
unit = st.sampled_from([1.0, 0.5, 0.25, 1 / 3, 0.1, 1e-300, 5e-324, 1 - 2.0**-53])
whole_or_real = ones | unit
signed = unit.flatmap(lambda x: st.sampled_from([x, -x])) | signs
far = st.sampled_from([0.0, 1.0, -1.0, 5.0, -1075.0, 1e8, -1e8, 2.0**31, -(2.0**31), 0.5, -2.25])
duals = st.none() | st.lists(far, min_size=N, max_size=N)
duals_and_bias = st.none() | st.lists(far, min_size=N + 1, max_size=N + 1)


def streams(values: st.SearchStrategy[float], most: int = 12) -> st.SearchStrategy[list[Example]]:
    rows = st.dictionaries(st.integers(0, N - 1), values, max_size=N)
    return st.lists(
        st.tuples(rows.map(lambda row: dict(sorted(row.items()))), labels), max_size=most
    )


binary = streams(ones)
# Most streams stay whole for a while and then turn real.
mixed = st.tuples(streams(ones, 6), streams(unit, 6)).map(lambda two: two[0] + two[1])
mixed_signed = st.tuples(streams(signs, 6), streams(signed, 6)).map(lambda two: two[0] + two[1])


@given(st.sampled_from(BETAS), st.sampled_from(THRESHOLDS), duals, binary | mixed)
@example(1, None, [6.0, -50.0, 0.0, 1.0], [({0: 1.0, 1: 1.0}, -1)])
@example(Fraction(13, 5), 1, None, [({0: 1.0}, -1), ({0: 1.0, 1: 1.0}, 1)])
def test_winnow_is_its_slow_twin(
    beta: Any, threshold: Any, dual: list[float] | None, stream: list[Example]
) -> None:
    check_same(winnow(N, beta, threshold, dual), stream)


def test_winnow_is_its_slow_twin_where_exponents_of_weights_end() -> None:
    stream = [({0: 1.0, 1: 1.0}, -1)] * 300 + [({0: 1.0, 2: 1.0}, 1)] * 3
    check_same(winnow(N, 1, 1, [-829.0, 800.0, -5.0, 0.0]), stream)


@given(st.sampled_from(BETAS), st.sampled_from(THRESHOLDS), binary)
def test_zeroing_winnow_is_its_slow_twin(beta: Any, threshold: Any, stream: list[Example]) -> None:
    check_same(zeroing_winnow(N, beta, threshold), stream)


@given(st.sampled_from(BETAS), st.sampled_from(THRESHOLDS), duals, mixed_signed)
def test_balanced_winnow_is_its_slow_twin(
    beta: Any, threshold: Any, dual: list[float] | None, stream: list[Example]
) -> None:
    check_same(balanced_winnow(N, beta, threshold, dual), stream)


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
@given(st.sampled_from(ETAS), st.booleans(), st.data(), mixed_signed)
def test_an_exponentiated_learner_with_a_step_is_its_slow_twin(
    kind: Any, eta: Any, bias: bool, data: st.DataObject, stream: list[Example]
) -> None:
    dual = data.draw(duals_and_bias if bias else duals)
    check_same(exponentiated(kind, N, eta, None, bias, dual), stream)


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
@given(st.sampled_from(MARGINS), st.booleans(), st.data(), mixed_signed)
@settings(max_examples=60)
def test_an_exponentiated_learner_with_a_margin_is_its_slow_twin(
    kind: Any, margin: Any, bias: bool, data: st.DataObject, stream: list[Example]
) -> None:
    dual = data.draw(duals_and_bias if bias else duals)
    check_same(exponentiated(kind, N, None, margin, bias, dual), stream)


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
@pytest.mark.parametrize("radius", [8, Fraction(5, 2), 2.0**21])
@given(st.sampled_from([None, 0.5]), streams(st.sampled_from([1.0, -2.0, 2.5, -0.1])))
@settings(max_examples=20)
def test_features_up_to_any_radius_are_scored_as_by_the_slow_twin(
    kind: Any, radius: Any, share: float | None, stream: list[Example]
) -> None:
    scale = float(radius) / 2.5
    stream = [({i: float(int(x * scale)) for i, x in row.items()}, y) for row, y in stream]
    stream = [({i: x for i, x in row.items() if x}, y) for row, y in stream]
    X = Fraction(radius)
    if share is None:
        learner = kind(N, eta=Fraction(1, 3) / X, radius=radius)
        step = Step(None, learner.eta, Fraction(1, 3) / X)
    else:
        margin = X * Fraction(share)
        learner = kind(N, margin=margin, radius=radius)
        step = best_step(margin, learner.eta, X)
    check_same((learner, TWINS[kind](N, step)), stream)


@given(st.sampled_from([0, 0.5, 0.25, 0.1, Fraction(2, 3), 2.0**-40, 1 - 2.0**-40]), streams(signs))
def test_weighted_majority_is_its_slow_twin(beta: Any, stream: list[Example]) -> None:
    check_same(weighted_majority(N, beta), stream)


@given(binary)
def test_elimination_is_its_slow_twin(stream: list[Example]) -> None:
    check_same(elimination(N), stream)


def row_by_row(learner: Any, examples: list[Example]) -> list[float]:
    return [learner.learn([x], [y]).scores[0].item() for x, y in examples]


@given(st.sampled_from(BETAS), st.sampled_from(THRESHOLDS), mixed)
@settings(max_examples=40)
def test_winnow_row_by_row_is_its_slow_twin(
    beta: Any, threshold: Any, stream: list[Example]
) -> None:
    check_same(winnow(N, beta, threshold), stream, row_by_row)


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
@given(st.booleans(), st.lists(st.lists(signs, min_size=2, max_size=2), min_size=15, max_size=25))
@settings(max_examples=30)
def test_restarts_are_those_of_the_slow_twin_even_within_a_batch(
    kind: Any, bias: bool, rows: list[list[float]]
) -> None:
    learner = kind(2, bias=bias)
    margins = [Fraction(1, 2**phase) for phase in (1, 2, 3)]
    steps = [best_step(margin, kind(2, margin=margin).eta) for margin in margins]
    phases = [(step, phase_budget(2 + bias, k)) for k, step in enumerate(steps, 1)]
    twin = TWINS[kind](2, steps[0], bias=bias, phases=phases)
    # Always told the opposite, a learner gives up phase after phase.
    examples = []
    for row in rows:
        features = dict(enumerate(row))
        label = -1 if twin.score(features) >= 0.0 else 1
        twin.play(features, label)
        examples.append((features, label))
    rounds = learner.learn([x for x, _ in examples], [y for _, y in examples])
    assert rounds.mistakes == len(rows)
    assert learner.phase == twin.phase + 1
    check_same_state(learner, twin)


@pytest.mark.parametrize("at", [0, 2, 3, 4])
def test_a_learner_that_does_not_normalise_takes_over_no_sum(at: int) -> None:
    engine = th.Winnow(2)._engine
    other = [0.0, 7.0, 0.0, 0.0, 0.0]
    engine.set_other_state(tuple(other))
    assert engine.other_state() == tuple(other)
    other[at] = 1.0
    with pytest.raises(StateError, match="belongs to another one"):
        engine.set_other_state(tuple(other))
