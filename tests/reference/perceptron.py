"""The slow twin of `kernels/engines/additive.pyx` and `identity_link.pyx`: the Perceptron."""

from __future__ import annotations

from tests.reference.engine import Player, Row

#: The key of the constant feature.
BIAS = -1
LARGEST = 1e150


def bounded(weight: float) -> float:
    """The weight, within what weights may be."""
    return max(-LARGEST, min(LARGEST, weight))


class Weights(Player):
    """A weight per feature, 0 at the start; predictions by them or by their mean."""

    def __init__(self, bias: bool = False, average: bool = False) -> None:
        super().__init__()
        self.bias = bias
        self.average = average
        self.weight: dict[int, float] = {}
        #: Each step times the number of its round, counted from 1.
        self.history: dict[int, float] = {}

    def terms(self, row: Row) -> list[tuple[int, float]]:
        """The row by increasing columns, the constant feature last."""
        return [(i, row[i]) for i in sorted(row)] + ([(BIAS, 1.0)] if self.bias else [])

    def current(self, row: Row) -> float:
        """<w, x> for the weights of the moment."""
        total = 0.0
        for i, x in self.terms(row):
            total += self.weight.get(i, 0.0) * x
        return total

    def score(self, row: Row) -> float:
        """<w, x>, for the mean of the weights of all rounds if that was asked for."""
        total = self.current(row)
        if self.average:
            past = 0.0
            for i, x in self.terms(row):
                past += self.history.get(i, 0.0) * x
            total -= past / (self.n_rounds + 1)
        return total

    def wrong(self, row: Row, label: int) -> bool:
        """Whether the weights of the moment err."""
        return (self.current(row) >= self.threshold) != (label > 0)

    def step(self, i: int, amount: float) -> None:
        """W_i += amount."""
        amount = bounded(amount)
        self.weight[i] = bounded(self.weight.get(i, 0.0) + amount)
        self.history[i] = self.history.get(i, 0.0) + (self.n_rounds + 1) * amount

    def squared_norm(self, row: Row) -> float:
        """||x||^2, summed over increasing columns, the constant feature last."""
        total = 0.0
        for _, x in self.terms(row):
            total += x * x
        return total

    @property
    def bias_weight(self) -> float:
        """The weight of the constant feature."""
        return self.weight.get(BIAS, 0.0)

    def dual(self, n_features: int) -> list[float]:
        """The weights, the bias last."""
        weights = [self.weight.get(i, 0.0) for i in range(n_features)]
        return [*weights, self.bias_weight] if self.bias else weights


class Perceptron(Weights):
    """Weights start at 0 and gain y x in every mistaken round, or within the margin."""

    def __init__(self, bias: bool = False, margin: float = 0.0, average: bool = False) -> None:
        super().__init__(bias, average)
        self.margin = margin

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """W += y x."""
        within = self.margin > 0 and label * self.current(row) <= self.margin
        if not (self.wrong(row, label) or within):
            return False
        for i, x in self.terms(row):
            amount = label * self.importance * x
            if self.average:
                self.step(i, amount)
            else:
                self.weight[i] = self.weight.get(i, 0.0) + amount
        return True


class ForgetfulPerceptron(Perceptron):
    """All weights are multiplied by 1 - decay before an update.

    As in the kernel, they are stored divided by a factor common to all.
    """

    def __init__(self, decay: float, bias: bool = False, margin: float = 0.0) -> None:
        super().__init__(bias, margin)
        self.keep = 1.0 - decay
        self.factor = 1.0

    def current(self, row: Row) -> float:
        """<w, x>."""
        return self.factor * super().current(row)

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """W = (1 - decay) w + y x."""
        within = self.margin > 0 and label * self.current(row) <= self.margin
        if not (mistake or within):
            return False
        self.factor *= self.keep
        if self.factor < 1e-100:
            self.weight = {i: w * self.factor for i, w in self.weight.items()}
            self.factor = 1.0
        for i, x in self.terms(row):
            amount = label * self.importance / self.factor * x
            self.weight[i] = self.weight.get(i, 0.0) + amount
        return True

    def dual(self, n_features: int) -> list[float]:
        """The weights, the bias last."""
        return [w * self.factor for w in super().dual(n_features)]
