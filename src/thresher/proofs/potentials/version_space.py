"""Halving: the concepts that agree with every label so far.

At a mistake at least half of them were wrong: |V| <= |C| 2^-M. Where the labels are those of
a concept of the class, |V| >= 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from thresher.errors import AuditError, ComparatorError
from thresher.proofs.audited_run import AuditedRun
from thresher.proofs.bookkeeping import check_order, first_columns
from thresher.proofs.ledger import Ledger
from thresher.proofs.powers import fractions
from thresher.proofs.report import Audit, Column


def audit_halving(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """The size of the version space along a journal; a comparator is any true value.

    It declares that the labels are those of a concept of the class.
    """
    concepts = run.parameters.get("concepts")
    if concepts is None:
        raise AuditError("an audit of Halving needs the parameter concepts, the class.")
    if comparator is not None and comparator is not True:
        raise ComparatorError("for Halving it must be True: some concept gives the labels")
    journal = run.journal
    codes = concepts.codes(run.parameter("limit", concepts.size))
    before, votes = np.zeros(len(journal), np.int64), np.zeros(len(journal), np.int64)
    after = np.zeros(len(journal), np.int64)
    for k, label in enumerate(journal.label.tolist()):
        on = journal.column[journal.row_start[k] : journal.row_start[k + 1]]
        says = concepts.votes(codes, on)
        before[k], votes[k] = len(says), np.count_nonzero(says)
        codes = np.compress(says if label > 0 else ~says, codes, axis=1)
        after[k] = codes.shape[1]
    # The learner's own votes where they are known: the audit judges them, not itself.
    said = 2 * votes >= before if run.scores is None else run.scores >= 0
    mistaken = said != (journal.label > 0)
    mistakes = np.cumsum(mistaken)
    ledger = Ledger(run)
    check_order(ledger)
    ledger.universal("shrinking", (after, "<", before), "every update removes a concept")
    ledger.universal(
        "halving",
        (2 * after, "<=", before),
        "a mistake leaves at most half of the concepts",
        at=np.flatnonzero(mistaken),
    )
    ceiling = fractions([Fraction(int(concepts.size), 2 ** int(m)) for m in mistakes])
    ledger.universal("version space", (after, "<=", ceiling), "|V| <= |C| 2^-M")
    if run.counted is not None and not run.omitted and (not len(after) or after[-1] > 0):
        ledger.whole_run(
            "counts",
            int(mistakes[-1]) if len(mistakes) else 0,
            sum(run.counted),
            "mistakes in the journal = mistakes counted",
            "the journal and the counters tell different stories",
        )
    if comparator is not None:
        ledger.comparator(
            "realisable",
            (after, ">=", 1),
            "some concept agrees with every label",
            blame=lambda k: ("data", "no concept of the class agrees with this label"),
        )
    table: dict[str, Column] = first_columns(run) | {
        "votes_for": votes,
        "version_space_before": before,
        "version_space": after,
        "mistakes": mistakes,
        "most_concepts": ceiling,
    }

    def weight_of(feature: int) -> Column:
        raise AuditError("Halving has no weights.")

    return Audit(
        run.algorithm,
        table,
        tuple(ledger.checks),
        run.omitted,
        {"concepts": concepts.size},
        weight_of,
    )
