"""Audit: the table of a run, the statements checked on it, and the first failure of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from thresher.pictures import Svg

Column = NDArray[Any]

#: Rows of the table that `str` shows at either end.
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Failure:
    """The first place at which a statement is false.

    ``update`` counts the journal from 0; ``round_number`` is the place in the stream, or None
    for a journal that does not tell. ``update`` is -1 where the statement is about the run as
    a whole. ``left`` and ``right`` are the two sides.
    """

    update: int
    round_number: int | None
    left: object
    right: object
    #: "bug", "data", or "bug or data".
    cause: str
    why: str

    def __str__(self) -> str:
        if self.update < 0:
            where = "in the run as a whole"
        elif self.round_number is None:
            where = f"at update {self.update}"
        else:
            where = f"in round {self.round_number} (update {self.update})"
        return f"{where}: {short(self.left)} against {short(self.right)}; {self.cause}: {self.why}"


@dataclass(frozen=True, slots=True)
class Check:
    """A statement, at how many places it was checked, and where it failed first, if anywhere."""

    name: str
    statement: str
    places: int
    failure: Failure | None
    #: "exact", or what rounding was allowed for.
    arithmetic: str
    kind: ClassVar[str]

    @property
    def holds(self) -> bool:
        """Whether the statement is true at every place."""
        return self.failure is None

    def __str__(self) -> str:
        verdict = f"holds at {self.places} places" if self.holds else f"FAILS {self.failure}"
        return f"{self.kind}: {self.name}: {self.statement}: {verdict} ({self.arithmetic})"


@dataclass(frozen=True, slots=True)
class UniversalInvariant(Check):
    """True on every stream, whatever the labels: a failure is a bug or a changed journal."""

    kind: ClassVar[str] = "universal invariant"


@dataclass(frozen=True, slots=True)
class ComparatorInequality(Check):
    """About a declared target: a failure is a bug, or data that break what was declared."""

    kind: ClassVar[str] = "comparator inequality"


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """What the proof behind a learner follows, at each update of one run.

    ``table`` maps a column's name to one entry per update, in order; entries are ints and
    fractions where the arithmetic is exact, floats elsewhere. ``invariants`` are the
    statements that were checked.
    """

    algorithm: str
    table: Mapping[str, Column]
    invariants: tuple[Check, ...]
    #: Updates that were made but are missing from the journal: what is here is a prefix.
    omitted: int
    #: Numbers of the whole run that the statements refer to: parameters, envelopes, rates.
    constants: Mapping[str, object]
    #: The weight of a feature after each update; see `weight_of`.
    path: Callable[[int], Column] = field(repr=False)

    def __len__(self) -> int:
        return len(self.table["round"])

    @property
    def complete(self) -> bool:
        """Whether every update of the run was audited."""
        return self.omitted == 0

    @property
    def universal(self) -> tuple[Check, ...]:
        """The universal invariants alone."""
        return tuple(c for c in self.invariants if isinstance(c, UniversalInvariant))

    @property
    def about_comparator(self) -> tuple[Check, ...]:
        """The comparator inequalities alone."""
        return tuple(c for c in self.invariants if isinstance(c, ComparatorInequality))

    @property
    def sound(self) -> bool:
        """Whether all universal invariants hold: no bug was found."""
        return all(check.holds for check in self.universal)

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return all(check.holds for check in self.invariants)

    @property
    def first_failure(self) -> Check | None:
        """The statement that fails earliest; what concerns the whole run comes last."""
        failed = [check for check in self.invariants if check.failure is not None]
        return min(failed, key=_earliest, default=None)

    def __getitem__(self, name: str) -> Check:
        """The statement of that name."""
        for check in self.invariants:
            if check.name == name:
                return check
        known = ", ".join(repr(check.name) for check in self.invariants)
        raise KeyError(f"no statement {name!r} was checked; there are {known}")

    def floats(self, column: str) -> NDArray[np.float64]:
        """A column as doubles, for plots."""
        return np.array([float(entry) for entry in self.table[column]], np.float64)

    def weight_of(self, feature: int) -> Column:
        """The weight of one feature after each update."""
        return self.path(feature)

    def rows(self) -> Iterator[tuple[object, ...]]:
        """The table, update by update."""
        return zip(*self.table.values(), strict=True)

    def __str__(self) -> str:
        lines = [f"{self.algorithm}: {len(self)} updates audited"]
        if not self.complete:
            lines[0] += f", {self.omitted} later ones are not in the journal"
        shown = list(range(len(self)))
        if len(self) > 2 * SHOWN:
            shown = shown[:SHOWN] + shown[-SHOWN:]
        columns = [
            [name, *(short(column[k]) for k in shown)] for name, column in self.table.items()
        ]
        wide = [[cell.rjust(max(map(len, cells))) for cell in cells] for cells in columns]
        table = ["  ".join(row) for row in zip(*wide, strict=True)]
        if len(shown) < len(self):
            table.insert(SHOWN + 1, f"... {len(self) - len(shown)} more")
        lines += table
        lines += [str(check) for check in self.invariants]
        return "\n".join(lines)

    def plot(self) -> Svg:
        """The potential after each update, below what limits it, as a picture."""
        from thresher.proofs.envelope import audit_chart  # noqa: PLC0415

        return audit_chart(self)

    def _repr_html_(self) -> str:
        from thresher.pictures import display, sparkline  # noqa: PLC0415
        from thresher.proofs.envelope import potential_of  # noqa: PLC0415

        rows = [
            (f"{'✓' if check.holds else '✕'} {check.name}", str(check).partition(": ")[2])
            for check in self.invariants
        ]
        found = potential_of(self)
        picture = None
        if found is not None:
            points = [(k, float(value)) for k, value in enumerate(found.values, 1)]
            picture = sparkline(points, steps=False)
        return display(f"{self.algorithm}: {len(self):,} updates audited", rows, picture)

    def __repr__(self) -> str:
        failed = sum(not check.holds for check in self.invariants)
        return (
            f"Audit({self.algorithm}, {len(self)} updates, {len(self.invariants)} statements, "
            f"{failed} fail)"
        )


def _earliest(check: Check) -> tuple[bool, int]:
    assert check.failure is not None
    return check.failure.update < 0, check.failure.update


def short(value: object) -> str:
    """A number for people: small fractions as they are, the rest to six digits.

    >>> short(Fraction(19, 2)), short(Fraction(1, 3**9)), short(0.1 + 0.2), short(7)
    ('19/2', '5.08053e-05', '0.3', '7')
    """
    if isinstance(value, Fraction):
        if value.denominator <= 10**4 and abs(value.numerator) <= 10**9:
            return str(value)
        return f"{float(value):.6g}"
    if isinstance(value, int | np.integer):
        return str(int(value)) if abs(int(value)) < 10**15 else f"{float(value):.6g}"
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    return str(value)
