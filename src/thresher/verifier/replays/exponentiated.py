"""Normalised and signed Winnow, replayed, with the step they were given or worked out."""

from __future__ import annotations

from fractions import Fraction
from math import isinf

from thresher.errors import CertificateError
from thresher.theory import eta_star, phase_budget
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.multiplicative import MultiplicativeMachine, dual_arithmetic
from thresher.verifier.replays.playing import Parameters, Replay, play
from thresher.verifier.replays.weight_base import WeightBase


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


class ExponentiatedMachine(MultiplicativeMachine):
    """A multiplicative learner with threshold 0 that may give up a phase and start over."""

    def __init__(self, stream: LabelledRows, parameters: Parameters, *, signed: bool) -> None:
        super().__init__(
            stream, base_of(parameters), mirrored=signed, bias=bool(parameters["bias"])
        )
        self.parameters = parameters
        self.coordinates = int(parameters["n_features"] or 0) + self.bias
        self.phase = 1 if restarts(parameters) else 0
        self.phase_mistakes = 0
        self.budget = phase_budget(self.coordinates, 1) if self.phase else 0

    def update(self, t: int) -> None:
        """Move the duals; with one mistake too many, halve the margin and start over."""
        super().update(t)
        self.phase_mistakes += 1
        if self.phase and self.phase_mistakes > self.budget:
            self.phase += 1
            self.phase_mistakes = 0
            self.budget = phase_budget(self.coordinates, self.phase)
            self.start(base_of(self.parameters, self.phase))


def replay_exponentiated(stream: LabelledRows, parameters: Parameters, *, signed: bool) -> Replay:
    """The run of a normalised or signed Winnow.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"n_features": 3, "eta": None, "margin": Fraction(1, 2), "radius": Fraction(1)}
    >>> stream = read_rows([[1, 1, -1], [1, -1, -1], [-1, -1, 1]], [1, 1, -1])
    >>> replay_exponentiated(stream, given | {"bias": False}, signed=False).mistaken.tolist()
    [1]
    """
    mistaken = play(ExponentiatedMachine(stream, parameters, signed=signed), stream.label)
    return Replay(mistaken, mistaken, dual_arithmetic(stream, len(mistaken)))


def check_margin(parameters: Parameters, path: str) -> None:
    """Refuse a margin beyond the radius: no row can have it."""
    margin = parameters["margin"]
    if margin is not None and Fraction(margin) > Fraction(parameters["radius"]):
        raise CertificateError.must_be(f"{path}.margin", "at most the radius", margin)
