"""Which replay belongs to which learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from thresher.verifier.concepts import unknown_point
from thresher.verifier.exponentiated import replay_exponentiated
from thresher.verifier.literals import replay_literals, replay_majority, spelled_out
from thresher.verifier.multiplicative import Multiplicative, dual_arithmetic
from thresher.verifier.perceptron import replay_perceptron
from thresher.verifier.powers import Base
from thresher.verifier.replay import Replay, play
from thresher.verifier.rows import Stream
from thresher.verifier.version_space import replay_version_space

# The schema of a certificate has checked names and types of the parameters of each learner.
Parameters = Mapping[str, Any]


def _winnow(stream: Stream, given: Parameters) -> Replay:
    machine = Multiplicative(
        stream,
        Base(1 + Fraction(given["beta"])),
        Fraction(given["threshold"]),
        mirrored="zeroing" not in given,
        zeroing=given.get("zeroing", False),
    )
    mistaken = play(machine, stream.label)
    return Replay(mistaken, mistaken, dual_arithmetic(stream, len(mistaken)))


REPLAYS: dict[str, Callable[[Stream, Parameters], Replay]] = {
    "perceptron": lambda stream, given: replay_perceptron(stream, given["bias"]),
    "winnow": _winnow,
    "balanced_winnow": _winnow,
    "normalized_winnow": lambda stream, given: replay_exponentiated(stream, given, False),
    "signed_winnow": lambda stream, given: replay_exponentiated(stream, given, True),
    "elimination": lambda stream, given: replay_literals(
        stream, given["n_features"], given["literals"], conjunction=False
    ),
    "conjunction": lambda stream, given: replay_literals(
        stream, given["n_features"], given["literals"], conjunction=True
    ),
    "weighted_majority": lambda stream, given: replay_majority(
        stream, given["n_experts"], Fraction(given["beta"])
    ),
    "randomized_weighted_majority": lambda stream, given: replay_majority(
        stream, given["n_experts"], Fraction(given["beta"]), given["seed"]
    ),
    "halving": lambda stream, given: replay_version_space(stream, given["concepts"], False),
    "standard_optimal": lambda stream, given: replay_version_space(
        stream, given["concepts"], optimal=True
    ),
}


def features_of(parameters: Parameters) -> int | None:
    """How many columns the learner has room for; None for one that grows."""
    if "concepts" in parameters:
        return int(parameters["concepts"]["n_variables"])
    limit: int | None = parameters.get("n_features", parameters.get("n_experts"))
    return limit


def domain_of(learner: str, parameters: Parameters) -> tuple[float | Fraction, Fraction, bool]:
    """The lowest and the highest value the learner accepts, and whether only whole ones."""
    one = Fraction(1)
    if learner == "perceptron":
        return -(10**100), Fraction(10**100), False
    if learner in ("normalized_winnow", "signed_winnow"):
        return -Fraction(parameters["radius"]), Fraction(parameters["radius"]), False
    if learner == "balanced_winnow" or "n_experts" in parameters:
        return -one, one, learner != "balanced_winnow"
    return Fraction(0), one, learner != "winnow" or parameters["zeroing"]


def outside(learner: str, parameters: Parameters, stream: Stream) -> str | None:
    """Why a learner with these parameters cannot have seen the stream; None if it can."""
    limit = features_of(parameters)
    if limit is not None and stream.width > limit:
        return f"column {stream.width - 1}, where the learner has {limit}"
    lowest, highest, whole = domain_of(learner, parameters)
    value = stream.value
    for found in (value.min(initial=0.0), value.max(initial=0.0)):
        if not lowest <= Fraction(float(found)) <= highest:
            return f"value {found}, where the learner takes {lowest} to {highest}"
    if whole and np.any(value != np.rint(value)):
        return "a fraction, where the learner takes whole numbers"
    if parameters.get("bias", False) and highest < 1:
        return f"a constant feature 1, where the learner takes {lowest} to {highest}"
    return unknown_point(parameters["concepts"], stream) if "concepts" in parameters else None


def replay(learner: str, parameters: Parameters, stream: Stream) -> Replay:
    """The run of a learner, by its name, on a stream that is not `outside`."""
    return REPLAYS[learner](stream, parameters)


def journal_rows(parameters: Parameters, stream: Stream) -> Stream:
    """The rows as the learner's journal keeps them: over the literals where it learns those."""
    if parameters.get("literals", False):
        return spelled_out(stream, parameters["n_features"])
    return stream
