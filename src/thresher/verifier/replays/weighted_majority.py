"""Weighted Majority, by vote or by lot, replayed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import EXACT, UNIT, Parameters, Replay
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.state import sparse_state


def replay_weighted_majority(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Weighted Majority: wrong experts lose weight in every round.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 1, -1], [1, -1, -1]], [1, 1])
    >>> run = replay_weighted_majority(stream, {"n_experts": 3, "beta": Fraction(1, 2)})
    >>> run.mistaken.tolist(), run.updates.tolist()
    ([1], [0, 1])
    """
    return _replay(stream, parameters["n_experts"], Fraction(parameters["beta"]), None)


def replay_randomized(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Weighted Majority whose predictions are drawn by lot.

    What the experts lose, and which rounds the journal has, does not depend on the draws.
    """
    n_experts, factor = parameters["n_experts"], Fraction(parameters["beta"])
    return _replay(stream, n_experts, factor, parameters["seed"])


def _replay(stream: LabelledRows, n_experts: int, factor: Fraction, seed: int | None) -> Replay:
    lost = np.zeros(n_experts)
    base = WeightBase(1 / factor if factor else Fraction(2))
    mistaken, updates = [], []
    for t, y in enumerate(stream.label.tolist()):
        inside = stream.inside(t, t + 1)
        columns, votes = stream.column[inside], stream.value[inside]
        wrong = votes * y < 0
        mistake = outvoted = _vote(votes, lost[columns], base) != (y > 0)
        if seed is not None:
            everybody = np.zeros(n_experts)
            everybody[columns] = votes
            mistake = _lot(everybody, lost, base, draw(seed, t)) != (y > 0)
        if np.any(wrong):
            lost[columns[wrong]] += 1.0 if factor else np.inf
        if mistake:
            mistaken.append(t)
        if outvoted or np.any(wrong):
            updates.append(t)
    # The dual of an expert is minus the number of its mistakes.
    state = sparse_state({"dual": 0.0 - lost})
    if seed is not None:
        state["rounds"] = np.array([len(stream)], np.int64)
    return Replay(np.array(mistaken, np.int64), np.array(updates, np.int64), EXACT, state=state)


def _vote(votes: NDArray[np.float64], lost: NDArray[np.float64], base: WeightBase) -> bool:
    """Whether the votes for +1 weigh at least as much as those for -1."""
    alive = np.isfinite(lost)
    votes, lost = votes[alive], lost[alive]
    if not len(votes):
        return True
    lost = lost - lost.min()
    clear = _clearly(votes, lost, base)
    if clear is not None:
        return clear
    levels, place = np.unique(lost, return_inverse=True)
    sums = np.bincount(place, votes).tolist()
    terms = zip(sums, levels.tolist(), strict=True)
    return base.sign([(Fraction(x), Fraction(-z)) for x, z in terms]) >= 0


def _clearly(
    votes: NDArray[np.float64], lost: NDArray[np.float64], base: WeightBase
) -> bool | None:
    """The sign of the weighted sum, where rounding cannot have changed it."""
    weight = np.exp(-base.rate * lost)
    total, size = float(votes @ weight), float(np.abs(votes) @ weight)
    reach = base.rate * float(lost.max())
    if abs(total) > size * (len(votes) + 16 + 8 * reach) * UNIT + 1e-300:
        return total > 0
    return None


def _lot(votes: NDArray[np.float64], lost: NDArray[np.float64], base: WeightBase, u: float) -> bool:
    """Whether the share of +1, experts without an opinion counting half, is at least u.

    (1 + votes / all) / 2 >= u, where each expert casts 1 - 2u besides its own vote.
    """
    alive = np.isfinite(lost)
    # u is a multiple of 2^-53, so that neither step rounds.
    votes, lost = votes[alive] + (1.0 - 2.0 * u), lost[alive]
    if not len(votes):
        return u <= 0.5
    lost = lost - lost.min()
    clear = _clearly(votes, lost, base)
    if clear is not None:
        return clear
    terms = zip(votes.tolist(), lost.tolist(), strict=True)
    return base.sign([(Fraction(x), Fraction(-z)) for x, z in terms]) >= 0


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
