"""AuditedRun: what an audit is told about a learner, and the duals along its journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.errors import AuditError

#: Sums of whole numbers below this are exact in 64-bit integers, with room to spare.
LARGEST_WHOLE = 2**61


class Updates(Protocol):
    """The updating rows of a run in compressed form, with their labels, as a batch has them.

    ``round_number`` and ``omitted`` are read where a journal has them.
    """

    @property
    def row_start(self) -> NDArray[np.int64]:
        """Where each row begins; the end of the last row comes last."""

    @property
    def column(self) -> NDArray[np.int32]:
        """The column of each value."""

    @property
    def value(self) -> NDArray[np.float64]:
        """The values."""

    @property
    def label(self) -> NDArray[np.int8]:
        """The label of each row, -1 or +1."""

    def __len__(self) -> int:
        """The number of rows."""


class Audited(Protocol):
    """What a learner shows to an audit."""

    @property
    def name(self) -> str:
        """The algorithm, in snake case."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters as they were given."""

    @property
    def journal(self) -> Updates:
        """The updating rows in order."""

    @property
    def n_features(self) -> int:
        """Number of weights, the constant feature not counted."""

    @property
    def dual(self) -> NDArray[np.float64]:
        """The dual vector, the constant feature last."""

    @property
    def false_negatives(self) -> int:
        """Mistakes on positive rows."""

    @property
    def false_positives(self) -> int:
        """Mistakes on negative rows."""


