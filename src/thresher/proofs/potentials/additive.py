"""The Perceptron: the squared norm grows slowly, the inner product with a target grows fast.

After M updates, with S the sum of the squared lengths of the rows and u any vector:

* (a) u.w >= gamma M where y u.x >= gamma in every update;
* (b) ||w||^2 <= S <= R^2 M, on every stream;
* (c) gamma M <= u.w <= ||u|| ||w|| <= ||u|| sqrt(S).

Read as a statement about the angle between w and u, its cosine u.w/(||u|| ||w||) is at least
gamma M/(||u|| sqrt(S)), which grows like sqrt(M), and at most 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import LARGEST_WHOLE, AuditedRun, Trail, trail
from thresher.proofs.bookkeeping import check_counts, check_dual, check_mistakes, check_order
from thresher.proofs.bookkeeping import first_columns as columns_of
from thresher.proofs.ledger import Ledger
from thresher.proofs.powers import EPSILON, fractions
from thresher.proofs.report import Audit, Column
from thresher.proofs.targets import DeclaredTarget, declared_target
from thresher.theory.quantities import exactly


def audit_perceptron(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """The quantities of Novikoff's proof along a journal."""
    bias = bool(run.parameter("bias", False))
    path = trail(run, bias=bias)
    ledger = Ledger(run)
    check_order(ledger)
    check_counts(ledger)
    check_dual(ledger, path)

    value, before = _wide_enough(path)
    score = path.row_sums(value * before)
    square = path.row_sums(value * value)
    slack = _score_slack(path)
    check_mistakes(ledger, score, 0, slack)

    origin = np.zeros(1) if run.start is None else np.asarray(run.start, np.float64)
    start_square = _number(sum((exactly(v) ** 2 for v in origin.tolist()), Fraction(0)), path)
    growth = 2 * path.label * score + square
    norm = np.cumsum(growth) + start_square
    spent = np.cumsum(square) + start_square
    norm_slack: Any = 0
    if not path.whole:
        size = np.cumsum(np.abs(2 * score) + square) + start_square
        norm_slack = np.cumsum(2 * slack) + EPSILON * (len(path) + 16.0) * size
    ledger.universal(
        "squared norm", (norm, "<=", spent), "||w||^2 <= S, the sum of ||x||^2", slack=norm_slack
    )
    radius = max(square.tolist(), default=0)
    updates = np.arange(1, len(path) + 1)
    table: dict[str, Column] = columns_of(run) | {
        "score": score,
        "norm_squared": norm,
        "sum_of_squares": spent,
        "radius_envelope": fractions([radius * k + start_square for k in updates.tolist()]),
    }
    constants: dict[str, object] = {"radius_squared": radius}
    if comparator is not None:
        u = declared_target(comparator, run.n_features + bias)
        table |= _against(ledger, path, u, margin, (norm, spent, norm_slack), origin, constants)

    def weight_of(feature: int) -> Column:
        return dual_path(path, feature, origin)

    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, constants, weight_of)


