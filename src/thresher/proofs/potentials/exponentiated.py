"""Normalised and signed Winnow: a relative entropy that every mistake brings down.

With w_i = exp(eta theta_i)/sum, ln Z = ln sum_i w_i exp(eta y x_i) and G the sum of ln Z, which
is ln mean_i exp(eta theta_i):

* (EG-a) ln Z <= ln cosh(eta X) at every mistake, so G <= M ln cosh(eta X), on every stream;
* (EG-b) RE(u||w) changes by ln Z - eta y u.x, which is at most -C, C = eta gamma - ln cosh(eta X);
* (EG-c) RE(u||w) >= 0: eta u.theta <= G + ln d - H(u).

Signed Winnow is normalised Winnow over (x, -x). A learner that guesses the margin starts over
at each guess: M, G and the entropy are those of the guess in use.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import AuditError, ComparatorError
from thresher.proofs.audited_run import AuditedRun, Trail, totals, trail
from thresher.proofs.bookkeeping import check_counts, check_mistakes, check_order, compare_duals
from thresher.proofs.bookkeeping import first_columns as columns_of
from thresher.proofs.ledger import Ledger
from thresher.proofs.potentials.normalisers import LOST, normalisers, with_copies
from thresher.proofs.powers import EPSILON
from thresher.proofs.report import Audit, Column
from thresher.proofs.targets import declared_target
from thresher.theory.exponentiated.divergence import eta_star
from thresher.theory.exponentiated.restarts import phase_budget
from thresher.theory.quantities import exactly


def audit_exponentiated(
    run: AuditedRun, comparator: Any = None, margin: Any = None, *, signed: bool
) -> Audit:
    """The quantities of the relative-entropy proof along a journal.

    The comparator is divided by its 1-norm; `margin` is the declared margin before that.
    """
    bias = bool(run.parameter("bias", False))
    n = run.n_features + bias
    phase, eta = _phases(run, n)
    path = trail(run, bias=bias, segment=phase)
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    _check_last_dual(ledger, path, phase)
    if signed:
        path = with_copies(path, n)
    radius = float(run.parameter("radius", 1))
    score, log_z, loss = normalisers(path, phase, eta, _origin(run, n, signed))
    check_mistakes(ledger, score, 0.0, loss * radius)
    # Z moves by at most loss (1 + Z), its logarithm by that over Z; a Z below LOST is the
    # quotient of two fresh sums and has no such loss.
    slack = loss * (1.0 + np.exp(np.minimum(-log_z, -log(LOST))))
    ceiling = _lncosh(eta * radius)
    ledger.universal(
        "EG-a normaliser", (log_z, "<=", ceiling), "ln Z <= ln cosh(eta X)", slack=slack
    )
    updates = _count_within(phase)
    potential = _sum_within(log_z, phase)
    envelope = updates * ceiling
    wide = np.cumsum(slack) + EPSILON * len(path)
    ledger.universal(
        "EG-a potential", (potential, "<=", envelope), "G <= M ln cosh(eta X)", slack=wide
    )
    table: dict[str, Column] = columns_of(run) | {
        "eta": eta,
        "score": score,
        "log_normaliser": log_z,
        "potential": potential,
        "potential_envelope": envelope,
    }
    if phase[-1:].tolist() not in ([], [0]):
        table["phase"] = phase + 1
    constants: dict[str, object] = {"radius": radius}
    if comparator is not None:
        table |= _against(
            ledger,
            path,
            (comparator, margin, signed, n),
            (phase, eta, log_z, ceiling, wide),
            constants,
        )

    def weight_of(feature: int) -> Column:
        size = float(2 * n if signed else n)
        plus = np.exp(eta * _dual_after(path, phase, feature) - potential) / size
        if not signed:
            return plus
        return plus - np.exp(eta * _dual_after(path, phase, n + feature) - potential) / size

    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, constants, weight_of)


def _against(
    ledger: Ledger,
    path: Trail,
    declared: tuple[Any, Any, bool, int],
    course: tuple[NDArray[Any], ...],
    constants: dict[str, object],
) -> dict[str, Column]:
    """The columns and statements about a declared u."""
    target, margin, signed, n = declared
    phase, eta, log_z, ceiling, slack = course
    u = declared_target(target, n)
    if signed:
        u = u.signed_copies()
    if u.smallest < 0:
        raise ComparatorError(
            "this learner's weights are positive; for signed targets use SignedWinnow"
        )
    length = float(u.sum)
    if length == 0:
        raise ComparatorError("all its weights are zero")
    share = u.floats / length
    inner = path.label * path.dots(share).astype(np.float64)
    entropy = -sum(p * log(p) for p in share.tolist() if p)
    start = log(len(share)) - entropy
    if ledger.run.start is not None:
        origin = _origin(ledger.run, n, signed)
        start += _log_mean(eta[0] * origin) - eta[0] * float(share @ origin) if len(eta) else 0.0
    change: NDArray[np.float64] = log_z - eta * inner
    after = start + _sum_within(change, phase)
    wide = slack + 16 * EPSILON * (len(path) + 8) * (1.0 + _sum_within(np.abs(change), phase))
    level = float(np.min(inner, initial=np.inf)) if margin is None else float(margin) / length
    rate = eta * level - ceiling
    constants |= {
        "margin": level,
        "start_divergence": start,
        "guaranteed_decrease": rate.tolist()[0] if len(set(rate.tolist())) == 1 else None,
    }
    ledger.comparator(
        "margin",
        (inner, ">", 0.0) if margin is None else (inner, ">=", level),
        "y u.x > 0 in every update" if margin is None else f"y u.x >= {margin} in every update",
        slack=wide * (margin is not None),
        blame=lambda k: ("data", f"y u.x/||u||_1 = {inner[k]:.6g} in this row"),
    )
    ledger.comparator(
        "EG-c divergence",
        (after, ">=", np.zeros(len(path))),
        "RE(u||w) >= 0",
        slack=wide,
        blame=lambda k: ("bug", "this holds for every u on every stream"),
    )

    def decrease(k: int) -> tuple[str, str]:
        if inner[k] >= level - wide[k]:
            return "bug", "the row has the margin"
        return "data", "the row has a smaller margin"

    ledger.comparator(
        "EG-b decrease",
        (change, "<=", -rate),
        "RE(u||w) changes by at most -C(eta)",
        slack=wide,
        blame=decrease,
    )
    hinge = _sum_within(np.asarray(np.maximum(0.0, level - inner), np.float64), phase)
    ledger.comparator(
        "EG-b budget",
        (_count_within(phase) * rate, "<=", start + eta * hinge),
        "M C(eta) <= RE(u||w_1) + eta L, L the hinge loss of u over the updates",
        slack=wide,
        blame=lambda k: ("bug", "this holds for every u on every stream"),
    )
    return {
        "divergence_before": after - change,
        "divergence": after,
        "guaranteed_decrease": rate,
        "hinge_loss": hinge,
    }


def _phases(run: AuditedRun, n: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each update, the number of the guess in use, from 0, and its step."""
    length = len(run.journal)
    radius = run.parameter("radius", 1)
    if run.parameters.get("eta") is not None:
        eta = float(run.parameters["eta"])
        return np.zeros(length, np.int64), np.full(length, eta)
    if run.parameters.get("margin") is not None:
        eta = eta_star(run.parameters["margin"], radius)
        return np.zeros(length, np.int64), np.full(length, eta)
    phase, etas = np.zeros(length, np.int64), np.zeros(length)
    stop = number = 0
    while stop < length:
        first, stop = stop, min(length, stop + phase_budget(n, number + 1) + 1)
        phase[first:stop] = number
        etas[first:stop] = eta_star(exactly(radius) / 2 ** (number + 1), radius)
        number += 1
    if run.start is not None:
        raise AuditError("a learner that guesses the margin is audited from its beginning only.")
    return phase, etas


