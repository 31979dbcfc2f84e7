"""Shards that learn apart and average their states, on data with noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from thresher.theory.exponentiated.hinge import NormalizedWinnowHinge
from thresher.theory.perceptron.hinge import PerceptronHinge
from thresher.theory.quantities import Count
from thresher.theory.quasi_additive.p_norm_hinge import PNormHinge
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.comparator import WinnowComparator

WithLoss: TypeAlias = PerceptronHinge | PNormHinge | NormalizedWinnowHinge | WinnowComparator


@dataclass(frozen=True)
class MixingWithLosses(MistakeBound):
    """Mistakes of N shards that average their states after every epoch, with noise.

    **Theorem** (after McDonald, Hall and Mann 2010). Let N shards start each epoch from the same
    state, learn on their own data, and average their states with equal weights. Let B(L) be the
    real-valued bound of `PerceptronHinge`, `PNormHinge`, `NormalizedWinnowHinge`,
    `SignedWinnowHinge` or `WinnowComparator` as it depends on the loss L of the comparator. With
    L summed over all shards **and all epochs**, over the mistake rounds or over all rounds,

        M <= N B(L/N).

    For the Perceptron, with A = R ||u|| / gamma, that is
    L/gamma + N (A^2/2 + A sqrt(L/(N gamma) + A^2/4)); for signed Winnow
    (N (ln(2d) - H) + eta L)/C(eta). The noise is not multiplied by N.

    What may be averaged: as in `ParameterMixing`.

    **Hypotheses.** N >= 1 and those of the sequential theorem, with its quantities measured over
    all shards and epochs. Attribute errors A of a disjunction are the loss of
    `WinnowComparator` with weights 1 and rho = 0.

    **Proof idea.** Let K = M/N be the mistakes of an average shard. An epoch moves u.w by at least
    gamma k_i less the losses on shard i, hence on average over shards; the potential is convex, so
    averaging does not raise it. So K obeys the sequential inequality with the loss L/N.

    **How tight.** Identical shards in one epoch make N times the mistakes of one learner, at N
    times its loss, so the bound is reached where that of the sequential theorem is.

    **What it does not say.** L grows with the epochs. Measured only once, it would give a false
    promise: 20 mistakes where 24 happen, see `ParameterMixing`.

    >>> noisy = WinnowComparator(2, [1], rho=0, beta=1, threshold=2, loss=12)
    >>> MixingWithLosses(sequential=noisy, shards=2).max_mistakes()
    44
    """

    sequential: WithLoss
    shards: Count = Count("N: the number of shards")

    statement: ClassVar[str] = "total mistakes of N averaged shards <= N B(L/N)"
    reference: ClassVar[str] = "mcdonaldhallmann2010"
    learners: ClassVar[frozenset[str]] = frozenset(
        {"Perceptron", "NormalizedWinnow", "PNormPerceptron", "SignedWinnow", "Winnow"}
    )

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least one shard, and a sequential theorem that averaging keeps."""
        yield Hypothesis("shards >= 1", self.shards, self.shards >= 1)
        yield Hypothesis(
            "a sequential theorem with a convex potential and a loss",
            self.sequential.name,
            isinstance(self.sequential, WithLoss),
        )
        yield from self.sequential.hypotheses()

    def right_hand_side(self) -> Limit:
        """N times the sequential bound at a share of the loss, before it is rounded."""
        share = replace(self.sequential, loss=self.sequential.loss / self.shards)
        return at_most(self.shards * share.right_hand_side().value)

    @classmethod
    def quantities(cls) -> dict[str, str]:
        """The shards, and the theorem for one learner with the losses of all."""
        one = "the theorem for one learner, with what it measures over all shards and epochs"
        return {"sequential": one, **super().quantities()}

    def measured(self) -> dict[str, object]:
        """The shards, the sequential theorem's name, and its quantities."""
        return {
            "shards": self.shards,
            "sequential": self.sequential.name,
            **self.sequential.measured(),
        }
