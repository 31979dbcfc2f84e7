"""The Perceptron with several classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class MulticlassNovikoff(MistakeBound):
    """Mistakes of the multiclass Perceptron on a separable stream.

    **Theorem** (Kesler's construction; Crammer and Singer 2003). Let
    u_y.x_t - u_r.x_t >= gamma > 0 for the label y and every other class r, and ||x_t|| <= R,
    in every mistake round. The multiclass Perceptron started at 0 makes at most

        M <= 2 R^2 ||u||_F^2 / gamma^2

    mistakes, ||u||_F^2 the sum of all squared weights of u.

    **Hypotheses.** gamma > 0. After a run it suffices to measure gamma against the class that
    was predicted.

    **Proof idea.** A mistake adds a block vector with +x and -x, of squared norm 2 ||x||^2, on
    which u has at least gamma: `Novikoff` in the space of blocks.

    **How tight.** Reached by orthonormal examples, for any number of classes.

    **What it does not say.** The number of classes does not appear, but more classes make
    gamma smaller or u larger.

    >>> MulticlassNovikoff(radius_squared=1, comparator_norm_squared=20, margin=1).max_mistakes()
    40
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||_F^2: the squared weights of all classes")
    margin: Exact = Exact("gamma: the smallest lead of u for the label over another class")

    statement: ClassVar[str] = "M <= 2 R^2 ||u||_F^2 / gamma^2"
    reference: ClassVar[str] = "crammersinger2003"
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """2 R^2 ||u||_F^2 / gamma^2."""
        return at_most(2 * self.radius_squared * self.comparator_norm_squared / self.margin**2)
