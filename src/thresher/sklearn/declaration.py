"""Which parameters an estimator has: the learner's own, and what scikit-learn's users expect."""

from __future__ import annotations

from inspect import Parameter

from thresher.learners.adapter import Adapter
from thresher.learners.base.journal import DEFAULT_BYTES

MEANINGS = {
    "fit_intercept": "Whether to add a constant feature 1, whose weight is learned like any other.",
    "max_iter": "How many passes `fit` makes over the rows, in their order.",
    "class_weight": """\
A dict from class to weight, "balanced" (the inverse of how often a class comes, for
`fit` only), or None.""",
    "new_features": """\
Whether `partial_fit` may bring features that were not there before. Frames are matched
by the names of their columns; arrays by position, so that new columns stand at the
end. Columns that are missing count 0. When predicting, columns never learned count for
nothing.""",
    "new_classes": """\
Whether `partial_fit` may bring classes that were not there before. Each has a learner of
its own then from the start, also where they are two.""",
    "calibrate": """\
"isotonic" or "platt": learn from the scores that were taken before their labels were
known what they are worth as probabilities, see :class:`thresher.Calibrated`, and have
`predict_proba`. The likeliest class is predicted then, as scikit-learn's
CalibratedClassifierCV does; `mistakes_` and certificates still are about predictions by
the scores. With more than one pass scores come from rows that were seen before, and
probabilities are too sure.""",
}

#: Where the algorithm depends on the number of features.
STATED_NUMBER = """\
False, or a number: `partial_fit` may bring features that were not there before, until
there are so many. The learner is made for that number from the start. Frames are matched
by the names of their columns; arrays by position, so that new columns stand at the end.
Columns that are missing count 0. When predicting, columns never learned count for nothing."""

#: Where the learner is made for features within bounds.
BOUNDS = """\
"auto", or as for the learner. With "auto" the rows of the first call decide. Where they
keep the bounds, rows are taken as they are, theorems hold and certificates can be had; a
later row that does not keep them is an error, and nothing is clipped. Where they do not,
each feature is divided by the largest absolute value it has had so far ("online"), for
which no theorem is known. `scaling_` says which. With None a value out of bounds is an
error from the first row on."""

#: Where one table of weights serves all classes.
SHARED_TABLE = "Whether `partial_fit` may bring classes that were not there before."


class Declaration(Adapter):
    """What the declaration of an estimator says."""

    @classmethod
    def _stated(cls) -> list[Parameter]:
        taken = cls._taken
        room = "bool | int" if cls._must_know_n_features() else "bool"
        scaling = "auto" if cls._bounded() else None
        common = (
            ("bias" in taken, "fit_intercept", "bool", True),
            (True, "max_iter", "int", 1),
            ("class_weight" in taken, "class_weight", "Mapping[Any, float] | str | None", None),
            ("scaling" in taken, "scaling", "str | None", scaling),
            (True, "new_features", room, False),
            (True, "new_classes", "bool", False),
            (cls._can_be_calibrated(), "calibrate", "str | None", None),
            ("journal_bytes" in taken, "journal_bytes", "int", DEFAULT_BYTES),
        )
        keywords = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for there, name, annotation, default in common
            if there
        ]
        return [*cls._own(), *keywords]

    @classmethod
    def _meaning(cls, name: str) -> str | None:
        if name == "scaling" and cls._bounded():
            return BOUNDS
        if name == "new_features" and cls._must_know_n_features():
            return STATED_NUMBER
        if name == "new_classes" and cls._example.several:
            return SHARED_TABLE
        return MEANINGS.get(name)
