"""Balanced Winnow: no potential is known, so only the bookkeeping is checked.

w+ and w- stay each other's inverse, so one dual holds both. There is no mistake bound and
nothing to compare a target with; see `docs/errata.md`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.errors import ComparatorError
from thresher.proofs.audited_run import AuditedRun, trail
from thresher.proofs.bookkeeping import (
    check_counts,
    check_dual,
    check_mistakes,
    check_order,
    first_columns,
)
from thresher.proofs.ledger import Ledger
from thresher.proofs.potentials.additive import dual_path
from thresher.proofs.powers import EPSILON, Powers, fractions
from thresher.proofs.report import Audit, Column
from thresher.theory.quantities import exactly


def audit_balanced_winnow(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """Scores along a journal."""
    if comparator is not None:
        raise ComparatorError("no inequality about Balanced Winnow and a target is known")
    base = 1 + exactly(run.parameter("beta", 1))
    theta = exactly(run.parameter("threshold", run.n_features))
    path = trail(run)
    powers = Powers.covering(base, path.before, -path.before)
    plus, minus = powers.of(path.before), powers.of(-path.before)
    score = powers.worth(path.row_sums(path.value * (plus - minus)))
    slack: Any = 0
    if not powers.exact:
        width = powers.loss + EPSILON * (len(path) + 8.0) * (1 + powers.rate * path.travelled)
        slack = path.row_sums(width * np.abs(path.value) * (plus + minus)) + EPSILON * float(theta)
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    check_dual(ledger, path)
    check_mistakes(ledger, score, theta if powers.exact else float(theta), slack)
    start = np.zeros(run.n_features) if run.start is None else np.asarray(run.start, np.float64)

    def weight_of(feature: int) -> Column:
        duals = dual_path(path, feature, start)
        return fractions([powers.number(z) - powers.number(-z) for z in duals])

    return Audit(
        run.algorithm,
        first_columns(run) | {"score": score},
        tuple(ledger.checks),
        run.omitted,
        {"alpha": base, "threshold": theta},
        weight_of,
    )
