r"""What the log-odds of a committee are made of, feature by feature.

A feature adds :math:`\sum_m a_m b_m w_{m,i} x_{m,i} / s_m` to the log-odds of the fitted
combination: over all members, its share :math:`a`, its slope :math:`b`, the weight, the value as
the member sees it, and the root mean square :math:`s` of the member's scores, this row included.
What follows is no sum over features, and is told apart: "clipping", where a member or the
combination is surer than it may be; "mixing", from the log-odds of the combination to those of
the mixture of all experts; and "rounding", because members add up in single precision.

Members for narrow streams see columns that a row does not have, as far below or above the mean as
0 is: that is told apart too, as "absent". What a product of two columns adds is halved between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.score_parts import ScoreParts
from thresher.learners.two_class.standard_columns import seen_in_seat
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.learners.two_class.committee_form import CommitteeForm


class Heard(NamedTuple):
    """What the engine tells of rows, with a column for each place in the committee."""

    #: What each member adds for the constant feature, and for each value of the rows.
    bias: NDArray[np.float32]
    part: NDArray[np.float32]
    score: NDArray[np.float64]
    #: The log-odds of each expert who is present, the members first.
    odds: NDArray[np.float64]
    #: The score of each row: the probability of +1 minus that of -1.
    mixed: NDArray[np.float64]


class Shares(NamedTuple):
    """What makes log-odds of scores: for each member present, and how many rounds there were."""

    share: NDArray[np.float64]
    slope: NDArray[np.float64]
    square: NDArray[np.float64]
    rounds: int


def parts_of(
    rows: Rows, heard: Heard, of: Shares, form: CommitteeForm, experts: tuple[tuple[str, float], ...]
) -> ScoreParts:
    """The parts of rows, by what the engine tells of them."""
    n, lanes = len(of.share), len(form.bias)
    score = heard.score[:, :n]
    scale = np.sqrt((of.square + score * score) / (of.rounds + 1.0))
    factor = of.share * of.slope / np.where(scale > 0.0, scale, np.inf)
    row = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
    part = heard.part[:, :lanes].astype(np.float64)
    adds = np.einsum("km,km->k", part, factor[row][:, :lanes])
    constant = factor[:, :lanes] @ heard.bias[:lanes].astype(np.float64)
    absent = np.zeros(len(rows))
    if form.seats:
        own, always, absent = seat_parts(rows, form, factor[:, lanes:])
        adds, constant = adds + own, constant + always
    summed = np.einsum("tm,tm->t", score, factor)
    combined = heard.odds[:, n + 1]
    total = np.log1p(heard.mixed) - np.log1p(-heard.mixed)
    silent = np.repeat(total[:, None], len(experts) - n - 2, axis=1)
    others = {
        "absent": absent,
        "clipping": combined - summed,
        "mixing": total - combined,
        "rounding": summed - constant - absent - np.bincount(row, adds, len(rows)),
    }
    if not form.seats:
        del others["absent"]
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
        others=others,
        log_odds=True,
        experts=experts,
        # Who left says what the mixture says.
        opinions=np.hstack([heard.odds[:, :n], silent, heard.odds[:, n : n + 2]]),
    )


def seat_parts(
    rows: Rows, form: CommitteeForm, factor: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What the members in seats add: for each value of the rows; for the constant; for the rest."""
    lanes, slot = len(form.bias), {int(c): i for i, c in enumerate(form.standard.columns, 1)}
    adds, constant, absent = np.zeros(len(rows.column)), np.zeros(len(rows)), np.zeros(len(rows))
    for t, given in enumerate(rows):
        z = form.standard.z(given)
        by_slot = np.zeros(len(z))
        for m, weight in enumerate(form.seats):
            seen = form.members[lanes + m].rows
            each = factor[t, m] * (weight * seen_in_seat(seen, z))
            by_slot += halved(each, len(z)) if seen == "pairs" else each
        constant[t], by_slot[0] = by_slot[0], 0.0
        for k in range(rows.row_start[t], rows.row_start[t + 1]):
            i = slot.get(int(rows.column[k]), 0)
            adds[k], by_slot[i] = by_slot[i], 0.0
        absent[t] = by_slot.sum()
    return adds, constant, absent


def halved(products: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """What each of n slots has of their products: one half, or all of those with the constant.

    >>> halved(np.array([1.0, 2.0, 3.0]), 2).tolist()
    [1.0, 5.0]
    """
    one, other = np.tril_indices(n)
    half = np.where(other == 0, 1.0, 0.5)
    own = np.bincount(one, half * products, n)
    return np.asarray(own + np.bincount(other, (1.0 - half) * products, n))
