r"""What the log-odds of a committee are made of, feature by feature.

A feature adds :math:`\sum_m a_m b_m w_{m,i} x_{m,i} / s_m` to the log-odds of the fitted
combination: over all members, its share :math:`a`, its slope :math:`b`, the weight, the value as
the member sees it, and the root mean square :math:`s` of the member's scores, this row included.
What follows is no sum over features, and is told apart: "clipping", where a member or the
combination is surer than it may be; "mixing", from the log-odds of the combination to those of
the mixture of all experts; and "rounding", because members add up in single precision.

Members for narrow streams see columns that a row does not have, too, as far below or above the mean
as 0 is: such a column has the value 0, and adds something all the same. What a product of two
columns adds is halved between them.
"""

from __future__ import annotations

from dataclasses import replace
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
    rows: Rows,
    heard: Heard,
    of: Shares,
    form: CommitteeForm,
    experts: tuple[tuple[str, float], ...],
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
    places = Places(rows.row_start, rows.column, rows.value, adds)
    if form.seats:
        places, always = with_seats(rows, adds, form, factor[:, lanes:])
        constant = constant + always
    summed = np.einsum("tm,tm->t", score, factor)
    combined = heard.odds[:, n + 1]
    total = np.log1p(heard.mixed) - np.log1p(-heard.mixed)
    silent = np.repeat(total[:, None], len(experts) - n - 2, axis=1)
    weight = np.full(len(places.value), np.nan)
    np.divide(places.adds, places.value, out=weight, where=places.value != 0.0)
    found = ScoreParts(
        row_start=places.row_start,
        column=places.column,
        value=places.value,
        # Members see it in ways of their own; the weight is what their parts come to.
        seen=places.value,
        weight=weight,
        adds=places.adds,
        constant=constant,
        total=total,
        log_odds=True,
        experts=experts,
        # Who left says what the mixture says.
        opinions=np.hstack([heard.odds[:, :n], silent, heard.odds[:, n : n + 2]]),
    )
    others = {
        "clipping": combined - summed,
        "mixing": total - combined,
        "rounding": summed - found.sums(),
    }
    return replace(found, others=others)


class Places(NamedTuple):
    """Features of rows, as in `ScoreParts`: those of a row that it lacks have the value 0."""

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    adds: NDArray[np.float64]


def with_seats(
    rows: Rows, adds: NDArray[np.float64], form: CommitteeForm, factor: NDArray[np.float64]
) -> tuple[Places, NDArray[np.float64]]:
    """What members in lanes and in seats add for features, and those in seats for the constant."""
    constant, starts = np.zeros(len(rows)), [0]
    column: list[int] = []
    value: list[float] = []
    all_adds: list[float] = []
    for t, given in enumerate(rows):
        inside = slice(int(rows.row_start[t]), int(rows.row_start[t + 1]))
        found = dict(zip(given, adds[inside].tolist(), strict=True))
        constant[t], *by_slot = seat_adds(given, form, factor[t])
        for slot, own in zip(form.standard.columns.tolist(), by_slot, strict=True):
            if own or slot in found:
                found[slot] = found.get(slot, 0.0) + own
        column += sorted(found)
        value += [given.get(i, 0.0) for i in sorted(found)]
        all_adds += [found[i] for i in sorted(found)]
        starts.append(len(column))
    places = Places(
        np.array(starts, np.int64), np.array(column, np.int32), np.array(value), np.array(all_adds)
    )
    return places, constant


def seat_adds(
    row: dict[int, float], form: CommitteeForm, factor: NDArray[np.float64]
) -> list[float]:
    """What the members in seats add for each slot of a row, the constant first."""
    z = form.standard.z(row)
    by_slot = np.zeros(len(z))
    for m, weight in enumerate(form.seats):
        seen = form.members[len(form.bias) + m].rows
        each = factor[m] * (weight * seen_in_seat(seen, z))
        by_slot += halved(each, len(z)) if seen == "pairs" else each
    found: list[float] = by_slot.tolist()
    return found


def halved(products: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """What each of n slots has of their products: one half, or all of those with the constant.

    >>> halved(np.array([1.0, 2.0, 3.0]), 2).tolist()
    [1.0, 5.0]
    """
    one, other = np.tril_indices(n)
    half = np.where(other == 0, 1.0, 0.5)
    own = np.bincount(one, half * products, n)
    return np.asarray(own + np.bincount(other, (1.0 - half) * products, n))
