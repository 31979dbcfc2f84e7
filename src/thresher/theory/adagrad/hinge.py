"""AdaGrad on the hinge loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class AdaGradHinge(MistakeBound):
    """Mistakes of AdaGrad with the hinge loss, from the loss of a comparator and the run itself.

    **Theorem** (Duchi, Hazan and Singer 2011, Theorem 5, diagonal form). AdaGrad starts at w = 0
    and, in every round with y_t w.x_t < 1, moves each weight by eta y_t x_{t,i}/sqrt(G_i), where
    G_i is the sum of x_{t,i}^2 over these rounds, this one included. For every u let L be the sum
    of max(0, 1 - y_t u.x_t) over these rounds, or over all rounds, D >= |w_{t,i} - u_i| for all
    weights in all of them, and S the sum of sqrt(G_i) at the end. Then

        M <= sum of max(0, 1 - y_t w_t.x_t) <= L + (D^2/(2 eta) + eta) S.

    The step eta = D/sqrt(2) makes it L + sqrt(2) D S.

    **Hypotheses.** eta > 0; every row with importance 1.

    **Proof idea.** Losses are convex, so the loss exceeds that of u by at most g_t.(w_t - u). A
    step of weight i lowers (w_i - u_i)^2 sqrt(G_i) by 2 eta times that, less what the growing root
    and the length of the step add: at most D^2 sqrt(G_i) and 2 eta^2 sqrt(G_i) over the whole run.

    **How tight.** One feature whose label is always the opposite of the prediction reaches 0.89 of
    the bound in 100 rounds with eta = 1, and losses of 0.97 of it. More rounds come closer.

    **What it does not say.** It promises nothing before the run: D and S are measured on it. As
    with every comparator, a u chosen after the run must be quoted with its loss over all rounds.

    >>> AdaGradHinge(comparator_loss=4, distance=2, root_sum=10, eta=1).max_mistakes()
    34
    """

    comparator_loss: Size = Size("L: the summed hinge loss of u over the updates, or over all")
    distance: Size = Size("D: the largest |w_i - u_i| before an update")
    root_sum: Size = Size("S: the sum over the features of sqrt(G_i) at the end")
    eta: Exact = Exact("eta: the step")

    statement: ClassVar[str] = "M <= sum of hinge losses <= L + (D^2/(2 eta) + eta) S"
    reference: ClassVar[str] = "duchihazansinger2011"
    learners: ClassVar[frozenset[str]] = frozenset({"AdaGrad"})
    setting: ClassVar[str] = 'loss="hinge", every row with importance 1'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The step must be positive."""
        yield Hypothesis("eta > 0", self.eta, self.eta > 0)

    def regret(self) -> Fraction:
        """What the losses exceed those of u by, at most.

        >>> AdaGradHinge(comparator_loss=4, distance=2, root_sum=10, eta=1).regret()
        Fraction(30, 1)
        """
        return (self.distance**2 / (2 * self.eta) + self.eta) * self.root_sum

    def right_hand_side(self) -> Limit:
        """The loss of u and the regret; a mistake costs 1."""
        return at_most(self.comparator_loss + self.regret())
