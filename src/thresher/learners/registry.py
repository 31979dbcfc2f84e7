"""The learners by name, for the command line and the model file."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from thresher.errors import UnknownLearnerError

#: Module and class of each learner; the name is the class's own attribute `name`.
LEARNERS = {
    "adagrad": ("two_class.adagrad", "AdaGrad"),
    "arow": ("two_class.arow", "AROW"),
    "balanced_winnow": ("two_class.balanced_winnow", "BalancedWinnow"),
    "calibrated": ("calibration.calibrated", "Calibrated"),
    "committee": ("two_class.committee", "Committee"),
    "conjunction": ("two_class.conjunction", "Conjunction"),
    "elimination": ("two_class.elimination", "Elimination"),
    "halving": ("finite.halving", "Halving"),
    "modified_balanced_winnow": ("two_class.modified_balanced_winnow", "ModifiedBalancedWinnow"),
    "multiclass_normalized_winnow": ("multiclass.winnow", "MulticlassNormalizedWinnow"),
    "multiclass_passive_aggressive": (
        "multiclass.passive_aggressive",
        "MulticlassPassiveAggressive",
    ),
    "multiclass_perceptron": ("multiclass.perceptron", "MulticlassPerceptron"),
    "multiclass_signed_winnow": ("multiclass.winnow", "MulticlassSignedWinnow"),
    "normalized_winnow": ("two_class.normalized_winnow", "NormalizedWinnow"),
    "one_versus_rest": ("multiclass.one_versus_rest", "OneVersusRest"),
    "p_norm_perceptron": ("two_class.p_norm", "PNormPerceptron"),
    "passive_aggressive": ("two_class.passive_aggressive", "PassiveAggressive"),
    "perceptron": ("two_class.perceptron", "Perceptron"),
    "randomized_weighted_majority": ("finite.weighted_majority", "RandomizedWeightedMajority"),
    "signed_winnow": ("two_class.signed_winnow", "SignedWinnow"),
    "sparse_network": ("multiclass.sparse_network", "SparseNetwork"),
    "standard_optimal": ("finite.standard_optimal", "StandardOptimal"),
    "weighted_majority": ("finite.weighted_majority", "WeightedMajority"),
    "winnow": ("two_class.winnow", "Winnow"),
}


def learner_class(name: str) -> type[Any]:
    """The class of learners with this name; a hyphen may stand for an underscore.

    >>> learner_class("balanced-winnow").__name__
    'BalancedWinnow'
    """
    home = LEARNERS.get(name.replace("-", "_"))
    if home is None:
        raise UnknownLearnerError(name, sorted(LEARNERS))
    module, found = home
    # Imported on first use: whoever wants one learner does not wait for all of them.
    cls: type[Any] = getattr(import_module(f"thresher.learners.{module}"), found)
    return cls