def _against(
    ledger: Ledger,
    path: Trail,
    u: DeclaredTarget,
    margin: Any,
    squares: tuple[NDArray[Any], NDArray[Any], Any],
    origin: NDArray[np.float64],
    constants: dict[str, object],
) -> dict[str, Column]:
    """The columns and statements about a declared u."""
    norm, spent, norm_slack = squares
    signed = _margins(path, u)
    first = sum(
        (w * u.unit * exactly(v) for w, v in zip(u.whole, origin, strict=False)), Fraction(0)
    )
    inner = np.cumsum(signed) + _number(first, path)
    slack: Any = 0
    if not path.whole:
        reach = path.row_sums(np.abs(u.floats[path.column] * path.value))
        slack = EPSILON * (len(path) + 16.0) * (np.cumsum(reach) + abs(float(first)))
    length_squared = _number(u.norm_squared, path)
    gamma = None if margin is None else _number(exactly(margin), path)
    smallest = min(signed.tolist(), default=_number(Fraction(0), path))
    level = smallest if gamma is None else gamma
    constants |= {"margin": level, "comparator_norm_squared": length_squared}
    updates = np.arange(1, len(path) + 1)

    def broken(update: int) -> tuple[str, str]:
        return "data", f"y u.x = {signed[update]} in this row"

    at_least = "> 0" if gamma is None else f">= the declared margin {margin}"
    ledger.comparator(
        "margin",
        (signed, ">", 0) if gamma is None else (signed, ">=", gamma),
        f"y u.x {at_least} in every update",
        slack=slack,
        blame=broken,
    )
    kept = np.cumsum(signed >= level) == updates

    def open_or_broken(update: int) -> tuple[str, str]:
        if kept[update]:
            return "bug", "every row so far has the margin"
        return "data", "a row so far has a smaller margin"

    envelope = fractions([level * k for k in updates.tolist()]) + _number(first, path)
    ledger.comparator(
        "inner product",
        (inner, ">=", envelope),
        "u.w >= gamma M",
        slack=slack,
        blame=open_or_broken,
    )
    ledger.comparator(
        "Cauchy-Schwarz",
        (inner * inner, "<=", length_squared * norm),
        "(u.w)^2 <= ||u||^2 ||w||^2",
        slack=0 if path.whole else 4 * slack * np.abs(inner) + length_squared * norm_slack,
        blame=lambda k: ("bug", "this holds for every u"),
    )
    # At a level of 0 or less the hinge says nothing: every round would be free.
    hinge = np.cumsum(np.where(signed < level, level - signed, 0 * signed))
    earned = envelope - hinge
    positive = np.where(earned > 0, earned, 0 * earned)
    ledger.comparator(
        "hinge",
        (positive * positive, "<=", length_squared * spent),
        "gamma M - L <= ||u|| sqrt(S), L the hinge loss of u over the updates (squared)",
        slack=0 if path.whole else 8 * slack * np.abs(inner) + length_squared * norm_slack,
        blame=lambda k: ("bug", "this holds for every u on every stream"),
    )
    cosine = _cosine(inner, norm, length_squared)
    return {
        "inner_product": inner,
        "margin_envelope": envelope,
        "hinge_loss": hinge,
        "cosine": cosine,
        "cosine_envelope": _cosine(envelope, spent, length_squared),
        "angle": np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))),
    }


def _cosine(inner: NDArray[Any], norm_squared: NDArray[Any], other: Any) -> NDArray[np.float64]:
    """An inner product over two lengths, in doubles; 0 where a vector has no direction."""
    product = [float(square * other) for square in norm_squared]
    return np.array(
        [float(i) / sqrt(p) if p > 0 else 0.0 for i, p in zip(inner, product, strict=True)],
        np.float64,
    )


def _margins(path: Trail, u: DeclaredTarget) -> NDArray[Any]:
    """Y u.x for each update."""
    if not path.whole:
        return np.asarray(path.label * path.dots(u.floats), np.float64)
    multiples = path.row_sums(u.whole[path.column] * path.value.astype(object)) * path.label
    return fractions([m * u.unit for m in multiples])


def _number(exact: Fraction, path: Trail) -> Any:
    return exact if path.whole else float(exact)


def _wide_enough(path: Trail) -> tuple[NDArray[Any], NDArray[Any]]:
    """Values and duals in a type in which no sum of products overflows."""
    if path.whole and len(path.value):
        value, dual = (int(np.max(np.abs(a))) for a in (path.value, path.before))
        if len(path.value) * max(value, 1) * max(dual, value, 1) >= LARGEST_WHOLE // 4:
            return path.value.astype(object), path.before.astype(object)
    return path.value, path.before


def _score_slack(path: Trail) -> Any:
    """What rounding, the learner's and ours, can do to a score."""
    if path.whole:
        return 0
    terms = np.diff(path.row_start)
    return EPSILON * (len(path) + terms + 8.0) * path.row_sums(np.abs(path.value) * path.travelled)


def dual_path(path: Trail, feature: int, origin: NDArray[np.float64]) -> NDArray[np.float64]:
    """The dual of one feature after each update."""
    here = np.flatnonzero(path.column == feature)
    first = float(origin[feature]) if feature < len(origin) else 0.0
    after = np.concatenate(([first], path.after[here].astype(np.float64)))
    latest: NDArray[np.float64] = after[
        np.searchsorted(path.row[here], np.arange(len(path)), side="right")
    ]
    return latest
