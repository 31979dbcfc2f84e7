"""The slow twin of `kernels/additive.pyx`: the Perceptron by its definition."""

from __future__ import annotations

from tests.reference.engine import Player, Row


class Perceptron(Player):
    """Weights start at 0 and gain y x in every mistaken round."""

    def __init__(self, bias: bool = False) -> None:
        super().__init__()
        self.bias = bias
        self.weight: dict[int, float] = {}
        self.bias_weight = 0.0

    def score(self, row: Row) -> float:
        """<w, x>, summed over increasing columns, the bias last."""
        total = 0.0
        for i in sorted(row):
            total += self.weight.get(i, 0.0) * row[i]
        return total + self.bias_weight if self.bias else total

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """W += y x."""
        if mistake:
            for i, x in row.items():
                self.weight[i] = self.weight.get(i, 0.0) + label * x
            if self.bias:
                self.bias_weight += label
        return mistake

    def dual(self, n_features: int) -> list[float]:
        """The weights, the bias last."""
        weights = [self.weight.get(i, 0.0) for i in range(n_features)]
        return [*weights, self.bias_weight] if self.bias else weights