@dataclass(frozen=True, slots=True, eq=False)
class AuditedRun:
    """A run to be audited: an algorithm, its parameters and the journal of its updates.

    Parameters
    ----------
    algorithm
        The learner's name in snake case, for instance "winnow".
    n_features
        Number of weights, the constant feature not counted.
    journal
        The updating rows in order. ``round_number`` and ``omitted`` are read if it has them.
    parameters
        As the learner was made; what is missing has the learner's default.
    dual
        The learner's dual vector after the journal, to be compared; None: there is no learner.
    start
        The dual vector before the journal; None: zero.
    counted
        The learner's own counts of false negatives and false positives; None: unknown.
    scores
        The learner's own scores in the rounds of the journal; None: unknown.
    """

    algorithm: str
    n_features: int
    journal: Updates
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dual: NDArray[np.float64] | None = None
    start: NDArray[np.float64] | None = None
    counted: tuple[int, int] | None = None
    scores: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls,
        learner: Audited,
        start: NDArray[np.float64] | None = None,
        scores: NDArray[np.float64] | None = None,
    ) -> AuditedRun:
        """What a learner shows."""
        varied = getattr(learner, "variations", ())
        if varied:
            raise AuditError(
                f"no potential is known for {learner.name!r} with {', '.join(varied)}."
            )
        return cls(
            learner.name,
            learner.n_features,
            learner.journal,
            learner.parameters,
            learner.dual,
            start,
            (learner.false_negatives, learner.false_positives),
            scores,
        )

    @property
    def omitted(self) -> int:
        """Updates missing at the end of the journal."""
        return int(getattr(self.journal, "omitted", 0))

    @property
    def round_number(self) -> NDArray[np.int64] | None:
        """The round of each update, where the journal tells."""
        return getattr(self.journal, "round_number", None)

    def parameter(self, name: str, default: Any) -> Any:
        """A parameter, or what the learner takes when it is not given."""
        value = self.parameters.get(name)
        return default if value is None else value


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The journal's non-zeros with the dual of each just before and just after its update.

    ``before`` and ``after`` are int64 where rows (and the start) are whole numbers, float64
    elsewhere. ``travelled`` bounds what rounding can have done to them: the absolute values
    added up. The cost is that of sorting the non-zeros once.
    """

    row_start: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: NDArray[Any]
    label: NDArray[np.int64]
    before: NDArray[Any]
    after: NDArray[Any]
    travelled: NDArray[np.float64]

    @property
    def whole(self) -> bool:
        """Whether the duals are exact whole numbers."""
        return self.before.dtype == np.int64

    def __len__(self) -> int:
        return len(self.label)

    def row_sums(self, term: NDArray[Any]) -> NDArray[Any]:
        """The sum over each row of a quantity given per non-zero; 0 for an empty row."""
        if term.dtype == object:
            sums = np.zeros(len(self), object)
        else:
            sums = np.zeros(len(self), term.dtype)
        busy = np.flatnonzero(np.diff(self.row_start) > 0)
        if len(busy):
            sums[busy] = np.add.reduceat(term, self.row_start[busy])
        return sums

    def dots(self, u: NDArray[Any]) -> NDArray[Any]:
        """<u, x> for each row."""
        return self.row_sums(u[self.column] * self.value)


def trail(
    run: AuditedRun,
    *,
    bias: bool = False,
    step: NDArray[Any] | None = None,
    segment: NDArray[np.int64] | None = None,
) -> Trail:
    """The duals along the journal of a run.

    Parameters
    ----------
    bias
        Whether a constant feature belongs to every row; its column is ``n_features``.
    step
        What each non-zero adds to its dual; the label times the value unless given.
    segment
        A number for each update; where it changes, all duals start again at zero.
    """
    journal = run.journal
    start, column, value = journal.row_start, journal.column.astype(np.int64), journal.value
    if bias:
        stops = start[1:]
        column = np.insert(column, stops, run.n_features)
        value = np.insert(value, stops, 1.0)
        start = start + np.arange(len(start))
    row = np.repeat(np.arange(len(journal)), np.diff(start))
    label = journal.label.astype(np.int64)
    whole = bool(np.all(value == np.rint(value))) and bool(np.all(np.abs(value) <= 2.0**20))
    first = np.zeros(1)
    if run.start is not None:
        first = np.asarray(run.start, np.float64)
        alive = first[np.isfinite(first)]
        whole &= bool(np.all(alive == np.rint(alive)) and np.all(np.abs(alive) < 2.0**40))
    if whole:
        value = value.astype(np.int64)
    moved: NDArray[Any] = label[row] * value if step is None else step
    piece = np.zeros(len(row), np.int64) if segment is None else segment[row]
    order = np.lexsort((row, column, piece))
    run_id = _run_ids(piece[order], column[order])
    after = np.empty_like(moved)
    after[order] = _sums_within(moved[order], run_id)
    travelled = np.empty(len(row))
    travelled[order] = _sums_within(np.abs(moved[order]).astype(np.float64), run_id)
    if run.start is not None:
        origin = np.where(np.isfinite(first), first, 0.0)[column]
        after = after + (origin.astype(np.int64) if whole else origin)
        travelled += np.abs(origin)
    return Trail(start, row, column, value, label, after - moved, after, travelled)


def totals(column: NDArray[np.int64], term: NDArray[Any], n_columns: int) -> NDArray[np.float64]:
    """The sum of the terms of each column."""
    return np.asarray(np.bincount(column, term, n_columns), np.float64)


def _run_ids(*keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Consecutive numbers for the stretches of equal keys."""
    if not len(keys[0]):
        return np.zeros(0, np.int64)
    fresh = np.zeros(len(keys[0]), bool)
    for key in keys:
        fresh[1:] |= key[1:] != key[:-1]
    return np.cumsum(fresh)


def _sums_within(term: NDArray[Any], run_id: NDArray[np.int64]) -> NDArray[Any]:
    """Running sums that start again with each run.

    Whole numbers by one running sum; floats by doubling the reach of each partial sum, so
    that the error grows with the logarithm of a run's length and not with its neighbours.

    >>> _sums_within(np.array([1.0, 2.0, 4.0, 8.0]), np.array([0, 0, 1, 1])).tolist()
    [1.0, 3.0, 4.0, 12.0]
    """
    if not len(term):
        return term.copy()
    first = np.searchsorted(run_id, np.arange(run_id[-1] + 1))
    if term.dtype == np.int64:
        total = np.cumsum(term)
        whole: NDArray[Any] = total - (total[first] - term[first])[run_id]
        return whole
    sums = term.copy()
    longest = int(np.max(np.diff(np.append(first, len(term)))))
    reach = 1
    while reach < longest:
        joined = run_id[reach:] == run_id[:-reach]
        # The right-hand side is evaluated before anything is written.
        sums[reach:] = sums[reach:] + np.where(joined, sums[:-reach], 0.0)
        reach *= 2
    return sums
