"""Weighted Majority: every mistake costs the experts a fixed share of their weight.

With factor b, W the weight of all experts and V that of those with an opinion in a round:
a mistake lowers W by at least (1 - b) V/2. Where every expert always has an opinion, V = W,
so W <= N ((1 + b)/2)^M, while an expert with m mistakes keeps b^m <= W.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import AuditError
from thresher.proofs.audited_run import AuditedRun, Trail, totals, trail
from thresher.proofs.bookkeeping import check_order, compare_duals, first_columns
from thresher.proofs.ledger import Ledger
from thresher.proofs.powers import Powers, fractions
from thresher.proofs.report import Audit, Column
from thresher.proofs.targets import declared_expert
from thresher.theory.quantities import exactly


def audit_weighted_majority(
    run: AuditedRun, comparator: Any = None, margin: Any = None, *, by_lot: bool = False
) -> Audit:
    """The weight of all experts along a journal; the comparator is the number of an expert."""
    factor = exactly(run.parameter("beta", Fraction(1, 2)))
    if run.start is not None:
        raise AuditError("Weighted Majority is audited from its beginning only.")
    journal = run.journal
    row = np.repeat(np.arange(len(journal)), np.diff(journal.row_start))
    wrong = journal.value * journal.label[row] < 0
    path = trail(run, step=-wrong.astype(np.int64))
    powers = Powers.covering(1 / factor if factor else Fraction(2), path.before, path.after)
    before, after = powers.of(path.before), powers.of(path.after)
    if not factor:
        nothing = 0 * before
        before = np.where(path.before < 0, nothing, before)
        after = np.where(path.after < 0, nothing, after)
    ledger = Ledger(run)
    check_order(ledger)
    if run.dual is not None and not run.omitted:
        total = totals(path.column, -wrong.astype(np.float64), len(run.dual))
        if not factor:
            total = np.where(total < 0, -np.inf, total)
        compare_duals(ledger, total, run.dual, 0.0)

    score = powers.worth(path.row_sums(path.value * before))
    voting = powers.worth(path.row_sums(before))
    drop = powers.worth(path.row_sums(before - after))
    weight = run.n_features - np.cumsum(drop)
    slack: Any = 0
    if not powers.exact:
        slack = (powers.loss + 2.0**-50) * (np.cumsum(voting) + run.n_features)
    zero = 0 if powers.exact else 0.0
    # The learner's own votes where they are known: the audit judges them, not itself.
    mistaken = ((score >= zero) if run.scores is None else (run.scores >= 0)) != (path.label > 0)
    table: dict[str, Column] = first_columns(run) | {
        "vote": score,
        "total_weight": weight,
        "mistakes": np.cumsum(mistaken),
    }
    if not by_lot:
        # Where the vote is drawn by lot, a mistake says nothing about the weights.
        table |= _check_mistakes(
            ledger, path, (score, voting, drop, weight, mistaken), factor, slack
        )
    if comparator is not None:
        expert = declared_expert(comparator, run.n_features)
        errors = np.cumsum(
            np.bincount(row[wrong & (journal.column == expert)], minlength=len(journal))
        )
        floor = fractions([_number(factor, powers) ** int(m) for m in errors])
        if "most_weight" in table:
            ledger.comparator(
                "expert",
                (floor, "<=", table["most_weight"]),
                "b^m <= N ((1 + b)/2)^M, m the mistakes of the expert",
                slack=slack,
                blame=lambda k: ("bug", "this holds for every expert on every stream"),
            )
        table |= {"expert_mistakes": errors, "expert_weight": floor}

    def weight_of(feature: int) -> Column:
        hits = row[wrong & (journal.column == feature)]
        count = np.searchsorted(hits, np.arange(len(journal)), side="right")
        return fractions([factor ** int(m) for m in count])

    constants = {"factor": factor, "experts": run.n_features}
    return Audit(run.algorithm, table, tuple(ledger.checks), run.omitted, constants, weight_of)


def _check_mistakes(
    ledger: Ledger, path: Trail, course: tuple[NDArray[Any], ...], factor: Fraction, slack: Any
) -> dict[str, Column]:
    """What a mistake costs, and what is left after so many."""
    run = ledger.run
    score, voting, drop, weight, mistaken = course
    exact = weight.dtype == object
    half, share = (1 - factor) / 2, (1 + factor) / 2
    ledger.universal(
        "cost of a mistake",
        (drop, ">=", (half if exact else float(half)) * voting),
        "a mistake lowers W by at least (1 - b)/2 of the weight that voted",
        slack=slack,
        at=np.flatnonzero(mistaken),
    )
    if run.scores is not None:
        votes = zip(score.tolist(), (weight + drop).tolist(), strict=True)
        own = np.array([float(v / w) if w else 0.0 for v, w in votes], np.float64)
        ledger.universal(
            "scores",
            (run.scores, "==", own),
            "the learner's score is the vote over W",
            slack=np.full(len(own), 1e-9),
        )
    _check_count(ledger, int(np.count_nonzero(mistaken)))
    if not np.all(np.diff(path.row_start) == run.n_features):
        return {}
    left = share if exact else float(share)
    ceiling = fractions([run.n_features * left**m for m in np.cumsum(mistaken).tolist()])
    ledger.universal("majority", (weight, "<=", ceiling), "W <= N ((1 + b)/2)^M", slack=slack)
    return {"most_weight": ceiling}


def _check_count(ledger: Ledger, mistakes: int) -> None:
    """Where every expert has an opinion a mistake makes an update, so none can be missing."""
    run = ledger.run
    opinions = bool(np.all(np.diff(run.journal.row_start) > 0))
    if run.counted is not None and not run.omitted and opinions:
        ledger.whole_run(
            "counts",
            mistakes,
            sum(run.counted),
            "mistakes in the journal = mistakes counted",
            "the journal and the counters tell different stories",
        )


def _number(exact: Fraction, powers: Powers) -> Any:
    return exact if powers.exact else float(exact)
