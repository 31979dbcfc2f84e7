"""Bounds of Passive-Aggressive runs: quoted only where the run is that of exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.replay_cases import WIDTH, streams_of
from thresher.certifier import identity
from thresher.verifier import read_rows
from thresher.verifier.compiled.passive_aggressive_drift import PassiveAggressiveDrift
from thresher.verifier.measures.margins import Margins, squared_norms
from thresher.verifier.measures.passive_aggressive import (
    relative_loss_above,
    relative_loss_exactly,
    squared_loss_above,
)
from thresher.verifier.measures.strongest import bounds_for
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.hinge_steps import VARIANTS
from thresher.verifier.replays.linear import prepared
from thresher.verifier.witness import Comparator, Witness

Stream = tuple[list[list[float]], list[int]]
TENTHS = (0.0, 0.1, 0.2, 0.3, -0.1, -0.3, 0.7, 1.0, 5e-324, -1e-200)
HUGE = (*TENTHS, 1e100, -3e99, 2.0**-1000, 1e-9)
WHOLE = (0.0, 1.0, -1.0, 2.0)


def run_of(learner: Any, X: Any, y: Any) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    stream = read_rows(np.array(X, float).reshape(-1, WIDTH), y)
    return ReplayedRun.of(algorithm, parameters, stream)


def on_paper(
    rows: Stream, variant: str, c: Fraction, bias: bool
) -> tuple[list[int], list[list[Fraction]]]:
    """The mistakes in fractions, and the weights after each round."""
    w, mistaken, weights = [Fraction(0)] * (WIDTH + 1), [], []
    for t, (values, y) in enumerate(zip(*rows, strict=True)):
        x = [*map(Fraction, values), Fraction(bias)]
        score = sum((a * b for a, b in zip(w, x, strict=True)), Fraction(0))
        if (score >= 0) != (y > 0):
            mistaken.append(t)
        loss, square = max(Fraction(0), 1 - y * score), sum((a * a for a in x), Fraction(0))
        if loss and square:
            tau = loss / (square + 1 / (2 * c)) if variant == "PA-II" else loss / square
            tau = min(tau, c) if variant == "PA-I" else tau
            w = [a + y * tau * b for a, b in zip(w, x, strict=True)]
        weights.append(w)
    return mistaken, weights


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(streams_of(HUGE), streams_of(TENTHS), streams_of(WHOLE)),
    st.sampled_from(VARIANTS),
    st.sampled_from([1.0, 0.1, 1e6]),
    st.booleans(),
)
def test_a_run_that_is_said_to_be_the_same_on_paper_is(
    rows: Stream, variant: str, c: float, bias: bool
) -> None:
    # Fractions of many rounds have too many digits.
    rows = rows[0][:8], rows[1][:8]
    run = run_of(th.PassiveAggressive(variant=variant, C=c, bias=bias), *rows)
    exact, weights = on_paper(rows, variant, Fraction(c), bias)
    rounds, columns = prepared(PassiveAggressiveDrift, run.stream, run.parameters)
    rounds.set_rule(VARIANTS.index(variant), c)
    rounds.measure()
    rounds.play(0, len(run.stream))
    assert rounds.mistaken_rounds().tolist() == run.replay.mistaken.tolist()
    if run.same_on_paper:
        assert run.replay.mistaken.tolist() == exact
    if rounds.distance < 1e300 and len(run.stream):
        found = rounds.by_feature()["weight"]
        off = [Fraction(float(found[i])) - weights[-1][i] for i in range(min(columns.width, WIDTH))]
        off.append(Fraction(float(found[-1])) - weights[-1][-1])
        assert sum(a * a for a in off) <= Fraction(rounds.distance) ** 2


@pytest.mark.parametrize("variant", ["PA", "PA-I", "PA-II"])
@pytest.mark.parametrize("tiny", [5e-324, 1e-300, 1e-170])
def test_a_row_whose_square_vanishes_is_not_learned_as_on_paper(variant: str, tiny: float) -> None:
    rows = [[tiny] + [0.0] * (WIDTH - 1)] * 4, [-1] * 4
    run = run_of(th.PassiveAggressive(variant=variant), *rows)
    # On paper the first mistake is the only one.
    assert run.mistakes == 4
    assert on_paper(rows, variant, Fraction(1), bias=False)[0] == [0]
    assert not run.same_on_paper


def test_runs_in_which_nothing_rounds_have_drifted_by_nothing() -> None:
    # Rows of one feature, whose squares are powers of two: every quotient is a double.
    X, y = [[2.0, 0, 0, 0, 0], [0, 4.0, 0, 0, 0], [2.0, 4.0, 0, 0, 0]], [-1, 1, 1]
    run = run_of(th.PassiveAggressive(variant="PA"), X, y)
    rounds, _ = prepared(PassiveAggressiveDrift, run.stream, run.parameters)
    rounds.set_rule(0, 1.0)
    rounds.measure()
    rounds.play(0, 2)
    assert rounds.distance == 0.0
    # The third score is exactly 0, and the third step is a quotient by 20.
    rounds.play(2, 3)
    assert 0.0 < rounds.distance < 1e-15
    assert rounds.doubtful_rounds().tolist() == []
    assert run.same_on_paper


def test_a_score_of_zero_that_rounding_may_have_made_leaves_the_run_a_count() -> None:
    # On paper the weights are 1/0.3 and -1/0.3, whose sum is 0; in doubles they are not exact.
    X = [[0.3, 0, 0, 0, 0], [0, 0.3, 0, 0, 0], [1.0, 1.0, 0, 0, 0]]
    learner = th.PassiveAggressive(WIDTH, variant="PA")
    learner.learn(X, [1, -1, 1])
    certificate = th.certify(learner, X, [1, -1, 1])
    assert certificate.kind == "count"
    assert not run_of(learner, X, [1, -1, 1]).same_on_paper


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(streams_of(TENTHS), streams_of(WHOLE)),
    st.sampled_from(VARIANTS),
    st.sampled_from([1.0, 0.1, 30.0]),
    st.booleans(),
    st.lists(st.integers(-4, 4), min_size=WIDTH, max_size=WIDTH),
    st.sampled_from([None, Fraction(1), Fraction(1, 3), Fraction(5)]),
)
def test_no_run_exceeds_what_is_quoted_for_it(
    rows: Stream,
    variant: str,
    c: float,
    bias: bool,
    numerators: list[int],
    level: Fraction | None,
) -> None:
    run = run_of(th.PassiveAggressive(variant=variant, C=c, bias=bias), *rows)
    kept = [i for i, n in enumerate(numerators) if n]
    u = Comparator(tuple(kept), tuple(numerators[i] for i in kept), int(bias))
    for theorem in bounds_for(run, Witness(u, level=level)):
        assert run.mistakes <= theorem.max_mistakes()


@pytest.mark.parametrize(
    ("variant", "theorem", "noisy"),
    [
        ("PA", "PassiveAggressiveSeparable", "PassiveAggressiveSquaredHinge"),
        ("PA-I", "PassiveAggressiveCapped", "PassiveAggressiveCapped"),
        ("PA-II", "PassiveAggressiveSoftened", "PassiveAggressiveSoftened"),
    ],
)
@pytest.mark.parametrize("bias", [False, True])
def test_each_variant_has_its_theorem_and_the_verifier_finds_it_again(
    variant: str, theorem: str, noisy: str, bias: bool
) -> None:
    rng = np.random.default_rng(5)
    X = np.repeat(np.eye(4), 80, axis=0)[rng.permutation(320)] * rng.choice([1.0, 1.1], (320, 1))
    y = np.where(X[:, 0] + X[:, 2] > 0, 1, -1)
    wrong = y.copy()
    wrong[300] *= -1
    for labels, wanted in ((y, theorem), (wrong, noisy)):
        learner = th.PassiveAggressive(variant=variant, C=1.0 if bias else 0.3, bias=bias)
        learner.learn(X, labels)
        certificate = th.certify(learner, X, labels)
        assert certificate.theorem == wanted
        assert certificate.allowed is not None
        assert learner.mistakes <= certificate.allowed < 320
        assert th.verify(certificate, X, labels).holds


def test_a_row_of_zeros_leaves_pa_without_a_theorem_about_losses() -> None:
    X, y = [[1.0, 0], [0, 1.0]] * 20 + [[0, 0]], [1, -1] * 20 + [-1]
    learner = th.PassiveAggressive(2, variant="PA")
    learner.learn(X, y)
    assert th.certify(learner, X, y).kind == "count"
    # Labelled +1 it is never mistaken, and changes nothing.
    y[-1] = 1
    learner = th.PassiveAggressive(2, variant="PA")
    learner.learn(X, y)
    assert th.certify(learner, X, y).theorem == "PassiveAggressiveSeparable"


@settings(max_examples=150, deadline=None)
@given(
    streams_of((0.1, 0.7, -0.3, 1.0, 3e-7)),
    st.lists(st.integers(-9, 9), min_size=WIDTH, max_size=WIDTH),
    st.fractions(Fraction(1, 10), 20, max_denominator=50),
)
def test_losses_are_never_below_the_exact_ones(
    rows: Stream, numerators: list[int], level: Fraction
) -> None:
    stream = read_rows(np.array(rows[0], float).reshape(-1, WIDTH), rows[1])
    u = Comparator(tuple(range(WIDTH)), tuple(numerators), denominator=7)
    margins = Margins(stream, u)
    short = [max(Fraction(0), level - margins.at(t)) for t in range(len(stream))]
    squares = sum((h * h for h in short), Fraction(0))
    found = squared_loss_above(margins, level)
    assert squares <= found <= squares * (1 + Fraction(1, 10**9)) + Fraction(1, 10**9)
    norms = squared_norms(stream, False)
    if not all(norms):
        # A row of zeros has no length to compare a loss with; the theorem refuses it.
        return
    relative = sum((h * h / n for h, n in zip(short, norms, strict=True)), Fraction(0))
    for above in (relative_loss_above, relative_loss_exactly):
        found = above(margins, level, False)
        assert relative <= found <= relative * (1 + Fraction(1, 10**9)) + Fraction(1, 10**9)
