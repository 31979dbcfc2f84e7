"""Weighted Majority, by vote or by lot, replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.power_rounds import VotingRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.multiplicative import give_link
from thresher.verifier.replays.playing import EXACT, UNIT, Parameters, Replay
from thresher.verifier.replays.weight_base import WeightBase


def replay_weighted_majority(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Weighted Majority: wrong experts lose weight in every round.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 1, -1], [1, -1, -1]], [1, 1])
    >>> run = replay_weighted_majority(stream, {"n_experts": 3, "beta": Fraction(1, 2)})
    >>> run.mistaken.tolist(), run.updates.tolist(), run.state["dual"].tolist()
    ([1], [0, 1], [-1.0, -2.0])
    """
    rounds, columns = _voting(stream, parameters)
    found = played(rounds, columns, parameters)
    return replace(found, arithmetic=EXACT)


def _voting(stream: LabelledRows, parameters: Parameters) -> tuple[VotingRounds, Columns]:
    """The rounds of experts, whose dual is minus the number of their mistakes."""
    rounds, columns = prepared(VotingRounds, stream, parameters)
    factor = Fraction(parameters["beta"])
    base = _base(factor)
    give_link(rounds, WeightBase(base), mirrored=False, base=base)

    def reaches(terms: list[tuple[float, float]]) -> bool:
        return WeightBase(base).sign([(Fraction(x), Fraction(z)) for x, z in terms]) >= 0

    rounds.set_threshold(0.0, True, reaches)
    rounds.set_rule(not factor)
    return rounds, columns


def _base(factor: Fraction) -> Fraction:
    """The number whose powers the weights are; any will do where experts are dropped at once."""
    return 1 / factor if factor else Fraction(2)


def replay_randomized(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Weighted Majority whose predictions are drawn by lot.

    What the experts lose, and which rounds the journal has, does not depend on the draws.
    """
    found = replay_weighted_majority(stream, parameters)
    factor, seed = Fraction(parameters["beta"]), parameters["seed"]
    columns = Columns.of(stream)
    rows, base = columns.stream, WeightBase(_base(factor))
    lost = np.zeros(columns.width)
    # How many experts have lost so often: a round takes time for those who vote in it, not for all.
    so_often: Counter[float] = Counter({0.0: int(parameters["n_experts"])})
    mistaken = []
    for t, y in enumerate(rows.label.tolist()):
        inside = rows.inside(t, t + 1)
        at, votes = rows.column[inside], rows.value[inside]
        if _lot(votes, lost[at], so_often, base, draw(seed, t)) != (y > 0):
            mistaken.append(t)
        wrong = at[votes * y < 0]
        so_often.subtract(lost[wrong].tolist())
        lost[wrong] += 1.0 if factor else np.inf
        so_often.update(lost[wrong].tolist())
        so_often = +so_often
        del so_often[np.inf]
    state = {**found.state, "rounds": np.array([len(stream)], np.int64)}
    # What it says of further rows is drawn by lot, too.
    return replace(found, mistaken=np.array(mistaken, np.int64), state=state, leans=None)


def _clearly(
    votes: NDArray[np.float64], lost: NDArray[np.float64], base: WeightBase
) -> bool | None:
    """The sign of the weighted sum, where rounding cannot have changed it."""
    weight = np.exp(-base.rate * lost)
    total = float(votes @ weight)
    size = float(np.abs(votes) @ weight)
    reach = base.rate * float(np.max(lost, initial=0.0))
    if abs(total) > size * (len(votes) + 16 + 8 * reach) * UNIT + 1e-300:
        return total > 0
    return None


def _lot(
    votes: NDArray[np.float64],
    lost: NDArray[np.float64],
    so_often: Mapping[float, int],
    base: WeightBase,
    u: float,
) -> bool:
    """Whether the share of +1, experts without an opinion counting half, is at least u.

    (1 + votes / all) / 2 >= u, where each expert casts 1 - 2u besides its own vote: `votes` of
    those who have lost so often as `lost` says, and all experts, by how often they have lost.
    """
    if not so_often:
        return u <= 0.5
    alive = np.isfinite(lost)
    # u is a multiple of 2^-53, so that this does not round.
    besides = 1.0 - 2.0 * u
    votes, times = votes[alive], np.array([*so_often], np.float64)
    many = np.array([*so_often.values()], np.float64)
    casts, lost = np.concatenate((votes, besides * many)), np.concatenate((lost[alive], times))
    clear = _clearly(casts, lost - times.min(), base)
    if clear is not None:
        return clear
    terms = [(Fraction(x), Fraction(-z)) for x, z in zip(votes, lost, strict=False)]
    terms += [(n * Fraction(besides), Fraction(-z)) for z, n in so_often.items()]
    return base.sign(terms) >= 0


def draw(seed: int, t: int) -> float:
    """The number in (0, 1] drawn in round t, counted from 0: SplitMix64 (Steele et al. 2014).

    The generator's first output for the seed 1234567 is known: 6457827717110365317.

    >>> draw(1234567, 0) == ((6457827717110365317 >> 11) + 1) / 2**53
    True
    """
    word = 2**64 - 1
    z = (seed + (t + 1) * 0x9E3779B97F4A7C15) & word
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & word
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & word
    return (((z ^ z >> 31) >> 11) + 1) / 2**53
