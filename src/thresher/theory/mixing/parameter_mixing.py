"""Shards that learn apart and average their states, on data that the target fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.exponentiated.rate import NormalizedWinnowRate
from thresher.theory.exponentiated.tuned import NormalizedWinnowSimple, NormalizedWinnowTuned
from thresher.theory.perceptron.novikoff import Novikoff
from thresher.theory.quantities import Count
from thresher.theory.quasi_additive.p_norm import PNorm
from thresher.theory.quasi_additive.p_norm_dimension import PNormDimension
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.attribute_errors import WinnowAttributeErrors
from thresher.theory.winnow.comparator import WinnowComparator

MIXABLE = (
    Novikoff,
    PNorm,
    PNormDimension,
    NormalizedWinnowRate,
    NormalizedWinnowTuned,
    NormalizedWinnowSimple,
    WinnowComparator,
    WinnowAttributeErrors,
)


@dataclass(frozen=True)
class ParameterMixing(MistakeBound):
    """Total mistakes of N shards that average their states after every epoch.

    **Theorem** (McDonald, Hall and Mann 2010 for the Perceptron; the same argument for every
    convex potential). Let N shards start each epoch from the same state, learn on their own
    data, and average their states with equal weights. If B is the real-valued bound of a
    theorem that rests on a convex potential, measured on the union of the data and free of
    losses and attribute errors, then over all shards and epochs

        M <= N B.

    What may be averaged: the weights of the Perceptron; the duals of the p-norm Perceptron;
    duals or normalised weights of normalised and signed Winnow; exponents or weights of Winnow.

    **Hypotheses.** N >= 1, the hypotheses of the sequential theorem, that it is one of those the
    argument covers, and no losses or attribute errors. The integer bounds `WinnowDisjunction` and
    `WinnowAnyThreshold` are not covered: averaging makes exponents fractional. Use
    `WinnowAttributeErrors` with no errors.

    **Proof idea.** On shard i an epoch lowers the potential gap by C for each of its k_i
    mistakes; the gap is convex, so after averaging it is lower by at least C sum k_i / N.

    **How tight.** Reached by identical shards.

    **What it does not say.** Nothing about noise: a loss measured once on the union recurs in
    every epoch. Two shards of Winnow on two features, each with ({0}, +1) and ({0}, -1), make 24
    mistakes in six epochs, where N B with the two attribute errors of the union is 20. In 0.2.0
    such a B was accepted; see `MixingWithLosses`. Nothing about adding the shards' changes instead
    of averaging. Identical shards attain N B, so mixing buys time, not mistakes.

    >>> alone = Novikoff(radius_squared=1, comparator_norm_squared=40, margin=1)
    >>> ParameterMixing(sequential=alone, shards=4).max_mistakes()
    160
    """

    sequential: MistakeBound
    shards: Count = Count("N: the number of shards")

    statement: ClassVar[str] = "total mistakes of N averaged shards <= N B"
    reference: ClassVar[str] = "mcdonaldhallmann2010"
    learners: ClassVar[frozenset[str]] = frozenset(
        {"Perceptron", "NormalizedWinnow", "PNormPerceptron", "SignedWinnow", "Winnow"}
    )

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least one shard, and a sequential theorem that averaging keeps."""
        yield Hypothesis("shards >= 1", self.shards, self.shards >= 1)
        yield Hypothesis(
            "a sequential theorem with a convex potential",
            self.sequential.name,
            isinstance(self.sequential, MIXABLE),
        )
        noise = self._noise()
        yield Hypothesis("no losses and no attribute errors", noise, not noise)
        yield from self.sequential.hypotheses()

    def _noise(self) -> object:
        """The losses or errors that the sequential theorem was given."""
        measured = self.sequential.measured()
        return measured.get("loss") or measured.get("errors") or 0

    def right_hand_side(self) -> Limit:
        """N times the sequential bound, before it is rounded."""
        return at_most(self.shards * self.sequential.right_hand_side().value)

    @classmethod
    def quantities(cls) -> dict[str, str]:
        """The shards, and the theorem for one learner on all the data."""
        one = "the theorem for one learner on the union of the data, with what it measures"
        return {"sequential": one, **super().quantities()}

    def measured(self) -> dict[str, object]:
        """The shards, the sequential theorem's name, and its quantities."""
        return {
            "shards": self.shards,
            "sequential": self.sequential.name,
            **self.sequential.measured(),
        }
