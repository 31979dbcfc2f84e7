r"""What the log-odds of a committee are made of, feature by feature.

A feature adds :math:`\sum_m a_m b_m w_{m,i} x_{m,i} / s_m` to the log-odds of the fitted
combination: over all members, its share :math:`a`, its slope :math:`b`, the weight, the value as
the member sees it, and the root mean square :math:`s` of the member's scores, this row included.
What follows is no sum over features, and is told apart: "clipping", where a member or the
combination is surer than it may be; "mixing", from the log-odds of the combination to those of
the mixture of all experts; and "rounding", because members add up in single precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.score_parts import ScoreParts
from thresher.streams.rows import Rows


class Heard(NamedTuple):
    """What the engine tells of rows, with a column for each place in the committee."""

    #: What each member adds for the constant feature, and for each value of the rows.
    bias: NDArray[np.float32]
    part: NDArray[np.float32]
    score: NDArray[np.float32]
    #: The log-odds of each expert, the members first.
    odds: NDArray[np.float64]
    #: The score of each row: the probability of +1 minus that of -1.
    mixed: NDArray[np.float64]


class Shares(NamedTuple):
    """What makes log-odds of scores: for each member, and how many rounds there were."""

    share: NDArray[np.float64]
    slope: NDArray[np.float64]
    square: NDArray[np.float64]
    rounds: int


def parts_of(
    rows: Rows, heard: Heard, of: Shares, experts: tuple[tuple[str, float], ...]
) -> ScoreParts:
    """The parts of rows, by what the engine tells of them."""
    n = len(of.share)
    score = heard.score[:, :n].astype(np.float64)
    scale = np.sqrt((of.square + score * score) / (of.rounds + 1.0))
    factor = of.share * of.slope / np.where(scale > 0.0, scale, np.inf)
    row = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
    adds = np.einsum("km,km->k", heard.part[:, :n].astype(np.float64), factor[row])
    constant = factor @ heard.bias[:n].astype(np.float64)
    summed = np.einsum("tm,tm->t", score, factor)
    combined = heard.odds[:, n + 1]
    total = np.log1p(heard.mixed) - np.log1p(-heard.mixed)
    return ScoreParts(
        row_start=rows.row_start,
        column=rows.column,
        value=rows.value,
        # Members see it in ways of their own; the weight is what their parts come to.
        seen=rows.value,
        weight=adds / rows.value,
        adds=adds,
        constant=constant,
        total=total,
        others={
            "clipping": combined - summed,
            "mixing": total - combined,
            "rounding": summed - constant - np.bincount(row, adds, len(rows)),
        },
        log_odds=True,
        experts=experts,
        opinions=heard.odds[:, : n + 2],
    )
