"""Theorems about learners, as objects that hold measured quantities.

A theorem speaks about a learner by name and imports none: the theory can be read, tested and
trusted on its own. Give a theorem what was measured; it says whether it applies (`hypotheses`),
what it allows (`bound`, `max_mistakes`), and refuses by name when it does not apply.
"""

from __future__ import annotations

from importlib import import_module

#: The public names by the module they come from. `__init__.pyi` tells type checkers the same; a
#: test compares.
_NAMES = {
    "adagrad": (
        "AdaGradHinge",
        "AdaGradLogistic",
    ),
    "listing": ("catalogue",),
    "comparison": (
        "Comparison",
        "compare",
    ),
    "concepts": (
        "Committee",
        "Concept",
        "Conjunction",
        "Disjunction",
        "Experts",
        "KOfR",
        "Separator",
    ),
    "dimension": ("MarginShattering",),
    "exponentiated": (
        "NormalizedWinnowCommittee",
        "NormalizedWinnowHinge",
        "NormalizedWinnowRate",
        "NormalizedWinnowSimple",
        "NormalizedWinnowThick",
        "NormalizedWinnowTuned",
        "NormalizedWinnowWarmStart",
        "SignedWinnowHinge",
        "SignedWinnowRate",
        "SignedWinnowRestarts",
        "SignedWinnowTuned",
        "coin_relative_entropy",
        "eta_max",
        "eta_star",
        "phase_budget",
    ),
    "finite": (
        "ConjunctionTarget",
        "EliminationDisjunction",
        "HalvingClass",
        "LittlestoneLower",
        "LogarithmicLoss",
        "MixtureOfExperts",
        "OptimalLearner",
        "RandomizedMajorityBest",
        "WeightedMajorityBest",
    ),
    "lower": (
        "DisjunctionLower",
        "ExpertsLower",
        "MarginLower",
    ),
    "mixing": (
        "MixingWithLosses",
        "ParameterMixing",
    ),
    "multiclass": (
        "MulticlassHinge",
        "MulticlassNormalizedWinnow",
        "MulticlassNormalizedWinnowHinge",
        "MulticlassNovikoff",
        "MulticlassPNorm",
        "MulticlassSignedWinnow",
        "MulticlassSignedWinnowHinge",
    ),
    "passive_aggressive": (
        "PassiveAggressiveCapped",
        "PassiveAggressiveSeparable",
        "PassiveAggressiveSoftened",
        "PassiveAggressiveSquaredHinge",
    ),
    "perceptron": (
        "Novikoff",
        "NovikoffBySum",
        "PerceptronCommittee",
        "PerceptronDisjunction",
        "PerceptronHinge",
        "PerceptronSquaredHinge",
        "PerceptronThickMargin",
        "PerceptronWarmStart",
    ),
    "quasi_additive": (
        "PNorm",
        "PNormDimension",
        "PNormHinge",
        "QuasiAdditive",
        "optimal_p",
        "winnow_like_p",
    ),
    "references": ("REFERENCES",),
    "risk": (
        "AverageForecastRisk",
        "HoldoutRisk",
        "MeanRiskAnytime",
        "MeanRiskHoeffding",
        "MeanRiskKl",
        "MeanRiskKlPrior",
        "RiskDifference",
        "StreakRisk",
        "guaranteed_streak",
    ),
    "theorem": (
        "DimensionBound",
        "ExpectedMistakes",
        "Hypothesis",
        "LowerBound",
        "MistakeBound",
        "RiskBound",
        "Theorem",
    ),
    "winnow": (
        "WinnowAnyThreshold",
        "WinnowAttributeErrors",
        "WinnowComparator",
        "WinnowDisjunction",
        "WinnowDisjunctionClean",
        "WinnowFalsePositives",
        "WinnowKDNF",
        "WinnowThickThresholds",
        "WinnowWarmStart",
        "WinnowZeroing",
        "optimal_beta",
        "optimal_threshold",
        "promotions",
    ),
}
_HOME = {name: home for home, names in _NAMES.items() for name in names}

__all__ = sorted(_HOME)
#: Names of earlier releases, which still work and warn.
_OLD = ("g",)


def __getattr__(name: str) -> object:
    # Imported on first use: whoever needs one theorem does not wait for all of them.
    if name in _HOME:
        return getattr(import_module(f"thresher.theory.{_HOME[name]}"), name)
    if name in _OLD:
        return import_module("thresher.deprecation").renamed(__name__, name)
    raise AttributeError(f"module 'thresher.theory' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
