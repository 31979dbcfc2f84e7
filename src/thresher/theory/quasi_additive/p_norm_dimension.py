"""The p-norm Perceptron measured like Winnow: largest value and summed weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.errors import ParameterError
from thresher.theory.enclosure import exp, ln
from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.quasi_additive.p_norm import p_norm_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


def winnow_like_p(n_features: int) -> float:
    """The exponent 2 ln d (at least 2), which needs no tuning.

    >>> round(winnow_like_p(1000), 3)
    13.816
    """
    return max(2.0, 2 * math.log(n_features))


def optimal_p(n_features: int) -> float:
    """The exponent ln d + sqrt(ln(d)^2 - 2 ln d) that minimises (p - 1) d^(2/p).

    It exists for ln d >= 2, that is, from 8 features on.

    >>> round(optimal_p(1000), 3)
    12.73
    """
    size = math.log(max(1, n_features))
    if size < 2:
        raise ParameterError("optimal_p", "n_features", "at least 8", n_features)
    return size + math.sqrt(size * size - 2 * size)


@dataclass(frozen=True)
class PNormDimension(MistakeBound):
    """Mistakes of the p-norm Perceptron in terms of d, the largest value and ||u||_1.

    **Theorem** (Gentile and Littlestone 1999; Gentile 2003). In the setting of `PNorm` with
    tau = 0, if |x_{t,i}| <= X in every mistake round,

        M <= (p - 1) d^(2/p) X^2 ||u||_1^2 / gamma^2;

    p = 2 ln d makes it e (2 ln d - 1) X^2 ||u||_1^2 / gamma^2.

    **Hypotheses.** p >= 2, gamma > 0. No knowledge of gamma is needed to run the learner.

    **Proof idea.** ||x||_p <= d^(1/p) X and ||u||_q <= ||u||_1 in `PNorm`.

    **How tight.** Reached at p = 2 by the rows of a Hadamard matrix; for p = 2 ln d the best
    ratio found is 0.85 (d = 512, gamma = 0.3).

    **What it does not say.** It is looser than `PNorm` with the norms measured.

    >>> PNormDimension(
    ...     p=winnow_like_p(1000), n_features=1000, radius=1, comparator_norm=1, margin=0.1
    ... ).max_mistakes()
    3483
    """

    p: Exact = Exact("p: the norm's exponent, at least 2")
    n_features: Count = Count("d: the number of features")
    radius: Size = Size("X: the largest |x_i| of a mistake round")
    comparator_norm: Size = Size("||u||_1 of the comparator")
    margin: Exact = Exact("gamma: the smallest y u.x of a mistake round")

    statement: ClassVar[str] = "M <= (p - 1) d^(2/p) X^2 ||u||_1^2 / gamma^2"
    reference: ClassVar[str] = "gentilelittlestone1999"
    learners: ClassVar[frozenset[str]] = frozenset({"PNormPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """P at least 2, a positive margin, and features."""
        yield from p_norm_hypotheses(self.p, self.margin)
        yield Hypothesis("n_features >= 1", self.n_features, self.n_features >= 1)

    def right_hand_side(self) -> Limit:
        """(p - 1) exp(2 ln(d)/p) (X ||u||_1 / gamma)^2."""
        ratio = self.radius * self.comparator_norm / self.margin
        return at_most((self.p - 1) * ratio**2 * exp(2 * ln(self.n_features) / self.p))
