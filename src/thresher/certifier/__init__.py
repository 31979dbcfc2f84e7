"""From a finished run to a certificate: a replay, and a search for the comparator to quote.

A learner is read by its attributes and none is imported. The search for witnesses
(`witnesses`) needs SciPy, which is imported when it begins.
"""

from thresher.certifier.certification import certify, require_premises
from thresher.certifier.finished_run import finished_run, identity
from thresher.certifier.journal_check import journal_explains
from thresher.certifier.mixed import certify_shards
from thresher.certifier.signing import sign

__all__ = [
    "certify",
    "certify_shards",
    "finished_run",
    "identity",
    "journal_explains",
    "require_premises",
    "sign",
]
