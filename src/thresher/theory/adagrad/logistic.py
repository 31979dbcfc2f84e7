"""AdaGrad on the logistic loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.adagrad.hinge import AdaGradHinge
from thresher.theory.enclosure import ln
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class AdaGradLogistic(MistakeBound):
    """Mistakes of AdaGrad with the logistic loss, from the loss of a comparator and the run.

    **Theorem** (Duchi, Hazan and Singer 2011, Theorem 5, diagonal form). As `AdaGradHinge`, for
    the loss ln(1 + exp(-y w.x)), whose gradient in round t is -y_t x_t/(1 + exp(y_t w_t.x_t)):
    every round is an update, G_i is the sum of the squares of these gradients, L the sum of
    ln(1 + exp(-y_t u.x_t)) over all rounds. Then

        M ln 2 <= sum of ln(1 + exp(-y_t w_t.x_t)) <= L + (D^2/(2 eta) + eta) S.

    **Hypotheses.** eta > 0; every row with importance 1.

    **Proof idea.** That of `AdaGradHinge`; a mistake has y w.x <= 0 and a loss of at least ln 2.

    **How tight.** One feature whose label is always the opposite of the prediction reaches 0.90 of
    the bound in 100 rounds with eta = 1. More rounds come closer.

    **What it does not say.** As `AdaGradHinge`. L is not 0 for any u. On a separable stream a long
    u makes it arbitrarily small, but then D is large.

    >>> AdaGradLogistic(comparator_loss=4, distance=2, root_sum=10, eta=1).max_mistakes()
    49
    """

    comparator_loss: Size = Size("L: the summed logistic loss of u over all rounds")
    distance: Size = Size("D: the largest |w_i - u_i| before an update")
    root_sum: Size = Size("S: the sum over the features of sqrt(G_i) at the end")
    eta: Exact = Exact("eta: the step")

    statement: ClassVar[str] = "M ln 2 <= sum of logistic losses <= L + (D^2/(2 eta) + eta) S"
    reference: ClassVar[str] = "duchihazansinger2011"
    learners: ClassVar[frozenset[str]] = frozenset({"AdaGrad"})
    setting: ClassVar[str] = 'loss="logistic", every row with importance 1'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The step must be positive."""
        yield Hypothesis("eta > 0", self.eta, self.eta > 0)

    def right_hand_side(self) -> Limit:
        """The loss of u and the regret; a mistake costs ln 2."""
        same = AdaGradHinge(self.comparator_loss, self.distance, self.root_sum, self.eta)
        return at_most(same.right_hand_side().value / ln(2))
