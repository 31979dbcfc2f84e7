"""Options that learners share: parameters that mean the same wherever they are taken."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, TypedDict

from thresher.errors import ParameterError
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.names.tables import Hashed, Vocabulary
from thresher.parameters import checked_choice, checked_flag, checked_real

#: How rows can be scaled, in the order in which the kernels number it; 0 is not at all.
SCALINGS = ("l2", "l1", "max", "online")

#: Weights of the negative and of the positive class.
ClassWeight = Mapping[int, float] | tuple[float, float] | None


class Options(TypedDict, total=False):
    """What every learner takes whose step can be scaled.

    class_weight
        How much the classes count, as ``{-1: 1.0, +1: 5.0}`` or as a pair (negative, positive):
        the `importance` of a row is multiplied by it. With 0, a class makes mistakes but never an
        update.
    scaling
        How each row is scaled first: "l2", "l1" or "max" divide it by its length, by the sum of
        its absolute values or by the largest of them; "online" divides each feature by its largest
        absolute value in this row and in those that changed the learner so far (the scale-free
        form of Ross, Mineiro and Langford 2013, without the factor that is common to all
        features). The constant feature is not scaled. The journal keeps rows as they came;
        features may be of any size, up to 1e100.
    names
        How names in dicts are mapped to weights: :class:`~thresher.Hashed` or
        :class:`~thresher.Vocabulary`.
    journal_bytes
        The most memory the journal of updates may take; 0 keeps none.
    """

    class_weight: ClassWeight
    scaling: str | None
    names: Hashed | Vocabulary | None
    journal_bytes: int


class IdentityLinkOptions(Options, total=False):
    """What the learners take whose weights are their duals.

    average
        Predict with the mean of the weights of all rounds so far, this one included (Freund and
        Schapire 1999). The current weights still decide when to update; mistakes are those of the
        mean. An update costs twice as much, other rounds one more pass over the row.
    """

    average: bool


DEFAULTS: dict[str, Any] = {
    "average": False,
    "class_weight": None,
    "scaling": None,
    "names": None,
    "journal_bytes": DEFAULT_BYTES,
}
#: Options that are wanted or not.
FLAGS = {"average"}


def completed(owner: str, kind: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a kind, those not given with their defaults; an unknown one is refused."""
    for name in given:
        if name not in kind.__annotations__:
            raise TypeError(f"{owner}() got an unexpected keyword argument {name!r}")
    options = {name: given.get(name, DEFAULTS[name]) for name in kind.__annotations__}
    for name in options.keys() & FLAGS:
        options[name] = checked_flag(owner, name, options[name])
    return options


def signature_with(init: Any, kind: type[Any]) -> inspect.Signature:
    """The signature of a class whose `__init__` takes options, each of them spelled out."""
    stated = [p for p in inspect.signature(init).parameters.values() if p.name != "self"]
    if stated and stated[-1].kind is inspect.Parameter.VAR_KEYWORD:
        stated[-1:] = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=DEFAULTS[name],
                annotation=stated_type.__forward_arg__,
            )
            for name, stated_type in kind.__annotations__.items()
        ]
    return inspect.Signature(stated)


def class_weights(owner: str, given: ClassWeight) -> tuple[float, float]:
    """The weights of the negative and of the positive class."""
    if given is None:
        return 1.0, 1.0
    pair = given
    if isinstance(given, Mapping):
        if not given.keys() <= {-1, 1}:
            raise ParameterError(owner, "class_weight", "a dict with keys -1 and +1", given)
        pair = (given.get(-1, 1.0), given.get(1, 1.0))
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ParameterError(owner, "class_weight", "a dict or a pair (negative, positive)", given)
    negative, positive = (checked_real(owner, "class_weight", w, 0.0, 1e9) for w in pair)
    if not negative and not positive:
        must = "above 0 for one class at least: rows that weigh nothing teach nothing"
        raise ParameterError(owner, "class_weight", must, given)
    return negative, positive


def scaling_number(owner: str, scaling: str | None) -> int:
    """The scaling as the kernels know it."""
    if scaling is None:
        return 0
    return 1 + SCALINGS.index(checked_choice(owner, "scaling", scaling, SCALINGS))
