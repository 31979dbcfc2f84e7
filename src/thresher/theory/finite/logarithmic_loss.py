"""From the logarithmic losses of a forecaster to its mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import ln, real
from thresher.theory.quantities import Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class LogarithmicLoss(MistakeBound):
    """Mistakes of a forecaster that gives probabilities and predicts the likelier label.

    **Theorem.** Let L be the sum of -ln(probability given to the label) over all rounds, or over
    the mistake rounds. Then

        M <= L / ln 2.

    **Hypotheses.** The prediction has probability at least 1/2.

    **Proof idea.** In a mistaken round the label had probability at most 1/2, so the loss is at
    least ln 2; no loss is negative.

    **How tight.** Reached by a forecaster that gives 1/2 in every round and is always wrong.

    **What it does not say.** How large L is: for the mixture of a Committee, see
    `MixtureOfExperts`. The two together are M ln 2 <= L <= L* + ln(1/pi) + ln T.

    >>> LogarithmicLoss(loss=10).max_mistakes()
    14
    """

    loss: Size = Size("L: the sum of -ln(probability of the label)")

    statement: ClassVar[str] = "M <= L / ln 2"
    reference: ClassVar[str] = "herbsterwarmuth1998"
    learners: ClassVar[frozenset[str]] = frozenset({"Committee"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """None beyond what the measured loss is."""
        yield Hypothesis("loss >= 0", self.loss, self.loss >= 0)

    def right_hand_side(self) -> Limit:
        """The loss in bits."""
        return at_most(real(self.loss) / ln(2))
