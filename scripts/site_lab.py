"""What a theorem's page says of the lab: the run that shows the theorem, or why there is none.

`tests/test_site_pages.py` sees to it that every theorem stands in one of these tables, and that the
evidence of each run quotes the theorem it stands under.
"""

from __future__ import annotations

from urllib.parse import urlencode

from thresher.theory.theorem import RISK, Theorem

_OR = "disjunctions:n_features=20,r=2,active=6,rows=150"
_VOTES = "committees:n_features=9,rows=60"
_MARGIN = "separators:n_features=8,rows=80"
_SMALL = "disjunctions:n_features=6,r=1,active=3,rows=100"

#: The stream and the learner of a run whose evidence quotes the theorem.
RUNS = {
    "Novikoff": ("circle:inverse_margin_squared=20.5", "perceptron"),
    "NovikoffBySum": (_OR, "perceptron"),
    # So long that no comparator is searched for: the claim is what was known before.
    "PerceptronDisjunction": (_OR.replace("150", "10001"), "perceptron:bias=True"),
    "PerceptronHinge": (f"{_VOTES},noise=0.05", "perceptron"),
    "PerceptronThickMargin": ("thick:tau=5/2", "perceptron:margin=5/2"),
    "WinnowAnyThreshold": (_OR, "winnow:threshold=5"),
    "WinnowAttributeErrors": (f"{_OR},attribute_noise=0.1", "winnow"),
    "WinnowComparator": ("conjunctions:n_features=12,r=2,rows=150", "winnow:beta=1/2"),
    "WinnowDisjunction": (_OR, "winnow"),
    "WinnowThickThresholds": (_OR, "winnow:margin=1"),
    "WinnowZeroing": (_OR, "winnow:zeroing=True"),
    "NormalizedWinnowHinge": (f"{_MARGIN},noise=0.1", "normalized_winnow:margin=1/5"),
    "NormalizedWinnowRate": (_VOTES, "normalized_winnow:margin=1/5"),
    "SignedWinnowHinge": (f"{_MARGIN},noise=0.1", "signed_winnow:margin=1/5"),
    "SignedWinnowRate": (_VOTES, "signed_winnow:margin=1/5"),
    "SignedWinnowRestarts": (_VOTES, "signed_winnow"),
    "PNorm": (_OR, "p_norm_perceptron:p=3"),
    "PNormHinge": (f"{_VOTES},noise=0.05", "p_norm_perceptron:p=3"),
    "PassiveAggressiveCapped": (_VOTES, "passive_aggressive"),
    "PassiveAggressiveSeparable": (_VOTES, "passive_aggressive:variant=PA"),
    "PassiveAggressiveSoftened": (_OR, "passive_aggressive:variant=PA-II"),
    "AdaGradHinge": ("identical-shards", "adagrad"),
    "AdaGradLogistic": ("identical-shards", "adagrad:loss=logistic"),
    "ConjunctionTarget": ("conjunctions:n_features=12,r=2,rows=150", "conjunction"),
    "EliminationDisjunction": (_OR, "elimination"),
    "HalvingClass": (_SMALL, "halving:concepts=disjunctions"),
    "OptimalLearner": (_SMALL, "standard_optimal:concepts=disjunctions"),
    "RandomizedMajorityBest": ("splitter", "randomized_weighted_majority"),
    "WeightedMajorityBest": ("splitter", "weighted_majority"),
}
#: Games in which the number that the theorem forces is what has to be reached.
GAMES = {
    "DisjunctionLower": "game?play=learner&kind=binary-search&setting=16/2",
    "MarginLower": "game?play=adversary&margin=1/3&learner=perceptron",
}
#: Step shows the weights of two classes; these learners have several, or a mixture instead.
FILES = {
    "LogarithmicLoss": "committee",
    "MixtureOfExperts": "committee",
    "MulticlassHinge": "multiclass_perceptron",
    "MulticlassNovikoff": "multiclass_perceptron",
    "MulticlassNormalizedWinnow": "multiclass_normalized_winnow:margin=1/10",
    "MulticlassNormalizedWinnowHinge": "multiclass_normalized_winnow:margin=1/10",
    "MulticlassSignedWinnow": "multiclass_signed_winnow:margin=1/10",
    "MulticlassSignedWinnowHinge": "multiclass_signed_winnow:margin=1/10",
}
#: What the evidence of such a run quotes instead.
INSTEAD = {
    "PerceptronCommittee": "NovikoffBySum",
    "PerceptronSquaredHinge": "PerceptronHinge",
    "WinnowDisjunctionClean": "WinnowDisjunction",
    "WinnowFalsePositives": "WinnowDisjunction",
    "NormalizedWinnowCommittee": "NormalizedWinnowRate",
    "NormalizedWinnowSimple": "NormalizedWinnowRate",
    "NormalizedWinnowTuned": "NormalizedWinnowRate",
    "SignedWinnowTuned": "SignedWinnowRate",
    "PNormDimension": "PNorm",
    "QuasiAdditive": "NovikoffBySum",
    "PassiveAggressiveSquaredHinge": "PassiveAggressiveSeparable",
}

