"""Classes of concepts as they are written: `disjunctions:k=2`, and the learners over them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from thresher.errors import RequestError
from thresher.errors.error import did_you_mean
from thresher.models.written import assignments, ill_written, literal

if TYPE_CHECKING:
    from thresher.concepts import ConceptClass
    from thresher.learners.base.learner import Learner
    from thresher.models.choice import LearnerChoice

#: The classes, as help lists them.
CLASSES = (
    "disjunctions",
    "conjunctions",
    "counting_thresholds",
    "decision_lists",
    "singletons",
    "thresholds",
    "all_functions",
)


def concept_class(text: str, n_variables: int) -> ConceptClass:
    """The class that was written, over so many variables.

    >>> concept_class("disjunctions:k=2", 4).size
    6
    """
    # Imported here: who asks for help needs no concepts.
    from thresher import concepts  # noqa: PLC0415

    name, _, rest = text.partition(":")
    whose = f"concepts {text}"
    plain = name.strip().replace("-", "_").lower()
    if plain not in CLASSES:
        near = did_you_mean(plain, CLASSES)
        raise ill_written(whose, f"{name!r} is none of {', '.join(CLASSES)}.{near}")
    title = "".join(word.capitalize() for word in plain.split("_"))
    made: Callable[..., ConceptClass] = getattr(concepts, plain, None) or getattr(concepts, title)
    given: dict[str, Any] = {key: literal(one) for key, one in assignments(rest, whose).items()}
    if wrong := [key for key, one in given.items() if isinstance(one, str | Fraction)]:
        raise ill_written(whose, f"{wrong[0]} is a whole number, or yes or no.")
    try:
        return made(n_variables, **given)
    except TypeError as error:
        raise ill_written(whose, f"{error}.") from None


def learner_over_concepts(
    choice: LearnerChoice, concepts: str | None, n_variables: int | None
) -> Learner:
    """The learner over a finite class, which must be told what the class is."""
    if concepts is None or n_variables is None:
        raise RequestError(
            f"{choice.name} learns from a class of concepts over so many variables: say both, "
            "concepts='disjunctions' and n_features=5.",
            code="request.over_concepts",
            learner=choice.name,
        )
    made: Callable[..., Learner] = choice.record.load()
    given = {name: literal(str(value)) for name, value in choice.given.items()}
    return made(concept_class(concepts, n_variables), **given)
