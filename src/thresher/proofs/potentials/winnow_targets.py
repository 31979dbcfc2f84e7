"""Winnow against a declared target: a divergence that every update brings down.

D(v||w) = sum of v_i ln(v_i/w_i) - v_i + w_i is never negative, and for v = c u an update
brings it down by at least ln(alpha) v.x - (alpha - 1) s (false negative) or
(1 - 1/alpha) s - ln(alpha) v.x (false positive). For binary rows and a disjunction more can
be said: a demotion of a relevant feature, or a false negative without one, proves that the
labels are not those of the disjunction.
"""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ComparatorError
from thresher.proofs.ledger import Blame, Ledger
from thresher.proofs.potentials.spending import Spending, heaviest
from thresher.proofs.powers import EPSILON
from thresher.proofs.report import Column
from thresher.proofs.targets import DeclaredTarget, declared_target
from thresher.theory.quantities import exactly
from thresher.theory.winnow import promotions

#: Steps so small that K is larger are not asked for K, which is found by multiplying.
MOST_PROMOTIONS = 10_000


def check_target(
    ledger: Ledger, spending: Spending, declared: Any, margin: Any, constants: dict[str, object]
) -> dict[str, Column]:
    """The columns and statements about a declared target."""
    u = declared_target(declared, ledger.run.n_features)
    if u.smallest < 0:
        raise ComparatorError("Winnow's weights are positive, so its targets' must not be negative")
    table: dict[str, Column] = {}
    consistent = np.ones(len(spending.path), bool)
    if u.features is not None and spending.binary:
        table |= _check_disjunction(ledger, spending, u, consistent)
    if not spending.zeroing:
        table |= _check_divergence(ledger, spending, u, margin, constants)
    return table


def _check_disjunction(
    ledger: Ledger, spending: Spending, u: DeclaredTarget, consistent: NDArray[np.bool_]
) -> dict[str, Column]:
    path = spending.path
    relevant = u.whole[path.column] != 0
    on = path.row_sums(relevant.astype(np.int64))
    consistent &= np.cumsum(np.where(path.label > 0, on == 0, on > 0)) == 0

    def names(update: int) -> tuple[str, str]:
        inside = (path.row == update) & relevant
        return "data", f"declared relevant and active: {path.column[inside].tolist()}"

    positive, negative = np.flatnonzero(path.label > 0), np.flatnonzero(path.label < 0)
    ledger.comparator(
        "relevant features demoted",
        (on, "==", 0),
        "no false positive has an active relevant feature",
        at=negative,
        blame=names,
    )
    ledger.comparator(
        "relevant features promoted",
        (on, ">=", 1),
        "every false negative has an active relevant feature",
        at=positive,
        blame=names,
    )

    def open_or_broken(update: int) -> tuple[str, str]:
        if consistent[update]:
            return "bug", "every row so far agrees with the disjunction"
        return "data", "a row so far contradicts the disjunction"

    if float(log(spending.theta)) <= MOST_PROMOTIONS * spending.powers.rate:
        _check_promotions(ledger, spending, u, relevant, open_or_broken)
    after = np.where(relevant, spending.after, 0 * spending.after)
    before = np.where(relevant, spending.before, 0 * spending.before)
    change = spending.powers.worth(path.row_sums(after - before))
    initial = sum(
        (spending.powers.number(spending.start[i]) for i in sorted(u.features or ())), Fraction(0)
    )
    return {"relevant_weight": np.cumsum(change) + initial}


def _check_promotions(
    ledger: Ledger, spending: Spending, u: DeclaredTarget, relevant: NDArray[np.bool_], blame: Blame
) -> None:
    """A relevant feature is promoted at most K times."""
    K = promotions(spending.alpha, spending.theta)
    r = len(u.features or ())
    ledger.comparator(
        "promotions",
        (np.cumsum(spending.path.label > 0), "<=", r * K),
        f"m+ <= r K = {r} * {K}",
        blame=blame,
    )
    after = np.where(relevant, spending.after, 0 * spending.after)
    top: Any = spending.alpha**K
    ledger.comparator(
        "relevant weights",
        (heaviest(spending, after), "<=", top if spending.powers.exact else float(top)),
        "no relevant weight exceeds alpha^K",
        slack=spending.slack,
        blame=blame,
    )


def _check_divergence(
    ledger: Ledger, spending: Spending, u: DeclaredTarget, margin: Any, constants: dict[str, object]
) -> dict[str, Column]:
    path, run = spending.path, ledger.run
    alpha, theta = float(spending.alpha), float(spending.theta)
    rate = spending.powers.rate
    rho = 0.0 if margin is None else float(1 - exactly(margin))
    scale = (alpha - 1 / alpha) * theta / ((1 + rho) * rate)
    inner = path.dots(u.floats).astype(np.float64)
    v_dot = scale * inner
    score = np.array([float(s) for s in spending.score])
    change = np.array([float(c) for c in spending.change])
    guaranteed = np.where(
        path.label > 0,
        rate * v_dot - (alpha - 1) * score,
        (1 - 1 / alpha) * score - rate * v_dot,
    )
    drop = path.label * rate * v_dot - change
    v = [scale * float(w * u.unit) for w in u.whole if w]
    begun = float(spending.initial) + sum(x * log(x) - x for x in v)
    begun -= rate * scale * float(np.dot(u.floats, spending.start[: run.n_features]))
    divergence = begun - np.cumsum(drop)
    size = np.cumsum(np.abs(rate * v_dot) + np.abs(change)) + abs(begun) + sum(v)
    slack = 16 * EPSILON * (len(path) + 16.0) * (1.0 + size)
    ledger.comparator(
        "W3 drop",
        (drop, ">=", guaranteed),
        "D(v||w) falls by at least what the score says",
        slack=slack,
        blame=lambda k: ("bug", "this holds for every target"),
    )
    ledger.comparator(
        "W3 divergence",
        (divergence, ">=", np.zeros(len(path))),
        "D(v||w) >= 0",
        slack=slack,
        blame=lambda k: ("bug", "this holds for every target on every stream"),
    )
    hinge = np.cumsum(
        np.where(path.label > 0, np.maximum(0, 1 - inner), np.maximum(0, inner - rho))
    )
    constants |= {"rho": rho, "scale": scale, "D_start": begun}
    step = theta * (alpha - 1) * (1 / alpha - rho) / (1 + rho)
    constants["guaranteed_drop"] = step
    if step > 0:
        updates = np.arange(1, len(path) + 1)
        budget = begun + scale * rate * hinge
        ledger.comparator(
            "W3 budget",
            (updates * step, "<=", budget),
            "M times the guaranteed drop <= D(v||w_1) + c ln(alpha) L, L the losses of u",
            slack=slack,
            blame=lambda k: ("bug", "this holds for every target on every stream"),
        )
    return {"divergence": divergence, "guaranteed_drop": guaranteed, "loss_of_target": hinge}
