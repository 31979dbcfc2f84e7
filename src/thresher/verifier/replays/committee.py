"""The Committee, replayed, with the losses of all experts enclosed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.theory.enclosure import Real, float_above, ln, real
from thresher.verifier.compiled.committee import RULES, STARTS, UNSEEN, CommitteeRun
from thresher.verifier.compiled.mixture import prior_weights
from thresher.verifier.compiled.standard_columns import SEATS
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns, narrowed
from thresher.verifier.replays.options import class_weights
from thresher.verifier.replays.playing import FLOAT32, Parameters, Replay
from thresher.verifier.state import State, sparse_state

#: How far rounding can move the logarithm of a likelihood in one round. The probability that
#: a label was given is a sum of one half and an exact product, and multiplies the likelihood:
#: two roundings, each by a factor between 1 - 2^-53 and 1 + 2^-53. That is 2^-52; twice as much
#: leaves room for the second order.
PER_ROUND = Fraction(1, 2**51)


def replay_committee(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The Committee's run, to the bit; every round is an update.

    With a `start` it goes on from where another run ended, and there are no facts.

    The facts are, for the members, then their average and their best combination, the
    ``expert_mistakes``, the ``prior`` weights, and enclosures ``loss_lower`` and ``loss_upper`` of
    the sum of -ln(probability given to the label), where the mixture itself comes last. The
    theorem of the mixture is about rows that weigh 1 each: where classes have weights, there are
    no ``prior`` weights, for it to say nothing. Rows that weigh nothing count like all others:
    mistakes and risks are about all rounds.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [2, 0]], [-1, -1, -1])
    >>> given = {"members": ({"rule": "arow", "setting": Fraction(1), "rows": "scaled"},)}
    >>> run = replay_committee(stream, given)
    >>> run.mistaken.tolist(), run.facts["expert_mistakes"], run.facts["prior"]
    ([0], (1, 1, 1), (0.6, 0.3, 0.1))
    """
    members = members_of(parameters)
    columns = Columns.of(stream, more=None if start is None else start["columns"])
    longest = int(np.diff(stream.row_start).max(initial=0))
    weights = class_weights(parameters)
    run = CommitteeRun(members, columns.width + 1, longest, weights)
    if start is not None:
        slots = columns.places(start["slots"]) if is_narrow(start, members) else None
        run.begin_with(start, columns.places(start["columns"]), slots)
    said = np.zeros(len(stream))
    rows = columns.stream
    run.play(rows.row_start, rows.column, rows.value, rows.label, said)

    def leans(further: LabelledRows) -> NDArray[np.float64]:
        if parameters.get("n_features") is None:
            further = narrowed(further, stream.width)
        numbered = columns.further(further)
        return run.leaning(numbered.row_start, numbered.column, numbered.value)

    return Replay(
        np.flatnonzero((said >= 0.0) != (stream.label > 0)),
        np.arange(len(stream)),
        FLOAT32,
        state=committee_state(run, members, columns),
        facts={} if start is not None else _facts(run, members, weights, len(stream)),
        margins=said,
        leans=leans,
    )


def _facts(
    run: CommitteeRun,
    members: Sequence[tuple[str, float, str]],
    weights: tuple[float, float],
    rounds: int,
) -> dict[str, tuple[int | float, ...]]:
    """Mistakes and losses of the experts."""
    wrong, likelihood, places = run.mixture.record()
    lanes = n_lanes(members)
    prior = prior_weights(lanes, len(members) - lanes) if weights == (1.0, 1.0) else []
    losses = [
        enclosed_loss(float(value), int(digits), rounds)
        for value, digits in zip(likelihood, places, strict=True)
    ]
    return {
        "expert_mistakes": tuple(wrong[:-1].tolist()),
        "prior": tuple(prior),
        "loss_lower": tuple(low for low, _ in losses),
        "loss_upper": tuple(high for _, high in losses),
    }


def members_of(parameters: Parameters) -> list[tuple[str, float, str]]:
    """The members by rule, setting and rows."""
    return [
        (member["rule"], float(member["setting"]), member["rows"])
        for member in parameters["members"]
    ]


def n_lanes(members: Sequence[tuple[str, float, str]]) -> int:
    """How many members are for rows of any width; they come first."""
    return sum((rule, rows) not in SEATS for rule, _, rows in members)


def is_narrow(state: State, members: Sequence[tuple[str, float, str]]) -> bool:
    """Whether a committee still looks at the columns of its rows one by one."""
    # Without a single column no seat has been left.
    return "standing" in state and bool(
        state["standing"][1] > n_lanes(members) or len(state["slots"])
    )


def enclosed_loss(likelihood: float, places: int, rounds: int) -> tuple[float, float]:
    """Doubles below and above the exact loss whose computed likelihood this is.

    >>> enclosed_loss(0.5, 0, 1)
    (0.6931471805599448, 0.6931471805599458)
    """
    error = rounds * PER_ROUND
    loss: Real = 512 * places * ln(2) - ln(Fraction(likelihood))
    return max(0.0, -float_above(real(error) - loss)), float_above(loss + error)


def committee_state(
    run: CommitteeRun, members: list[tuple[str, float, str]], columns: Columns
) -> dict[str, NDArray[Any]]:
    """Two numbers of each member for each feature, and what belongs to no feature.

    ``weight`` and ``second`` have a line per feature and a number per member; ``shrink`` is one
    over the largest value of the feature. ``bias`` has the weights of the constant feature,
    then the second numbers. ``slots`` are the columns of a narrow stream by first appearance.
    """
    rules = [rule for rule, _, rows in members if (rule, rows) not in SEATS]
    n = len(rules)
    found = sparse_state(
        {"weight": run.own[:-1, :n], "second": run.own[:-1, n:], "shrink": run.shrink},
        {"second": [STARTS[RULES.index(rule)] for rule in rules], "shrink": UNSEEN},
        bias=run.own[-1],
        **run.numbers(),
    )
    given = {name: columns.as_given(found[name]) for name in ("columns", "slots") if name in found}
    return found | given
