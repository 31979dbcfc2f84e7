"""Declared targets, and what each learner promises on them before the run.

A concept says what the user claims about the stream: "a disjunction of 2 of 100 features",
"separable with margin 1/10", "one of 16 experts is perfect". `theorems_for` turns the claim
and a learner's name and parameters into the theorems that apply, and `allowance` picks the
one that allows the fewest mistakes. A learner without a theorem for the claim gets none:
that is an answer, not an error.

Parameters are those of the learners: ``n_features``, ``beta``, ``threshold``, ``zeroing``,
``eta``, ``margin``, ``radius``, ``bias``, ``p``, and ``active``, the most features active in
one example. One name is not a class: "RestartingSignedWinnow" is a SignedWinnow made with
neither ``eta`` nor ``margin``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from thresher.theory.exponentiated import (
    NormalizedWinnowCommittee,
    NormalizedWinnowRate,
    NormalizedWinnowTuned,
    SignedWinnowRate,
    SignedWinnowRestarts,
    SignedWinnowTuned,
    eta_star,
)
from thresher.theory.finite import (
    ConjunctionTarget,
    EliminationDisjunction,
    HalvingClass,
    RandomizedMajorityBest,
    WeightedMajorityBest,
)
from thresher.theory.lower import DisjunctionLower, ExpertsLower
from thresher.theory.perceptron import (
    Novikoff,
    PerceptronCommittee,
    PerceptronDisjunction,
    PerceptronHinge,
)
from thresher.theory.quantities import Count, Exact, Given, Size
from thresher.theory.quasi_additive import PNormDimension
from thresher.theory.theorem import LowerBound, MistakeBound, Theorem
from thresher.theory.winnow import (
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowDisjunction,
    WinnowZeroing,
)

Parameter: TypeAlias = Given | str | None
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Parameters:
    """A learner's parameters, with the defaults the learners have."""

    given: dict[str, Parameter]

    def number(self, name: str, default: Given) -> Given:
        """The number given under a name, or the default if it is missing or None."""
        value = self.given.get(name)
        return default if value is None or isinstance(value, str) else value

    def count(self, name: str, default: int) -> int:
        """The whole number given under a name, or the default."""
        return int(self.number(name, default))

    def step(self, radius: Fraction) -> Given | None:
        """The step eta of an exponentiated learner: given, or the best for a given margin."""
        if (eta := self.given.get("eta")) is not None and not isinstance(eta, str):
            return eta
        margin = self.number("margin", 0)
        return eta_star(margin, self.number("radius", radius)) if margin else None