def _check_last_dual(ledger: Ledger, path: Trail, phase: NDArray[np.int64]) -> None:
    """The learner's dual vector is what the updates of the last guess add up to."""
    run = ledger.run
    if run.dual is None or run.omitted:
        return
    last = phase[path.row] == (phase[-1] if len(phase) else 0)
    moved = path.label[path.row] * path.value * last
    if "eta" not in run.parameters or (
        run.parameters.get("eta") is None and run.parameters.get("margin") is None
    ):
        budget = phase_budget(len(run.dual), int(phase[-1]) + 1) if len(phase) else 1
        if np.count_nonzero(phase == phase[-1:]) > budget:
            # The last update has already begun the next guess.
            moved = moved * 0
    total = totals(path.column, moved, len(run.dual))
    if run.start is not None:
        total = total + run.start
    travelled = totals(path.column, np.abs(moved), len(run.dual))
    slack = 0.0 if path.whole else EPSILON * (len(path) + 8) * travelled
    compare_duals(ledger, total, run.dual, slack)


def _dual_after(path: Trail, phase: NDArray[np.int64], feature: int) -> NDArray[np.float64]:
    """The dual of one column after each update, 0 again where a guess begins."""
    here = np.flatnonzero(path.column == feature)
    latest = np.searchsorted(path.row[here], np.arange(len(path)), side="right") - 1
    rows = np.append(path.row[here], -1)
    same = (latest >= 0) & (phase[rows[latest]] == phase)
    return np.where(same, np.append(path.after[here], 0)[latest], 0.0)


def _origin(run: AuditedRun, n: int, signed: bool) -> NDArray[np.float64]:
    start = np.zeros(n) if run.start is None else np.asarray(run.start, np.float64)
    return np.concatenate((start, -start)) if signed else start


def _log_mean(exponent: NDArray[np.float64]) -> float:
    top = float(exponent.max())
    return top + log(float(np.mean(np.exp(exponent - top))))


def _lncosh(z: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.abs(z) + np.log1p(np.exp(-2 * np.abs(z))) - log(2.0)
    return result


def _count_within(phase: NDArray[np.int64]) -> NDArray[np.int64]:
    first = np.searchsorted(phase, phase)
    return np.arange(1, len(phase) + 1) - first


def _sum_within(term: NDArray[np.float64], phase: NDArray[np.int64]) -> NDArray[np.float64]:
    if not len(term):
        return term
    total = np.concatenate(([0.0], np.cumsum(term)))
    sums: NDArray[np.float64] = total[1:] - total[np.searchsorted(phase, phase)]
    return sums
