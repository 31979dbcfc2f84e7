"""Who runs a race when nobody is named; imports nothing, so that help can list them."""

from __future__ import annotations

from typing import Any

#: What the commonest label is called, which every learner has to beat.
BASELINE = "commoner label"

_BIAS = {"bias": True}
_REAL_DATA = {
    "passive_aggressive:bias=yes": ("passive_aggressive", _BIAS),
    "arow:bias=yes": ("arow", _BIAS),
    "adagrad:bias=yes": ("adagrad", _BIAS),
    "committee": ("committee", {}),
}
#: The learners whose theorems the advice compares, and those for real data: by their titles, each
#: with its name and parameters.
_OF_TWO_CLASSES = {
    "perceptron": ("perceptron", {}),
    "perceptron:bias=yes": ("perceptron", _BIAS),
    "winnow": ("winnow", {}),
    "signed_winnow": ("signed_winnow", {}),
    "balanced_winnow": ("balanced_winnow", {}),
    "elimination": ("elimination", {}),
    **_REAL_DATA,
}
#: The same with several classes; of a two-class learner there is one for each class.
_OF_SEVERAL = {
    "multiclass_perceptron": ("multiclass_perceptron", {}),
    "multiclass_passive_aggressive": ("multiclass_passive_aggressive", {}),
    "perceptron:bias=yes": ("perceptron", _BIAS),
    **_REAL_DATA,
}


def usual_learners(*, several: bool = False) -> dict[str, tuple[str, dict[str, Any]]]:
    """Names and parameters of the learners for two or for several classes, by their titles.

    >>> usual_learners()["arow:bias=yes"]
    ('arow', {'bias': True})
    """
    return _OF_SEVERAL if several else _OF_TWO_CLASSES
