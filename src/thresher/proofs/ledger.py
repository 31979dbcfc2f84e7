"""Ledger: statements checked at every update, each with its first failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import AuditedRun
from thresher.proofs.report import Check, ComparatorInequality, Failure, UniversalInvariant

#: Says, for an update at which a statement fails, what must be wrong and why.
Blame = Callable[[int], tuple[str, str]]

RELATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "<=": lambda left, right, slack: left <= right + slack,
    "<": lambda left, right, slack: left < right + slack,
    ">=": lambda left, right, slack: left >= right - slack,
    ">": lambda left, right, slack: left > right - slack,
    "==": lambda left, right, slack: abs(left - right) <= slack,
}

A_BUG = ("bug", "this holds on every stream, unless the journal was changed")
OPEN = ("bug or data", "the data may break what was declared")


class Ledger:
    """Collects the statements of one audit."""

    def __init__(self, run: AuditedRun) -> None:
        self.run = run
        self.checks: list[Check] = []

    def universal(
        self,
        name: str,
        sides: tuple[Any, str, Any],
        statement: str,
        *,
        slack: Any = 0,
        at: NDArray[np.int64] | None = None,
    ) -> None:
        """Check a statement that holds on every stream."""
        self._check(UniversalInvariant, (name, statement), sides, slack, at, lambda k: A_BUG)

    def comparator(
        self,
        name: str,
        sides: tuple[Any, str, Any],
        statement: str,
        *,
        slack: Any = 0,
        at: NDArray[np.int64] | None = None,
        blame: Blame = lambda k: OPEN,
    ) -> None:
        """Check a statement about what was declared."""
        self._check(ComparatorInequality, (name, statement), sides, slack, at, blame)

    def whole_run(self, name: str, left: object, right: object, statement: str, why: str) -> None:
        """Compare two numbers of the run as a whole."""
        failure = None
        if left != right:
            failure = Failure(-1, None, left, right, "bug", why)
        self.checks.append(UniversalInvariant(name, statement, 1, failure, "exact"))

    def _check(
        self,
        kind: type[Check],
        words: tuple[str, str],
        sides: tuple[Any, str, Any],
        slack: Any,
        at: NDArray[np.int64] | None,
        blame: Blame,
    ) -> None:
        left, relation, right = sides
        everywhere = np.arange(len(self.run.journal)) if at is None else at
        left, right, slack = (_at(side, at, len(everywhere)) for side in (left, right, slack))
        wrong = np.flatnonzero(~RELATIONS[relation](left, right, slack).astype(bool))
        failure = None
        if len(wrong):
            first = int(wrong[0])
            update = int(everywhere[first])
            rounds = self.run.round_number
            failure = Failure(
                update,
                None if rounds is None else int(rounds[update]),
                left[first],
                right[first],
                *blame(update),
            )
        widest = max((float(s) for s in slack), default=0.0)
        arithmetic = f"in floating point, within {widest:.2g}" if widest else "exact"
        self.checks.append(kind(*words, len(everywhere), failure, arithmetic))


def _at(side: Any, at: NDArray[np.int64] | None, n: int) -> NDArray[Any]:
    """A side of a statement as one entry per place."""
    if isinstance(side, np.ndarray):
        return side if at is None else side[at]
    filled = np.empty(n, object if not isinstance(side, float) else np.float64)
    filled[:] = side
    return filled
