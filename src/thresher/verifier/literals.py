"""Elimination, conjunctions and Weighted Majority, by vote or by lot, replayed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.measure import UNIT
from thresher.verifier.powers import Base
from thresher.verifier.replay import EXACT, Replay, play
from thresher.verifier.rows import Stream


def spelled_out(stream: Stream, n: int) -> Stream:
    """Rows over 2n literals: column i where variable i is on, n + i where it is off.

    >>> from thresher.verifier.rows import read_stream
    >>> spelled_out(read_stream([[1, 0, 1]], [1]), 3).column.tolist()
    [0, 2, 4]
    """
    on = np.zeros((len(stream), n), bool)
    on[stream.row, stream.column] = True
    column = np.nonzero(np.hstack((on, ~on)))[1].astype(np.int32)
    start = np.arange(len(stream) + 1, dtype=np.int64) * n
    return Stream(start, column, np.ones(len(column)), stream.label)


class Eliminator:
    """+1 when an active feature is left; a false positive removes the active features."""

    def __init__(self, stream: Stream, n_features: int) -> None:
        self.stream = stream
        self.left = np.ones(n_features)

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether some active feature is left."""
        inside = self.stream.inside(first, stop)
        left = self.left[self.stream.column[inside]]
        return np.bincount(self.stream.row[inside] - first, left, stop - first) >= 1

    def update(self, t: int) -> None:
        """Remove the active features of a negative row."""
        if self.stream.label[t] < 0:
            self.left[self.stream.column[self.stream.inside(t, t + 1)]] = 0.0


class Conjoiner(Eliminator):
    """+1 when every feature left is active; a false negative removes the inactive ones."""

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether no feature left is off."""
        inside = self.stream.inside(first, stop)
        left = self.left[self.stream.column[inside]]
        active = np.bincount(self.stream.row[inside] - first, left, stop - first)
        return np.asarray(active >= self.left.sum())

    def update(self, t: int) -> None:
        """Keep the active features of a positive row."""
        if self.stream.label[t] > 0:
            kept = np.zeros_like(self.left)
            columns = self.stream.column[self.stream.inside(t, t + 1)]
            kept[columns] = self.left[columns]
            self.left = kept


def replay_literals(stream: Stream, n: int, literals: bool, conjunction: bool) -> Replay:
    """The run of Elimination or of the conjunction learner; exact, since it counts."""
    rows = spelled_out(stream, n) if literals else stream
    kind = Conjoiner if conjunction else Eliminator
    mistaken = play(kind(rows, n * (1 + literals)), stream.label)
    return Replay(mistaken, mistaken, EXACT)


def replay_majority(
    stream: Stream, n_experts: int, factor: Fraction, seed: int | None = None
) -> Replay:
    """The run of Weighted Majority: wrong experts lose weight in every round.

    With a seed the prediction is drawn by lot; what the experts lose, and which rounds the
    journal has, does not depend on the draws.

    >>> from thresher.verifier.rows import read_stream
    >>> run = replay_majority(read_stream([[1, 1, -1], [1, -1, -1]], [1, 1]), 3, Fraction(1, 2))
    >>> run.mistaken.tolist(), run.updates.tolist()
    ([1], [0, 1])
    """
    lost = np.zeros(n_experts)
    base = Base(1 / factor if factor else Fraction(2))
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
    return Replay(np.array(mistaken, np.int64), np.array(updates, np.int64), EXACT)


def _vote(votes: NDArray[np.float64], lost: NDArray[np.float64], base: Base) -> bool:
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


def _clearly(votes: NDArray[np.float64], lost: NDArray[np.float64], base: Base) -> bool | None:
    """The sign of the weighted sum, where rounding cannot have changed it."""
    weight = np.exp(-base.rate * lost)
    total, size = float(votes @ weight), float(np.abs(votes) @ weight)
    reach = base.rate * float(lost.max())
    if abs(total) > size * (len(votes) + 16 + 8 * reach) * UNIT + 1e-300:
        return total > 0
    return None


def _lot(votes: NDArray[np.float64], lost: NDArray[np.float64], base: Base, u: float) -> bool:
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
