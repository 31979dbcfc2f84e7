"""Winnow on a disjunction whose examples were tampered with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import ln
from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.any_threshold import step_hypotheses


@dataclass(frozen=True)
class WinnowAttributeErrors(MistakeBound):
    """Mistakes of Winnow on a monotone disjunction with noisy attributes.

    **Theorem** (after Littlestone 1991; a case of `WinnowComparator`). Let x be binary with d
    features, r of them relevant. A positive example without a relevant feature costs 1 attribute
    error, a negative example with k relevant features costs k; let A be their sum. Then, with c =
    (alpha - 1/alpha) theta / ln(alpha),

        M <= (1 + alpha) A + alpha d/((alpha - 1) theta) + r (1 + alpha)(ln c - 1)/ln(alpha).

    For factor 2 and threshold d this is 3A + 2 + 3 r log2(d) - 0.9868 r.

    **Hypotheses.** beta > 0, theta > 0, r <= d. A counts the mistake rounds, or all rounds.

    **Proof idea.** u = 1 on the relevant features and rho = 0 in `WinnowComparator`; its loss
    is at most A. An error really costs up to 1 + alpha mistakes.

    **How tight.** An adversary that spends one error after another reaches 0.97 of the bound with
    60 errors and factor 2. More errors come closer.

    **What it does not say.** Which features are relevant: A is counted for a declared set. A
    set chosen after the run must be quoted with its errors over all rounds.

    >>> WinnowAttributeErrors(
    ...     n_features=1024, relevant=4, errors=5, beta=1, threshold=1024
    ... ).max_mistakes()
    133
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names")
    errors: Count = Count("A: the number of attribute errors")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")

    statement: ClassVar[str] = (
        "M <= (1 + alpha) A + alpha d/((alpha - 1) theta) + r (1 + alpha)(ln c - 1)/ln(alpha)"
    )
    reference: ClassVar[str] = "littlestone1991"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=False"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold, and relevant features among the features."""
        yield from step_hypotheses(self.beta, self.threshold)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The price of the errors, of the initial weight, and of the target."""
        alpha, theta = 1 + self.beta, self.threshold
        c = (alpha - 1 / alpha) * theta / ln(alpha)
        target = self.relevant * (1 + alpha) * (ln(c) - 1) / ln(alpha)
        return at_most(
            (1 + alpha) * self.errors + alpha * self.n_features / (self.beta * theta) + target
        )
