"""CommitteeForm: a trained Committee as plain numbers, and how a row is scored with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.learners.two_class.standard_columns import StandardColumns, in_four_parts
from thresher.records import record
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.learners.two_class.committee_members import Member

#: How far a standardised score, and a log-odds, may go; the constant in the combination.
FAR, SURE, LEVEL = 4.0, 8.0, 0.25
#: Sums in `exponential` begin with 1/12!.
TERMS = (
    1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
    1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0,
)  # fmt: skip
#: 1/ln 2; ln 2 in two parts, so that a multiple of the first has no rounding error; 1.5 * 2^52.
PER_LN2, LN2, REST, SHIFTER = (
    1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10, 6755399441055744.0,
)  # fmt: skip


class Opinions(NamedTuple):
    """What the experts of a committee say about a row; the last two are the combinations.

    Members that left are silent: a score of 0, log-odds of 0.
    """

    #: The score of each member.
    scores: NDArray[np.float64]
    #: Log-odds of +1.
    odds: NDArray[np.float64]
    #: The probability of +1 minus that of -1.
    leans: NDArray[np.float64]
    #: The same, of the mixture: the score of the row.
    mixed: float


@record(eq=False)
class CommitteeForm:
    """All that decides what a committee says; nothing that only decides what it would learn.

    Of the features only those stand here that were seen. One that was not has weights of 0 and
    a `shrink` of 1e300: it counts in the length of the row, and for nothing else. Features at
    `n_features` or above are not part of the row at all.

    Members for narrow streams come last. They see the row as `standard` shows it, and score it by
    `seats`: the sum of weights times what they see. Those who left have no seat.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Committee(n_features=4)
    >>> _ = learner.learn([{0: 1, 2: 3}, {1: 1}, {2: 2}], [+1, -1, +1])
    >>> form = learner.mixture_form()
    >>> form.columns.tolist(), form.weights.shape
    ([0, 1, 2], (3, 8))
    >>> form.standard.columns.tolist(), [len(seat) for seat in form.seats]
    ([0, 2, 1], [4, 4, 4, 4, 10, 4, 32])
    >>> form.opinions({2: 1.0, 3: -2.0}).mixed == learner.score_one({2: 1.0, 3: -2.0})
    True
    """

    members: tuple[Member, ...]
    n_features: int
    #: The features that were seen, increasing.
    columns: NDArray[np.int32]
    #: For each of these the weight that each member has that needs no narrow stream, in single
    #: precision.
    weights: NDArray[np.float32]
    #: For each of these one over its largest absolute value.
    shrink: NDArray[np.float64]
    #: For each of these members, the weight of the constant feature.
    bias: NDArray[np.float32]
    standard: StandardColumns
    #: The weights of each member for narrow streams that has not left; the constant comes first.
    seats: tuple[NDArray[np.float64], ...]
    rounds: float
    #: For each member: the sum of its squared scores, its slope.
    square: NDArray[np.float64]
    slope: NDArray[np.float64]
    #: What the constant and then each member weighs in the combination.
    share: NDArray[np.float64]
    #: What each expert weighs in the mixture, at the start (as in the average) and now: the
    #: members, their average, the combination.
    prior: NDArray[np.float64]
    belief: NDArray[np.float64]

    def lines(self, columns: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where the features stand among those that were seen; -1 for one that was not."""
        at = np.searchsorted(self.columns, columns)
        known = np.append(self.columns, -1)[at] == columns
        return np.where(known, at, -1)

    def views(self, row: dict[int, float]) -> dict[str, NDArray[np.float32]]:
        """The values of a row by increasing column, as members see them, by the name of the view.

        Columns at `n_features` or above must have been left out.
        """
        column = np.array(sorted(row), np.int32)
        value = np.array([row[i] for i in sorted(row)], np.float64)
        line, size = self.lines(column), np.abs(value)
        known = np.where(line < 0, UNSEEN, np.append(self.shrink, UNSEEN)[line])
        with np.errstate(over="ignore"):
            shrink = np.minimum(known, 1.0 / size)
        squares, sizes = _sum((size * shrink) * (size * shrink)), _sum(size)
        unit = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
        share = 1.0 / sizes if sizes > 1e-300 else 0.0
        scaled, sign = value * shrink, np.sign(value).astype(np.float32)
        return {
            "scaled": scaled.astype(np.float32),
            "presence": sign,
            "unit": (scaled * unit).astype(np.float32),
            "root": np.sqrt((size * share).astype(np.float32)) * sign,
        }

    def opinions(self, row: dict[int, float]) -> Opinions:
        """What everybody says about a row, given by columns; to the bit what the learner says."""
        row = {i: x for i, x in row.items() if i < self.n_features and x}
        views = self.views(row)
        line = self.lines(np.array(sorted(row), np.int32))
        weights = np.vstack((self.weights, np.zeros_like(self.bias)))[line]
        scores = np.zeros(len(self.members))
        lanes = len(self.bias)
        for m, member in enumerate(self.members[:lanes]):
            total = np.float32(0.0)
            for part in weights[:, m] * views[member.rows]:
                total = total + part
            scores[m] = total + self.bias[m]
        shown = self.standard.views(row) if self.seats else {}
        for m, seat in enumerate(self.seats, lanes):
            rows = self.members[m].rows
            scores[m] = in_four_parts(rows, seat * shown[rows])
        return self.mixture(scores)

    def mixture(self, scores: NDArray[np.float64]) -> Opinions:
        """The experts' opinions from the scores of the members."""
        present = len(self.bias) + len(self.seats)
        square = (self.square + scores * scores) / (self.rounds + 1.0)
        standard = np.zeros(len(scores))
        heard = (square > 0.0) & (np.arange(len(scores)) < present)
        standard[heard] = np.clip(scores[heard] / np.sqrt(square[heard]), -FAR, FAR)
        odds = np.clip(self.slope * standard, -SURE, SURE)
        weight = self.prior[:present]
        average = _sum(weight * odds[:present]) / _sum(weight) if present else 0.0
        best = _sum(self.share * np.append(LEVEL, odds))
        odds = np.append(odds, [average, np.clip(best, -SURE, SURE)])
        power = exponential(-np.abs(odds))
        leans = np.where(odds < 0.0, -1.0, 1.0) * ((1.0 - power) / (1.0 + power))
        return Opinions(scores, odds, leans, _sum(self.belief * leans))

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row."""
        return np.array([self.opinions(row).mixed for row in rows])


def exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """e^x from additions and products alone, so that every machine has the same bits.

    >>> exponential(np.array([0.0, -1.0])).tolist()
    [1.0, 0.36787944117144233]
    """
    k = (x * PER_LN2 + SHIFTER) - SHIFTER
    r = (x - k * LN2) - k * REST
    total = np.full(len(x), TERMS[0])
    for term in TERMS[1:]:
        total = total * r + term
    return np.asarray(np.ldexp(total, k.astype(np.int64)))


def _sum(parts: NDArray[np.float64]) -> float:
    """The sum from left to right; NumPy's own adds in pairs."""
    return float(np.cumsum(parts)[-1]) if len(parts) else 0.0
