"""Potential: what the proof behind a learner follows, and the most it may be, update by update."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thresher.proofs.report import Audit, short

if TYPE_CHECKING:
    from thresher.pictures import Svg

Number = Fraction | float


class _Columns(NamedTuple):
    """Where an audit writes down the potential, what that is, and what limits it."""

    column: str
    name: str
    most: str | None = None
    limit: str = ""


COLUMNS = {
    "perceptron": _Columns(
        "norm_squared", "‖w‖²", "sum_of_squares", "S, the sum of ‖x‖² over the updates"
    ),
    "winnow": _Columns(
        "total_weight", "sum of the weights", None, "what promotions add and demotions leave"
    ),
    "normalized_winnow": _Columns(
        "potential", "sum of ln Z", "potential_envelope", "M ln cosh(ηX)"
    ),
    "signed_winnow": _Columns("potential", "sum of ln Z", "potential_envelope", "M ln cosh(ηX)"),
    "weighted_majority": _Columns(
        "total_weight", "sum of the weights", "most_weight", "N ((1 + b)/2)^M"
    ),
    "randomized_weighted_majority": _Columns("total_weight", "sum of the weights"),
    "elimination": _Columns("size", "features left"),
    "conjunction": _Columns("size", "literals left"),
    "halving": _Columns("version_space", "concepts left", "most_concepts", "|C| / 2^M"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Potential:
    """The potential of a run after each of its updates, and what the proof allows at most.

    Of the Perceptron it is the squared length of the weights, which is at most the sum of the
    squared lengths of the rows it was wrong on. Of Winnow it is the sum of the weights: they begin
    with n, a false negative adds less than beta times the threshold, and a false positive takes
    away at least beta/(1 + beta) times it.
    """

    #: What it is, and what it may be at most, in a few signs; the latter empty if nobody knows.
    name: str
    limit: str
    #: Rounds of the updates, counted from 1.
    rounds: tuple[int, ...]
    values: tuple[Number, ...]
    most: tuple[Number, ...] | None
    #: What a declared comparator makes it at least; None where there is none, or it does not fit.
    least: tuple[Number, ...] | None = None

    def after(self, round_number: int) -> tuple[Number | None, Number | None]:
        """Potential and limit after a round, counted from 1; None where nobody knows."""
        at = bisect_right(self.rounds, round_number) - 1
        if at < 0:
            return None, None
        return self.values[at], None if self.most is None else self.most[at]


def potential_of(audit: Audit) -> Potential | None:
    """What an audit followed; None where no potential is known.

    >>> import thresher as th
    >>> learner = th.Perceptron(n_features=2)
    >>> _ = learner.learn([[1, 1], [1, 0], [0, 1]], [-1, 1, 1])
    >>> found = potential_of(learner.audit())
    >>> [found.after(t) for t in (1, 2)]
    [(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(3, 1))]
    """
    columns = COLUMNS.get(audit.algorithm)
    if columns is None or columns.column not in audit.table:
        return None
    most: Any = None
    if "least_demotion" in audit.constants:
        most = _most_weight(audit)
    elif columns.most in audit.table:
        most = audit.table[str(columns.most)]
    return Potential(
        columns.name,
        "" if most is None else columns.limit,
        tuple((np.asarray(audit.table["round"]) + 1).tolist()),
        tuple(map(_number, audit.table[columns.column])),
        None if most is None else tuple(map(_number, most)),
        _least_length(audit),
    )


def _most_weight(audit: Audit) -> list[Any]:
    """What Winnow's weights add up to at most, after so many mistakes of both kinds."""
    constants: dict[str, Any] = dict(audit.constants)
    begun, theta = constants["start_weight"], constants["threshold"]
    gain, loss = constants["alpha"] - 1, constants["least_demotion"]
    kinds = zip(audit.table["false_negatives"], audit.table["false_positives"], strict=True)
    return [begun + theta * (gain * int(m) - loss * int(n)) for m, n in kinds]


def _least_length(audit: Audit) -> tuple[Number, ...] | None:
    """(gamma M)^2 / ||u||^2: what a margin gamma makes the squared length of the weights at least.

    >>> import thresher as th
    >>> learner = th.Perceptron(n_features=2)
    >>> _ = learner.learn([[1, 1], [1, 0], [0, 1]], [-1, 1, -1])
    >>> found = potential_of(learner.audit(comparator=[1, -3]))
    >>> found.least, found.values
    ((Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 1), Fraction(1, 1)))
    """
    constants: dict[str, Any] = dict(audit.constants)
    if "margin_envelope" not in audit.table or constants["margin"] <= 0:
        return None
    length = constants["comparator_norm_squared"]
    return tuple(_number(reach) ** 2 / length for reach in audit.table["margin_envelope"])


def _number(found: Any) -> Number:
    """A number of an audit, exact where it is."""
    if isinstance(found, float | np.floating):
        return float(found)
    return Fraction(int(found) if isinstance(found, np.integer) else found)


def audit_chart(audit: Audit) -> Svg:
    """The potential after each update, and what the proof allows dashed above it.

    >>> import thresher as th
    >>> learner = th.Perceptron(n_features=2)
    >>> _ = learner.learn([[1, 1], [1, 0], [0, 1]], [-1, 1, 1])
    >>> learner.audit().plot()
    Svg(640 x 300: perceptron: ‖w‖² after each of 3 updates)
    """
    # Imported when somebody looks.
    from thresher.pictures import Chart, Line  # noqa: PLC0415

    found = potential_of(audit)
    lines = []
    if found is not None:
        values = [(k, float(value)) for k, value in enumerate(found.values, 1)]
        lines.append(Line(points=values, label=short(found.values[-1]) if values else ""))
    if found is not None and found.most is not None:
        most = [(k, float(value)) for k, value in enumerate(found.most, 1)]
        label = f"at most {short(found.most[-1])}" if most else ""
        lines.append(Line(points=most, label=label, dashed=True, strong=False))
    if found is not None and found.least is not None:
        least = [(k, float(value)) for k, value in enumerate(found.least, 1)]
        label = f"at least {short(found.least[-1])}" if least else ""
        lines.append(Line(points=least, label=label, dashed=True, strong=False))
    name = "no potential" if found is None else found.name
    title = f"{audit.algorithm}: {name} after each of {len(audit)} updates"
    room = (0, 1) if found is not None and found.most is not None else None
    return Chart(lines=lines, title=title, x="updates", room=room).svg()
