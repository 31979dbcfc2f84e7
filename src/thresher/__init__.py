"""Linear threshold classifiers learned from a stream, with evidence of how good they are."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher import concepts, errors, games, theory
    from thresher.certifier import certify
    from thresher.learners.base.multiclass_rounds import MulticlassRounds
    from thresher.learners.base.rounds import Rounds
    from thresher.learners.calibration.calibrated import Calibrated, CalibratedRounds
    from thresher.learners.finite.halving import Halving
    from thresher.learners.finite.standard_optimal import StandardOptimal
    from thresher.learners.finite.weighted_majority import (
        RandomizedWeightedMajority,
        WeightedMajority,
    )
    from thresher.learners.multiclass.one_versus_rest import OneVersusRest
    from thresher.learners.multiclass.passive_aggressive import MulticlassPassiveAggressive
    from thresher.learners.multiclass.perceptron import MulticlassPerceptron
    from thresher.learners.multiclass.sparse_network import SparseNetwork
    from thresher.learners.multiclass.winnow import (
        MulticlassNormalizedWinnow,
        MulticlassSignedWinnow,
    )
    from thresher.learners.two_class.adagrad import AdaGrad
    from thresher.learners.two_class.arow import AROW
    from thresher.learners.two_class.balanced_winnow import BalancedWinnow
    from thresher.learners.two_class.committee import Committee
    from thresher.learners.two_class.conjunction import Conjunction
    from thresher.learners.two_class.elimination import Elimination
    from thresher.learners.two_class.modified_balanced_winnow import ModifiedBalancedWinnow
    from thresher.learners.two_class.normalized_winnow import NormalizedWinnow
    from thresher.learners.two_class.p_norm import PNormPerceptron
    from thresher.learners.two_class.passive_aggressive import PassiveAggressive
    from thresher.learners.two_class.perceptron import Perceptron
    from thresher.learners.two_class.signed_winnow import SignedWinnow
    from thresher.learners.two_class.winnow import Winnow
    from thresher.models.file import load
    from thresher.names.tables import Hashed, Vocabulary
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.batch import Batch
    from thresher.streams.reading import Stream, read
    from thresher.streams.recipe import NGrams, Recipe
    from thresher.streams.rows import Rows
    from thresher.verifier import Certificate, verify

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
    "AROW": "thresher.learners.two_class.arow",
    "AdaGrad": "thresher.learners.two_class.adagrad",
    "BadLinePolicy": "thresher.streams.bad_lines",
    "BalancedWinnow": "thresher.learners.two_class.balanced_winnow",
    "Batch": "thresher.streams.batch",
    "Calibrated": "thresher.learners.calibration.calibrated",
    "CalibratedRounds": "thresher.learners.calibration.calibrated",
    "Certificate": "thresher.verifier",
    "Committee": "thresher.learners.two_class.committee",
    "Conjunction": "thresher.learners.two_class.conjunction",
    "Elimination": "thresher.learners.two_class.elimination",
    "Halving": "thresher.learners.finite.halving",
    "Hashed": "thresher.names.tables",
    "ModifiedBalancedWinnow": "thresher.learners.two_class.modified_balanced_winnow",
    "MulticlassNormalizedWinnow": "thresher.learners.multiclass.winnow",
    "MulticlassPassiveAggressive": "thresher.learners.multiclass.passive_aggressive",
    "MulticlassPerceptron": "thresher.learners.multiclass.perceptron",
    "MulticlassRounds": "thresher.learners.base.multiclass_rounds",
    "MulticlassSignedWinnow": "thresher.learners.multiclass.winnow",
    "NGrams": "thresher.streams.recipe",
    "NormalizedWinnow": "thresher.learners.two_class.normalized_winnow",
    "OneVersusRest": "thresher.learners.multiclass.one_versus_rest",
    "PNormPerceptron": "thresher.learners.two_class.p_norm",
    "PassiveAggressive": "thresher.learners.two_class.passive_aggressive",
    "Perceptron": "thresher.learners.two_class.perceptron",
    "RandomizedWeightedMajority": "thresher.learners.finite.weighted_majority",
    "Recipe": "thresher.streams.recipe",
    "Rounds": "thresher.learners.base.rounds",
    "Rows": "thresher.streams.rows",
    "SignedWinnow": "thresher.learners.two_class.signed_winnow",
    "SparseNetwork": "thresher.learners.multiclass.sparse_network",
    "StandardOptimal": "thresher.learners.finite.standard_optimal",
    "Stream": "thresher.streams.reading",
    "Vocabulary": "thresher.names.tables",
    "WeightedMajority": "thresher.learners.finite.weighted_majority",
    "Winnow": "thresher.learners.two_class.winnow",
    "certify": "thresher.certifier",
    "load": "thresher.models.file",
    "read": "thresher.streams.reading",
    "verify": "thresher.verifier",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in __all__:
        return import_module(f"thresher.{name}")
    raise AttributeError(f"module 'thresher' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
