"""How much the rows of a class count, by the labels that people know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thresher.errors import ParameterError, RequestError
from thresher.parameters import checked_real
from thresher.streams.label_scheme import canonical

if TYPE_CHECKING:
    from thresher.streams.label_scheme import LabelScheme


def checked_weights(given: Mapping[Any, Any] | None) -> dict[str, float] | None:
    """The weights by the names of labels, as a stream has them; None where there are none.

    >>> checked_weights({"spam": 5, "+1": 0.5}), checked_weights({})
    ({'spam': 5.0, '1': 0.5}, None)
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise ParameterError("train", "class_weight", "a dict from label to weight", given)
    found = {
        canonical(str(label)): checked_real("train", "class_weight", weight, 0.0, 1e9)
        for label, weight in given.items()
    }
    return found or None


def signed_weights(given: Mapping[str, float], scheme: LabelScheme) -> dict[int, float]:
    """What -1 and +1 count, where these labels count so much.

    >>> from thresher.streams.label_scheme import LabelScheme
    >>> signed_weights({"spam": 5.0}, LabelScheme("spam", "ham"))
    {1: 5.0}

    Where one label was chosen and every other counts as -1, the others have one name.

    >>> signed_weights({"not spam": 5.0}, LabelScheme.of("spam"))
    {-1: 5.0}
    """
    found: dict[int, float] = {}
    for label, weight in given.items():
        if scheme.rest and label not in (scheme.positive, f"not {scheme.positive}"):
            raise RequestError(
                f"class_weight names the label {label}; where {scheme.positive} counts as +1 and "
                f"every other as -1, it names {scheme.positive!r} or 'not {scheme.positive}'.",
                code="request.weight_within_the_rest",
                label=label,
                positive=scheme.positive,
            )
        sign = scheme.sign(label)
        if sign is None:
            raise RequestError(
                f"class_weight names the label {label}, and the data has {scheme.expected()}.",
                code="request.weight_of_no_class",
                label=label,
                expected=scheme.expected(),
            )
        if found.setdefault(sign, weight) != weight:
            raise RequestError(
                f"class_weight gives several weights to labels that count as {sign:+d} alike."
            )
    return found
