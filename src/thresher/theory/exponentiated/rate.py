"""Exponentiated learners on a separable stream, with the step they really used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import Real, is_positive, ln, total
from thresher.theory.exponentiated.divergence import lncosh
from thresher.theory.quantities import Count, Exact, Size, Weights
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most, shown


@dataclass(frozen=True)
class SeparableStream(MistakeBound):
    """The quantities all exponentiated bounds on separable streams share."""

    n_features: Count = Count("d: the number of features")
    margin: Exact = Exact("gamma: the smallest y u.x of a mistake round")
    radius: Size = Size("X: the largest |x_i| of a mistake round")
    comparator_norm: Size = Size("||u||_1 of the comparator", default=1)
    comparator: Weights = Weights(
        "the absolute non-zero weights of u; empty: its entropy counts as 0", default=()
    )

    copies: ClassVar[int] = 1

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are features, a margin, and a comparator that fits its norm."""
        yield Hypothesis("n_features >= 1", self.n_features, self.n_features >= 1)
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis("comparator_norm > 0", self.comparator_norm, self.comparator_norm > 0)
        yield Hypothesis(
            "margin <= radius * comparator_norm",
            self.margin,
            self.margin <= self.radius * self.comparator_norm,
        )
        yield from comparator_hypotheses(self.comparator, self.comparator_norm, self.coordinates())

    def coordinates(self) -> int:
        """How many weights a comparator can have."""
        return self.n_features

    @property
    def margin_ratio(self) -> Fraction:
        """The margin per radius and comparator norm, g'/X: from 0 to 1."""
        return self.margin / (self.comparator_norm * self.radius)

    def relative(self, quantity: Fraction) -> Fraction:
        """A margin or loss of u as one of u/||u||_1."""
        return quantity / self.comparator_norm

    def gain(self, eta: Fraction) -> Fraction:
        """The product of step and relative margin, eta g'."""
        return eta * self.relative(self.margin)

    def drop(self, eta: Fraction) -> Real:
        """C(eta) = eta g' - ln cosh(eta X): what a mistake takes from the relative entropy."""
        return self.gain(eta) - lncosh(eta * self.radius)

    def half_square(self, eta: Fraction) -> Fraction:
        """The larger stand-in for ln cosh(eta X): eta^2 X^2/2."""
        return (eta * self.radius) ** 2 / 2

    def step_is_small_enough(self, eta: Fraction) -> Hypothesis:
        """A positive drop: the step lies below `eta_max`."""
        return Hypothesis(
            "eta * margin / comparator_norm > ln cosh(eta * radius)",
            f"eta = {shown(eta)}",
            is_positive(self.drop(eta)),
        )

    def start(self) -> Real:
        """The relative entropy of u to the uniform start: ln d - H(u/||u||_1)."""
        return ln(self.copies * self.coordinates()) - entropy(self.comparator)


def entropy(weights: tuple[Fraction, ...]) -> Real:
    """H(u/||u||_1) in natural units; 0 for no weights."""
    mass = sum(weights, Fraction(0))
    # Equal weights share a logarithm, which takes longer than all the rest.
    counted = Counter(weights).items()
    return -total(times * weight / mass * ln(weight / mass) for weight, times in counted)


def comparator_hypotheses(
    comparator: tuple[Fraction, ...], norm: Fraction, n_features: int
) -> Iterator[Hypothesis]:
    """Weights, if given, sum to the norm and are not more than the features."""
    mass, size = sum(comparator, Fraction(0)), len(comparator)
    yield Hypothesis("weights that sum to comparator_norm", mass, not size or mass == norm)
    yield Hypothesis("a comparator within n_features", size, size <= n_features)


@dataclass(frozen=True, kw_only=True)
class NormalizedWinnowRate(SeparableStream):
    """Mistakes of normalised Winnow on a separable stream, with the step eta it used.

    **Theorem** (Kivinen and Warmuth 1997; Grove, Littlestone and Schuurmans
    2001). Let u >= 0 satisfy y_t u.x_t >= gamma > 0 and |x_{t,i}| <= X in every mistake round,
    and g' = gamma/||u||_1. Normalised Winnow with step eta, started at the uniform weights,
    makes at most

        M <= (ln d - H(u/||u||_1)) / C(eta),  C(eta) = eta g' - ln cosh(eta X).

    H is the entropy of the normalised comparator: r equal weights turn ln d into ln(d/r).

    **Hypotheses.** gamma > 0 and C(eta) > 0, that is, eta below `eta_max(gamma)`. If weights
    of u are given they sum to ||u||_1.

    **Proof idea.** The relative entropy of u to the weights starts at ln d - H(u), never falls
    below 0, and falls by at least C(eta) per mistake: by eta y u.x >= eta g', less the
    logarithm of the normaliser, which is at most ln cosh(eta X) by convexity.

    **How tight.** One favourite among balanced features reaches 0.88 of the bound at d = 512; the
    rest is the entropy left when its weight is near 1.

    **What it does not say.** With eta at or above `eta_max` there is no bound at all: eta = 1 at
    margin 1/10 errs forever. A fixed eta does not adapt to the margin.

    >>> tuned = NormalizedWinnowRate(n_features=100, margin=0.1, radius=1, eta=0.1)
    >>> tuned.max_mistakes()
    919
    >>> NormalizedWinnowRate(n_features=64, margin=Fraction(1, 10), radius=1, eta=1).bound()
    Traceback (most recent call last):
    thresher.errors.HypothesisError: NormalizedWinnowRate does not apply: it needs \
eta * margin / comparator_norm > ln cosh(eta * radius), measured eta = 1.
    """

    eta: Exact = Exact("eta: the step")

    statement: ClassVar[str] = "M <= (ln d - H(u)) / (eta gamma/||u||_1 - ln cosh(eta X))"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow"})
    setting: ClassVar[str] = "eta or margin given"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """Separable, and a step below `eta_max`."""
        yield from super().hypotheses()
        yield self.step_is_small_enough(self.eta)

    def right_hand_side(self) -> Limit:
        """The relative entropy at the start over the drop per mistake."""
        return at_most(self.start() / self.drop(self.eta))


@dataclass(frozen=True, kw_only=True)
class SignedWinnowRate(NormalizedWinnowRate):
    """Mistakes of signed Winnow (EG+-) on a separable stream, with the step eta it used.

    **Theorem** (Kivinen and Warmuth 1997). As `NormalizedWinnowRate`, for comparators u of any
    sign: with g' = gamma/||u||_1,

        M <= (ln(2d) - H(|u|/||u||_1)) / (eta g' - ln cosh(eta X)).

    **Hypotheses.** Those of `NormalizedWinnowRate`, except that u may have any sign.

    **Proof idea.** EG+- is EG on the 2d features (x, -x), where u splits into its positive and
    negative parts.

    **How tight.** Reached at full margin by all sign patterns and a large step; 0.89 at d = 512
    otherwise.

    **What it does not say.** It is not about Balanced Winnow with a threshold, which errs forever
    on most threshold functions. This is the signed learner with a guarantee.

    >>> SignedWinnowRate(n_features=50, margin=0.1, radius=1, eta=0.1).max_mistakes()
    919
    """

    copies: ClassVar[int] = 2

    statement: ClassVar[str] = "M <= (ln(2d) - H(|u|)) / (eta gamma/||u||_1 - ln cosh(eta X))"
    learners: ClassVar[frozenset[str]] = frozenset({"SignedWinnow"})
    setting: ClassVar[str] = "eta or margin given"
