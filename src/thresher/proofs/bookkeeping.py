"""What every journal must satisfy, whatever the learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import AuditedRun, Trail, totals
from thresher.proofs.ledger import Ledger
from thresher.proofs.powers import EPSILON


def first_columns(run: AuditedRun) -> dict[str, NDArray[Any]]:
    """The columns that every table begins with."""
    rounds = run.round_number
    numbers = np.arange(len(run.journal)) if rounds is None else np.asarray(rounds)
    return {"round": numbers, "label": run.journal.label.astype(np.int64)}


def check_order(ledger: Ledger) -> None:
    """The rounds of the updates come one after another."""
    rounds = ledger.run.round_number
    if rounds is not None:
        previous = np.concatenate((np.array([-1]), rounds[:-1])) if len(rounds) else rounds
        ledger.universal(
            "order of rounds", (previous, "<", rounds), "each update comes after the one before"
        )


def check_counts(ledger: Ledger) -> None:
    """The journal has as many updates of each kind as the learner counted mistakes."""
    run = ledger.run
    if run.counted is not None and not run.omitted:
        label = run.journal.label
        found = (int(np.count_nonzero(label > 0)), int(np.count_nonzero(label < 0)))
        ledger.whole_run(
            "counts",
            found,
            run.counted,
            "updates in the journal = mistakes counted (false negatives, false positives)",
            "the journal and the counters tell different stories",
        )


def check_dual(ledger: Ledger, trail: Trail) -> None:
    """The learner's dual vector is what the journal adds up to."""
    run = ledger.run
    if run.dual is None or run.omitted:
        return
    size = len(run.dual)
    moved = trail.label[trail.row] * trail.value
    total = totals(trail.column, moved, size)
    if run.start is not None:
        total = total + run.start
    travelled = totals(trail.column, np.abs(moved), size)
    slack = 0.0 if trail.whole else EPSILON * (len(trail) + 8) * travelled
    compare_duals(ledger, total, run.dual, slack)


def compare_duals(
    ledger: Ledger, total: NDArray[np.float64], dual: NDArray[np.float64], slack: Any
) -> None:
    """Report the first feature whose dual the journal does not explain."""
    with np.errstate(invalid="ignore"):
        equal = (total == dual) | (np.abs(total - dual) <= slack)
    wrong = np.flatnonzero(~equal)
    i = int(wrong[0]) if len(wrong) else None
    ledger.whole_run(
        "journal explains weights",
        "every dual" if i is None else f"dual {i} = {total[i]:.17g}",
        "every dual" if i is None else f"the learner's {dual[i]:.17g}",
        "start + sum of y x over the journal = the learner's dual vector",
        "an update is missing or changed, or the run did not start where the audit was told",
    )


def check_mistakes(ledger: Ledger, score: NDArray[Any], threshold: Any, slack: Any = 0) -> None:
    """Every update was made on a mistake, by the audit's own scores."""
    label = ledger.run.journal.label
    ledger.universal(
        "false negatives score below",
        (score, "<", threshold),
        "an update on a positive row has score < threshold",
        slack=slack,
        at=np.flatnonzero(label > 0),
    )
    ledger.universal(
        "false positives score at least",
        (score, ">=", threshold),
        "an update on a negative row has score >= threshold",
        slack=slack,
        at=np.flatnonzero(label < 0),
    )
    if ledger.run.scores is not None:
        own = np.array([float(s) for s in score], np.float64)
        width = np.broadcast_to(np.asarray(slack, np.float64), own.shape)
        ledger.universal(
            "scores",
            (ledger.run.scores, "==", own),
            "the learner's score is the score that the journal gives",
            slack=width + EPSILON * (8 + np.abs(own)) * 8,
        )
