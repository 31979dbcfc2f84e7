"""The parameters of a learner as values that JSON has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from thresher.learners.base.stateful import Stateful
from thresher.names.tables import Hashed, Vocabulary


def plain_parameters(learner: Any) -> dict[str, Any]:
    """The parameters of a learner as JSON-ready values.

    >>> import thresher as th
    >>> plain_parameters(th.OneVersusRest(th.Winnow(n_features=4)))
    {'learner': 'Winnow(n_features=4)', 'classes': None, 'class_weight': None}
    """
    return {name: _plain(value) for name, value in learner.parameters.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Stateful):
        # Without the rounds that it has not played.
        text = Stateful.__repr__(value)
        inner = value.parameters.get("learner")
        return text if inner is None else text.replace(repr(inner), _plain(inner))
    if isinstance(value, Hashed):
        return f"hashed with seed {value.seed}"
    if isinstance(value, Vocabulary):
        return "vocabulary"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
