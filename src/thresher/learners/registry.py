"""The learners by name, for the command line and the model file."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from thresher.errors import UnknownLearnerError

#: Module and class of each learner; the name is the class's own attribute `name`.
LEARNERS = {
    "adagrad": ("adagrad", "AdaGrad"),
    "arow": ("arow", "AROW"),
    "balanced_winnow": ("balanced_winnow", "BalancedWinnow"),
    "calibrated": ("calibrated", "Calibrated"),
    "committee": ("committee", "Committee"),
    "conjunction": ("conjunction", "Conjunction"),
    "elimination": ("elimination", "Elimination"),
    "halving": ("halving", "Halving"),
    "modified_balanced_winnow": ("modified_balanced_winnow", "ModifiedBalancedWinnow"),
    "multiclass_normalized_winnow": ("multiclass_winnow", "MulticlassNormalizedWinnow"),
    "multiclass_passive_aggressive": (
        "multiclass_passive_aggressive",
        "MulticlassPassiveAggressive",
    ),
    "multiclass_perceptron": ("multiclass_perceptron", "MulticlassPerceptron"),
    "multiclass_signed_winnow": ("multiclass_winnow", "MulticlassSignedWinnow"),
    "normalized_winnow": ("normalized_winnow", "NormalizedWinnow"),
    "one_versus_rest": ("one_versus_rest", "OneVersusRest"),
    "p_norm_perceptron": ("p_norm", "PNormPerceptron"),
    "passive_aggressive": ("passive_aggressive", "PassiveAggressive"),
    "perceptron": ("perceptron", "Perceptron"),
    "randomized_weighted_majority": ("weighted_majority", "RandomizedWeightedMajority"),
    "signed_winnow": ("signed_winnow", "SignedWinnow"),
    "sparse_network": ("sparse_network", "SparseNetwork"),
    "standard_optimal": ("standard_optimal", "StandardOptimal"),
    "weighted_majority": ("weighted_majority", "WeightedMajority"),
    "winnow": ("winnow", "Winnow"),
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
