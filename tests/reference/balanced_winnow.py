"""The slow twin of `kernels/engines/winnow.pyx` with mirrored duals: Balanced Winnow."""

from __future__ import annotations

from tests.reference.winnow import Winnow


class BalancedWinnow(Winnow):
    """Two weights, (1 + beta)^c_i and (1 + beta)^-c_i, of which one gains what the other loses.

    The prediction is +1 exactly when <w+ - w-, x> >= theta.
    """

    def powers(self, i: int) -> list[tuple[int, float]]:
        return [(1, self.duals[i]), (-1, -self.duals[i])]

    def kept(self, dual: float) -> float:
        """Neither weight is below the floor."""
        return min(max(dual, self.floor), -self.floor)
