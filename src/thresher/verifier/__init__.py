"""Checking a certificate, trusting nothing that made it.

An island: of thresher it imports the theorems and the errors, nothing else. It has its own
readers (`readers`), plays every algorithm again in plain Python (`replays`), measures in exact
arithmetic (`measures`), and knows each algorithm by one record (`algorithms`).
"""

from thresher.verifier.algorithm import Algorithm
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.certificate import Certificate
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.readers.plain_rows import PlainRows
from thresher.verifier.readers.recognition import looks_like_svmlight, reads_as_svmlight
from thresher.verifier.readers.svmlight import read_svmlight
from thresher.verifier.signature import Signature, trusted_keys
from thresher.verifier.state import sparse_state, state_digest
from thresher.verifier.statement import Claim, Statement
from thresher.verifier.verdict import Finding, Verdict
from thresher.verifier.verification import verify, verify_shards
from thresher.verifier.witness import Comparator, Witness

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Certificate",
    "Claim",
    "Comparator",
    "Finding",
    "LabelledRows",
    "PlainRows",
    "Signature",
    "Statement",
    "Verdict",
    "Witness",
    "looks_like_svmlight",
    "read_rows",
    "read_svmlight",
    "reads_as_svmlight",
    "sparse_state",
    "state_digest",
    "trusted_keys",
    "verify",
    "verify_shards",
]
