"""The slow twin of `kernels/engines/exponentiated.pyx`: normalised and signed Winnow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.reference.engine import Row
from tests.reference.multiplicative import Step
from tests.reference.normalized import Normalized

#: A step, and the number of mistakes that it may make before the next one is tried.
Phase = tuple[Step, float]


class NormalizedWinnow(Normalized):
    """w_i = e^(eta theta_i) / sum_j e^(eta theta_j); the prediction is the sign of <w, x>."""

    def __init__(
        self,
        n_features: int,
        step: Step,
        dual: list[float] | None = None,
        *,
        bias: bool = False,
        phases: Sequence[Phase] = (),
    ) -> None:
        super().__init__(n_features, step, [0.0] * (n_features + bias) if dual is None else dual)
        self.bias = bias
        self.phase = 0
        self.phase_mistakes = 0
        self.phases = phases or [(step, math.inf)]

    def terms(self, row: Row) -> list[tuple[int, float]]:
        """The features of a row, and the constant one after them."""
        return [*super().terms(row), *([(self.n_features, 1.0)] if self.bias else [])]

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """After a mistake theta <- theta + y x; after too many, the next phase."""
        if mistake:
            for i, x in self.terms(row):
                self.duals[i] += label * self.importance * x
            self.keep_in_range(row)
            self.phase_mistakes += 1
            if self.phase_mistakes > self.phases[self.phase][1]:
                self.start_over()
        return mistake

    def start_over(self) -> None:
        """All weights equal again, and another step."""
        self.phase += 1
        self.phase_mistakes = 0
        self.step = self.phases[self.phase][0]
        self.duals = [0.0] * len(self.duals)
        self.shift = 0.0


class SignedWinnow(NormalizedWinnow):
    """The same over every feature and its negative: w_i = sinh(eta theta_i) / sum_j cosh(...)."""

    def powers(self, i: int) -> list[tuple[int, float]]:
        return [(1, self.duals[i]), (-1, -self.duals[i])]
