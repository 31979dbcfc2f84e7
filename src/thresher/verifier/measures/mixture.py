"""What the mixture of experts allows, from losses that a replay has enclosed.

The theorem is about exact weights; the Committee's are doubles. What rounding costs is bounded
here, so that the statement is about the run as it was. Write u for 2^-53, P for the probability
that the mixture gave the label, p for an expert's and v for its weight, all as the doubles they
are; there are N <= 15 experts. One round

* multiplies v by 1 + y lean, divides by the sum of these products, takes the share t/(t + 1)
  and adds prior/(t + 1): the new weight is at least t/(t + 1) v 2p/S with S the exact sum, but
  for N + 7 factors of 1 - u;
* leaves weights whose sum is within (N + 6) u of 1, since they were divided by their sum;
* so S, which is the sum of the weights plus y times the exact lean of the mixture, exceeds 2P
  by at most (2N + 9) u.

When members leave, the others' weights are divided by their sum, which is at most 1 but for N + 6
roundings: N + 7 factors more, and no weight gets smaller otherwise.

Log-odds are at most 8 in size, so that 2P > 0.0006 and S <= 2P (1 + 39u/0.0006). Together no
round takes more than 2^-37 from the logarithm of an expert's weight beyond what the theorem
says, which makes

    L_mixture <= L_e + ln(1/prior_e) + ln T + T 2^-37.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from thresher.theory import (
    AverageForecastRisk,
    LogarithmicLoss,
    MistakeBound,
    MixtureOfExperts,
    RiskBound,
    RiskDifference,
)
from thresher.verifier.replayed_run import ReplayedRun

#: What rounding can add to the loss of the mixture in one round.
ROUNDING = Fraction(1, 2**37)
#: No loss exceeds ln(1 + e^8) = 8.00033541, since log-odds are kept within 8; the last digit has
#: room for rounding.
LARGEST_LOSS = Fraction(8000336, 10**6)


def mixture_bounds(run: ReplayedRun) -> Iterator[MistakeBound]:
    """By the mixture's own loss, and by that of each expert, all at the upper ends."""
    facts, rounds = run.replay.facts, len(run.stream)
    yield LogarithmicLoss(Fraction(facts["loss_upper"][-1]))
    for loss, prior in zip(facts["loss_upper"], facts["prior"], strict=False):
        yield MixtureOfExperts(
            expert_loss=Fraction(loss) + rounds * ROUNDING, prior=Fraction(prior), rounds=rounds
        )


def mixture_risks(run: ReplayedRun, delta: Fraction) -> Iterator[RiskBound]:
    """How much riskier than its best expert, and the logarithmic risk of averaged forecasts.

    Which expert is best is known after the run, so the statement is about all of them at once.
    """
    facts, rounds = run.replay.facts, len(run.stream)
    wrong = [int(own) for own in facts["expert_mistakes"]]
    yield RiskDifference(run.mistakes, min(wrong), rounds, delta, experts=len(wrong))
    yield AverageForecastRisk(Fraction(facts["loss_upper"][-1]), rounds, delta, LARGEST_LOSS)


def regrets(run: ReplayedRun) -> tuple[int, ...]:
    """How many more mistakes the mixture made than each expert; below 0 if it made fewer."""
    mistakes = run.replay.facts["expert_mistakes"]
    return tuple(run.mistakes - int(own) for own in mistakes)
