"""What the mistakes of a run say about rows to come, in one line."""

from __future__ import annotations

from fractions import Fraction

from thresher.records import record

#: The probability with which the statement may fail.
DELTA = Fraction(1, 20)


@record
class RunEvidence:
    """The mistakes of a first pass, and the mean risk that follows if rows are drawn alike.

    Every row was predicted before its label was learned, so the mistakes are an honest count. If
    rows are independent draws from one source, the mean risk of the hypotheses used on the way
    is at most `max_risk`, except with probability `delta`.
    """

    mistakes: int
    rounds: int
    max_risk: float
    theorem: str
    delta: Fraction = DELTA

    @classmethod
    def of(cls, mistakes: int, rounds: int, delta: Fraction = DELTA) -> RunEvidence | None:
        """The evidence of so many mistakes in so many rounds; None of no rounds.

        >>> print(RunEvidence.of(5019, 32561))
        5,019 of 32,561 wrong before learning; with 95 % confidence the mean risk is at most \
16.2 % if rows are independent draws from one source
        """
        # Imported here: who trains without a word about it does not wait for theorems.
        from thresher.theory.risk.best_mean import best_mean_risk, risk_of  # noqa: PLC0415

        found = best_mean_risk(mistakes, rounds, delta) if rounds else None
        return None if found is None else cls(mistakes, rounds, risk_of(found), found.name, delta)

    def __str__(self) -> str:
        from thresher.theory.shares import DOWN, UP, percent  # noqa: PLC0415

        sure, risk = percent(1 - self.delta, DOWN), percent(self.max_risk, UP)
        return (
            f"{self.mistakes:,} of {self.rounds:,} wrong before learning; with {sure} confidence "
            f"the mean risk is at most {risk} if rows are independent draws from one source"
        )
