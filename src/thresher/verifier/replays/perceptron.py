"""The Perceptron, replayed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.compiled.running_sums import RunningSums
from thresher.verifier.readers.labelled_rows import LabelledRows, binary_places
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.playing import EXACT, FLOAT64, Parameters, Replay
from thresher.verifier.state import State


def perceptron_rounds(
    stream: LabelledRows, parameters: Parameters, start: State | None = None
) -> tuple[RunningSums, Columns]:
    """The rounds of the Perceptron, not yet played."""
    rounds, columns = prepared(RunningSums, stream, parameters, start)
    rounds.set_rule(float(parameters.get("margin", 0)), float(parameters.get("decay", 0)))
    return rounds, columns


def replay_perceptron(
    stream: LabelledRows,
    parameters: Parameters,
    known: NDArray[np.bool_] | None = None,
    start: State | None = None,
) -> Replay:
    """The Perceptron's run in double precision, and whether anything can have rounded.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [2, 0]], [-1, -1, -1])
    >>> run = replay_perceptron(stream, {"bias": False})
    >>> run.mistaken.tolist(), run.arithmetic, run.state["weight"].tolist()
    ([0, 1], 'exact', [-1.0, -1.0])
    """
    rounds, columns = perceptron_rounds(stream, parameters, start)
    found = played(rounds, columns, parameters, known=known, start=start)
    decay = parameters.get("decay", 0)
    others = {"factor": np.array([rounds.common_factor])} if decay else {}
    exact = not decay and _only_adds(parameters) and _is_exact(stream, len(found.updates))
    state = {**found.state, **others}
    return replace(found, arithmetic=EXACT if exact else FLOAT64, state=state)


def _only_adds(parameters: Parameters) -> bool:
    """Whether rows are added as they are, and nothing is divided."""
    return not parameters.get("average", False) and all(
        parameters.get(name) is None for name in ("class_weight", "scaling")
    )


def _is_exact(stream: LabelledRows, updates: int) -> bool:
    """Whether all sums are whole multiples of one power of two, fewer than 2^53 of it.

    Then no sum rounds. With values that are multiples of 2^-k and at most a, weights are
    multiples of 2^-k and at most updates * a, and partial scores of n terms multiples of
    4^-k and at most n * updates * a^2.
    """
    few = binary_places(stream.value[:4096])
    # A few values may say so already: to look at all takes longer than to play.
    k = None if few is None or few > 26 else stream.binary_places
    if k is None:
        return False
    largest = max(int(np.ceil(np.max(np.abs(stream.value), initial=1.0))), 1)
    terms = int(np.diff(stream.row_start).max(initial=0)) + 1
    return (terms * max(updates, 1) * largest**2) << (2 * k) < 2**53


def check_decay(parameters: Parameters, path: str) -> None:
    """Refuse means of weights that are forgotten: no learner has both."""
    if parameters.get("average", False) and parameters.get("decay", "0") != "0":
        raise CertificateError.must_be(f"{path}.decay", "0 with average", parameters["decay"])
