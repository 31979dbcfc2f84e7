"""What a declared class of targets allows a learner, known before the run.

The concepts of `thresher.theory` speak of textbook learners. A real one may have a constant
feature, more features than the claim mentions, a step worked out from a margin, or phases;
each of these is taken into account here, or the answer is that no theorem applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError, ThresherError
from thresher.theory import (
    Committee,
    Concept,
    Conjunction,
    ConjunctionTarget,
    Disjunction,
    EliminationDisjunction,
    Experts,
    KOfR,
    MistakeBound,
    Novikoff,
    Separator,
    SignedWinnowRestarts,
    WinnowAnyThreshold,
    WinnowDisjunction,
)
from thresher.verifier.certificate import Claim
from thresher.verifier.exponentiated import restarts
from thresher.verifier.measure_exponentiated import steps_of

CONCEPTS: dict[str, type[Concept]] = {
    concept.__name__: concept
    for concept in (KOfR, Committee, Conjunction, Disjunction, Experts, Separator)
}
CLASS_NAMES = {
    "perceptron": "Perceptron",
    "winnow": "Winnow",
    "normalized_winnow": "NormalizedWinnow",
    "signed_winnow": "SignedWinnow",
    "elimination": "Elimination",
    "conjunction": "Conjunction",
    "weighted_majority": "WeightedMajority",
}
Parameters = Mapping[str, Any]


def claim_of(concept: Concept) -> Claim:
    """The concept as a certificate states it."""
    found = {field.name: getattr(concept, field.name) for field in fields(concept)}  # type: ignore[arg-type]
    return Claim(type(concept).__name__, found)


def concept_of(claim: Claim) -> Concept:
    """The concept that a certificate states."""
    if claim.concept not in CONCEPTS:
        raise CertificateError.must_be(
            "$.claim.concept", f"one of {', '.join(CONCEPTS)}", claim.concept
        )
    wanted = {field.name for field in fields(CONCEPTS[claim.concept])}  # type: ignore[arg-type]
    if wanted != set(claim.quantities):
        raise CertificateError.must_be(
            "$.claim.quantities", f"{', '.join(sorted(wanted))}", sorted(claim.quantities)
        )
    try:
        concept = CONCEPTS[claim.concept](**claim.quantities)
    except (TypeError, ThresherError) as error:
        raise CertificateError(f"certificate: $.claim.quantities: {error}") from None
    for name, value in claim_of(concept).quantities.items():
        if type(value) is not type(claim.quantities[name]):
            must = "a whole number" if isinstance(value, int) else "an exact number"
            raise CertificateError.must_be(
                f"$.claim.quantities.{name}", must, claim.quantities[name]
            )
    return concept


def allowance(learner: str, parameters: Parameters, concept: Concept) -> MistakeBound | None:
    """The strongest theorem about the learner on this class, or None.

    >>> given = {"n_features": 100, "beta": Fraction(1), "threshold": Fraction(100)}
    >>> allowance("winnow", given | {"zeroing": False}, Disjunction(k=2, n=100)).max_mistakes()
    37
    """
    if learner not in CLASS_NAMES:
        return None
    bias = int(parameters.get("bias", False))
    room = int(parameters.get("n_features") or parameters.get("n_experts") or 0)
    if isinstance(concept, Experts | Committee):
        beyond = bool(bias) or room > concept.n
    elif isinstance(concept, KOfR | Conjunction | Disjunction):
        # A target may name features the learner does not have, and is then another target.
        beyond = learner != "perceptron" and concept.n > room
    else:
        beyond = False
    if beyond:
        return None
    room *= 2 if parameters.get("literals", False) else 1
    if learner in ("normalized_winnow", "signed_winnow"):
        return _exponentiated(learner, parameters, concept, room + bias)
    given = {
        name: parameters[name] for name in ("beta", "threshold", "zeroing") if name in parameters
    }
    theorem = concept.allowance(CLASS_NAMES[learner], n_features=room or None, bias=bias, **given)
    if isinstance(concept, Separator) and bias and isinstance(theorem, Novikoff):
        # The constant feature adds 1 to every squared norm; the comparator gives it weight 0.
        return Novikoff(theorem.radius_squared + 1, theorem.comparator_norm_squared, theorem.margin)
    return theorem


def _exponentiated(
    learner: str, parameters: Parameters, concept: Concept, coordinates: int
) -> MistakeBound | None:
    bias = int(parameters["bias"])
    if isinstance(concept, Separator):
        if concept.signed and learner == "normalized_winnow":
            return None
        radius = max(concept.radius, Fraction(bias))
        concept = Separator(concept.margin, concept.norm, radius, concept.signed)
        room = coordinates
    else:
        room = coordinates - bias
        if learner == "normalized_winnow" and not isinstance(concept, Experts | Committee):
            return None
    if restarts(parameters):
        found = concept.allowance("RestartingSignedWinnow", n_features=room, bias=bias)
        given = Fraction(parameters["radius"])
        if not isinstance(found, SignedWinnowRestarts) or found.radius > given:
            return None
        return SignedWinnowRestarts(found.n_features, found.margin, given, found.comparator_norm)
    ends = [
        concept.allowance(CLASS_NAMES[learner], n_features=room, bias=bias, eta=eta)
        for eta in steps_of(parameters)
    ]
    proven = [theorem for theorem in ends if theorem is not None]
    if len(proven) < len(ends):
        return None
    return max(proven, key=lambda theorem: theorem.max_mistakes())


@dataclass(frozen=True)
class Limits:
    """The most mistakes of all, of false negatives and of false positives; None: no limit."""

    mistakes: int
    false_negatives: int | None = None
    false_positives: int | None = None

    @classmethod
    def of(cls, theorem: MistakeBound) -> Limits:
        """What a theorem allows, by kind of mistake where it says so."""
        if isinstance(theorem, WinnowDisjunction | WinnowAnyThreshold):
            return cls(
                theorem.max_mistakes(),
                theorem.max_false_negatives(),
                theorem.max_false_positives(),
            )
        if isinstance(theorem, EliminationDisjunction):
            return cls(theorem.max_mistakes(), false_negatives=0)
        if isinstance(theorem, ConjunctionTarget):
            return cls(theorem.max_mistakes(), false_positives=0)
        return cls(theorem.max_mistakes())

    def exceeded(
        self, false_negatives: NDArray[np.int64], false_positives: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """For each pair of counts, whether it exceeds a limit."""
        over = false_negatives + false_positives > self.mistakes
        if self.false_negatives is not None:
            over = over | (false_negatives > self.false_negatives)
        if self.false_positives is not None:
            over = over | (false_positives > self.false_positives)
        return np.asarray(over)

    def first_excess(
        self,
        mistaken: NDArray[np.bool_],
        labels: NDArray[np.int8],
        before: tuple[int, int] = (0, 0),
    ) -> int | None:
        """The first round by which a limit was exceeded, given the counts before it."""
        false_negatives = before[0] + np.cumsum(mistaken & (labels > 0))
        false_positives = before[1] + np.cumsum(mistaken & (labels < 0))
        over = np.flatnonzero(self.exceeded(false_negatives, false_positives))
        return int(over[0]) if len(over) else None
