"""Linear threshold classifiers learned from a stream, with evidence of how good they are."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher import concepts, errors, games, theory
    from thresher.audit.certificate import Certificate
    from thresher.audit.certify import certify
    from thresher.audit.verify import verify
    from thresher.hashing.names import Hashed, Vocabulary
    from thresher.learners.balanced_winnow import BalancedWinnow
    from thresher.learners.conjunction import Conjunction
    from thresher.learners.elimination import Elimination
    from thresher.learners.halving import Halving
    from thresher.learners.normalized_winnow import NormalizedWinnow
    from thresher.learners.perceptron import Perceptron
    from thresher.learners.rounds import Rounds
    from thresher.learners.signed_winnow import SignedWinnow
    from thresher.learners.standard_optimal import StandardOptimal
    from thresher.learners.weighted_majority import RandomizedWeightedMajority, WeightedMajority
    from thresher.learners.winnow import Winnow
    from thresher.streams.batch import Batch
    from thresher.streams.rows import Rows

__version__ = "0.1.0"

__all__ = [
    "BalancedWinnow",
    "Batch",
    "Certificate",
    "Conjunction",
    "Elimination",
    "Halving",
    "Hashed",
    "NormalizedWinnow",
    "Perceptron",
    "RandomizedWeightedMajority",
    "Rounds",
    "Rows",
    "SignedWinnow",
    "StandardOptimal",
    "Vocabulary",
    "WeightedMajority",
    "Winnow",
    "certify",
    "concepts",
    "errors",
    "games",
    "theory",
    "verify",
]

# Imported on first use: whoever needs one learner does not wait for all of them.
_HOME = {
    "BalancedWinnow": "thresher.learners.balanced_winnow",
    "Batch": "thresher.streams.batch",
    "Certificate": "thresher.audit.certificate",
    "Conjunction": "thresher.learners.conjunction",
    "Elimination": "thresher.learners.elimination",
    "Halving": "thresher.learners.halving",
    "Hashed": "thresher.hashing.names",
    "NormalizedWinnow": "thresher.learners.normalized_winnow",
    "Perceptron": "thresher.learners.perceptron",
    "RandomizedWeightedMajority": "thresher.learners.weighted_majority",
    "Rounds": "thresher.learners.rounds",
    "Rows": "thresher.streams.rows",
    "SignedWinnow": "thresher.learners.signed_winnow",
    "StandardOptimal": "thresher.learners.standard_optimal",
    "Vocabulary": "thresher.hashing.names",
    "WeightedMajority": "thresher.learners.weighted_majority",
    "Winnow": "thresher.learners.winnow",
    "certify": "thresher.audit.certify",
    "verify": "thresher.audit.verify",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in __all__:
        return import_module(f"thresher.{name}")
    raise AttributeError(f"module 'thresher' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
