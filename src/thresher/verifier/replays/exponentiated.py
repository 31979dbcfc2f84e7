"""Normalised and signed Winnow, replayed, with the step they were given or worked out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isinf, log1p

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.theory import eta_star, phase_budget
from thresher.verifier.compiled.power_rounds import ExponentiatedRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.literals import (
    as_features,
    as_kept_with_opposites,
    check_literals,
    over_literals,
)
from thresher.verifier.replays.multiplicative import dual_arithmetic
from thresher.verifier.replays.playing import FLOAT64, ONE_OF_SEVERAL, Parameters, Replay
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.state import State

#: The step times the radius is at least this, and at most 1000.
LEAST_STEP = Fraction(1e-12)


def best_base(margin: Fraction, radius: Fraction) -> WeightBase:
    """exp(eta) for eta = atanh(margin/radius)/radius, which is a power of a fraction.

    At margin = radius the best step is infinite; then, and wherever eta * radius would be 20
    or more, it is the float that `thresher.theory.eta_star` gives.
    """
    eta = eta_star(margin, radius)
    if margin == radius or isinf(eta) or eta * radius >= 20:
        return WeightBase(None, Fraction(eta))
    return WeightBase((radius + margin) / (radius - margin), 1 / (2 * radius))


def restarts(parameters: Parameters) -> bool:
    """Whether the learner guesses its margin and starts over."""
    return parameters["eta"] is None and parameters["margin"] is None


def base_of(parameters: Parameters, phase: int = 1) -> WeightBase:
    """The base of the weights, in the given phase of a learner that starts over."""
    radius = Fraction(parameters["radius"] or 0)
    if parameters["eta"] is not None:
        return WeightBase(None, Fraction(parameters["eta"]))
    if parameters["margin"] is not None:
        return best_base(Fraction(parameters["margin"]), radius)
    return best_base(radius / 2**phase, radius)


def exponentiated_bases(
    stream: LabelledRows, parameters: Parameters
) -> tuple[list[WeightBase], list[int]]:
    """The base of the weights in each phase, and how many mistakes each phase allows.

    Without phases there is one base and no budget; otherwise as many phases as the mistakes on
    this stream could use up.
    """
    if not restarts(parameters):
        return [base_of(parameters)], []
    coordinates = int(parameters["n_features"]) + bool(parameters["bias"])
    bases: list[WeightBase] = []
    budgets: list[int] = []
    while sum(budgets) + len(budgets) <= len(stream):
        bases.append(base_of(parameters, len(bases) + 1))
        budgets.append(min(phase_budget(coordinates, len(bases)), 2**62))
    return bases, budgets


def rate_of(base: WeightBase) -> float:
    """The step as the learner computes it: ln(1 + beta) over twice the radius, or as given."""
    if base.value is None:
        return base.rate
    return log1p(float(base.value - 1)) / float(1 / base.per)


def exponentiated_rounds(
    stream: LabelledRows, parameters: Parameters, start: State | None = None, *, signed: bool
) -> tuple[ExponentiatedRounds, Columns]:
    """The rounds of normalised or signed Winnow, not yet played."""
    by_size = start is not None and bool(parameters.get(ONE_OF_SEVERAL))
    stream, parameters = as_kept_with_opposites(stream, parameters), as_features(parameters)
    rounds, columns = prepared(ExponentiatedRounds, stream, parameters, start)
    bases, budgets = exponentiated_bases(stream, parameters)
    rounds.set_link(0.0, rate_of(bases[0]), signed, False)
    rounds.set_coordinates(
        int(parameters["n_features"]) + bool(parameters["bias"]),
        # Classes are compared by the sizes of scores; of two only sides are asked, without a sum.
        columns.as_given(np.arange(columns.width)) if by_size else None,
    )
    rates = [rate_of(base) for base in bases] if budgets else []
    rounds.set_phases(np.array(rates, np.float64), np.array(budgets, np.int64))

    def reaches(terms: list[tuple[float, float]]) -> bool:
        phase, _ = rounds.present_phase
        base = bases[max(phase - 1, 0)]
        return base.sign([(Fraction(x), Fraction(z)) for x, z in terms]) >= 0

    rounds.set_threshold(0.0, True, reaches)
    return rounds, columns


def replay_exponentiated(
    stream: LabelledRows,
    parameters: Parameters,
    known: NDArray[np.bool_] | None = None,
    start: State | None = None,
    *,
    signed: bool,
) -> Replay:
    """The run of a normalised or signed Winnow.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"n_features": 3, "eta": None, "margin": Fraction(1, 2), "radius": Fraction(1)}
    >>> stream = read_rows([[1, 1, -1], [1, -1, -1], [-1, -1, 1]], [1, 1, -1])
    >>> replay_exponentiated(stream, given | {"bias": False}, signed=False).mistaken.tolist()
    [1]
    """
    rounds, columns = exponentiated_rounds(stream, parameters, start, signed=signed)
    found = played(rounds, columns, parameters, known=known, start=start)
    state = dict(found.state)
    if restarts(parameters):
        state["phase"] = np.array(rounds.present_phase, np.int64)
    rounded = any(parameters.get(name) is not None for name in ("class_weight", "scaling"))
    updates = len(found.updates)
    arithmetic = FLOAT64 if rounded else dual_arithmetic(stream, parameters, updates)
    leans = over_literals(found.leans, parameters, as_kept_with_opposites)
    return replace(found, arithmetic=arithmetic, state=state, leans=leans)


def check_margin(parameters: Parameters, path: str) -> None:
    """Refuse a margin beyond the radius, a step that no learner takes, and scaled literals."""
    check_literals(parameters, path)
    margin, eta = parameters["margin"], parameters["eta"]
    if eta is not None and not LEAST_STEP <= Fraction(eta) * Fraction(parameters["radius"]) <= 1000:
        must = "such that $.eta times $.radius is from 1e-12 to 1000"
        raise CertificateError.must_be(f"{path}.eta", must, eta)
    if margin is not None and Fraction(margin) > Fraction(parameters["radius"]):
        raise CertificateError.must_be(f"{path}.margin", "at most the radius", margin)
