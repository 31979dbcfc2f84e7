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
    from thresher.learners.adagrad import AdaGrad
    from thresher.learners.arow import AROW
    from thresher.learners.balanced_winnow import BalancedWinnow
    from thresher.learners.calibrated import Calibrated, CalibratedRounds
    from thresher.learners.committee import Committee
    from thresher.learners.conjunction import Conjunction
    from thresher.learners.elimination import Elimination
    from thresher.learners.halving import Halving
    from thresher.learners.modified_balanced_winnow import ModifiedBalancedWinnow
    from thresher.learners.multiclass_passive_aggressive import MulticlassPassiveAggressive
    from thresher.learners.multiclass_perceptron import MulticlassPerceptron
    from thresher.learners.multiclass_rounds import MulticlassRounds
    from thresher.learners.multiclass_winnow import (
        MulticlassNormalizedWinnow,
        MulticlassSignedWinnow,
    )
    from thresher.learners.normalized_winnow import NormalizedWinnow
    from thresher.learners.one_versus_rest import OneVersusRest
    from thresher.learners.p_norm import PNormPerceptron
    from thresher.learners.passive_aggressive import PassiveAggressive
    from thresher.learners.perceptron import Perceptron
    from thresher.learners.rounds import Rounds
    from thresher.learners.signed_winnow import SignedWinnow
    from thresher.learners.sparse_network import SparseNetwork
    from thresher.learners.standard_optimal import StandardOptimal
    from thresher.learners.weighted_majority import RandomizedWeightedMajority, WeightedMajority
    from thresher.learners.winnow import Winnow
    from thresher.storage.model_file import load
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.batch import Batch
    from thresher.streams.reading import Stream, read
    from thresher.streams.recipe import NGrams, Recipe
    from thresher.streams.rows import Rows

__version__ = "0.2.0"

__all__ = [
    "AROW",
    "AdaGrad",
    "BadLinePolicy",
    "BalancedWinnow",
    "Batch",
    "Calibrated",
    "CalibratedRounds",
    "Certificate",
    "Committee",
    "Conjunction",
    "Elimination",
    "Halving",
    "Hashed",
    "ModifiedBalancedWinnow",
    "MulticlassNormalizedWinnow",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "MulticlassRounds",
    "MulticlassSignedWinnow",
    "NGrams",
    "NormalizedWinnow",
    "OneVersusRest",
    "PNormPerceptron",
    "PassiveAggressive",
    "Perceptron",
    "RandomizedWeightedMajority",
    "Recipe",
    "Rounds",
    "Rows",
    "SignedWinnow",
    "SparseNetwork",
    "StandardOptimal",
    "Stream",
    "Vocabulary",
    "WeightedMajority",
    "Winnow",
    "certify",
    "concepts",
    "errors",
    "games",
    "load",
    "read",
    "theory",
    "verify",
]

# Imported on first use: whoever needs one learner does not wait for all of them.
_HOME = {
    "AROW": "thresher.learners.arow",
    "AdaGrad": "thresher.learners.adagrad",
    "BadLinePolicy": "thresher.streams.bad_lines",
    "BalancedWinnow": "thresher.learners.balanced_winnow",
    "Batch": "thresher.streams.batch",
    "Calibrated": "thresher.learners.calibrated",
    "CalibratedRounds": "thresher.learners.calibrated",
    "Certificate": "thresher.audit.certificate",
    "Committee": "thresher.learners.committee",
    "Conjunction": "thresher.learners.conjunction",
    "Elimination": "thresher.learners.elimination",
    "Halving": "thresher.learners.halving",
    "Hashed": "thresher.hashing.names",
    "ModifiedBalancedWinnow": "thresher.learners.modified_balanced_winnow",
    "MulticlassNormalizedWinnow": "thresher.learners.multiclass_winnow",
    "MulticlassPassiveAggressive": "thresher.learners.multiclass_passive_aggressive",
    "MulticlassPerceptron": "thresher.learners.multiclass_perceptron",
    "MulticlassRounds": "thresher.learners.multiclass_rounds",
    "MulticlassSignedWinnow": "thresher.learners.multiclass_winnow",
    "NGrams": "thresher.streams.recipe",
    "NormalizedWinnow": "thresher.learners.normalized_winnow",
    "OneVersusRest": "thresher.learners.one_versus_rest",
    "PNormPerceptron": "thresher.learners.p_norm",
    "PassiveAggressive": "thresher.learners.passive_aggressive",
    "Perceptron": "thresher.learners.perceptron",
    "RandomizedWeightedMajority": "thresher.learners.weighted_majority",
    "Recipe": "thresher.streams.recipe",
    "Rounds": "thresher.learners.rounds",
    "Rows": "thresher.streams.rows",
    "SignedWinnow": "thresher.learners.signed_winnow",
    "SparseNetwork": "thresher.learners.sparse_network",
    "StandardOptimal": "thresher.learners.standard_optimal",
    "Stream": "thresher.streams.reading",
    "Vocabulary": "thresher.hashing.names",
    "WeightedMajority": "thresher.learners.weighted_majority",
    "Winnow": "thresher.learners.winnow",
    "certify": "thresher.audit.certify",
    "load": "thresher.storage.model_file",
    "read": "thresher.streams.reading",
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