class Concept(ABC):
    """A claim about a stream, from which bounds follow before the run."""

    @abstractmethod
    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Theorems that speak about this claim and this learner; some may not apply."""

    def forced(self) -> LowerBound | None:
        """What every deterministic learner can be made to suffer on this claim, if known."""
        return None

    def theorems_for(self, learner: str, **parameters: Parameter) -> list[Theorem]:
        """The theorems whose hypotheses hold, for a learner known by its class name."""
        found = self.candidates(learner, Parameters(parameters))
        return [theorem for theorem in found if theorem.applies()]

    def allowance(self, learner: str, **parameters: Parameter) -> MistakeBound | None:
        """The applying mistake bound that allows the fewest mistakes, or None."""
        found = self.theorems_for(learner, **parameters)
        bounds = [theorem for theorem in found if isinstance(theorem, MistakeBound)]
        return min(bounds, key=lambda theorem: theorem.max_mistakes(), default=None)


def separable(
    learner: str,
    parameters: Parameters,
    n_features: int,
    margin: Fraction,
    radius: Fraction,
    norm: Fraction,
) -> Iterator[Theorem]:
    """What exponentiated and p-norm learners promise at an L1 margin."""
    eta = parameters.step(radius)
    tuned = {"NormalizedWinnow": NormalizedWinnowTuned, "SignedWinnow": SignedWinnowTuned}
    rated = {"NormalizedWinnow": NormalizedWinnowRate, "SignedWinnow": SignedWinnowRate}
    if learner in tuned and eta is None:
        yield tuned[learner](n_features, margin, radius, norm)
    elif learner in rated and eta is not None:
        yield rated[learner](n_features, margin, radius, norm, eta=eta)
    elif learner == "RestartingSignedWinnow":
        yield SignedWinnowRestarts(n_features, margin, radius, norm)
    elif learner == "PNormPerceptron":
        yield PNormDimension(parameters.number("p", 2), n_features, radius, norm, margin)


@dataclass(frozen=True)
class KOfR(Concept):
    """Binary features; +1 exactly when at least k of r relevant features (of n) are active.

    >>> KOfR(k=2, r=3, n=100).allowance("Winnow", beta=0.25).max_mistakes()
    149
    >>> KOfR(k=2, r=3, n=100).allowance("Winnow", beta=1) is None
    True
    """

    k: Count = Count("k: how many relevant features make a positive example")
    r: Count = Count("r: the number of relevant features")
    n: Count = Count("n: the number of features")

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Winnow through its comparator; homogeneous signed learners through a constant."""
        d = parameters.count("n_features", self.n)
        if not self.k:
            # Then every example is positive, and the comparators have nothing to divide by.
            return
        if learner == "Winnow" and not parameters.number("zeroing", 0):
            beta, theta = parameters.number("beta", 1), parameters.number("threshold", d)
            yield WinnowComparator.k_of_r(d, self.k, self.r, beta, theta)
        if not parameters.number("bias", 0) or learner == "NormalizedWinnow":
            return
        # The comparator: 1 on the relevant features, 1/2 - k on the constant, margin 1/2.
        constant = self.k - HALF
        if learner == "Perceptron":
            active = parameters.count("active", self.n)
            yield Novikoff(active + 1, self.r + constant**2, HALF)
        yield from separable(learner, parameters, d + 1, HALF, Fraction(1), self.r + constant)


@dataclass(frozen=True)
class Disjunction(Concept):
    """Binary features; +1 exactly when one of k relevant features (of n) is active.

    ``errors`` declares how many attribute errors the stream may have (0: noise-free).

    >>> claim = Disjunction(k=2, n=100)
    >>> claim.allowance("Winnow").max_mistakes(), claim.allowance("Elimination").max_mistakes()
    (37, 98)
    >>> Disjunction(k=2, n=100, errors=3).allowance("Winnow").max_mistakes()
    48
    """

    k: Count = Count("k: the number of relevant features, exactly")
    n: Count = Count("n: the number of features")
    errors: Count = Count("attribute errors in the whole stream", default=0)

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Every learner that can represent a disjunction."""
        d = parameters.count("n_features", self.n)
        if learner == "Winnow":
            yield from self._winnow(d, parameters)
        elif learner == "Perceptron" and parameters.number("bias", 0):
            active = parameters.count("active", self.n)
            if self.errors:
                yield PerceptronHinge(active + 1, self.k + HALF**2, HALF, self.errors)
            else:
                yield PerceptronDisjunction(self.k, active)
        elif not self.errors:
            if learner == "Elimination":
                yield EliminationDisjunction(d, self.k)
            elif learner == "Halving":
                yield HalvingClass.disjunctions(self.n, self.k)
            else:
                yield from KOfR(1, self.k, self.n).candidates(learner, parameters)

    def _winnow(self, d: int, parameters: Parameters) -> Iterator[Theorem]:
        beta, theta = parameters.number("beta", 1), parameters.number("threshold", d)
        if parameters.number("zeroing", 0):
            if not self.errors:
                yield WinnowZeroing(d, self.k, beta, theta)
        elif self.errors:
            yield WinnowAttributeErrors(d, self.k, self.errors, beta, theta)
        elif beta == 1 and theta == d:
            yield WinnowDisjunction(d, self.k)
        else:
            yield WinnowAnyThreshold(d, self.k, beta, theta)

    def forced(self) -> LowerBound | None:
        """Bisection in k blocks; noise can only make it worse."""
        return DisjunctionLower(self.n, self.k) if self.k else None


@dataclass(frozen=True)
class Conjunction(Concept):
    """Binary features; +1 exactly when all of k features (of n) are active.

    >>> Conjunction(k=3, n=20).allowance("Conjunction").max_mistakes()
    17
    """

    k: Count = Count("k: the number of relevant features, exactly")
    n: Count = Count("n: the number of features")

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """The conjunction learner, Halving, and whatever learns k of k."""
        if learner == "Conjunction":
            yield ConjunctionTarget(parameters.count("n_features", self.n), self.k)
        elif learner == "Halving":
            yield HalvingClass.disjunctions(self.n, self.k)
        elif self.k:
            yield from KOfR(self.k, self.k, self.n).candidates(learner, parameters)


@dataclass(frozen=True)
class Separator(Concept):
    """Separable with a margin by a comparator of norm 1.

    ``norm`` is 2 or 1: which norm of the comparator is 1. ``radius`` bounds the examples in the
    dual norm: ||x||_2 for norm 2, the largest |x_i| for norm 1. ``signed`` says whether the
    comparator of norm 1 may have negative weights. A float margin is the number it denotes:
    0.1 is a little more than 1/10, so say ``Fraction(1, 10)`` if that is what is meant.

    >>> Separator(margin=Fraction(1, 10)).allowance("Perceptron").max_mistakes()
    100
    >>> Separator(margin=0.1, norm=1).allowance("SignedWinnow", n_features=50).max_mistakes()
    919
    """

    margin: Exact = Exact("gamma: y u.x >= gamma in every round")
    norm: Count = Count("2 or 1: the norm in which u has length 1", default=2)
    radius: Size = Size("the largest ||x||_2 (norm 2) or |x_i| (norm 1)", default=1)
    signed: Count = Count("1 if u may have negative weights, else 0", default=1)

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Novikoff in the plane norm; exponentiated and p-norm learners at an L1 margin."""
        d = parameters.count("n_features", 0)
        if self.norm == 2:
            if learner == "Perceptron":
                yield Novikoff(self.radius**2, 1, self.margin)
            return
        if learner == "Perceptron":
            active = parameters.count("active", d)
            if active:
                yield Novikoff(active * self.radius**2, 1, self.margin)
        elif d and not (self.signed and learner == "NormalizedWinnow"):
            yield from separable(learner, parameters, d, self.margin, self.radius, Fraction(1))