_ANEW = (
    "The lab starts every learner anew; a warm start is made in Python, as in the example above."
)
_APART = (
    "The lab plays one learner; shards that learn apart are those of `thresher train --cluster` "
    "([Cluster](../cluster.md)), and `thresher certify` certifies their run."
)
#: Where the lab has nothing to show.
NOTHING = {
    "PerceptronWarmStart": _ANEW,
    "WinnowWarmStart": _ANEW,
    "NormalizedWinnowWarmStart": _ANEW,
    "WinnowKDNF": (
        "The lab has no stream of conjunctions of features; [Interactions](../interactions.md) "
        "makes them."
    ),
    "NormalizedWinnowThick": "The learner is not in this package, so the lab has no run of it.",
    "MulticlassPNorm": "The learner is not in this package, so the lab has no run of it.",
    "LittlestoneLower": (
        "The lab has no game for it. *Halving's tree* (`thresher lab --view 'game?play=halving'`) "
        "is the one that comes nearest: whoever always contradicts it forces all it allows."
    ),
    "ExpertsLower": (
        "The lab has no game for it; *Experts* (`thresher lab --view 'game?play=experts'`) lets "
        "you choose who errs, against one learner."
    ),
    "MarginShattering": (
        "It is about sets of points and not about a run, so there is nothing to play."
    ),
    "MeanRiskKlPrior": "It is about rows to come, and no certificate quotes it: Python does.",
    "HoldoutRisk": (
        "It is about rows to come, and the lab shows those that came. `thresher certify --holdout` "
        "states it under a run."
    ),
    "MixingWithLosses": _APART,
    "ParameterMixing": _APART,
}
_RISK = (
    "It is about rows to come, and the lab shows those that came. `thresher certify` states under "
    "a run what such theorems allow."
)


def lab_section(theorem: type[Theorem]) -> str:
    """The part of the page, in Markdown."""
    name = theorem.name
    if name in RUNS:
        return f"{_command(name)}\n{_recorded(name)}"
    if name in INSTEAD:
        other = INSTEAD[name]
        return (
            f"The evidence of a run does not quote this theorem; it quotes [{other}]({other}.md), "
            f"as here:\n\n{_command(other)}\n{_recorded(other)}"
        )
    if name in GAMES:
        return (
            f"    thresher lab --view '{GAMES[name]}'\n\nopens the game in which you force, or "
            "suffer, as many mistakes as this theorem says.\n"
        )
    if name in FILES:
        view = view_of("data", key="given", learner=FILES[name])
        several = " with several classes" if name.startswith("Multiclass") else ""
        return (
            f"    thresher lab FILE --view '{view}'\n\nshows the learner, and the evidence of its "
            f"run, on a file of yours{several}.\n"
        )
    return NOTHING.get(name, _RISK if theorem.kind == RISK else "") + "\n"


def view_of(screen: str, **chosen: str) -> str:
    """A view of the lab as its addresses have it, readable where that is possible."""
    return f"{screen}?{urlencode(chosen, safe=':/,=')}"


def _command(name: str) -> str:
    stream, learner = RUNS[name]
    view = view_of("step", stream=stream, learner=learner)
    return f"    thresher lab --view '{view}'\n"


def _recorded(name: str) -> str:
    return (
        f'opens the lab at that run. <a href="../lab-views/{name}.html">The same run, recorded</a>'
        ", needs no installation: arrow keys step, `m` goes to the next mistake.\n"
    )
