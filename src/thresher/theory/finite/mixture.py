"""A mixture of experts who state probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import float_above, ln, log2
from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class MixtureOfExperts(MistakeBound):
    """Mistakes of a mixture of probabilities against any one of its experts.

    **Theorem** (Herbster and Warmuth 1998, with the share 1/(t + 1)). In round t every expert e
    gives the label the probability p(t, e), and the mixture gives it the average of these under
    weights that start as pi(e) and become

        v(t+1, e) = t/(t + 1) v(t, e) p(t, e) / (sum_f v(t, f) p(t, f)) + pi(e)/(t + 1).

    It predicts the likelier label. With L* the sum of -ln p(t, e) over T rounds, for any e,

        M <= (L* + ln(1/pi) + ln T) / ln 2.

    Multiplied by ln 2, it also bounds the sum of the mixture's own logarithmic losses:
    ``max_loss()``.

    **Hypotheses.** 0 < pi <= 1 and T >= 1.

    **Proof idea.** From round to round the weight of e keeps at least t/(t + 1) of its share of
    the posterior, so the product of the mixture's probabilities is at least pi times the product
    of the expert's times (1/2)(2/3)...((T - 1)/T) = 1/T. In a mistaken round the mixture gave the
    label at most 1/2.

    **How tight.** Reached by two experts of weight 1/2 in one round. Without the share there is no
    ln T, but an expert that once did badly cannot recover.

    **What it does not say.** It compares with the loss of the expert, not with its mistakes: an
    expert that is often right and rarely sure has a large loss.

    >>> MixtureOfExperts(expert_loss=10, prior=1/16, rounds=1000).max_mistakes()
    28
    """

    expert_loss: Size = Size("L*: the sum of the expert's -ln(probability of the label)")
    prior: Exact = Exact("pi: the expert's weight at the start")
    rounds: Count = Count("T: rounds played")

    statement: ClassVar[str] = "M <= (L* + ln(1/pi) + ln T) / ln 2"
    reference: ClassVar[str] = "herbsterwarmuth1998"
    learners: ClassVar[frozenset[str]] = frozenset({"Committee"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The expert had some weight, and something was played."""
        yield Hypothesis("0 < prior <= 1", self.prior, 0 < self.prior <= 1)
        yield Hypothesis("rounds >= 1", self.rounds, self.rounds >= 1)

    def right_hand_side(self) -> Limit:
        """The loss, at ln 2 or more for each mistake; in bits, some of it is exact."""
        price = self.rounds / self.prior
        bits = log2(price.numerator) - log2(price.denominator)
        return at_most(bits + self.expert_loss / ln(2) if self.expert_loss else bits)

    def max_loss(self) -> float:
        """The most that the mixture's own losses sum to, L* + ln(1/pi) + ln T, rounded up.

        >>> MixtureOfExperts(expert_loss=10, prior=1/16, rounds=1000).max_loss()
        19.68034400122192
        """
        self.limit()
        return float_above(ln(self.rounds / self.prior) + self.expert_loss)
