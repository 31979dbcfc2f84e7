"""Who sits in a Committee: a rule, its setting, and what it is shown of a row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from thresher.errors import ParameterError
from thresher.kernels.engines.committee import MOST_LANES, MOST_SEATS, RULES, VIEWS
from thresher.kernels.engines.committee_state import SEAT_KINDS


class Member(NamedTuple):
    """One member: a rule, its setting, and what it is shown of a row.

    The rules are "arow" (setting r), "adagrad" on the logistic loss (setting: the rate) and
    "means" (no setting), which takes for the weight of a feature the mean of the labels seen
    with it: naive Bayes, to first order. The rows are "scaled" (each value over the largest of
    its feature so far), "presence" (-1, 0 or 1), "unit" (scaled, then of length 1) or "root"
    (square roots of the values as they came, of length 1).

    While a stream is narrow there may be more, by "arow": "standard" (every column minus its
    mean, over its standard deviation), "squares" (the squares of these, minus 1), "pairs" (all
    products of two of these) and "hats" (each of these through eight functions that are 1 at -1.75,
    -1.25 and so on, and 0 half a unit away: what is learned of a column is a line with corners);
    the rule "matrix" on "standard", which is AROW with the covariance of every two weights; and
    "means" on "standard", which takes for the weight of a column the difference of its means in
    the two classes, over its variance within them (setting: what so many rows without a
    difference would weigh), a linear discriminant.
    """

    rule: str
    setting: float
    rows: str


#: For rows of any width: steps from short to long on each kind of rows, a factor of ten apart;
#: then bolder ones; counts.
WIDE_MEMBERS = (
    Member("arow", 10.0, "scaled"),
    Member("arow", 1.0, "presence"),
    Member("arow", 0.1, "root"),
    Member("arow", 0.01, "unit"),
    Member("adagrad", 1.0, "scaled"),
    Member("adagrad", 0.3, "presence"),
    Member("adagrad", 1.0, "root"),
    Member("means", 1.0, "presence"),
)
#: For the columns of a table.
NARROW_MEMBERS = (
    Member("arow", 10.0, "standard"),
    Member("arow", 100.0, "standard"),
    Member("arow", 10.0, "squares"),
    Member("means", 10.0, "standard"),
    Member("arow", 10.0, "pairs"),
    Member("matrix", 1.0, "standard"),
    Member("arow", 3.0, "hats"),
)
DEFAULT_MEMBERS = (*WIDE_MEMBERS, *NARROW_MEMBERS)


def seat_of(member: Member) -> int:
    """The kind of seat of a member that needs a narrow stream; -1 for others.

    >>> [seat_of(member) for member in DEFAULT_MEMBERS[6:]]
    [-1, -1, 0, 0, 1, 2, 3, 4, 5]
    """
    kind = (member.rule, member.rows)
    return SEAT_KINDS.index(kind) if kind in SEAT_KINDS else -1


def checked_members(owner: str, members: Iterable[tuple[str, float, str]]) -> tuple[Member, ...]:
    """The members as `Member`, or an error that says what is wrong with them.

    Those for narrow streams come last, those of them first that stay longest.
    """
    given: object = members
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ParameterError(owner, "members", "triples (rule, setting, rows)", members)
    found = [checked_member(owner, member) for member in members]
    seated = sum(seat_of(member) >= 0 for member in found)
    if not found or len(found) - seated > MOST_LANES or seated > MOST_SEATS:
        expected = f"up to {MOST_LANES} members, and up to {MOST_SEATS} for narrow streams"
        raise ParameterError(owner, "members", expected, f"{len(found) - seated} and {seated}")
    return tuple(sorted(found, key=seat_of))


def checked_member(owner: str, member: Any) -> Member:
    """One member, its parts checked."""
    if not isinstance(member, tuple | list) or len(member) != 3:
        raise ParameterError(owner, "members", "triples (rule, setting, rows)", member)
    rule, setting, rows = member
    every_rule, every_view = (tuple(dict.fromkeys(kind)) for kind in zip(*SEAT_KINDS, strict=True))
    if rule not in (*RULES, *every_rule):
        raise ParameterError(owner, "the rule of a member", " or ".join((*RULES, "matrix")), rule)
    if rows not in (*VIEWS, *every_view):
        known = " or ".join((*VIEWS, *every_view))
        raise ParameterError(owner, "the rows of a member", known, rows)
    if (rule, rows) not in SEAT_KINDS and (rule not in RULES or rows not in VIEWS):
        fitting = ", ".join(" on ".join(kind) for kind in SEAT_KINDS)
        raise ParameterError(owner, "a member for narrow streams", fitting, f"{rule} on {rows}")
    number = isinstance(setting, int | float | np.number) and not isinstance(setting, bool)
    if not number or not 1e-6 <= setting <= 1e6:
        raise ParameterError(owner, "the setting of a member", "from 1e-6 to 1e6", setting)
    return Member(rule, float(setting), rows)