@dataclass(frozen=True)
class Experts(Concept):
    """The features are the votes -1/+1 of n experts, the best of whom errs ``best`` times.

    >>> Experts(n=16).allowance("Halving").max_mistakes()
    4
    >>> Experts(n=16, best=3).allowance("WeightedMajority", beta=0.5).max_mistakes()
    16
    """

    n: Count = Count("N: the number of experts")
    best: Count = Count("m*: mistakes of the best expert", default=0)

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Weighted Majority always; the others if some expert is perfect."""
        beta = parameters.number("beta", HALF)
        if learner == "WeightedMajority":
            yield WeightedMajorityBest(self.n, self.best, beta)
        elif learner == "RandomizedWeightedMajority":
            yield RandomizedMajorityBest(self.n, self.best, beta)
        elif not self.best:
            if learner == "Halving":
                yield HalvingClass(self.n)
            else:
                yield from Committee(1, self.n).candidates(learner, parameters)

    def forced(self) -> LowerBound | None:
        """All sign patterns; imperfect experts can only make it worse."""
        return ExpertsLower(self.n)


@dataclass(frozen=True)
class Committee(Concept):
    """The features are votes -1/+1 of n experts; the majority of k of them is right, untied.

    >>> Committee(k=3, n=100).allowance("Perceptron").max_mistakes()
    300
    """

    k: Count = Count("k: the size of the committee")
    n: Count = Count("N: the number of experts")

    def candidates(self, learner: str, parameters: Parameters) -> Iterator[Theorem]:
        """Additive and multiplicative learners of signed votes."""
        if learner == "Perceptron":
            yield PerceptronCommittee(self.n, self.k)
        elif learner == "NormalizedWinnow" and parameters.step(Fraction(1)) is None:
            yield NormalizedWinnowCommittee(self.n, self.k)
        else:
            vote = Fraction(1 if self.k % 2 else 2)
            yield from separable(learner, parameters, self.n, vote, Fraction(1), Fraction(self.k))
