"""Looking back at a run: what its proof follows, step by step, and whether it held.

Nothing here imports a learner: an audit reads the journal of updates and the parameters, and
does its own arithmetic. Three kinds of statement are kept apart:

* a **universal invariant** holds on every stream, whatever the labels. A failure is a bug, or
  a journal that was changed;
* a **comparator inequality** speaks about a target that somebody declared. A failure is a bug
  or data that break what was declared, and the report says which where it can tell;
* a **certificate** "at most B mistakes" is a theorem of `thresher.theory` with all its inputs.
  An audit makes none.
"""

from thresher.proofs.audited_run import AuditedRun
from thresher.proofs.envelope import Potential, potential_of
from thresher.proofs.geometric_margin import MeasuredMargin, geometric_margin
from thresher.proofs.potentials import audit_run
from thresher.proofs.report import (
    Audit,
    Check,
    ComparatorInequality,
    Failure,
    UniversalInvariant,
)

__all__ = [
    "Audit",
    "AuditedRun",
    "Check",
    "ComparatorInequality",
    "Failure",
    "MeasuredMargin",
    "Potential",
    "UniversalInvariant",
    "audit_run",
    "geometric_margin",
    "potential_of",
]
