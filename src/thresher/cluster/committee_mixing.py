"""From committees that learned apart to one, in shard order and reproducibly.

Features have slots in the order in which one machine would have met them: those of before, then
those that the first shard met, then those new to the second. The members in lanes are combined
feature by feature, by the rules that `rules` states: arow by precision, adagrad by squares, means
by counts, which is what one machine would have counted. Largest values are those of all shards.
Members for narrow streams are in `seat_mixing`, what is made of the members in `expert_mixing`.
No theorem is known for any of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.expert_mixing import mixed_experts
from thresher.cluster.rules import EVERYWHERE, by_counts, by_squares, by_variances
from thresher.cluster.seat_mixing import Columns, mixed_columns, mixed_seats, seats_that_stay
from thresher.kernels.engines.committee import MOST_LANES, RULES, STARTS
from thresher.learners.base.shared_numbers import SharedCommittees
from thresher.learners.two_class.committee_members import Member, seat_of
from thresher.records import record

Floats = NDArray[np.float32]
Numbers = NDArray[np.float64]
WIDTH = 2 * MOST_LANES
#: So many lines of all shards are worked on together.
TOGETHER = 1 << 15
#: How many parts a committee's other state has before its seats begin.
BEFORE_SEATS = 12


@record(eq=False)
class CommitteesChange:
    """What a shard did to committees that see the same rows."""

    #: Slots from before whose largest value or some line differs in some bit, and these now.
    where: NDArray[np.int64]
    shrink: Numbers
    lines: Floats
    #: Features that are new, in the order of their slots, with the same.
    column: NDArray[np.int32]
    new_shrink: Numbers
    new_lines: Floats
    #: Whether all values were ones; the number of columns and rows; means and squared distances.
    columns: tuple[bool, NDArray[np.float64], Numbers, Numbers]
    #: Of each committee all that is no feature, what it has counted here, and whether rows counted
    #: more or less than others.
    own: tuple[tuple[tuple[Any, ...], tuple[int, int, int, int], bool], ...]

    @classmethod
    def between(cls, before: SharedCommittees, after: SharedCommittees) -> CommitteesChange:
        """From one state to a later one; a committee that was not there began as the first did."""
        _, _, column, shrink, *_, lines = after.features
        old_shrink, old_lines = before.features[3], before.features[-1]
        known, n_before = len(old_shrink), len(before.own)
        differs = old_shrink.view(np.int64) != shrink[:known].view(np.int64)
        for place in range(len(after.own)):
            base = place if place < n_before else 0
            old, new = (_bits(_of_place(x, p)) for x, p in ((old_lines, base), (lines, place)))
            for first in range(0, known, TOGETHER):
                part = slice(first, min(first + TOGETHER, known))
                differs[part] |= (old[part] != new[part]).any(axis=1)
        where = np.flatnonzero(differs)
        counted = []
        for place, (other, counts, weighted) in enumerate(after.own):
            then = before.own[place if place < n_before else 0][1]
            rounds, negatives, positives, close = (a - b for a, b in zip(counts, then, strict=True))
            counted.append((other, (rounds, negatives, positives, close), weighted))
        return cls(
            where,
            shrink[where],
            lines[where],
            column[known:],
            shrink[known:],
            lines[known:],
            (after.features[1], *after.features[4:7]),
            tuple(counted),
        )

    @property
    def mistakes(self) -> int:
        """Rounds in which the first committee was wrong."""
        return self.own[0][1][1] + self.own[0][1][2]

    @property
    def n_bytes(self) -> int:
        """About what it takes to send it."""
        arrays: list[Any] = [self.where, self.shrink, self.lines, *self.columns[1:]]
        arrays += [self.column, self.new_shrink, self.new_lines]
        arrays += [part for other, *_ in self.own for part in other]
        return sum(array.nbytes for array in arrays)


def mixed_committees(
    before: SharedCommittees,
    changes: Sequence[CommitteesChange],
    base: Sequence[int] = (0,),
    places: Sequence[Sequence[int]] | None = None,
) -> SharedCommittees:
    """What shards come to together, given in their order; one alone is left as it is.

    Committee c of the result was committee ``base[c]`` before, and ``places[s][c]`` in shard s.
    """
    places = [[0]] * len(changes) if places is None else places
    n_features, _, known, *_ = before.features
    column, slots = _slots(known, [change.column for change in changes])
    shrink, lines = _mixed_lines(before, changes, (base, places), column, slots)
    plain = all(change.columns[0] for change in changes)
    if len(changes) == 1:
        (change,) = changes
        features = (n_features, plain, column, shrink, *change.columns[1:], lines)
        was = [before.own[b][1] for b in base]
        own = [change.own[place] for place in places[0]]
        left = [(o, _sums(then, [now]), w) for then, (o, now, w) in zip(was, own, strict=True)]
        return SharedCommittees(members=before.members, features=features, own=tuple(left))
    # A column has the same slot in all shards up to those that are new in each.
    began = Columns.of(before.features[4:7], np.arange(len(known)), len(column))
    ended = [
        Columns.of(change.columns[1:], own, len(column))
        for change, own in zip(changes, slots, strict=True)
    ]
    columns = mixed_columns(began, ended)
    mixed = []
    for c, b in enumerate(base):
        then = before.own[b]
        now = [change.own[own[c]] for change, own in zip(changes, places, strict=True)]
        others = [(own, columns_) for (own, *_), columns_ in zip(now, ended, strict=True)]
        other = _mixed_other(before.members, (then[0], began), others, columns)
        weighted = then[2] or any(w for *_, w in now)
        mixed.append((other, _sums(then[1], [counts for _, counts, _ in now]), weighted))
    features = (n_features, plain, column, shrink, *columns.parts(), lines)
    return SharedCommittees(members=before.members, features=features, own=tuple(mixed))


def _sums(
    then: tuple[int, int, int, int], now: Sequence[tuple[int, int, int, int]]
) -> tuple[int, int, int, int]:
    rounds, negatives, positives, close = map(sum, zip(then, *now, strict=True))
    return rounds, negatives, positives, close


# ---- features ----------------------------------------------------------------------------------


def _of_place(lines: Floats, place: int) -> Floats:
    """The lines of one of the committees."""
    return lines[:, WIDTH * place : WIDTH * (place + 1)]


def _bits(lines: Floats) -> NDArray[np.int32]:
    return lines.view(np.int32)


def _slots(
    known: NDArray[np.int32], new: Sequence[NDArray[np.int32]]
) -> tuple[NDArray[np.int32], list[NDArray[np.int64]]]:
    """The column of each slot, and in which slots the columns of each shard are."""
    every = np.concatenate([np.zeros(0, np.int32), *new])
    distinct, first = np.unique(every, return_index=True)
    order = np.argsort(first)
    column = np.concatenate([known, distinct[order]])
    slot = np.empty(len(distinct), np.int64)
    slot[order] = len(known) + np.arange(len(distinct))
    old = np.arange(len(known))
    return column, [np.append(old, slot[np.searchsorted(distinct, own)]) for own in new]


def _mixed_lines(
    before: SharedCommittees,
    changes: Sequence[CommitteesChange],
    at: tuple[Sequence[int], Sequence[Sequence[int]]],
    column: NDArray[np.int32],
    slots: Sequence[NDArray[np.int64]],
) -> tuple[Numbers, Floats]:
    """Largest values and lines, slot by slot."""
    base, places = at
    *_, old = before.features
    known = len(old)
    # One over the largest value: the least of all.
    shrink = np.append(before.features[3], np.full(len(column) - known, np.inf))
    touched = np.zeros(len(column), bool)
    touched[known:] = True
    wheres = []
    for change, own in zip(changes, slots, strict=True):
        where = np.append(change.where, own[known:])
        np.minimum.at(shrink, where, np.append(change.shrink, change.new_shrink))
        touched[where] = True
        wheres.append(where)
    # The new features of a shard may stand here in another order.
    orders = [np.argsort(where) for where in wheres]
    lines = np.empty((len(column), WIDTH * len(base)), np.float32)
    fresh, marked = _fresh(before.members), np.flatnonzero(touched)
    for c, b in enumerate(base):
        mine = _of_place(lines, c)
        mine[:known], mine[known:] = _of_place(old, b), fresh
        theirs = [
            np.concatenate([_of_place(change.lines, own[c]), _of_place(change.new_lines, own[c])])
            for change, own in zip(changes, places, strict=True)
        ]
        if len(changes) == 1:
            mine[wheres[0]] = theirs[0]
            continue
        for first in range(0, len(marked), TOGETHER):
            block = marked[first : first + TOGETHER]
            shards = []
            for where, order, changed in zip(wheres, orders, theirs, strict=True):
                inside = slice(*np.searchsorted(where[order], [block[0], block[-1] + 1]))
                these = order[inside]
                shards.append((np.searchsorted(block, where[these]), changed[these]))
            mine[block] = mixed_lines(before.members, mine[block], shards)
    return shrink, lines


def _fresh(members: Sequence[Member]) -> Floats:
    """The line of a feature that was never learned from."""
    rules = [member.rule for member in members if seat_of(member) < 0]
    starts = [STARTS[RULES.index(rule)] for rule in rules]
    return np.array([0.0] * MOST_LANES + starts + [1.0] * (MOST_LANES - len(rules)), np.float32)


def mixed_lines(
    members: Sequence[Member],
    old: Floats,
    shards: Sequence[tuple[NDArray[np.int64] | slice, Floats]],
) -> Floats:
    """Lines of features, or that of the constant, as the members in lanes combine them.

    Of each shard the lines that it changed: which they are, and what they have become.
    """
    found = old.copy()
    lanes = [member.rule for member in members if seat_of(member) < 0]
    for rule, alike in groupby(range(len(lanes)), key=lanes.__getitem__):
        first, *more = alike
        own = slice(first, first + len(more) + 1)
        other = slice(MOST_LANES + own.start, MOST_LANES + own.stop)
        each = [(at, _double(line[:, own]), _double(line[:, other])) for at, line in shards]
        found[:, own], found[:, other] = MEMBERS[rule](
            _double(old[:, own]), _double(old[:, other]), each
        )
    # No zero has a sign: then it does not matter whether a line that nobody changed is among these.
    return found + np.float32(0.0)


def _double(part: Floats) -> Numbers:
    return part.astype(np.float64)


#: How the members of each rule are combined, from `rules`.
MEMBERS = {"arow": by_variances, "adagrad": by_squares, "means": by_counts}


# ---- what is no feature ------------------------------------------------------------------------


def _mixed_other(
    members: tuple[Member, ...],
    then: tuple[tuple[Any, ...], Columns],
    now: Sequence[tuple[tuple[Any, ...], Columns]],
    columns: Columns,
) -> tuple[Any, ...]:
    """What a committee keeps beside its features."""
    (totals, bias, *parts), began = then
    lanes = sum(seat_of(member) < 0 for member in members)
    gained = [other[0] - totals for other, _ in now]
    whole = totals.copy()
    for more in gained:
        whole[:4] += more[:4]
    stay = seats_that_stay(members[lanes:], [other[0][4] for other, _ in now], columns, lanes)
    whole[4] = lanes + stay
    biases = [(EVERYWHERE, other[1].reshape(1, -1)) for other, _ in now]
    line = mixed_lines(members, bias.reshape(1, -1), biases)[0]
    experts = mixed_experts(
        tuple(parts[: BEFORE_SEATS - 2]),
        [other[2:BEFORE_SEATS] for other, _ in now],
        rows=[float(more[0]) for more in gained],
        present=lanes + stay,
    )
    seats = mixed_seats(
        members[lanes : lanes + stay],
        (then[0][BEFORE_SEATS:], began),
        [(other[BEFORE_SEATS:], own) for other, own in now],
        columns,
    )
    return (whole, line, *experts, *seats)
