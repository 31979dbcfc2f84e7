"""Winnow with a threshold: the total weight is spent by demotions and paid for by promotions.

With alpha = 1 + beta, s the score of an updating row, TW the total weight, x in {0, 1}^d:

* (U1) TW = d + (alpha - 1) sum of s over false negatives - (1 - 1/alpha) sum over false positives;
* (U2) a false negative adds less than (alpha - 1) theta;
* (U3) a false positive removes at least (1 - 1/alpha) theta;
* (U4) right after one, TW >= theta/alpha;
* (U5) a weight that was promoted is below alpha theta;
* (U6) m- <= A + alpha m+, A = (alpha d/theta - 1)/(alpha - 1); d may count only the features
  seen in updates.

For x in [0, 1]^d, U1 is an inequality and U5 is not true. With `zeroing` a false positive
removes its whole score, so that m- <= d/theta + (alpha - 1) m+.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import AuditedRun, Trail, totals
from thresher.proofs.bookkeeping import (
    check_counts,
    check_dual,
    check_mistakes,
    check_order,
    compare_duals,
    first_columns,
)
from thresher.proofs.ledger import Ledger
from thresher.proofs.potentials.additive import dual_path
from thresher.proofs.potentials.spending import Spending, heaviest, number, spend, sum_of_powers
from thresher.proofs.potentials.winnow_targets import check_target
from thresher.proofs.powers import fractions
from thresher.proofs.report import Audit, Column


def audit_winnow(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """The total weight and what a declared target does to it, along a journal.

    A comparator is the set of relevant features of a disjunction, or weights u with u.x >= 1
    on positive rows; `margin` is then 1 - rho, where u.x <= rho on negative ones.
    """
    spending = spend(run)
    path, alpha, theta = spending.path, spending.alpha, spending.theta
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    if spending.zeroing:
        _check_zeroed_dual(ledger, path)
    else:
        check_dual(ledger, path)
    check_mistakes(ledger, spending.score, number(theta, spending), spending.slack)
    table: dict[str, Column] = first_columns(run) | {"score": spending.score}
    table |= _check_updates(ledger, spending)
    constants: dict[str, object] = {
        "alpha": alpha,
        "threshold": theta,
        "start_weight": spending.initial,
        "least_demotion": Fraction(1) if spending.zeroing else 1 - 1 / alpha,
    }
    if comparator is not None:
        table |= check_target(ledger, spending, comparator, margin, constants)

    def weight_of(feature: int) -> Column:
        duals = dual_path(path, feature, spending.start)
        weights = [spending.powers.number(z) for z in duals]
        if spending.zeroing:
            hit = path.row[(path.column == feature) & (path.label[path.row] < 0)]
            gone = int(hit.min()) if len(hit) else len(path)
            weights[gone:] = [Fraction(0)] * (len(weights) - gone)
        return fractions(weights)

    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, constants, weight_of)


def _check_updates(ledger: Ledger, spending: Spending) -> dict[str, Column]:
    """U1 to U6, and the columns they speak about."""
    path, alpha, theta = spending.path, spending.alpha, spending.theta
    positive, negative = np.flatnonzero(path.label > 0), np.flatnonzero(path.label < 0)
    gain = number(alpha - 1, spending)
    loss = number(Fraction(1) if spending.zeroing else 1 - 1 / alpha, spending)
    limit = number(theta, spending)
    score, change, total = spending.score, spending.change, spending.total
    slack, total_slack = spending.slack, spending.total_slack
    allowed = np.where(path.label > 0, gain * score, -loss * score)
    paid = np.cumsum(allowed) + spending.initial
    _check_total(ledger, spending, total, paid)
    ledger.universal(
        "U2 promotion",
        (change, "<", gain * limit),
        "a FN adds less than (alpha - 1) theta",
        slack=slack,
        at=positive,
    )
    ledger.universal(
        "U3 demotion",
        (change, "<=", -loss * limit),
        "a FP removes at least (1 - 1/alpha) theta",
        slack=slack,
        at=negative,
    )
    if not spending.zeroing:
        ledger.universal(
            "U4 remainder",
            (total, ">=", limit * number(1 / alpha, spending)),
            "TW >= theta/alpha after a FP",
            slack=total_slack,
            at=negative,
        )
    if spending.binary:
        ledger.universal(
            "U5 ceiling",
            (heaviest(spending, spending.after), "<", number(alpha * theta, spending)),
            "a promoted weight is below alpha theta",
            slack=slack,
            at=positive,
        )
    seen = _seen(spending)
    m_plus, m_minus = np.cumsum(path.label > 0), np.cumsum(path.label < 0)
    ceiling = fractions(
        [_most_demotions(spending, d, int(m)) for d, m in zip(seen, m_plus.tolist(), strict=True)]
    )
    ledger.universal(
        "U6 false positives",
        (m_minus, "<=", ceiling),
        "m- <= A + alpha m+ from the weight of the features seen so far",
        slack=0 if spending.powers.exact else 1e-9 * (1.0 + m_minus),
    )
    return {
        "total_weight": total,
        "paid_for": paid,
        "seen_weight": fractions(seen),
        "false_negatives": m_plus,
        "false_positives": m_minus,
        "most_false_positives": ceiling,
    }


def _check_total(
    ledger: Ledger, spending: Spending, total: NDArray[Any], paid: NDArray[Any]
) -> None:
    """U1: of the learner's own weights for binary rows, update by update for others."""
    run = ledger.run
    words = "d + (alpha - 1) sum of s over FN - (1 - 1/alpha) sum of s over FP"
    if not spending.binary:
        ledger.universal(
            "U1 total weight",
            (total, "<=", paid),
            f"TW <= {words}",
            slack=2 * spending.total_slack,
        )
    elif run.dual is not None and not run.omitted and len(paid) and spending.powers.exact:
        ledger.whole_run(
            "U1 total weight",
            sum_of_powers(spending.powers, run.dual),
            paid[-1],
            f"the learner's weights add up to {words}",
            "an update is missing or changed, or the run did not start where the audit was told",
        )


def _most_demotions(spending: Spending, weight: Any, m_plus: int) -> Any:
    """U6: how many demotions the initial weight and the promotions can pay for."""
    alpha, theta = spending.alpha, spending.theta
    if not spending.powers.exact:
        alpha, theta = float(alpha), float(theta)  # type: ignore[assignment]
    if spending.zeroing:
        return weight / theta + (alpha - 1) * m_plus
    return max(0 * alpha, (alpha * weight / theta - 1) / (alpha - 1) + alpha * m_plus)


def _seen(spending: Spending) -> list[Any]:
    """The initial weight of the features seen in the updates so far; their number, from w = 1."""
    path = spending.path
    fresh = np.zeros(len(path.column), bool)
    fresh[np.unique(path.column, return_index=True)[1]] = True
    start = spending.powers.of(spending.start[path.column])
    gained = spending.powers.worth(path.row_sums(np.where(fresh, start, 0 * start)))
    return list(np.cumsum(gained))


def _check_zeroed_dual(ledger: Ledger, path: Trail) -> None:
    run = ledger.run
    if run.dual is None or run.omitted:
        return
    total = totals(path.column, path.label[path.row] * path.value, len(run.dual))
    total += 0.0 if run.start is None else run.start
    total[path.column[path.label[path.row] < 0]] = -np.inf
    compare_duals(ledger, total, run.dual, 0.0)
