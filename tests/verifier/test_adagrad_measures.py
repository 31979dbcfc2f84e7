"""Bounds of AdaGrad's runs: what is measured on them, rounding included, is never too small."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.replay_cases import WIDTH, streams_of
from thresher.certifier import identity
from thresher.theory import AdaGradHinge
from thresher.verifier import read_rows
from thresher.verifier.measures.adagrad import (
    Ledger,
    V,
    adagrad_bounds,
    logistic_loss_above,
)
from thresher.verifier.measures.margins import Margins
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator, Witness

Stream = tuple[list[list[float]], list[int]]
VALUES = (0.0, 0.1, 0.3, -0.7, 1.0, -1.0, 2.5e7, 1e-9)
HARD = (*VALUES, 1e100, -1e100, 5e-324, -1e-200)
LOSSES = ("hinge", "logistic")


def run_of(learner: Any, X: Any, y: Any) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    stream = read_rows(np.array(X, float).reshape(-1, WIDTH), y)
    return ReplayedRun.of(algorithm, parameters, stream)


class Followed:
    """A run in double precision, looked at with fifty digits."""

    def __init__(self, rows: Stream, rate: float, loss: str, bias: bool) -> None:
        self.w, self.squares = [0.0] * (WIDTH + 1), [0.0] * (WIDTH + 1)
        self.before: list[tuple[int, float]] = []
        self.off_steps = self.off_scores = self.off_slopes = self.exact_losses = Decimal(0)
        self.rate, self.loss = rate, loss
        with localcontext(Context(prec=50)):
            for values, y in zip(*rows, strict=True):
                self.one_round([*values, 1.0 if bias else 0.0], y)

    def one_round(self, x: list[float], y: int) -> None:
        used = [i for i, value in enumerate(x) if value]
        score = 0.0
        for i in used:
            score += self.w[i] * x[i]
        margin = y * score
        exact = y * sum((Decimal(self.w[i]) * Decimal(x[i]) for i in used), Decimal(0))
        slope = (1.0 if margin < 1 else 0.0) if self.loss == "hinge" else logistic(margin)
        if slope == 0.0:
            return
        self.off_scores += abs(Decimal(margin) - exact)
        if self.loss == "hinge":
            self.exact_losses += 1 - exact
        else:
            true = 1 / (1 + exact.exp())
            self.off_slopes += sum(
                (abs(Decimal(slope * y * x[i]) - true * y * Decimal(x[i])) for i in used),
                Decimal(0),
            )
        for i in used:
            self.descend(i, slope * y * x[i])

    def descend(self, i: int, gradient: float) -> None:
        old = self.w[i]
        self.before.append((i, old))
        self.squares[i] += gradient * gradient
        if self.squares[i] > 0:
            self.w[i] += self.rate * gradient / float(np.sqrt(self.squares[i]))
            root = Decimal(self.squares[i]).sqrt()
            step = Decimal(self.rate) * Decimal(gradient) / root
            self.off_steps += root * abs(Decimal(self.w[i]) - Decimal(old) - step)


def logistic(margin: float) -> float:
    try:
        return 1.0 / (1.0 + exp(margin))
    except OverflowError:
        return 0.0


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(streams_of(VALUES), streams_of(HARD)),
    st.sampled_from(LOSSES),
    st.sampled_from([0.1, 1.0, 3.0]),
    st.booleans(),
)
def test_the_ledger_is_never_below_what_a_look_with_fifty_digits_finds(
    rows: Stream, loss: str, rate: float, bias: bool
) -> None:
    run = run_of(th.AdaGrad(loss=loss, rate=rate, bias=bias), *rows)
    ledger = run.measured
    assert isinstance(ledger, Ledger)
    followed = Followed(rows, rate, loss, bias)
    state = run.replay.state
    own = dict(zip(state["columns"].tolist(), state["weight"].tolist(), strict=True))
    assert [own.get(i, 0.0) for i in range(WIDTH)] == followed.w[:WIDTH]
    with localcontext(Context(prec=50)):
        roots = sum((Decimal(square).sqrt() for square in followed.squares), Decimal(0))
        assert roots <= Decimal(ledger.root_sum)
        if ledger.sums["steps"] < 1e300:
            assert followed.off_steps <= Decimal(ledger.sums["steps"]) * Decimal(V) * Decimal(
                "1.001"
            )
        assert followed.off_scores <= Decimal(ledger.sums["scores"]) * Decimal("1.001")
        assert followed.off_slopes <= Decimal(ledger.sums["slopes"]) * Decimal("1.001")


def test_weights_that_are_large_beside_their_steps_round_by_their_own_size() -> None:
    rows = [[0.1, 0.0, 0.0, 0.0, 0.0]] * 400, [1] * 400
    run = run_of(th.AdaGrad(loss="logistic", rate=0.1), *rows)
    ledger, followed = run.measured, Followed(rows, 0.1, "logistic", bias=False)
    assert isinstance(ledger, Ledger)
    steps = sum(0.1 * 0.1 * logistic(0.1 * w) for _, w in followed.before)
    # What products and quotients are off by is not enough.
    assert float(followed.off_steps) > 4 * V * steps
    assert float(followed.off_steps) <= V * ledger.sums["steps"]


@settings(max_examples=150, deadline=None)
@given(
    streams_of(VALUES),
    st.sampled_from([0.1, 1.0, 3.0]),
    st.booleans(),
    st.lists(st.integers(-4, 4), min_size=WIDTH, max_size=WIDTH),
    st.sampled_from([1, 3, 10]),
)
def test_exact_losses_are_within_the_theorem_and_distances_within_theirs(
    rows: Stream, rate: float, bias: bool, numerators: list[int], denominator: int
) -> None:
    run = run_of(th.AdaGrad(rate=rate, bias=bias), *rows)
    kept = [i for i, n in enumerate(numerators) if n]
    u = Comparator(tuple(kept), tuple(numerators[i] for i in kept), int(bias), denominator)
    found = list(adagrad_bounds(run, Witness(u)))
    followed = Followed(rows, rate, "hinge", bias)
    weights = [Fraction(n, denominator) for n in (*numerators, int(bias))]
    for theorem in found:
        assert isinstance(theorem, AdaGradHinge)
        # Empty rows labelled +1 are in neither of the two.
        empty = sum(not any(x) and y > 0 and not bias for x, y in zip(*rows, strict=True))
        assert Fraction(followed.exact_losses) - empty <= theorem.bound()
        assert run.mistakes <= theorem.max_mistakes()
        for i, w in followed.before:
            assert abs(Fraction(w) - weights[i]) <= theorem.distance


@settings(max_examples=150, deadline=None)
@given(
    streams_of((0.1, 0.7, -0.3, 1.0, 40.0)),
    st.lists(st.integers(-9, 9), min_size=WIDTH, max_size=WIDTH),
    st.sampled_from([1, 7, 100]),
)
def test_logistic_losses_are_enclosed_from_above(
    rows: Stream, numerators: list[int], denominator: int
) -> None:
    stream = read_rows(np.array(rows[0], float).reshape(-1, WIDTH), rows[1])
    margins = Margins(stream, Comparator(tuple(range(WIDTH)), tuple(numerators), 0, denominator))
    with localcontext(Context(prec=50)):
        exact = Decimal(0)
        for t in range(len(stream)):
            at = margins.at(t)
            exact += ((-Decimal(at.numerator) / Decimal(at.denominator)).exp() + 1).ln()
        found = Decimal(logistic_loss_above(margins))
        assert exact <= found <= exact + len(stream) * Decimal("1e-5")


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("bias", [False, True])
def test_a_certificate_of_adagrad_quotes_its_theorem_and_verifies(loss: str, bias: bool) -> None:
    rng = np.random.default_rng(5)
    X = rng.choice([0.0, 0.5, 1.0], (1500, 3))
    y = np.where(X[:, 0] + 0.1 > X[:, 1], 1, -1)
    learner = th.AdaGrad(loss=loss, bias=bias)
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    assert certificate.theorem == {"hinge": "AdaGradHinge", "logistic": "AdaGradLogistic"}[loss]
    assert certificate.allowed is not None
    assert learner.mistakes <= certificate.allowed < 1500
    assert th.verify(certificate, X, y).holds
    # What it says of the run is measured again: a smaller distance is a lie.
    told = certificate.bounds[0]
    for name in ("distance", "root_sum", "comparator_loss"):
        stated = told.quantities[name]
        assert isinstance(stated, Fraction)
        less = {**told.quantities, name: stated / 2}
        lie = type(told)(told.theorem, told.version, less, told.allows)
        forged = type(certificate)(**{**vars(certificate), "bounds": (lie,), "seal": ""})
        assert not th.verify(forged, X, y).holds
