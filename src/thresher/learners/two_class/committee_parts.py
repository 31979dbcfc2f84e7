r"""What the log-odds of a committee are made of, feature by feature.

A feature adds :math:`\sum_m a_m b_m w_{m,i} x_{m,i} / s_m` to the log-odds of the fitted
combination: over all members, its share :math:`a`, its slope :math:`b`, the weight, the value as
the member sees it, and the root mean square :math:`s` of the member's scores, this row included.
What follows is no sum over features, and is told apart: "clipping", where a member or the
combination is surer than it may be; "mixing", from the log-odds of the combination to those of
the mixture of all experts; and "rounding", because members add up in single precision.

Members for narrow streams see columns that a row does not have too, as far from the mean as 0 is.
What they say of a row without any is part of the constant, and a feature adds what it changes in
that; what a product of two features changes is halved between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.score_parts import ScoreParts
from thresher.learners.two_class.committee_form import LEVEL
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.learners.base.standing import Standing
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
    """What makes log-odds of scores: for each member present, and how many rounds there were.

    The share of the constant comes before those of the members.
    """

    share: NDArray[np.float64]
    slope: NDArray[np.float64]
    square: NDArray[np.float64]
    rounds: int


def parts_of(
    rows: Rows,
    heard: Heard,
    of: Shares,
    form: CommitteeForm,
    experts: tuple[Standing, ...],
) -> ScoreParts:
    """The parts of rows, by what the engine tells of them."""
    n, lanes = len(of.slope), len(form.bias)
    score = heard.score[:, :n]
    scale = np.sqrt((of.square + score * score) / (of.rounds + 1.0))
    factor = of.share[1:] * of.slope / np.where(scale > 0.0, scale, np.inf)
    row = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
    part = heard.part[:, :lanes].astype(np.float64)
    adds = np.einsum("km,km->k", part, factor[row][:, :lanes])
    level = of.share[0] * LEVEL
    constant = level + factor[:, :lanes] @ heard.bias[:lanes].astype(np.float64)
    if form.seats:
        own, always = seat_parts(rows, form, factor[:, lanes:])
        adds, constant = adds + own, constant + always
    summed = level + np.einsum("tm,tm->t", score, factor)
    combined = heard.odds[:, n + 1]
    total = np.log1p(heard.mixed) - np.log1p(-heard.mixed)
    with np.errstate(over="ignore"):
        # A value may be too small for the weight to be a number.
        weight = adds / rows.value
    silent = np.repeat(total[:, None], len(experts) - n - 2, axis=1)
    return ScoreParts(
        row_start=rows.row_start,
        column=rows.column,
        value=rows.value,
        # Members see it in ways of their own; the weight is what their parts come to.
        seen=rows.value,
        weight=weight,
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
        # Who left says what the mixture says.
        opinions=np.hstack([heard.odds[:, :n], silent, heard.odds[:, n : n + 2]]),
    )


def seat_parts(
    rows: Rows, form: CommitteeForm, factor: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the members in seats add for each value of the rows, and to a row without any."""
    lanes, slot = len(form.bias), {int(c): i for i, c in enumerate(form.standard.columns, 1)}
    adds, constant = np.zeros(len(rows.column)), np.zeros(len(rows))
    without = form.standard.views({})
    for t, given in enumerate(rows):
        shown, here = form.standard.views(given), np.zeros(len(slot) + 1, bool)
        places = [slot.get(int(column), 0) for column in given]
        here[places] = True
        here[0] = False
        by_slot = np.zeros(len(here))
        for m, weight in enumerate(form.seats):
            seen = form.members[lanes + m].rows
            each = factor[t, m] * (weight * (shown[seen] - without[seen]))
            if seen == "pairs":
                each = divided(each, here)
            by_slot += each.reshape(len(here), -1).sum(axis=1)
            constant[t] += factor[t, m] * float(weight @ without[seen])
        by_slot[0] = 0.0
        adds[rows.row_start[t] : rows.row_start[t + 1]] = by_slot[places]
    return adds, constant


def divided(products: NDArray[np.float64], here: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What the slots that are here have of their products: all, or a half if the other is too.

    >>> divided(np.array([0.0, 2.0, 3.0, 0.0, 5.0, 0.0]), np.array([False, True, False])).tolist()
    [0.0, 10.0, 0.0]
    """
    one, other = np.tril_indices(len(here))
    both = here[one] & here[other] & (one != other)
    part = np.where(both, 0.5, 1.0) * products
    own = np.bincount(one, part * here[one], len(here))
    distinct = here[other] & (one != other)
    return np.asarray(own + np.bincount(other, part * distinct, len(here)))
