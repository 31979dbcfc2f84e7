"""What a declared class of targets allows a learner, known before the run.

The concepts of `thresher.theory` speak of textbook learners. A real one may have a constant
feature, more features than the claim mentions, a step worked out from a margin, or phases;
each of these is taken into account here, or the answer is that no theorem applies.
"""

from __future__ import annotations

from fractions import Fraction

from thresher.theory import (
    Committee,
    Concept,
    Conjunction,
    Disjunction,
    Experts,
    KOfR,
    MistakeBound,
    Novikoff,
    Separator,
    SignedWinnowRestarts,
)
from thresher.verifier.measures.exponentiated import steps_of
from thresher.verifier.replays.exponentiated import restarts
from thresher.verifier.replays.playing import Parameters


def textbook_allowance(title: str, parameters: Parameters, concept: Concept) -> MistakeBound | None:
    """What is allowed a learner that is just as its theorem describes it.

    >>> given = {"n_features": 100, "beta": Fraction(1), "threshold": Fraction(100)}
    >>> claim = Disjunction(k=2, n=100)
    >>> textbook_allowance("Winnow", given | {"zeroing": False}, claim).max_mistakes()
    37
    """
    room = int(parameters.get("n_features") or parameters.get("n_experts") or 0)
    if _more_voters(concept, room, 0) or _more_features(concept, room):
        return None
    room *= 2 if parameters.get("literals", False) else 1
    given = {
        name: parameters[name] for name in ("beta", "threshold", "zeroing") if name in parameters
    }
    return concept.allowance(title, n_features=room, bias=0, **given)


def perceptron_allowance(
    title: str, parameters: Parameters, concept: Concept
) -> MistakeBound | None:
    """What is allowed the Perceptron; its bounds do not ask how many features it has."""
    room, bias = int(parameters["n_features"] or 0), int(parameters["bias"])
    if _more_voters(concept, room, bias):
        return None
    theorem = concept.allowance(title, n_features=room or None, bias=bias)
    if isinstance(concept, Separator) and bias and isinstance(theorem, Novikoff):
        # The constant feature adds 1 to every squared norm; the comparator gives it weight 0.
        return Novikoff(theorem.radius_squared + 1, theorem.comparator_norm_squared, theorem.margin)
    return theorem


def exponentiated_allowance(
    title: str, parameters: Parameters, concept: Concept, *, signed: bool
) -> MistakeBound | None:
    """What is allowed normalised and signed Winnow, with the step they have or work out."""
    room, bias = int(parameters["n_features"]), int(parameters["bias"])
    if _more_voters(concept, room, bias) or _more_features(concept, room):
        return None
    literals = bool(parameters.get("literals", False))
    if isinstance(concept, Separator):
        if concept.signed and not signed and not literals:
            return None
        radius = max(concept.radius, Fraction(bias))
        # Over features and their opposites no weight need be negative.
        negative = concept.signed if not literals else 0
        concept = Separator(concept.margin, concept.norm, radius, negative)
        room = room * (2 if literals else 1) + bias
    elif literals or (not signed and not isinstance(concept, Experts | Committee)):
        return None
    if restarts(parameters):
        found = concept.allowance("RestartingSignedWinnow", n_features=room, bias=bias)
        given = Fraction(parameters["radius"])
        if not isinstance(found, SignedWinnowRestarts) or found.radius > given:
            return None
        return SignedWinnowRestarts(found.n_features, found.margin, given, found.comparator_norm)
    ends = [
        concept.allowance(title, n_features=room, bias=bias, eta=eta)
        for eta in steps_of(parameters)
    ]
    proven = [theorem for theorem in ends if theorem is not None]
    if len(proven) < len(ends):
        return None
    return max(proven, key=lambda theorem: theorem.max_mistakes())


def _more_voters(concept: Concept, room: int, bias: int) -> bool:
    """Whether the learner hears more than the voters that the concept speaks of."""
    return isinstance(concept, Experts | Committee) and (bool(bias) or room > concept.n)


def _more_features(concept: Concept, room: int) -> bool:
    """Whether the target may name features the learner lacks, and is then another target."""
    return isinstance(concept, KOfR | Conjunction | Disjunction) and concept.n > room
