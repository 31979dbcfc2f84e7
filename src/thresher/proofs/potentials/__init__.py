"""One file for each family of learners: the quantities its proof follows, and their envelopes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from thresher.errors import AuditError
from thresher.proofs.audited_run import AuditedRun
from thresher.proofs.potentials.additive import audit_perceptron
from thresher.proofs.potentials.balanced_winnow import audit_balanced_winnow
from thresher.proofs.potentials.exponentiated import audit_exponentiated
from thresher.proofs.potentials.literal_sets import audit_conjunction, audit_elimination
from thresher.proofs.potentials.threshold_winnow import audit_winnow
from thresher.proofs.potentials.version_space import audit_halving
from thresher.proofs.potentials.weighted_majority import audit_weighted_majority
from thresher.proofs.report import Audit

#: The proof to follow, by the name of the algorithm.
POTENTIALS: dict[str, Callable[[AuditedRun, Any, Any], Audit]] = {
    "perceptron": audit_perceptron,
    "winnow": audit_winnow,
    "balanced_winnow": audit_balanced_winnow,
    "normalized_winnow": partial(audit_exponentiated, signed=False),
    "signed_winnow": partial(audit_exponentiated, signed=True),
    "elimination": audit_elimination,
    "conjunction": audit_conjunction,
    "weighted_majority": audit_weighted_majority,
    "randomized_weighted_majority": partial(audit_weighted_majority, by_lot=True),
    "halving": audit_halving,
}


def audit_run(run: AuditedRun, comparator: Any = None, margin: Any = None) -> Audit:
    """Follow the proof behind a learner through the updates of one run.

    Parameters
    ----------
    run
        What was run; see :class:`~thresher.proofs.AuditedRun`.
    comparator
        A declared target: weights, one per column or as a dict; a set of relevant features
        (Winnow, Elimination, the conjunction learner); an expert's number (Weighted Majority).
    margin
        The margin that was declared with it; without one, that of the updates is used.

    Examples
    --------
    From a journal and parameters alone:

    >>> from thresher.streams import Batch
    >>> journal = Batch.of([[1, 0, 1], [0, 1, 1]], [+1, -1])
    >>> audit = audit_run(AuditedRun("winnow", 3, journal, {"threshold": 3}))
    >>> audit.table["total_weight"].tolist(), audit.holds
    ([Fraction(5, 1), Fraction(7, 2)], True)
    """
    if run.algorithm not in POTENTIALS:
        known = ", ".join(POTENTIALS)
        raise AuditError(f"no potential is known for {run.algorithm!r}; there are {known}.")
    if run.start is not None and not np.all(np.isfinite(run.start)):
        raise AuditError("the start of an audited run must be finite: no feature silenced yet.")
    return POTENTIALS[run.algorithm](run, comparator, margin)


__all__ = ["POTENTIALS", "audit_run"]
