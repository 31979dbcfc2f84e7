"""Elimination and the conjunction learner: a set that only shrinks and keeps the target.

A mistake of the learnable kind (a false positive for Elimination, a false negative for the
conjunction learner) removes at least one feature; a mistake of the other kind removes none
and proves that no target explains the labels. Everything is counted, so all of it is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import AuditedRun, Trail, trail
from thresher.proofs.bookkeeping import (
    check_counts,
    check_mistakes,
    check_order,
    compare_duals,
    first_columns,
)
from thresher.proofs.ledger import Ledger
from thresher.proofs.report import Audit, Column
from thresher.proofs.targets import declared_features


def audit_elimination(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """The set h of features that may still be in the disjunction, along a journal."""
    path = trail(run)
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    gone = _first_row(path, path.label[path.row] < 0, run.n_features)
    alive = gone[path.column] >= path.row
    score = path.row_sums(alive.astype(np.int64))
    check_mistakes(ledger, score, 1)
    removed = np.where(path.label < 0, score, 0)
    size = run.n_features - np.cumsum(removed)
    _check_dual(ledger, gone < len(path))
    _check_shrinking(ledger, removed, np.flatnonzero(path.label < 0))
    table: dict[str, Column] = first_columns(run) | {"score": score, "size": size}
    if comparator is not None:
        target = declared_features(comparator, run.n_features)
        wanted = np.isin(path.column, list(target))
        on = path.row_sums(wanted.astype(np.int64))
        kept = len(target) - np.cumsum(
            path.row_sums((wanted & alive).astype(np.int64)) * (path.label < 0)
        )
        _check_target(ledger, kept, target, on > 0, "a relevant feature is active")
        table["target_kept"] = kept

    def weight_of(feature: int) -> Column:
        return np.where(np.arange(len(path)) < gone[feature], 1, 0)

    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, {}, weight_of)


def audit_conjunction(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """The set f of variables that were on in every positive row so far, along a journal.

    A variable is in f exactly when it was on in as many false negatives as there were.
    """
    positive = run.journal.label > 0
    path = trail(
        run,
        step=positive[np.repeat(np.arange(len(positive)), np.diff(run.journal.row_start))].astype(
            np.int64
        ),
    )
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    done = np.cumsum(positive)
    member: NDArray[np.bool_] = path.before == (done - positive)[path.row]
    on = path.row_sums(member.astype(np.int64))
    sizes = np.concatenate((np.array([run.n_features]), on[positive]))
    size = sizes[done]
    score = on - sizes[done - positive]
    check_mistakes(ledger, score, 0)
    if run.dual is not None and not run.omitted:
        count = np.bincount(path.column[positive[path.row]], minlength=run.n_features)
        _check_dual(ledger, count < (done[-1] if len(done) else 0))
    _check_shrinking(ledger, -score, np.flatnonzero(positive))
    table: dict[str, Column] = first_columns(run) | {"score": score, "size": size}
    if comparator is not None:
        target = declared_features(comparator, run.n_features)
        wanted = np.isin(path.column, list(target))
        inside = path.row_sums((wanted & member).astype(np.int64))
        kept = np.concatenate((np.array([len(target)]), inside[positive]))[done]
        all_on = path.row_sums(wanted.astype(np.int64)) == len(target)
        _check_target(ledger, kept, target, all_on, "all variables of the target are on")
        table["target_kept"] = kept

    def weight_of(feature: int) -> Column:
        rows = path.row[(path.column == feature) & positive[path.row]]
        inside: Column = np.searchsorted(rows, np.arange(len(path)), side="right") == done
        return inside.astype(np.int64)

    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, {}, weight_of)


def _check_shrinking(ledger: Ledger, removed: NDArray[Any], at: NDArray[np.int64]) -> None:
    ledger.universal(
        "shrinking",
        (removed, ">=", 1),
        "a mistake that can be learned from removes at least one",
        at=at,
    )


def _check_target(
    ledger: Ledger,
    kept: NDArray[np.int64],
    target: frozenset[int],
    says: NDArray[np.bool_],
    rule: str,
) -> None:
    """The target is never removed, and its label is the label of every update."""
    label = ledger.run.journal.label
    agrees = np.cumsum(says != (label > 0)) == 0

    def blame(update: int) -> tuple[str, str]:
        if agrees[update]:
            return "bug", "every row so far agrees with the target"
        return "data", "a row so far contradicts the target"

    ledger.comparator(
        "target labels",
        (np.where(says, 1, -1), "==", label.astype(np.int64)),
        f"the label is +1 exactly when {rule}",
        blame=lambda k: ("data", "the row contradicts the target"),
    )
    ledger.comparator(
        "target kept",
        (kept, "==", len(target)),
        "the hypothesis contains the target (sizes)",
        blame=blame,
    )


def _check_dual(ledger: Ledger, removed: NDArray[np.bool_]) -> None:
    run = ledger.run
    if run.dual is not None and not run.omitted:
        compare_duals(ledger, np.where(removed, -np.inf, 0.0), run.dual, 0.0)


def _first_row(path: Trail, where: NDArray[np.bool_], n: int) -> NDArray[np.int64]:
    """For each column, the first update in which the condition holds; the number of updates."""
    first = np.full(n, len(path), np.int64)
    np.minimum.at(first, path.column[where], path.row[where])
    return first
